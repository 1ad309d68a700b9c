"""The stages of `AdaptiveSparseVectorExperts`: as printed in the paper, or calculated for what is given."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from discreet.experts.alarms import noise_of_sum_tests
from discreet.experts.sparse_vector_constants import RISES, SHARES, Given
from discreet.experts.stages import Check, Stage, in_units
from discreet.experts.switching import most_switches
from discreet.mechanisms import AboveThreshold, SumAboveThreshold
from discreet.selection import PermuteAndFlip, Softmax
from discreet.selection.base import at_most


@dataclass(frozen=True)
class Plan:
    """The test of all phases and the stages."""

    test: AboveThreshold
    stages: tuple[Stage, ...]


def paper(given: Given) -> Plan:
    """Algorithm 2, logarithms natural, with the guesses 1, 2, 4, ... up to the number of rounds, and no more.

    The printed listing goes on doubling for as long as the noisy check says so, without end. Here the last guess is
    not checked: no action can lose more.
    """
    small_epsilon = given.epsilon / (2 * math.log(max(3, given.rounds)))
    small_failure = given.failure / given.rounds
    bound = 6 * math.ceil(math.log(given.n_actions)) + 24 * math.log(1 / small_failure)
    bound = bound if given.switches is None else float(given.switches)
    eta = small_epsilon / (2 * bound)
    above = 4 / eta + 8 * math.log(2 * given.rounds**2 / small_failure) / small_epsilon
    above = above if given.threshold is None else given.threshold
    back, scale = 5 * bound * math.log(1 / small_failure) / small_epsilon, bound / small_epsilon
    last, stages = math.ceil(math.log2(given.rounds)), []
    for best in (2.0**power for power in range(last + 1)):
        check = Check(scale, in_units(best - back)) if best < 2.0**last else None
        stages.append(Stage(in_units(best), in_units(best + above), Softmax(eta / 2), math.floor(bound), check))
    return Plan(AboveThreshold(small_epsilon / 2, 0.0), tuple(stages))


@lru_cache(maxsize=1024)
def tight(given: Given) -> Plan:
    """Guesses and thresholds that double while the rates of their draws are halved: all cost twice what one costs.

    A guess G wants actions dropped when they have lost G more than the test's noise and x / rate, so a rate of x / G
    is enough for it: its draws may reveal little. The first guess is 0, the next x / rate, then twice that. A guess is
    left when its draws are used up, which everyone may know, so no check is paid for. Guesses whose threshold is
    above the number of rounds are left out. Rise and split are chosen as for `SparseVectorExperts`.
    """
    options = (option for x in RISES for option in _options(given, x))
    return min(options, key=lambda option: option[0])[1].plan(given)


@dataclass(frozen=True)
class _Option:
    """A rise and a split, with what follows from them."""

    x: float
    test_epsilon: float
    switches: int
    noise: float

    def above(self, rate: float, given: Given) -> float:
        """How far thresholds lie above guesses."""
        return self.x / rate + self.noise / self.test_epsilon if given.threshold is None else given.threshold

    def first_rate(self, given: Given, stages: int) -> float:
        """The rate r with 2 · switches · (r + r/2 + r/4 + ...) within the rest of epsilon, rounded down."""
        rest = Fraction(given.epsilon) - Fraction(self.test_epsilon)
        return at_most(rest / (4 * self.switches * (1 - Fraction(1, 2**stages))))

    def stages(self, given: Given) -> int:
        """How many guesses there are: the first, and those whose threshold an action can reach."""
        rate = self.first_rate(given, stages=60)
        wanted = (self.x * 2.0**stage * (0.5 / rate + 1 / rate) < given.rounds for stage in range(1, 40))
        return 1 + sum(wanted)

    def plan(self, given: Given) -> Plan:
        """The stages written out."""
        count, stages = self.stages(given), []
        first = self.first_rate(given, count)
        for stage in range(count):
            rate = first / 2.0**stage
            best = 0.0 if stage == 0 else self.x / rate / 2
            threshold = in_units(best + self.above(rate, given))
            stages.append(Stage(in_units(best), threshold, PermuteAndFlip(rate), self.switches))
        return Plan(SumAboveThreshold(self.test_epsilon, 0.0), tuple(stages))


def _options(given: Given, x: float) -> list[tuple[float, _Option]]:
    """Splits of epsilon, each with its cost: see `sparse_vector_constants.tight`."""
    switches = given.switches or most_switches(given.n_actions, x, given.failure)
    noise = noise_of_sum_tests(6 * switches + 1, given.rounds, given.failure / 4)
    options = []
    for share in SHARES:
        option = _Option(x, given.epsilon * share, switches, noise)
        rate = option.first_rate(given, stages=60)
        options.append((x / rate + noise / option.test_epsilon + 1 / rate, option))
    return options
