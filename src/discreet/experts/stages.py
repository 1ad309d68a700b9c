"""What a watching learner holds to for a while: a floor under totals, a threshold, a selection, a number of draws."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.losses import UNITS, Units
from discreet.mechanisms import LaplaceNoise
from discreet.mechanisms.halting_law import tails
from discreet.selection import Selection

Floats = NDArray[np.float64]
#: Thresholds are held below this, so that they and their noise fit into int64. No total comes near.
FURTHEST = 2.0**59


@dataclass(frozen=True)
class Check:
    """Whether a total plus discrete Laplace noise of some scale, in losses, is above a cut in units."""

    scale: float
    cut: int

    @property
    def level(self) -> Fraction:
        """What one look reveals: a round moves the total by at most one loss."""
        return 1 / Fraction(self.scale)

    def passed(self, totals: Units, entropy: Entropy) -> NDArray[np.bool_]:
        """For each total, whether it is above with fresh noise."""
        return np.asarray(LaplaceNoise(self.scale).sample(totals, entropy) > self.cut)

    def law(self, totals: Units) -> Floats:
        """How likely that is."""
        return tails((self.cut - totals + 1).astype(np.float64), self.scale * UNITS)[0]


@dataclass(frozen=True)
class Stage:
    """One guess of the best action's loss.

    best: the guess, in units; totals below it count as much. threshold: what an action may lose before it is dropped,
    in units, without noise. switches: how often an action may be drawn. check: tells that the guess was too low.
    """

    best: int
    threshold: int
    selection: Selection
    switches: int
    check: Check | None = None

    @property
    def level(self) -> Fraction:
        """What its draws and checks reveal of a round before all of them."""
        checks = self.check.level if self.check else Fraction(0)
        return self.switches * (self.selection.level + checks)

    def scores(self, totals: Units) -> Units:
        """What the selection draws from."""
        scores: Units = np.maximum(totals, self.best)
        return scores


def in_units(losses: float) -> int:
    """Losses as whole units, held where a threshold no longer matters."""
    return round(min(max(losses * UNITS, -FURTHEST), FURTHEST))
