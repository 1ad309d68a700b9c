"""Approximate differential privacy: a factor, and an amount outside it."""

import math
from fractions import Fraction

from discreet.guarantees import checks, pure, words
from discreet.guarantees.base import Guarantee
from discreet.guarantees.checks import Floats
from discreet.guarantees.level import Level
from discreet.guarantees.nothing import unless_infinite
from discreet.guarantees.rounding import down, raised, up


class ApproxDP(Guarantee):
    """Probabilities change by a factor of at most e^epsilon, and by at most delta beyond that.

    The hardest case reveals everything with chance delta and is randomized response otherwise. It
    gives, exactly, delta(e) = delta + (1 - delta) max(0, (e^eps - e^e) / (1 + e^eps)) and the trade-off
    curve max(0, 1 - delta - e^eps alpha, e^-eps (1 - delta - alpha)). Both fields are floats that can
    also be called, like the fields of ``PureDP``.

    >>> promise = ApproxDP(1.0, 1e-6)
    >>> promise, promise.epsilon, promise.delta, promise.delta(2.0), promise.epsilon(1e-9)
    (ApproxDP(epsilon=1.0, delta=1e-06), 1.0, 1e-06, 1e-06, inf)
    >>> promise.compose(promise)
    ApproxDP(epsilon=2.0, delta=2e-06)
    """

    kind = "approximate"

    def __init__(self, epsilon: float, delta: float) -> None:
        """Check both fields."""
        vars(self)["epsilon"] = checks.level("epsilon", epsilon)
        vars(self)["delta"] = checks.probability("delta", delta)

    @property
    def epsilon(self) -> Level:
        """The level as a float; called with a delta, the smallest epsilon that this proves at it."""
        return Level(vars(self)["epsilon"], super().epsilon)

    @property
    def delta(self) -> Level:
        """The amount as a float; called with an epsilon, the smallest delta that this proves at it."""
        return Level(vars(self)["delta"], super().delta)

    def words(self) -> str:
        """Return the promise in plain words."""
        return words.approximate(self.epsilon, self.delta, self.delta(0.0))

    def _delta_at(self, epsilon: float) -> float:
        revealed = Fraction(self.delta)
        return up(revealed + (1 - revealed) * Fraction(pure.delta_at(self.epsilon, epsilon)))

    def _epsilon_at(self, delta: float) -> float:
        if delta < self.delta:
            return math.inf
        whole = 1 - Fraction(self.delta)
        left = (Fraction(delta) - Fraction(self.delta)) / whole
        return pure.epsilon_at(self.epsilon, down(left), float(1 - left))

    def _betas(self, alphas: Floats) -> Floats:
        return pure.betas(self.epsilon, down(1 - Fraction(self.delta)), alphas)

    def _for_group(self, k: int) -> Guarantee:
        total = up(k * Fraction(self.epsilon))
        return unless_infinite(ApproxDP, total, group_delta(self.epsilon, self.delta, k))


def group_delta(epsilon: float, delta: float, k: int) -> float:
    """Return delta (1 + e^eps + ... + e^((k-1) eps)), rounded up and at most 1.

    One step at a time: P0 <= e^eps P1 + delta <= e^eps (e^eps P2 + delta) + delta, and so on.

    >>> group_delta(0.0, 0.125, 4), group_delta(1.0, 0.0, 5), group_delta(1e6, 1e-300, 2)
    (0.5, 0.0, 1.0)
    """
    if delta == 0 or epsilon == 0:
        return min(1.0, up(k * Fraction(delta)))
    top = up((k - 1) * Fraction(epsilon))
    if top > 700:  # beyond e^700 only deltas below 10^-304 would stay under 1
        return 1.0
    terms = math.exp(top) * (math.expm1(-top - epsilon) / math.expm1(-epsilon))
    return min(1.0, raised(delta * terms, units=16))
