"""Gaussian noise, rounded to a grid exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.entropy import Entropy
from discreet.exact import nearest
from discreet.guarantees import GaussianDP
from discreet.guarantees.rounding import up
from discreet.mechanisms.noise import FLOAT_ERROR, Cells, Floats, Noise, cells_and_rest, held

_SIZE = np.uint64(2**63 - 1)


@dataclass(frozen=True)
class GaussianNoise(Noise):
    """The whole cell nearest to value + N(0, scale^2), by the law of a real normal number.

    **Rule.** `scale` and `grid` share a measure, say losses; values are counted in cells of the grid, fractions of a
    cell allowed. A word of 64 bits is a sign and U; the size of the noise is the m with P(|Z| > m) = U. Floats with
    an error bound nearly always tell the cell. Where they do not, the sum lies so close to the border of two cells
    that U, with further bits, is compared with the exact probability of the border (`exact.nearest`).

    **Guarantee.** `reveals(d)` = `GaussianDP(d / scale)` where values, as a vector, move by at most d in Euclidean
    norm. The sum value + N(0, scale^2) has it for real normal numbers, and rounding is post-processing. Nothing is
    lost to floats: every cell has the probability of the real law, however far out.

    **Error of the floats.** U lies in [u, u + 1] / 2^63. The quantile of its middle is off by at most
    max |dz/dp| · |dp|, where dp is half a cell of U and two roundings, and 1/phi(z) <= 1.2534 / p beyond zero
    (Mills): below 1/u + 2^-51. `scipy.special.ndtri` itself is taken to be right within 2^-45 (1 + z), some
    thirty times what its authors measured and what a test finds against 40 digits.

    **Cost.** 64 random bits and one quantile an entry: six times `rng.standard_normal`. Floats leave one entry in
    about 5 · 10^12 · grid / scale to exact arithmetic, which takes half a millisecond.

    >>> from discreet.entropy import SeededEntropy
    >>> noise = GaussianNoise(scale=2.0, grid=0.5)
    >>> noise.sample([0, 100, 200], SeededEntropy(1)) - [0, 100, 200]
    array([-9,  0,  4])
    >>> noise.law(0, [-1, 0, 1]).round(4).tolist(), noise.reveals(1.0)
    ([0.0964, 0.0995, 0.0964], GaussianDP(mu=0.5))

    Reference: Dong, Roth & Su, Gaussian Differential Privacy, 2022, theorem 2.7 and proposition 2.8.
    """

    @property
    def variance(self) -> float:
        """The square of the scale in cells."""
        return float(self.in_cells**2)

    def reveals(self, distance: float | Fraction) -> GaussianDP:
        """Distance over scale, rounded up."""
        return GaussianDP(up(Fraction(distance) / Fraction(self.scale)))

    def sample(self, values: ArrayLike, entropy: Entropy) -> Cells:
        """The nearest cells to values + N(0, scale^2), drawn anew for each entry."""
        array = np.asarray(values)
        return self.sample_rows(array.reshape(1, -1), entropy).reshape(array.shape)

    def sample_rows(self, rows: ArrayLike, entropy: Entropy) -> Cells:
        """The same draws as `sample` of one row (n, entries) after the other, made all at once."""
        centers, rests = cells_and_rest(rows)
        cells = np.empty(centers.shape, dtype=np.int64)
        done = 0
        while done < len(centers):
            rest = None if rests is None else rests[done:]
            done += self._draw(centers[done:], rest, cells[done:], entropy)
        return cells

    def _draw(self, centers: Cells, rests: Floats | None, cells: Cells, entropy: Entropy) -> int:
        """Draw rows of cells up to one that needs more bits than its words, or all of them: how many.

        Bits beyond the words are asked for about once in 10^18 / (scale in cells) entries. They come after the row's
        words, where those of the next row would be.
        """
        size, width = centers.size, int(centers.shape[1])
        words = entropy.ahead(size, 64).astype(np.uint64, copy=False)
        minus, u = words > _SIZE, words & _SIZE
        toward = np.zeros(1) if rests is None else np.where(minus, -rests.ravel(), rests.ravel())
        low, high = self._cells(u, toward)
        undecided = ~(low == high)
        away = np.where(undecided, 0.0, low).astype(np.int64)
        cells[:] = centers + np.where(minus, -away, away).reshape(centers.shape)
        more = _WordsAfter(entropy)
        for place in undecided.nonzero()[0].tolist():
            row, column = divmod(int(place), width)
            if more.used and (row + 1) * width > more.first:
                break
            more.first = (row + 1) * width
            rest = Fraction(float(toward[place % len(toward)]))
            between = (max(0, int(low[place])), int(high[place])) if u[place] else None
            exact = nearest(int(u[place]), 63, self.in_cells, rest, more, between)
            cells[row, column] = held(int(centers[row, column]) + (-exact if minus[place] else exact))
        if more.used:
            return more.first // width
        entropy.numbers(size, 64)
        return len(centers)

    def _cells(self, u: NDArray[np.uint64], toward: Floats) -> tuple[Floats, Floats]:
        """The cells, counted from the center's away, between which the noise surely falls; infinite for u = 0."""
        from scipy.special import ndtri

        scale, drawn = float(self.in_cells), u.astype(np.float64)
        size = -ndtri((drawn + 0.5) * 2.0**-64)
        with np.errstate(divide="ignore"):
            error = scale * (1 / drawn + FLOAT_ERROR * (1 + size)) + 2.0**-50
        middle = scale * size + (toward + 0.5)
        return np.floor(middle - error), np.floor(middle + error)

    def law(self, value: float, cells: ArrayLike) -> Floats:
        """The mass of the normal law in each cell."""
        center, rest = cells_and_rest(np.asarray(value))
        steps = np.asarray(cells, dtype=np.int64) - center
        width = 1 / float(self.in_cells)
        middles = np.abs(steps - (0.0 if rest is None else rest)) * width
        return _narrow(middles, width) if width < 1 else _wide(middles, width)


class _WordsAfter:
    """The words of an entropy after its first few, which are used up only once more are wanted."""

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy
        self.first: int = 0
        self.used = False

    def word(self) -> int:
        """The next word."""
        if not self.used:
            self._entropy.numbers(self.first, 64)
            self.used = True
        return self._entropy.word()


def _narrow(middles: Floats, width: float) -> Floats:
    """The mass of a cell narrower than one standard deviation, by quadrature: no difference of near numbers."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    points = middles[..., None] + width / 2 * nodes
    mass: Floats = np.exp(-points * points / 2) @ weights * (width / 2 / math.sqrt(2 * math.pi))
    return mass


def _wide(middles: Floats, width: float) -> Floats:
    """The mass of a wider cell, as a difference of tails on one side."""
    from scipy.special import ndtr

    mass: Floats = ndtr(width / 2 - middles) - ndtr(-width / 2 - middles)
    return mass
