"""Central learners, which see the losses, and local ones, which see reports, at the same promise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from discreet.environments import Sequence
from discreet.experts import Learner, NoisyLeader, PrivateLeader, TreeLeader
from discreet.local import AdaptiveBatchLeader, GaussianReport, RandomWalkLeader
from discreet.local.base import ReportLearner
from discreet.simulate import regret
from studies.central_local.equivalent import READINGS
from studies.central_local.forecasters import Floats, Forecasters

EPSILONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
#: Levels beyond, for the price: the mu at which the local model costs as much as a central learner.
FURTHER = (10.0, 16.0, 32.0)
PURE, TREE, WALK, BATCH = ("PrivateLeader", "NoisyLeader"), "TreeLeader", "RandomWalkLeader", "AdaptiveBatchLeader"
_ROUNDS = 64  # whose reports are made at a time


@dataclass(frozen=True)
class Cost:
    """Realized regret of one learner at one promise, one number a run."""

    learner: str
    level: float  # epsilon of the pure learners, mu of the others
    regrets: Floats

    @property
    def mean(self) -> float:
        """The mean regret."""
        return float(self.regrets.mean())

    @property
    def error(self) -> float:
        """Its standard error."""
        return float(self.regrets.std(ddof=1) / len(self.regrets) ** 0.5)

    def __str__(self) -> str:
        return f"{self.mean:.1f} ± {1.96 * self.error:.1f}"


@dataclass(frozen=True)
class Compared:
    """Both local learners on the same reports: their regrets, and how many of their choices differ."""

    walk: Cost
    batch: Cost
    differing: int  # choices, of all rounds and runs
    choices: int


def central(data: Forecasters, runs: int, seed: int, jobs: int) -> list[Cost]:
    """The pure learners over epsilon, the tree over mu by both readings."""
    rounds, k = data.losses.shape
    pure: list[tuple[float, Learner]] = [
        (epsilon, made(k, epsilon)) for made in (PrivateLeader, NoisyLeader) for epsilon in EPSILONS
    ]
    levels = [reading(epsilon) for reading in READINGS.values() for epsilon in EPSILONS]
    trees: list[tuple[float, Learner]] = [(mu, TreeLeader(k, rounds, mu)) for mu in levels]
    return [Cost(type(made).__name__, level, _regrets(made, data, runs, seed, jobs)) for level, made in [*pure, *trees]]


def _regrets(learner: Learner, data: Forecasters, runs: int, seed: int, jobs: int) -> Floats:
    rounds = len(data.losses)
    curve = regret(learner, Sequence(data.losses), rounds, runs, seed, jobs, kind="realized", horizons=[rounds])
    return np.asarray(curve.regret[:, -1])


def local(data: Forecasters, runs: int, seed: int) -> list[Compared]:
    """Both local learners over mu by both readings, and beyond."""
    levels = [reading(epsilon) for reading in READINGS.values() for epsilon in EPSILONS]
    return [compared(data, mu, runs, seed + place) for place, mu in enumerate([*levels, *FURTHER])]


def compared(data: Forecasters, mu: float, runs: int, seed: int) -> Compared:
    """RandomWalkLeader and AdaptiveBatchLeader on the same reports, with the same start."""
    report_seed, start = SeedSequence([seed, runs]).generate_state(2, np.uint64).tolist()
    report = GaussianReport(data.losses.shape[1], mu, seed=report_seed)
    shared: dict[str, Any] = {"n_actions": report.n_actions, "scale": report.scale, "seed": start, "runs": runs}
    pair = RandomWalkLeader(**shared), AdaptiveBatchLeader(**shared)
    parts = [_play(pair, reports) for reports in _reports(data, report, runs)]
    walk, batch = (np.concatenate([part[one] for part in parts]) for one in range(2))
    costs = Cost(WALK, mu, data.regret(walk)), Cost(BATCH, mu, data.regret(batch))
    return Compared(*costs, int((walk != batch).sum()), walk.size)


def _reports(data: Forecasters, report: GaussianReport, runs: int) -> Iterator[Floats]:
    """Reports of each run's own, (rounds, runs, teams), some rounds at a time."""
    for start in range(0, len(data.losses), _ROUNDS):
        rows = np.repeat(data.losses[start : start + _ROUNDS], runs, axis=0)
        yield report.privatize(rows).reshape(-1, runs, rows.shape[1])


def _play(pair: tuple[ReportLearner, ...], reports: Floats) -> list[NDArray[np.int64]]:
    """The actions of each learner on some rounds, (rounds, runs)."""
    actions = [np.empty(reports.shape[:2], dtype=np.int64) for _ in pair]
    for row, seen in enumerate(reports):
        for learner, played in zip(pair, actions, strict=True):
            played[row] = learner.act()
            learner.update(seen)
    return actions
