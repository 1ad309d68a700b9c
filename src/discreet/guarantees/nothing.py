"""No guarantee at all, said out loud and with its reason."""

import math
from collections.abc import Callable

import numpy as np

from discreet.guarantees import words
from discreet.guarantees.base import Guarantee
from discreet.guarantees.checks import Floats


class NoGuarantee(Guarantee):
    """Nothing is promised, for the reason given: delta is 1, epsilon infinite, the curve 0.

    >>> print(NoGuarantee("the draws come from a seed"))
    nothing is promised: the draws come from a seed
    >>> NoGuarantee("the draws come from a seed").delta(10.0)
    1.0
    """

    kind = "none"
    reason: str

    def __init__(self, reason: str) -> None:
        """Check the field."""
        if not isinstance(reason, str) or not reason.strip():
            raise ValueError(f"reason must be a sentence that says why nothing is promised, not {reason!r}")
        vars(self)["reason"] = reason

    def words(self) -> str:
        """Return the reason in plain words."""
        return words.nothing(self.reason)

    def _delta_at(self, epsilon: float) -> float:
        return 1.0

    def _epsilon_at(self, delta: float) -> float:
        return math.inf

    def _betas(self, alphas: Floats) -> Floats:
        return np.zeros_like(alphas)

    def _for_group(self, k: int) -> Guarantee:
        return self


def unless_infinite(kind: Callable[..., Guarantee], *numbers: float) -> Guarantee:
    """Return the guarantee with these fields, or none where a sum has left the floating-point numbers."""
    if math.inf in numbers:
        return NoGuarantee("the level is beyond the largest floating-point number")
    return kind(*numbers)
