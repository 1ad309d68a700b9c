"""All that this study measures, and where the local model costs what the central one does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studies.central_local.cases import EPSILONS, TREE, Compared, Cost
from studies.central_local.equivalent import READINGS
from studies.central_local.forecasters import Forecasters


@dataclass(frozen=True)
class Row:
    """All learners at one epsilon, by one reading of what mu is as much."""

    reading: str
    epsilon: float
    mu: float
    pure: list[Cost]
    tree: Cost
    local: Compared


@dataclass(frozen=True)
class Results:
    """The losses, the central learners' costs and the local ones'."""

    data: Forecasters
    central: list[Cost]
    local: list[Compared]

    def rows(self, reading: str) -> list[Row]:
        """One row an epsilon."""
        return [self.row(reading, epsilon) for epsilon in EPSILONS]

    def all_rows(self) -> list[Row]:
        """Those of both readings."""
        return [row for reading in READINGS for row in self.rows(reading)]

    def row(self, reading: str, epsilon: float) -> Row:
        """All learners at one promise."""
        mu = READINGS[reading](epsilon)
        pure = [one for one in self.central if one.learner != TREE and one.level == epsilon]
        tree = next(one for one in self.central if one.learner == TREE and one.level == mu)
        return Row(reading, epsilon, mu, pure, tree, next(one for one in self.local if one.walk.level == mu))

    def mu_for(self, regret: float) -> float | None:
        """The mu at which the local model has this regret, on a line between logarithms; None beyond what was seen."""
        seen = sorted((one.walk.mean, one.walk.level) for one in self.local)
        means, levels = (np.log([pair[part] for pair in seen]) for part in (0, 1))
        if not means[0] <= np.log(regret) <= means[-1]:
            return None
        return float(np.exp(np.interp(np.log(regret), means, levels)))
