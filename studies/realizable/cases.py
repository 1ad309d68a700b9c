"""The cases of table 1: learners on sequences with a perfect action, over rounds, actions and epsilon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal

import numpy as np

from discreet.convex.budget import gaussian_budget
from discreet.environments import Bernoulli, Environment, halving, late_loss, one_by_one
from discreet.experts import (
    AdaptiveSparseVectorExperts,
    Learner,
    NoisyLeader,
    PotentialExperts,
    PrivateLeader,
    SparseVectorExperts,
    TreeLeader,
)
from discreet.simulate import regret

Makers = dict[str, Callable[[int, float, int], Learner]]

#: Learners for losses with a perfect action: (K, epsilon, rounds).
REALIZABLE: Makers = {
    "SparseVectorExperts": lambda k, epsilon, rounds: SparseVectorExperts(k, epsilon, rounds),
    "AdaptiveSparseVectorExperts": lambda k, epsilon, rounds: AdaptiveSparseVectorExperts(k, epsilon, rounds),
    "PotentialExperts": lambda k, epsilon, rounds: PotentialExperts(k, epsilon, rounds),
}
#: Learners for losses that come from one law.
OTHERS: Makers = {
    "PrivateLeader": lambda k, epsilon, rounds: PrivateLeader(k, epsilon),
    "NoisyLeader": lambda k, epsilon, rounds: NoisyLeader(k, epsilon),
}
#: The delta at which `TreeLeader` proves epsilon, with the largest mu that does.
DELTA = 1e-6
TREE, EVEN = "TreeLeader, least", "TreeLeader, least-regret"


def tree_leader(k: int, epsilon: float, rounds: int, noise: Literal["least", "least-regret"]) -> TreeLeader:
    """(epsilon, delta), where the others are pure."""
    return TreeLeader(k, rounds, gaussian_budget(epsilon, DELTA).mu, noise=noise)


#: Learners for losses of any kind.
ANY: Makers = {
    TREE: lambda k, epsilon, rounds: tree_leader(k, epsilon, rounds, "least"),
    EVEN: lambda k, epsilon, rounds: tree_leader(k, epsilon, rounds, "least-regret"),
}
LEARNERS: Makers = REALIZABLE | OTHERS | ANY

RANDOM = "random, one zero"
#: Sequences with one perfect action: (K, rounds).
SEQUENCES: dict[str, Callable[[int, int], Environment]] = {
    "late loss, second half": lambda k, rounds: late_loss(k, 1.0, rounds, last=rounds // 2),
    "one by one": one_by_one,
    "halving": halving,
    RANDOM: lambda k, rounds: Bernoulli([0.0] + [0.5] * (k - 1)),
}
TURNING = tuple(name for name in SEQUENCES if name != RANDOM)


@dataclass(frozen=True)
class Case:
    """Mean regret of one learner on one sequence."""

    learner: str
    sequence: str
    n_actions: int
    epsilon: float
    rounds: int
    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:,.0f} ± {1.96 * self.error:,.0f}"


@dataclass(frozen=True)
class Size:
    """Where all learners are compared, and in how many runs."""

    n_actions: int
    epsilon: float
    rounds: int
    runs: int
    #: Runs of `TreeLeader`, which draws a number for each action and round.
    tree_runs: int
    #: Runs of learners that go from block to block: they cost next to nothing.
    cheap_runs: int = 400

    def runs_of(self, learner: str) -> int:
        """In how many runs a learner is measured."""
        return self.cheap_runs if learner in OTHERS else self.tree_runs if learner in ANY else self.runs


#: Over rounds, over actions, over epsilon.
FULL: dict[str, list[Size]] = {
    "rounds": [
        *(Size(10, 1.0, rounds, 100, 16) for rounds in (1_000, 3_162, 10_000, 31_623, 100_000)),
        *(Size(10, 1.0, rounds, 30, runs) for rounds, runs in ((316_228, 16), (1_000_000, 8))),
    ],
    "actions": [
        Size(k, 1.0, 30_000, *runs)
        for k, runs in ((10, (100, 16)), (32, (60, 10)), (100, (40, 8)), (316, (24, 4)), (1000, (12, 2)))
    ],
    "epsilon": [Size(10, epsilon, 100_000, 60, 8) for epsilon in (0.1, 0.316, 1.0, 3.162, 10.0)],
}
QUICK: dict[str, list[Size]] = {
    "rounds": [Size(10, 1.0, rounds, 3, 2, 20) for rounds in (1_000, 9_000)],
    "actions": [Size(k, 1.0, 3_000, 3, 2, 20) for k in (10, 32)],
    "epsilon": [Size(10, epsilon, 4_000, 3, 2, 20) for epsilon in (0.316, 1.0)],
}
#: One step further, for algorithms 1 and 2 alone: (K, rounds, runs), on `halving`.
FAR = ((10, 10_000_000, 6), (10_000, 30_000, 3))
FAR_QUICK = ((10, 15_000, 2), (100, 2_000, 2))


def measured(size: Size, jobs: int, seed: int) -> list[Case]:
    """Every learner on every sequence."""
    return [case_of(learner, sequence, size, jobs, seed) for sequence in SEQUENCES for learner in LEARNERS]


def case_of(learner: str, sequence: str, size: Size, jobs: int, seed: int) -> Case:
    """Realized regret, actions in place: all learners here treat actions alike."""
    made = LEARNERS[learner](size.n_actions, size.epsilon, size.rounds)
    world = SEQUENCES[sequence](size.n_actions, size.rounds).still()
    mean, error = mean_regret(made, world, size.rounds, size.runs_of(learner), jobs, seed)
    return Case(learner, sequence, size.n_actions, size.epsilon, size.rounds, mean, error)


def mean_regret(
    learner: Learner, world: Environment, rounds: int, runs: int, jobs: int, seed: int
) -> tuple[float, float]:
    """Mean realized regret at the end, and its standard error."""
    curve = regret(learner, world, rounds, runs, seed, jobs, kind="realized", horizons=[rounds])
    return float(curve.mean[-1]), float(curve.regret[:, -1].std(ddof=1) / runs**0.5)


def far(cases: Sequence[tuple[int, int, int]], jobs: int) -> list[Case]:
    """Algorithms 1 and 2 at more rounds, and with more actions."""
    names = ("SparseVectorExperts", "AdaptiveSparseVectorExperts")
    return [
        case_of(name, "halving", Size(k, 1.0, rounds, runs, tree_runs=0), jobs, seed=97)
        for k, rounds, runs in cases
        for name in names
    ]


def power(xs: Sequence[float], cases: Sequence[Case]) -> tuple[float, float]:
    """The power of x that regret grows with, and its standard error by the scatter around the line.

    Least squares of log regret on log x. With two points there is no scatter, so 0.
    """
    x, y = np.log(xs), np.log([max(case.mean, 1e-9) for case in cases])
    around = x - x.mean()
    spread = float(around @ around)
    slope = float(around @ y) / spread
    left = y - y.mean() - slope * around
    error = (float(left @ left) / max(1, len(x) - 2) / spread) ** 0.5
    return slope, error


def variable(what: str, case: Case) -> float:
    """What a power is fitted to: T, log K or epsilon."""
    if what == "rounds":
        return float(case.rounds)
    return log(case.n_actions) if what == "actions" else case.epsilon
