"""The cases of study 1: simulated with one gap, and summed exactly on the instance of the lower bound."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import log

from discreet.bounds import (
    cesari_colomboni_theorem_1,
    cesari_colomboni_theorem_1_simple,
    wu_wang_theorem_7,
    wu_wang_theorem_7_sharp,
)
from discreet.environments import Environment, hard_for_privacy, one_gap
from discreet.experts import PrefixSoftmax
from discreet.simulate import RegretCurve, exact_regret, regret
from studies.why_prefix.errors import settled, tail

ROUNDS = 10**12
#: Runs for each number of actions: the relative error is about 1 % or less everywhere.
RUNS = {2: 40_000, 8: 20_000, 32: 10_000, 128: 4_000, 512: 2_000, 2048: 1_000}
GAPS = (0.5, 0.1, 0.02)
EPSILONS = (0.05, 0.2, 1.0, 4.0)
#: The gap of the lower bound's instance; the bound does not depend on it.
HARD_GAP = 0.1
SEED = 3_000
#: What the bound may leave, in losses, where a case is said to be still.
LEFT = 1e-4


@dataclass(frozen=True)
class Case:
    """One simulated case, and what is said about it."""

    n_actions: int
    gap: float
    epsilon: float
    rate: float
    curve: RegretCurve

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return self.curve.runs

    @property
    def mean(self) -> float:
        """Mean regret at the last horizon."""
        return float(self.curve.mean[-1])

    @property
    def error(self) -> float:
        """Its standard error."""
        return float(self.curve.regret[:, -1].std(ddof=1) / self.runs**0.5)

    @property
    def high(self) -> float:
        """The upper end of its 95 % interval."""
        return float(self.curve.interval(0.95)[1][-1])

    @property
    def bound_1(self) -> float:
        """Theorem 1, form (1)."""
        return cesari_colomboni_theorem_1(self.n_actions, self.gap, self.epsilon)

    @property
    def bound_2(self) -> float:
        """Theorem 1, form (2)."""
        return cesari_colomboni_theorem_1_simple(self.n_actions, self.gap, self.epsilon)

    @property
    def constant(self) -> float:
        """What stands where form (2) has 1000."""
        return self.mean / (log(self.n_actions) / self.gap + log(self.n_actions) / self.epsilon)

    @property
    def settles(self) -> int:
        """The first horizon at which 99 % of the regret is there."""
        return int(self.curve.horizons[self.curve.mean >= 0.99 * self.mean][0])

    @cached_property
    def still_after(self) -> int:
        """The end of a block, after which all blocks together add at most `LEFT` in expectation."""
        # The block of 2^(k+1) rounds is chosen from a prefix of the block of 2^k rounds, longer than half of it.
        return int(2 ** (settled(self._environment, self.rate, LEFT / 4) + 2) - 1)

    @property
    def grown(self) -> int:
        """How many runs lost anything after that."""
        at = self.curve.horizons.tolist().index(self.still_after)
        return int((self.curve.regret[:, -1] > self.curve.regret[:, at]).sum())

    @property
    def chance_of_growth(self) -> float:
        """How likely it is that any run does, at most: a block that is lost costs its length times the gap."""
        left = 4 * tail(self._environment, self.rate, self.still_after.bit_length() - 2)
        return self.runs * left / (self.gap * (self.still_after + 1))

    @property
    def _environment(self) -> Environment:
        return one_gap(self.n_actions, self.gap)


def cases(quick: bool, jobs: int) -> list[Case]:
    """All cases; for `quick`, a few of them."""
    runs = {2: 400, 32: 400} if quick else RUNS
    gaps, epsilons = ((0.5, 0.1), (0.05, 1.0, 4.0)) if quick else (GAPS, EPSILONS)
    grid = product(runs, gaps, epsilons)
    return [_case(*numbers, runs[numbers[0]], SEED + place, jobs) for place, numbers in enumerate(grid)]


def _case(n_actions: int, gap: float, epsilon: float, runs: int, seed: int, jobs: int) -> Case:
    learner = PrefixSoftmax(n_actions, epsilon)
    ends = [end for end in learner.schedule.ends if end < ROUNDS]
    curve = regret(learner, one_gap(n_actions, gap), ROUNDS, runs, seed, jobs, horizons=ends)
    return Case(n_actions, gap, epsilon, learner.selection.error_rate, curve)


@dataclass(frozen=True)
class Hard:
    """The instance of the lower bound: exact regret, and what bounds it from below."""

    n_actions: int
    gap: float
    epsilon: float
    regret: float
    lower: float  # theorem 7 for epsilon
    lower_true: float  # for min(epsilon, 1/4), which is what the learner promises
    lower_sharp: float  # the same, of `wu_wang_theorem_7_sharp`


def hard_cases(quick: bool) -> list[Hard]:
    """Those with six actions or more."""
    sizes = (8, 32) if quick else [size for size in RUNS if size >= 6]
    return [_hard(size, epsilon) for size, epsilon in product(sizes, EPSILONS)]


def _hard(n_actions: int, epsilon: float) -> Hard:
    learner = PrefixSoftmax(n_actions, epsilon)
    found = exact_regret(learner, hard_for_privacy(n_actions, HARD_GAP), ROUNDS)
    true = learner.claim.epsilon
    lower, lower_true = (wu_wang_theorem_7(n_actions, level, ROUNDS) for level in (epsilon, true))
    return Hard(
        n_actions, HARD_GAP, epsilon, found, lower, lower_true, wu_wang_theorem_7_sharp(n_actions, true, ROUNDS)
    )
