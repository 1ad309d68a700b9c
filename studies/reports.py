"""Reports of many runs at once, for studies of learners on reports."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from discreet.local import GaussianReport

Floats = NDArray[np.float64]


def reports(table: Floats, scale: float, runs: int, seed: int) -> Iterator[Floats]:
    """For each row of losses (K,) a report for every run, (runs, K), by `GaussianReport` with a seed.

    What mu is plays no part here: the noise alone does.

    >>> [rows.shape for rows in reports(np.zeros((2, 3)), scale=5.0, runs=4, seed=1)]
    [(4, 3), (4, 3)]
    """
    maker = GaussianReport(table.shape[1], mu=1.0, sensitivity=scale, seed=seed)
    for row in table:
        yield maker.privatize(np.broadcast_to(row, (runs, len(row))))
