"""Draws from a ball by exact rejection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.convex.affine import Affine, parts, values
from discreet.convex.least import least_total
from discreet.entropy import Entropy
from discreet.losses import UNITS, Units
from discreet.mechanisms.noise import FLOAT_ERROR
from discreet.selection.base import exact_exponent
from discreet.selection.coins import heads

Floats = NDArray[np.float64]
#: Proposals looked at together: few at first, then more.
_FEW, _MANY = 64, 1 << 13
#: How near to the least total its lower bound is sought, in parts of 1 / rate: proposals are e^NEAR times as many.
NEAR = 0.5


@dataclass(frozen=True)
class BallDraws:
    """P(x) proportional to e^(-rate · score(x)) on the points of a grid in the ball; exact, by rejection.

    **Rule.** The grid has 2^bits steps to the radius: whole vectors of Euclidean norm 2^bits or less. A point's score
    is its total, raised to `floor` (in units). A point drawn uniformly is kept when a coin lands heads with probability
    e^(-rate · (score - base)), where no score is below `base`: the floor, or a certified lower bound of the smallest
    total where that is higher (`least_total`). The coin's number is drawn first: it says how large a score may be, and
    a point is given up once it has lost more.

    **Guarantee.** 2 · rate where one round's loss is replaced: every score moves by one loss at most, raised or not; so
    every weight moves by a factor of e^rate, and their sum by as much the other way. The base cancels: whatever it is,
    points are drawn by this law. How long a draw takes depends on the losses, and is not covered: a promise for what is
    released only.

    **Cost.** Proposals in the mean: 1 / mean of e^(-rate · (score - base)).
    """

    dimension: int
    bits: int
    rate: float
    floor: int

    @property
    def level(self) -> Fraction:
        """The exact epsilon of one draw."""
        return 2 * Fraction(self.rate)

    def uniform(self, n: int, entropy: Entropy) -> Units:
        """Uniform points of the grid, (points, dimension): of n drawn from the cube, those that lie in the ball."""
        side = np.full(n * self.dimension, (2 << self.bits) + 1)
        cube = entropy.below_each(side).reshape(n, self.dimension) - (1 << self.bits)
        inside: Units = cube[(cube * cube).sum(axis=1) <= 1 << 2 * self.bits]
        return inside

    def scores(self, totals: Units) -> Units:
        """Totals raised to the floor."""
        scores: Units = np.maximum(totals, self.floor)
        return scores

    def first(self, entropy: Entropy) -> Units:
        """One uniform point, in steps of the grid."""
        while not len(points := self.uniform(_FEW, entropy)):
            pass
        first: Units = points[0]
        return first

    def sample(self, losses: Sequence[Affine], entropy: Entropy) -> Units:
        """One point, in steps of the grid."""
        return self.above(self.base(losses), losses, entropy)

    def above(self, base: int, losses: Sequence[Affine], entropy: Entropy) -> Units:
        """One point, its score compared with a base that no score is below."""
        n = _FEW
        while True:
            points = self.uniform(n, entropy)
            kept = self._first_kept(points, losses, base, entropy)
            if kept is not None:
                point: Units = points[kept]
                return point
            n = min(2 * n, _MANY)

    def base(self, losses: Sequence[Affine]) -> int:
        """A number that no score is below, near the least of them."""
        return max(self.floor, least_total(losses, self.floor, NEAR / self.rate))

    def _first_kept(self, points: Units, losses: Sequence[Affine], base: int, entropy: Entropy) -> int | None:
        """The first of some proposals whose coin lands heads."""
        words = entropy.numbers(len(points), 64).copy()
        low, high = self._allowed(words)
        open_, totals = np.arange(len(points)), np.zeros(len(points), dtype=np.int64)
        for part in parts(losses):
            totals = totals + values(part, points[open_], self.bits)
            stays = self.scores(totals) - base <= high[open_]
            open_, totals = open_[stays], totals[stays]
        for place, above in zip(open_.tolist(), (self.scores(totals) - base).tolist(), strict=True):
            if above < low[place] or self._heads(int(words[place]), above, entropy):
                return int(place)
        return None

    def _allowed(self, words: NDArray[np.uint64]) -> tuple[Floats, Floats]:
        """How far a score may lie above the base for heads, surely and possibly: below the one, up to the other."""
        drawn = words.astype(np.float64)
        with np.errstate(divide="ignore"):
            middle, error = -np.log((drawn + 0.5) * 2.0**-64), 1 / drawn
        error = error + FLOAT_ERROR * (1 + middle)
        unit = UNITS / self.rate
        return (middle - error) * unit - 1, (middle + error) * unit + 1

    def _heads(self, word: int, above: int, entropy: Entropy) -> bool:
        """The coin whose first 64 bits are the word, decided exactly."""
        return heads(word, 64, Fraction(1), exact_exponent(self.rate, above), entropy)
