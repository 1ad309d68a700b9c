"""Two learners on the same reports: one looks every round, the other in batches."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from discreet.local import AdaptiveBatchLeader, RandomWalkLeader
from studies.batches.streams import STREAMS
from studies.batches.watch import Watch
from studies.reports import reports

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """What is played."""

    stream: str
    n_actions: int
    scale: float
    tolerance: float
    rounds: int
    runs: int

    def __str__(self) -> str:
        return f"{self.stream}, K = {self.n_actions}, scale {self.scale:g}, tolerance {self.tolerance:g}"

    @property
    def bound(self) -> float:
        """Of the regret of `RandomWalkLeader`."""
        return (self.scale + 2 / self.scale) * sqrt(2 * self.rounds * log(self.n_actions))

    @property
    def allowed(self) -> float:
        """The most rounds in which choices may differ on average: sum of tolerance sqrt(log n / t)."""
        return float(self.tolerance * sqrt(log(self.n_actions)) * (np.arange(1, self.rounds + 1) ** -0.5).sum())


@dataclass(frozen=True)
class Mean:
    """Of runs, and its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, values: Floats) -> Mean:
        """The mean of one number for each run."""
        return cls(float(values.mean()), float(values.std(ddof=1) / sqrt(len(values))))

    def __str__(self) -> str:
        digits = 1 if abs(self.value) < 1000 else 0
        return f"{self.value:,.{digits}f} ± {1.96 * self.error:,.{digits}f}"


@dataclass(frozen=True)
class Played:
    """What came of a setting, each a mean over runs.

    `extra` is the regret of batches less that of the walk on the same reports; `different` counts rounds with different
    choices; `tolerated` adds up delay · tolerance · sqrt(log n / (t + delay)) over the batches that were made, which
    bounds `different` on average; `size` is the mean over rounds of the size of the batch around each.
    """

    setting: Setting
    walk: Mean
    batch: Mean
    extra: Mean
    different: Mean
    tolerated: Mean
    size: Mean


def play(setting: Setting, seed: int = 41) -> Played:
    """Both learners with the same initial noise, fed the same reports."""
    n, runs = setting.n_actions, setting.runs
    table = STREAMS[setting.stream](setting.rounds, n)
    walk = RandomWalkLeader(n, setting.scale, seed=seed, runs=runs)
    watch = Watch(AdaptiveBatchLeader(n, setting.scale, setting.tolerance, seed=seed, runs=runs))
    sums = np.zeros((5, runs))  # losses of both, rounds that differ, what is tolerated, sizes
    for t, rows in enumerate(reports(table, setting.scale, runs, seed + 1)):
        ours, batched = walk.act(), watch.learner.act()
        delays = watch.sizes - 1
        chance = setting.tolerance * np.sqrt(log(n) / np.maximum(t + delays, 1))
        tolerated = np.where(watch.started, delays * chance, 0.0)
        sums += np.stack([table[t, ours], table[t, batched], ours != batched, tolerated, watch.sizes])
        walk.update(rows)
        watch.update(rows)
    best = table.sum(axis=0).min()
    regrets = sums[:2] - best
    means = (Mean.of(row) for row in (*regrets, regrets[1] - regrets[0], *sums[2:4], sums[4] / setting.rounds))
    return Played(setting, *means)
