"""Several releases together: each may depend on what the earlier ones revealed."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

import numpy as np

from discreet.guarantees.approximate import ApproxDP
from discreet.guarantees.base import Guarantee
from discreet.guarantees.curves import TradeOff
from discreet.guarantees.gaussian import GaussianDP, gaussian
from discreet.guarantees.nothing import NoGuarantee, unless_infinite
from discreet.guarantees.products import product
from discreet.guarantees.pure import PureDP
from discreet.guarantees.rounding import UNIT, add_up, root_up
from discreet.guarantees.supporting import hull


def compose(*guarantees: Guarantee) -> Guarantee:
    """Return one guarantee for all releases together.

    - Without a guarantee in one part there is none for the whole.
    - Epsilons add, deltas add; mus add in squares. Sums are exact where a float can hold them and
      rounded up otherwise.
    - Kinds that do not add are turned into curves and multiplied, on the safe side. Which reveals
      nothing (``PureDP(0)``, ``GaussianDP(0)``) then changes nothing.
    - Of two mus that are about rounds ``within`` some distance, the sum is about those within the smaller one. Other
      kinds cannot say whom they are about, so together with them there is none.

    >>> compose(PureDP(1.0), ApproxDP(0.5, 1e-6)), compose(GaussianDP(3.0), GaussianDP(4.0))
    (ApproxDP(epsilon=1.5, delta=1e-06), GaussianDP(mu=5.0))
    >>> compose(PureDP(1.0), GaussianDP(1.0)).delta(0.0) > GaussianDP(1.0).delta(0.0)
    True
    """
    for part in guarantees:
        if not isinstance(part, Guarantee):
            raise ValueError(f"others must be guarantees, such as PureDP(1.0), not {part!r}")
    if len(guarantees) == 1:
        return guarantees[0]
    missing = [part.reason for part in guarantees if isinstance(part, NoGuarantee)]
    if missing:
        return NoGuarantee("; ".join(dict.fromkeys(missing)))
    return _alike(guarantees) or _narrowed(guarantees) or _mixed(guarantees)


def _alike(parts: Sequence[Guarantee]) -> Guarantee | None:
    """Return the sum of parts whose kinds add, or None if they do not."""
    if all(isinstance(part, PureDP) for part in parts):
        return unless_infinite(PureDP, add_up(*(part.epsilon for part in parts if isinstance(part, PureDP))))
    if all(isinstance(part, PureDP | ApproxDP) for part in parts):
        return _approximate([part for part in parts if isinstance(part, PureDP | ApproxDP)])
    mus = [part for part in parts if isinstance(part, GaussianDP)]
    if len(mus) == len(parts):
        within = min((part.within for part in mus if part.within is not None), default=None)
        return gaussian(root_up(sum((Fraction(part.mu) ** 2 for part in mus), Fraction(0))), within)
    return None


def _narrowed(parts: Sequence[Guarantee]) -> Guarantee | None:
    """Return that nothing can be said of unlike parts, where one of them is about some neighbors only."""
    withins = [part.within for part in parts if isinstance(part, GaussianDP) and part.within is not None]
    if not withins:
        return None
    about = f"a promise about losses that differ by at most {min(withins)!r} adds up with others of its kind only"
    return NoGuarantee(about)


def _approximate(parts: Sequence[PureDP | ApproxDP]) -> Guarantee:
    deltas = (part.delta for part in parts if isinstance(part, ApproxDP))
    return unless_infinite(ApproxDP, add_up(*(part.epsilon for part in parts)), min(1.0, add_up(*deltas)))


def _mixed(parts: Sequence[Guarantee]) -> Guarantee:
    """Add up what can be added, and multiply the curves of the rest."""
    telling = [part for part in parts if part.delta(0.0) > 0]
    groups: list[list[Guarantee]] = [
        [part for part in telling if isinstance(part, PureDP | ApproxDP)],
        [part for part in telling if isinstance(part, GaussianDP)],
        *([part] for part in telling if not isinstance(part, PureDP | ApproxDP | GaussianDP)),
    ]
    sums = [compose(*group) for group in groups if group]
    if len(sums) <= 1 or any(isinstance(part, NoGuarantee) for part in sums):
        return compose(*sums) if sums else PureDP(0.0)
    return reduce(product, map(curve, sums))


def curve(guarantee: Guarantee) -> TradeOff:
    """Return a trade-off curve that the guarantee proves, exact up to rounding but for ``GaussianDP``."""
    if isinstance(guarantee, TradeOff):
        return guarantee
    if isinstance(guarantee, PureDP | ApproxDP):
        return _corners(guarantee)
    return TradeOff.from_function(guarantee.trade_off, points=1024, error=0.0)


def _corners(guarantee: PureDP | ApproxDP) -> TradeOff:
    """Return the curve of at most four corners; the middle one is (1 - delta) / (1 + e^epsilon) twice."""
    start = guarantee.trade_off(0.0)
    small = math.exp(-guarantee.epsilon)
    middle = start * small / (1 + small) * (1 - 8 * UNIT)
    return TradeOff(*hull(np.array([0.0, middle, start]), np.array([start, middle, 0.0])))
