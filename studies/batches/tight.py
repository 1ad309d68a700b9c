"""How often the leader of a random walk really changes, beside what theorem 1 allows for."""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, log, sqrt

import numpy as np

from discreet.local.change import least_margin


@dataclass(frozen=True)
class Change:
    """One leader, all others behind it by the same gap, and a walk without drift."""

    n_actions: int
    steps: int
    bound: float
    union: float
    seen: float
    walks: int

    @property
    def error(self) -> float:
        """Standard error of what was seen."""
        return sqrt(max(self.seen * (1 - self.seen), 1 / self.walks) / self.walks)


def changes(sizes: tuple[int, ...], bounds: tuple[float, ...], steps: int, walks: int) -> list[Change]:
    """For so many actions, at the gaps where theorem 1 gives these bounds on the chance of a change."""
    found = []
    for n_actions in sizes:
        lift = sqrt(log(2 * n_actions - 2))
        nearest = _nearest(n_actions, steps, walks)
        for bound in bounds:
            gap = sqrt(2 * steps) * (least_margin(bound) + lift)
            seen = float((nearest > gap).mean())
            found.append(Change(n_actions, steps, bound, union(n_actions, steps, gap), seen, walks))
    return found


def union(n_actions: int, steps: int, gap: float) -> float:
    """A bound by other means: the chances that each of the others catches up, added.

    One of them does where a walk of steps N(0, 2) exceeds the gap: by reflection at most 2 Phi(-gap / sqrt(2 steps)).
    """
    return min(1.0, (n_actions - 1) * erfc(gap / (2 * sqrt(steps))))


def _nearest(n_actions: int, steps: int, walks: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """By how much the best of the others gains on the leader at most, in each walk of steps of scale 1."""
    random = np.random.default_rng([17, n_actions, steps])
    places, most = np.zeros((walks, n_actions)), np.full(walks, -np.inf)
    for _ in range(steps):
        places += random.standard_normal(places.shape)
        most = np.maximum(most, places[:, 1:].max(axis=1) - places[:, 0])
    return most
