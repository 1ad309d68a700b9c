"""The learners of figure 2 on the weeks of one state, many repetitions at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.random import SeedSequence

from discreet.experts import TreeLeader
from discreet.local import GaussianReport, MetaLeader, RandomWalkLeader, RollingRegression
from discreet.local.base import ReportLearner
from studies.hospitals.densities import Densities
from studies.hospitals.records import Floats

LEVELS = (inf, 1.0, 0.5, 0.25)
WINDOWS = (8, 16, 32, 64)
#: As parts of the sum of squares of a full window, so that each does the same to short and long windows: the slope is
#: shrunk by 1.1, 2 and 11.
PENALTIES = {"weak": 0.1, "medium": 1.0, "strong": 10.0}

META, WALK = "MetaLeader", "RandomWalkLeader"
LEAST_NOISE, LEAST_REGRET = "TreeLeader, least noise", "TreeLeader, least regret"
TREES = (LEAST_NOISE, LEAST_REGRET)
LINEAR = tuple(f"window {window}, {penalty}" for window in WINDOWS for penalty in PENALTIES)
MEMBERS = (*LINEAR, WALK)


@dataclass(frozen=True)
class Played:
    """Gains week by week of all learners on one state at one level: (runs, weeks) each."""

    data: Densities
    mu: float
    gains: dict[str, Floats]
    scales: dict[str, float]  # of the noise in the nodes of each tree

    def totals(self, name: str) -> Floats:
        """The gain over all weeks of each run."""
        return np.asarray(self.gains[name].sum(axis=1))

    def mean(self, name: str) -> float:
        """The mean total gain."""
        return float(self.totals(name).mean())

    def error(self, name: str) -> float:
        """Its standard error."""
        return standard_error(self.totals(name))

    @property
    def best_linear(self) -> str:
        """The rolling regression with the largest mean gain."""
        return max(LINEAR, key=self.mean)

    def by_lot(self) -> Floats:
        """What a learner that is drawn anew each week would gain on average, in each run."""
        return np.asarray(np.mean([self.totals(name) for name in MEMBERS], axis=0))


def standard_error(values: Floats) -> float:
    """Of the mean of independent runs."""
    return float(values.std(ddof=1) / len(values) ** 0.5)


def sensitivities(data: Densities) -> Floats:
    """How far one person may move a week's densities: sqrt(2) over the fewest beds of that week."""
    from discreet.local import sensitivity_from_counts

    return np.array([sensitivity_from_counts([beds]) for beds in data.fewest_beds.tolist()])


def play(data: Densities, mu: float, runs: int, seed: int, constant: bool = False) -> Played:
    """All learners, each run with noise of its own. `constant`: reports have the noise of the worst week always."""
    moved = sensitivities(data)
    if constant:
        moved = np.full_like(moved, moved.max())
    seeds = [int(one) for one in SeedSequence([seed, len(data.hospitals)]).generate_state(4, np.uint64)]
    gains = _local(data, mu, moved, runs, seeds[0], seeds[1])
    k, weeks, furthest = len(data.hospitals), len(data.weeks), float(moved.max())
    trees = {
        LEAST_NOISE: TreeLeader(k, weeks, mu, "least", furthest, seeds[2], runs),
        LEAST_REGRET: TreeLeader(k, weeks, mu, "least-regret", furthest, seeds[3], runs),
    }
    gains |= {name: _taken(data, tree.play(data.losses).T) for name, tree in trees.items()}
    return Played(data, mu, gains, {name: tree.node_scale for name, tree in trees.items()})


def _local(data: Densities, mu: float, moved: Floats, runs: int, noise: int, chance: int) -> dict[str, Floats]:
    """MetaLeader and, from the same reports, the learners that it chooses among."""
    scale = 0.0 if mu == inf else float(np.sqrt((moved**2).mean())) / mu
    leader = MetaLeader(len(data.hospitals), scale, learners(data), seed=chance, runs=runs)
    shape = (runs, len(data.weeks))
    played, suggested = np.empty(shape, dtype=np.int64), np.empty((len(MEMBERS), *shape), dtype=np.int64)
    for week, reports in enumerate(reported(data, mu, moved, runs, noise)):
        played[:, week] = leader.act()
        suggested[:, :, week] = leader.suggestions().T
        leader.update(reports)
    members = {name: _taken(data, actions) for name, actions in zip(MEMBERS, suggested, strict=True)}
    return {META: _taken(data, played)} | members


def learners(data: Densities) -> list[ReportLearner]:
    """The thirteen, in the order of `MEMBERS`."""
    lines = [RollingRegression(window, part * window**3 / 12) for window in WINDOWS for part in PENALTIES.values()]
    return [*lines, RandomWalkLeader(len(data.hospitals), 1.0)]


def reported(data: Densities, mu: float, moved: Floats, runs: int, seed: int) -> Iterator[Floats]:
    """The reports of each week, (runs, hospitals); the losses themselves where there is no privacy."""
    seeds = SeedSequence(seed).generate_state(len(moved), np.uint64).tolist()
    for row, sensitivity, chance in zip(data.losses, moved.tolist(), seeds, strict=True):
        rows = np.tile(row, (runs, 1))
        yield rows if mu == inf else GaussianReport(len(row), mu, sensitivity, seed=chance).privatize(rows)


def _taken(data: Densities, actions: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Floats:
    """The gains of what was played, (runs, weeks)."""
    return np.asarray(data.gains[np.arange(len(data.weeks)), actions])
