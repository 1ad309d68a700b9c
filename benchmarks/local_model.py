"""What batches cost beside the plain walk, what an amplified curve costs, and the eigenvalue of many learners."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import seconds, verdict
from discreet.local import AdaptiveBatchLeader, RandomWalkLeader, amplified_trade_off, gaps
from discreet.local.base import ReportLearner
from discreet.local.decorrelation import decorrelated, largest_eigenvalue, start
from tools.table import Table

Floats = NDArray[np.float64]


def measure(quick: bool = False) -> Table:
    """Batches against the walk for equal actions, at a scale of 5; then seconds of the two calculations."""
    table = Table("The local model: against its limit", ["what", "microseconds", "against", "ratio", "limit", "met"])
    rounds = 300 if quick else 10_000
    for n_actions in (3, 25, 200):
        reports = 5 * np.random.default_rng(1).standard_normal((rounds, n_actions))
        for way in (_loop, _play):
            walk, batch = _fastest(n_actions, way, reports)
            what = f"a round of `{way.__name__[1:]}`, K = {n_actions}"
            table.rows.append([what, batch * 1e6, walk * 1e6, batch / walk, 2, verdict(batch / walk, 2)])
    spent = seconds(_amplified, 1, 2)
    table.rows.append(["an amplified curve, K = 25, t = 10,000", spent * 1e6, 2e6, spent / 2, 1, verdict(spent / 2, 1)])
    for kind in ("random", "cliques"):
        spent = _eigenvalue(kind, 20 if quick else 200)
        what = f"an eigenvalue of 64 learners, {kind}"
        table.rows.append([what, spent * 1e6, 100.0, spent / 1e-4, 1, verdict(spent / 1e-4, 1)])
    return table


def _fastest(n_actions: int, way: Callable[[ReportLearner, Floats], None], reports: Floats) -> tuple[float, float]:
    """Seconds a round of a fresh walk and of fresh batches, taking turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(9):
        for learner, spent in zip(
            (RandomWalkLeader(n_actions, 5.0), AdaptiveBatchLeader(n_actions, 5.0)), times, strict=True
        ):
            begin = perf_counter()
            way(learner, reports)
            spent.append((perf_counter() - begin) / len(reports))
    return min(times[0]), min(times[1])


def _loop(learner: ReportLearner, reports: Floats) -> None:
    for row in reports:
        learner.act()
        learner.update(row)


def _play(learner: ReportLearner, reports: Floats) -> None:
    learner.play(reports)


def _amplified() -> None:
    gaps._log_survival.cache_clear()
    amplified_trade_off(10_000, 25, 1.0, 5.0, 0.01)


def _eigenvalue(kind: str, rounds: int) -> float:
    """The median over rounds, each with one further round of suggestions."""
    random, counts, direction = np.random.default_rng(1), np.zeros((64, 64), dtype=np.int64), start(64)
    times = []
    for _ in range(rounds):
        row = random.integers(0, 25, 64) if kind == "random" else np.arange(64) % 2
        counts = counts + (row[:, None] == row)
        matrix = decorrelated(counts, 5.0)
        begin = perf_counter()
        _, direction = largest_eigenvalue(matrix, direction)
        times.append(perf_counter() - begin)
    return median(times)
