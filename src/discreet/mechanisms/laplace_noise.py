"""Laplace noise on a grid, drawn exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.entropy import Entropy
from discreet.exact import geometric
from discreet.guarantees import PureDP
from discreet.guarantees.rounding import up
from discreet.mechanisms.noise import FLOAT_ERROR, Cells, Floats, Noise, held, whole_cells


@dataclass(frozen=True)
class LaplaceNoise(Noise):
    """Value + n cells, where P(n) is proportional to exp(-|n| / scale), the scale counted in cells.

    **Rule.** Values are whole numbers of cells. The noise is the difference of two geometric numbers,
    floor(-scale · log U) each; floats with an error bound nearly always tell them, and where they do not, more bits
    of U and exact logarithms do (`exact.geometric`).

    **Guarantee.** `reveals(d)` = `PureDP(d / scale)` where values, as a vector, move by at most d in sum: every
    cell's probability changes by e^(|move| / scale) at most, entry by entry (Ghosh, Roughgarden & Sundararajan 2012).

    **Cost.** 128 random bits and two logarithms an entry.

    >>> from discreet.entropy import SeededEntropy
    >>> noise = LaplaceNoise(scale=4.0, grid=1.0)
    >>> noise.sample([0, 100, 200], SeededEntropy(1)) - [0, 100, 200]
    array([ 2, -4,  4])
    >>> noise.law(0, [-1, 0, 1]).round(4).tolist(), noise.reveals(2.0)
    ([0.0968, 0.1244, 0.0968], PureDP(epsilon=0.5))
    """

    @property
    def variance(self) -> float:
        """2 q / (1 - q)^2 with q = e^(-1/scale)."""
        return 0.5 / math.sinh(min(350.0, 0.5 / float(self.in_cells))) ** 2

    def reveals(self, distance: float | Fraction) -> PureDP:
        """Distance over scale, rounded up."""
        return PureDP(up(Fraction(distance) / Fraction(self.scale)))

    def sample(self, values: ArrayLike, entropy: Entropy) -> Cells:
        """Values plus noise, drawn anew for each entry."""
        centers = whole_cells(values)
        drawn = entropy.numbers(2 * centers.size, 64).reshape(2, centers.size)
        low, high = self._cells(drawn)
        undecided = ~(low == high).all(axis=0)
        plus, minus = np.where(undecided, 0.0, low).astype(np.int64)
        cells: Cells = centers.ravel() + (plus - minus)
        for place in undecided.nonzero()[0].tolist():
            more, less = (geometric(int(u[place]), 64, self.in_cells, entropy) for u in drawn)
            cells[place] = held(int(cells[place]) + more - less)
        return cells.reshape(centers.shape)

    def ahead(self, rounds: int, entries: int, entropy: Entropy) -> Cells:
        """The noise that `sample` would add in the next rounds, a call for each, without drawing it: (rounds, entries).

        It ends before the first round whose noise floats cannot tell. Who uses n rounds of it then draws them with
        `entropy.numbers(2 * entries * n, 64)`.
        """
        drawn = entropy.ahead(2 * rounds * entries, 64).reshape(rounds, 2, entries)
        low, high = self._cells(drawn)
        told = (low == high).all(axis=(1, 2))
        known = rounds if told.all() else int(told.argmin())
        noise: Cells = low[:known, 0].astype(np.int64) - low[:known, 1].astype(np.int64)
        return noise

    def _cells(self, drawn: NDArray[np.uint64]) -> tuple[Floats, Floats]:
        """The whole numbers between which -scale · log U surely falls for U = drawn / 2^64 and on."""
        u, scale = drawn.astype(np.float64), float(self.in_cells)
        with np.errstate(divide="ignore"):
            size = scale * -np.log((u + 0.5) * 2.0**-64)
            error = scale * (1 / u + FLOAT_ERROR) + FLOAT_ERROR * size + 2.0**-50
        return np.floor(size - error), np.floor(size + error)

    def law(self, value: float, cells: ArrayLike) -> Floats:
        """tanh(1 / (2 scale)) · e^(-|n| / scale)."""
        steps = np.abs(np.asarray(cells, dtype=np.int64) - whole_cells(np.asarray(value))).astype(np.float64)
        scale = float(self.in_cells)
        mass: Floats = math.tanh(0.5 / scale) * np.exp(-steps / scale)
        return mass
