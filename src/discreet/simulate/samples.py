"""What can be said of regret that was sampled over runs: the same for a simulation and for a replay."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Samples:
    """Regret at some rounds, one row a run."""

    regret: Floats  # (runs, rounds at which it was recorded)
    exact: bool = False  # an expectation, not a sample of one

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.regret)

    @property
    def mean(self) -> Floats:
        """Mean regret at each of the rounds."""
        return np.asarray(self.regret.mean(axis=0))

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """A confidence interval for the mean at each of the rounds, by Student's t; for one run none, so NaN."""
        from scipy.special import stdtrit

        if not 0 < level < 1:
            raise ValueError(f"level is {level}; it must lie between 0 and 1")
        if self.runs == 1:
            return (self.mean, self.mean) if self.exact else (self.mean * np.nan, self.mean * np.nan)
        t = stdtrit(self.runs - 1, 0.5 + level / 2)
        half = t * self.regret.std(axis=0, ddof=1) / np.sqrt(self.runs)
        return self.mean - half, self.mean + half

    def quantile(self, q: float) -> Floats:
        """A quantile of the regret over runs, at each of the rounds."""
        return np.asarray(np.quantile(self.regret, q, axis=0))
