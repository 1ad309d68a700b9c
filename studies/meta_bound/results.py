"""All that this study measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studies.meta_bound.cases import Played
from studies.meta_bound.learners import FIXED, REACTING, RIVALS

#: A claim fails only where it does so by so many standard errors.
SIGMAS = 4.5


@dataclass(frozen=True)
class Results:
    """What was played, over how many learners the eigenvalue was looked for, and where it is largest for each."""

    played: list[Played]
    worst: dict[int, tuple[float, tuple[int, ...]]]

    def fixed(self) -> list[Played]:
        """Teams with scripts."""
        return [one for one in self.played if one.case.kind in FIXED]

    def reacting(self) -> list[Played]:
        """Teams that learn."""
        return [one for one in self.played if one.case.kind in REACTING]

    def rivals(self, scale: float) -> list[Played]:
        """Teams that know how they are chosen, by rounds."""
        return sorted(
            (one for one in self.played if one.case.kind == RIVALS and one.case.scale == scale),
            key=lambda one: one.case.rounds,
        )

    def growth(self, kind: str, losses: str) -> list[Played]:
        """One of the teams on some losses, at the larger scale, by rounds."""
        scale = max(one.case.scale for one in self.played)
        m = min(one.case.m for one in self.fixed())
        mine = [one for one in self.fixed() if (one.case.kind, one.case.losses) == (kind, losses)]
        return sorted(
            (one for one in mine if (one.case.scale, one.case.m) == (scale, m)), key=lambda one: one.case.rounds
        )


def power(row: Sequence[Played]) -> tuple[float, float]:
    """The power of T that regret grows with, and its standard error by those of the means."""
    x = np.log([one.case.rounds for one in row])
    y = np.log([max(one.regret.value, 1e-9) for one in row])
    errors = np.array([one.regret.error / max(one.regret.value, 1e-9) for one in row])
    weights = (x - x.mean()) / ((x - x.mean()) ** 2).sum()
    return float(weights @ y), float(np.sqrt(weights**2 @ errors**2))
