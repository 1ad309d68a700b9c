"""Reading back what ``describe`` wrote."""

from collections.abc import Mapping
from typing import Any

from discreet.guarantees.approximate import ApproxDP
from discreet.guarantees.base import Guarantee
from discreet.guarantees.curves import TradeOff
from discreet.guarantees.gaussian import GaussianDP
from discreet.guarantees.nothing import NoGuarantee
from discreet.guarantees.pure import PureDP

KINDS: dict[str, type[Guarantee]] = {kind.kind: kind for kind in (PureDP, ApproxDP, GaussianDP, TradeOff, NoGuarantee)}


def from_description(description: Mapping[str, Any]) -> Guarantee:
    """Return the guarantee that ``describe()`` described; its words are written anew.

    >>> from_description({"kind": "pure", "epsilon": 1.0})
    PureDP(epsilon=1.0)
    """
    fields = {name: value for name, value in description.items() if name not in ("kind", "words")}
    kind = KINDS.get(description.get("kind", ""))
    if kind is None:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {description.get('kind')!r}")
    try:
        return kind(**fields)
    except TypeError:
        raise ValueError(f"the fields {sorted(fields)} are not those of the kind {kind.kind!r}") from None
