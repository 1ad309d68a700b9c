"""How the regret of study 1 depends on K, gap and rate: slopes and powers, with their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

Floats = NDArray[np.float64]


class Point(Protocol):
    """What is fitted: mean regret of a case, with its standard error."""

    @property
    def n_actions(self) -> int:
        """K."""

    @property
    def gap(self) -> float:
        """Of the best action to all others."""

    @property
    def rate(self) -> float:
        """Of the softmax."""

    @property
    def mean(self) -> float:
        """Mean regret."""

    @property
    def error(self) -> float:
        """Its standard error."""


@dataclass(frozen=True)
class Fit:
    """regret = slopes[0] · log K / gap + slopes[1] · log K / rate."""

    slopes: Floats
    intervals: Floats  # (low and high, slopes)
    worst: float  # the largest relative distance of a case from the fit
    alone: tuple[float, float]  # smallest and largest regret · rate / log K where the gap is 16 rates or more

    def of(self, case: Point) -> float:
        """The fitted regret of a case."""
        return float(self.slopes @ _form(case))


def fit(points: Sequence[Point], draws: int = 1000, seed: int = 1) -> Fit:
    """Least squares of relative errors with slopes that are not negative; 95 % intervals by drawing cases again."""
    rows = np.array([_form(point) / point.mean for point in points])
    slopes, rng = _slopes(rows), np.random.default_rng(seed)
    drawn = [_slopes(rows[rng.integers(len(rows), size=len(rows))]) for _ in range(draws)]
    alone = [point.mean * point.rate / log(point.n_actions) for point in points if point.gap >= 16 * point.rate]
    intervals = np.quantile(drawn, [0.025, 0.975], axis=0)
    return Fit(slopes, intervals, float(np.abs(rows @ slopes - 1).max()), (min(alone), max(alone)))


def powers(points: Sequence[Point]) -> list[tuple[float, float]]:
    """For each gap and rate, the power of log K that regret grows with, and its standard error from sampling.

    A straight line through log regret over log log K, cases weighted by their precision.
    """
    groups: dict[tuple[float, float], list[Point]] = {}
    for point in points:
        groups.setdefault((point.gap, point.rate), []).append(point)
    return [_power(group) for group in groups.values()]


def _power(points: Sequence[Point]) -> tuple[float, float]:
    x = np.array([log(log(point.n_actions)) for point in points])
    y = np.array([log(point.mean) for point in points])
    weight = np.array([(point.mean / point.error) ** 2 for point in points])
    around = x - np.average(x, weights=weight)
    spread = float(weight @ around**2)
    return float(weight @ (around * y)) / spread, spread**-0.5


def _form(point: Point) -> Floats:
    return log(point.n_actions) * np.array([1 / point.gap, 1 / point.rate])


def _slopes(rows: Floats) -> Floats:
    return np.asarray(nnls(rows, np.ones(len(rows)))[0])
