"""A walk in the ball, for dimensions in which nothing exact is in reach."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from discreet.convex.affine import Affine, stacked
from discreet.convex.ball import Floats
from discreet.convex.chord import Chord, uniform
from discreet.entropy import Entropy
from discreet.losses import UNITS, Units

#: Directions that are drawn together, for so many numbers at most; then heights are computed afresh, so that errors do
#: not add up.
_TOGETHER, _NUMBERS = 64, 1 << 22


@dataclass(frozen=True)
class BallWalk:
    """Hit-and-run in the ball, towards P(x) proportional to e^(-rate · score(x)): near that law, and not exact.

    **Rule.** A point's score is its total, raised to `floor` (in units). Begin at a uniform point of the ball. A step
    takes a direction uniformly, and draws the next point on the chord through the current one, by the law's own density
    along it (`Chord.drawn`). After `steps` steps the point is rounded to a grid of 2^bits steps to the radius.

    Each draw begins anew, and not at the last point: so nothing but the losses and fresh chance makes it, and the
    density of where it begins is bounded, which theorems on walks want. From anywhere, the first few steps for each
    dimension go to where the losses are small.

    **Guarantee.** None. In real numbers the law that is walked towards has `level`; see `walk_theory` for what is
    proved of how near a walk comes.

    **Cost.** A step computes every piece of all losses once for its direction, and four times or more along the chord.
    """

    dimension: int
    bits: int
    rate: float
    floor: int
    steps: int

    @property
    def level(self) -> Fraction:
        """The epsilon of the law that is walked towards."""
        return 2 * Fraction(self.rate)

    def first(self, entropy: Entropy) -> Units:
        """One point without any losses, in steps of the grid."""
        return self._on_grid(self._uniform(entropy))

    def sample(self, losses: Sequence[Affine], entropy: Entropy) -> Units:
        """One point, in steps of the grid."""
        slopes, offsets = stacked(losses)
        point, together = self._uniform(entropy), max(1, min(_TOGETHER, _NUMBERS // offsets.size))
        for done in range(0, self.steps, together):
            ways = self._directions(min(together, self.steps - done), entropy)
            point = self._walked(point, ways, slopes, offsets, entropy)
        return self._on_grid(point)

    def _walked(self, point: Floats, ways: Floats, slopes: Floats, offsets: Floats, entropy: Entropy) -> Floats:
        """Some steps: heights of all pieces are kept along the way."""
        heights, rises = slopes @ point + offsets, np.tensordot(ways, slopes, axes=(1, 2))
        for way, rise in zip(ways, rises, strict=True):
            middle = float(point @ way)
            half = math.sqrt(max(0.0, middle * middle + 1 - float(point @ point)))
            chord = Chord(heights, rise, self.rate, self.floor / UNITS)
            length = chord.drawn(-middle - half, -middle + half, entropy)
            point, heights = point + length * way, heights + length * rise
        return point

    def _directions(self, n: int, entropy: Entropy) -> Floats:
        """Uniform unit vectors, (n, dimension), by normal numbers of Box & Muller."""
        words = entropy.numbers(2 * n * self.dimension, 64).astype(np.float64)
        sizes, turns = ((words + 0.5) * 2.0**-64).reshape(2, n, self.dimension)
        normal = np.sqrt(-2 * np.log(sizes)) * np.cos(2 * math.pi * turns)
        ways: Floats = normal / np.linalg.norm(normal, axis=1, keepdims=True)
        return ways

    def _uniform(self, entropy: Entropy) -> Floats:
        """A uniform point of the ball of radius 1."""
        way = self._directions(1, entropy)[0]
        point: Floats = way * uniform(entropy) ** (1 / self.dimension)
        return point

    def _on_grid(self, point: Floats) -> Units:
        """The nearest point of the grid; toward zero where that would leave the ball."""
        steps = point * (1 << self.bits)
        near: Units = np.rint(steps).astype(np.int64)
        while int((near * near).sum()) > 1 << 2 * self.bits:
            near, steps = np.trunc(steps).astype(np.int64), steps * (1 - 2.0**-40)
        return near
