"""The constants of `PotentialExperts`: as printed in the paper, or calculated, at the true cost or the printed one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from discreet.experts.alarms import noise_of_tests
from discreet.experts.sparse_vector_constants import RISES, Given
from discreet.experts.switching import most_switches
from discreet.selection.base import at_most

#: What rounding potentials to whole units may add to the sensitivity of one: less than four units.
ROUNDING = Fraction(1, 2**18)
#: What is tried: the rate over the epsilon of a test.
RATIOS = tuple(2.0 ** (-step / 4) for step in range(-8, 24))


@dataclass(frozen=True)
class Constants:
    """How many draws, the epsilon of a test at a sensitivity of one loss, its split, the rate, and the threshold."""

    switches: int
    test_epsilon: float
    test_share: float
    rate: float
    threshold: float


@dataclass(frozen=True)
class Shape:
    """Constants in proportion to the epsilon e of a test: rate = ratio · e, threshold = fall / rate + noise / e."""

    switches: float
    ratio: float
    fall: float
    noise: float
    test_share: float

    def at(self, test_epsilon: float) -> Constants:
        """The constants themselves."""
        rate = self.ratio * test_epsilon
        threshold = self.fall / rate + self.noise / test_epsilon
        return Constants(math.floor(self.switches), test_epsilon, self.test_share, rate, threshold)

    def pure_cost(self) -> Fraction:
        """What everything reveals, over e: the round's own test, all later tests twice, all draws."""
        phases = math.floor(self.switches)
        return (1 + ROUNDING) * (2 * phases - 1) + 2 * phases * Fraction(self.ratio)

    def concentration(self) -> float:
        """The same, squared: a test of level e is e^2/2-concentrated, a softmax of rate r is r^2/2-concentrated."""
        phases = math.floor(self.switches)
        return (1 + float(ROUNDING)) ** 2 * (0.5 + 2 * (phases - 1)) + phases * self.ratio**2 / 2


def paper(given: Given) -> Shape:
    """Theorems 6 and 7 with gamma = 1/K, alpha = 1, natural logarithms.

    The threshold is 2 alpha / eta: the listing has 2 alpha, but the query is divided by eta.
    """
    bound = 2 * math.log(given.n_actions) if given.switches is None else given.switches
    return Shape(max(1.0, bound), 1 / (56 * math.log(max(3, given.rounds))), 2.0, 0.0, 0.5)


def printed_epsilon(given: Given, shape: Shape) -> float:
    """The epsilon of a test that is printed."""
    if given.delta:
        return given.epsilon / math.sqrt(shape.switches * math.log(1 / given.delta))
    return given.epsilon / shape.switches


def proved_epsilon(given: Given, shape: Shape) -> float:
    """The largest epsilon of a test at which everything reveals what was asked for."""
    # The product of ratio and epsilon is rounded once, upwards perhaps: that is what is held back.
    held = 1 - Fraction(1, 2**48)
    pure = at_most(Fraction(given.epsilon) * held / shape.pure_cost())
    if not given.delta:
        return pure
    log = math.log(1 / given.delta)
    root = given.epsilon / (math.sqrt(log + given.epsilon) + math.sqrt(log))
    return max(pure, root / math.sqrt(shape.concentration()) * (1 - 2.0**-40))


@lru_cache(maxsize=1024)
def tight(given: Given) -> Shape:
    """The shape with the least (1 + log K) · (threshold + 1 / rate): see `sparse_vector_constants.tight`.

    A draw ends a phase when the potential or the action's own loss has risen by fall / rate at least, noise apart. The
    first takes the log of the sum of weights down by `fall`, the second by an exponential number known to be below
    it, so that `most_switches` bounds both together.
    """
    shapes = (shape for fall in RISES for shape in _shapes(given, fall))
    return min(shapes, key=lambda shape: _cost(given, shape))


def _shapes(given: Given, fall: float) -> list[Shape]:
    switches = given.switches or most_switches(given.n_actions, fall, given.failure / 2)
    noise, share = noise_of_tests(switches + 1, given.rounds, given.failure / 4)
    return [Shape(switches, ratio, fall, noise, share) for ratio in RATIOS]


def _cost(given: Given, shape: Shape) -> float:
    found = shape.at(proved_epsilon(given, shape))
    return found.threshold + 1 / found.rate


def concentrated(constants: Constants, delta: float) -> float:
    """The epsilon that tests and draws come to at this delta, a little rounded up."""
    ratio = constants.rate / constants.test_epsilon
    shape = Shape(constants.switches, ratio, 0.0, 0.0, constants.test_share)
    rho = shape.concentration() * constants.test_epsilon**2
    return (rho + 2 * math.sqrt(rho * math.log(1 / delta))) * (1 + 2.0**-42)
