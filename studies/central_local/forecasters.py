"""The losses of the flu forecasters: what a desk that follows one team a round would lose."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Columns that say which round it is; all others are teams.
WHICH = ("reference_date", "location")


@dataclass(frozen=True)
class Forecasters:
    """Losses in [0, 1], (rounds, teams)."""

    teams: tuple[str, ...]
    losses: Floats

    @property
    def best(self) -> float:
        """The loss of the best team over all rounds."""
        return float(self.losses.sum(axis=0).min())

    @property
    def by_lot(self) -> float:
        """The regret of drawing a team anew each round."""
        return float(self.losses.sum() / len(self.teams)) - self.best

    def regret(self, actions: NDArray[np.int64]) -> Floats:
        """Realized regret of actions (rounds, runs), one number a run."""
        return np.asarray(np.take_along_axis(self.losses, actions, axis=1).sum(axis=0) - self.best)

    def first(self, rounds: int) -> Forecasters:
        """No more than so many rounds."""
        return Forecasters(self.teams, self.losses[:rounds])


def read(path: Path) -> Forecasters:
    """All columns of a Parquet file but those that say which round it is."""
    from pyarrow import parquet

    teams = tuple(name for name in parquet.read_schema(path).names if name not in WHICH)
    table = parquet.read_table(path, columns=list(teams))
    losses = np.column_stack([table[team].to_numpy() for team in teams]).astype(np.float64)
    bad = np.argwhere(~((losses >= 0) & (losses <= 1)))
    if bad.size:
        row, column = bad[0]
        raise ValueError(
            f"{path.name}: the loss of {teams[column]} in row {row} is {losses[row, column]}, not in [0, 1]"
        )
    return Forecasters(teams, losses)
