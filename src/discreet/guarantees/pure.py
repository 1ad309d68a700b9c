"""Pure differential privacy: one factor bounds every change of probability."""

import math
from fractions import Fraction

import numpy as np

from discreet.guarantees import checks, words
from discreet.guarantees.base import Guarantee
from discreet.guarantees.checks import Floats
from discreet.guarantees.level import Level
from discreet.guarantees.nothing import unless_infinite
from discreet.guarantees.rounding import UNIT, minus_down, raised, up


class PureDP(Guarantee):
    """Every set of released actions changes probability by a factor of at most e^epsilon.

    The hardest case is randomized response, which tells the truth with chance e^eps / (1 + e^eps). It
    gives the exact delta(e) = max(0, (e^eps - e^e) / (1 + e^eps)) and the trade-off curve
    max(0, 1 - e^eps alpha, e^-eps (1 - alpha)). The field ``epsilon`` is a float that can also be
    called: ``epsilon(delta)`` inverts ``delta(epsilon)``.

    >>> promise = PureDP(1.0)
    >>> promise, promise.epsilon, promise.epsilon(0.1) < 1.0, promise.delta(1.0)
    (PureDP(epsilon=1.0), 1.0, True, 0.0)
    >>> promise.compose(PureDP(0.5)), promise.for_group(3)
    (PureDP(epsilon=1.5), PureDP(epsilon=3.0))
    >>> print(promise)  # doctest: +ELLIPSIS
    any one round's losses may be replaced: every set of released actions changes probability by a factor...
    """

    kind = "pure"

    def __init__(self, epsilon: float) -> None:
        """Check the field."""
        vars(self)["epsilon"] = checks.level("epsilon", epsilon)

    @property
    def epsilon(self) -> Level:
        """The level as a float; called with a delta, the smallest epsilon that this proves at it."""
        return Level(vars(self)["epsilon"], super().epsilon)

    def words(self) -> str:
        """Return the promise in plain words."""
        return words.pure(self.epsilon, self.delta(0.0))

    def _delta_at(self, epsilon: float) -> float:
        return delta_at(self.epsilon, epsilon)

    def _epsilon_at(self, delta: float) -> float:
        return epsilon_at(self.epsilon, delta, 1 - delta)

    def _betas(self, alphas: Floats) -> Floats:
        return betas(self.epsilon, 1.0, alphas)

    def _for_group(self, k: int) -> Guarantee:
        return unless_infinite(PureDP, up(k * Fraction(self.epsilon)))


def delta_at(level: float, epsilon: float) -> float:
    """Return the delta of randomized response of that level at ``epsilon``, rounded up.

    >>> delta_at(1e6, 1.0), delta_at(1.0, 1e6)
    (1.0, 0.0)
    """
    if epsilon >= level:
        return 0.0
    return min(1.0, raised(-math.expm1(epsilon - level) / (1 + math.exp(-level))))


def epsilon_at(level: float, delta: float, rest: float) -> float:
    """Return the epsilon of randomized response of that level at ``delta``, rounded up.

    ``rest`` is 1 - delta. The answer is log(e^level (1 - delta) - delta), taken as level plus a log.
    Where it is positive, rest exceeds twice delta e^-level, so that their difference is accurate.

    >>> epsilon_at(1.0, 0.0, 1.0), epsilon_at(1.0, 0.9, 0.1)
    (1.0, 0.0)
    """
    if delta == 0:
        return level
    small = math.exp(-level)
    left = rest - delta * small
    if left <= 0:
        return 0.0
    change = math.log1p(-delta * (1 + small)) if delta < 0.5 else math.log(left)
    highest = math.nextafter(level + change + 16 * UNIT * (level - change), math.inf)
    return min(level, max(0.0, highest))


def betas(level: float, rest: float, alphas: Floats) -> Floats:
    """Return max(0, rest - e^level alpha, e^-level (rest - alpha)), rounded down.

    e^level is taken as a product of two halves, each capped at e^700: the product with any positive
    alpha that a float can hold is then right or far beyond 1, and its product with 0 is 0.

    >>> betas(1e6, 1.0, np.array([0.0, 1e-300, 1.0]))
    array([1., 0., 0.])
    """
    half = math.exp(min(level, 1400.0) / 2)
    slack = 8 * UNIT if level else 0.0
    with np.errstate(over="ignore"):
        growth = alphas * half * half * (1 + slack)
    steep = minus_down(rest, np.minimum(growth, 2.0))
    small = math.exp(-level) if level < 600 else 0.0  # so that no product rounds up to a tiniest float
    flat = small * (1 - slack) * minus_down(rest, alphas)
    return np.maximum(0.0, np.maximum(steep, flat))
