"""A learner at work on reports, in many runs at once, and the batches that it makes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.local import AdaptiveBatchLeader, BatchLaw
from studies.reports import reports

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Watch:
    """Knows the size of the batch that each run is in, from the delays that the learner shows.

    >>> watch = Watch(AdaptiveBatchLeader(3, scale=5.0, seed=1, runs=2))
    >>> watch.update(np.zeros((2, 3))), watch.sizes.tolist(), watch.started.tolist()
    (None, [1, 1], [True, True])
    """

    def __init__(self, learner: AdaptiveBatchLeader) -> None:
        self.learner = learner
        self._left = np.array(learner.delay)
        self.sizes = self._left + 1  # of the batch that holds the coming round
        self.started = np.full(len(self.sizes), True)  # whether that round is the first of its batch

    def update(self, rows: Floats) -> None:
        """Give the learner a round of reports."""
        ends = self._left == 0
        self.learner.update(rows)
        self._left = np.array(self.learner.delay)
        self.sizes = np.where(ends, self._left + 1, self.sizes)
        self.started = ends


def containing(
    table: Floats, scale: float, tolerance: float, runs: int, seed: int, places: tuple[int, ...]
) -> dict[int, Ints]:
    """For each of some rounds (from 1) the sizes of the batches that hold it, one for each run."""
    learner = AdaptiveBatchLeader(table.shape[1], scale, tolerance, seed=seed, runs=runs)
    watch, found = Watch(learner), {}
    for t, rows in enumerate(reports(table[: max(places)], scale, runs, seed + 1), start=1):
        if t in places:
            found[t] = watch.sizes
        if t < max(places):
            watch.update(rows)
    return found


def law_of(sizes: Ints) -> BatchLaw:
    """Each size with its share of the runs.

    >>> law_of(np.array([3, 1, 3, 3]))
    BatchLaw(sizes=(1, 3), weights=(0.25, 0.75))
    """
    different, counts = np.unique(sizes, return_counts=True)
    return BatchLaw(tuple(different.tolist()), tuple((counts / len(sizes)).tolist()))
