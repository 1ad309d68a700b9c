"""What a count says about a chance, exactly: one-sided bounds of Clopper and Pearson (1934)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainccinv, betaincinv

from discreet.audit.samples import Floats


def at_least(hits: ArrayLike, runs: int, miss: float) -> Floats:
    """A bound that lies above the true chance with probability at most `miss`, whatever that chance is.

    It is the chance at which so many hits or more would have probability `miss`; 0 where nothing was hit.

    >>> at_least([0, 5, 10], 10, miss=0.05).round(4).tolist()
    [0.0, 0.2224, 0.7411]
    """
    hits = np.asarray(hits, dtype=np.float64)
    bound: Floats = betaincinv(np.maximum(hits, 1), runs - hits + 1, miss)
    return np.where(hits > 0, bound, 0.0)


def at_most(hits: ArrayLike, runs: int, miss: float) -> Floats:
    """A bound that lies below the true chance with probability at most `miss`; 1 where every run was a hit.

    >>> at_most([0, 5, 10], 10, miss=0.05).round(4).tolist()
    [0.2589, 0.7776, 1.0]
    """
    hits = np.asarray(hits, dtype=np.float64)
    bound: Floats = betainccinv(hits + 1, np.maximum(runs - hits, 1), miss)
    return np.where(hits < runs, bound, 1.0)
