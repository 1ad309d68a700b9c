"""Exact laws of totals, for cases small enough to be written down."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from discreet.losses import Units

Floats = NDArray[np.float64]

#: Numbers that a law may hold; and products of two chances beyond which sums are convolved by Fourier transform.
MOST, MUCH_WORK = 1 << 24, 1 << 22
#: Outcomes of a total that are less likely are left out; over any sum the error stays far below rounding.
_NEGLIGIBLE = 1e-24


@dataclass(frozen=True)
class Law:
    """Vectors of totals and how likely each is. Only differences count: action 0 is always at 0.

    >>> coin = Law(np.array([[0, 1], [0, 0]]), np.array([0.5, 0.5]))
    >>> total = coin.times(3)
    >>> total.totals.tolist(), total.chances.tolist()
    ([[0, 0], [0, 1], [0, 2], [0, 3]], [0.125, 0.375, 0.375, 0.125])
    """

    totals: Units  # (outcomes, K)
    chances: Floats  # (outcomes,)

    @property
    def single(self) -> bool:
        """Whether there is one outcome only."""
        return len(self.chances) == 1

    def scaled(self, weight: int) -> Law:
        """The law of the total times a whole number."""
        return Law(self.totals * weight, self.chances)

    def plus(self, other: Law) -> Law:
        """The law of the sum of two independent totals."""
        work = len(self.chances) * len(other.chances)
        if work == 1:
            return Law(self.totals + other.totals, self.chances * other.chances)
        grid = Grid.of(self.totals, other.totals)
        if grid is not None:
            return grid.sum_of(self, other)
        if work * self.totals.shape[1] > MOST:
            raise ValueError(
                f"the exact law has {work} outcomes or more, too many to sum over; simulate instead, or "
                "take losses that are multiples of a power of 1/2: others do not lie on one grid of units"
            )
        totals = (self.totals[:, None] + other.totals[None]).reshape(work, -1)
        return merged(totals, np.outer(self.chances, other.chances).ravel())

    def times(self, n: int) -> Law:
        """The law of the sum of n independent copies, n >= 0."""
        if self.single or n <= 1:
            return self if n == 1 else self._nothing() if n == 0 else self.scaled(n)
        half = self.times(n // 2)
        power = half.plus(half)
        return power.plus(self) if n % 2 else power

    def times_any(self, counts: range) -> Law:
        """The law of the sum of n independent copies, where n is drawn uniformly from consecutive counts.

        >>> once = Law(np.array([[0, 1]]), np.ones(1))
        >>> once.times_any(range(2, 4)).totals.tolist()
        [[0, 2], [0, 3]]
        """
        if self.single and len(counts) > 1:
            return Law(np.arange(counts.start, counts.stop)[:, None] * self.totals, _even(len(counts)))
        least = self.times(counts.start)
        return least if len(counts) == 1 else least.plus(self._powers(len(counts))[1])

    def _nothing(self) -> Law:
        """The law of no rounds."""
        return Law(np.zeros_like(self.totals[:1]), np.ones(1))

    def _powers(self, n: int) -> tuple[Law, Law]:
        """The law of n >= 1 copies, and that of as many as a draw from 0 .. n - 1 says, by doubling."""
        if n == 1:
            return self, self._nothing()
        half, below = self._powers(n // 2)
        power, below = half.plus(half), mixture([below, half.plus(below)], [0.5, 0.5])
        if n % 2:
            power, below = power.plus(self), mixture([below, power], [(n - 1) / n, 1 / n])
        return power, below


@dataclass(frozen=True)
class Grid:
    """A box of points at even steps: vectors of totals as single numbers, which add as the vectors do."""

    lows: Units  # of the two laws that are to be added, (2, K)
    steps: Units
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, one: Units, other: Units) -> Self | None:
        """The grid that holds the sums of two tables of totals, if it is small enough to be gone through."""
        lows = np.stack([one.min(axis=0), other.min(axis=0)])
        above = np.gcd.reduce(one - lows[0], axis=0), np.gcd.reduce(other - lows[1], axis=0)
        steps = np.maximum(np.gcd(*above), 1)
        spans = one.max(axis=0) - lows[0] + other.max(axis=0) - lows[1]
        sizes = tuple((spans // steps + 1).tolist())
        return cls(lows, steps, sizes) if math.prod(sizes) <= MOST else None

    def sum_of(self, one: Law, other: Law) -> Law:
        """The law of the sum of two independent totals."""
        chances, noise = self._spread(one, other), 0.0
        if chances is None:
            chances = self._convolved(one, other)
            # What a transform leaves where nothing belongs: a few roundings of the largest possible sum.
            noise = 4e-16 * float(np.linalg.norm(one.chances) * np.linalg.norm(other.chances))
        kept = np.flatnonzero(chances > max(noise, _NEGLIGIBLE))
        points = np.stack(np.unravel_index(kept, self.sizes), axis=1)
        # Made to add up to 1 again: what rounding adds to or takes from a sum would double with every doubling.
        return Law(points * self.steps + self.lows.sum(axis=0), chances[kept] / chances[kept].sum())

    def _spread(self, one: Law, other: Law) -> Floats | None:
        """The chances of one law spread out at every outcome of the other; None where that is much work."""
        if len(one.chances) * len(other.chances) > MUCH_WORK:
            return None
        chances = np.zeros(math.prod(self.sizes))
        keys, more = self._keys(one.totals, 0), self._keys(other.totals, 1)
        if len(keys) < len(more):
            keys, more, one, other = more, keys, other, one
        for key, chance in zip(more.tolist(), other.chances.tolist(), strict=True):
            chances[keys + key] += chance * one.chances
        return chances

    def _convolved(self, one: Law, other: Law) -> Floats:
        """The same by Fourier transform, to about 16 digits of the largest chance."""
        boxes = np.zeros((2, math.prod(self.sizes)))
        for box, law, which in ((boxes[0], one, 0), (boxes[1], other, 1)):
            box[self._keys(law.totals, which)] = law.chances
        axes = range(1, 1 + len(self.sizes))
        first, second = np.fft.rfftn(boxes.reshape(2, *self.sizes), axes=axes)
        return np.asarray(np.fft.irfftn((first * second)[None], self.sizes, axes).ravel())

    def _keys(self, totals: Units, which: int) -> Units:
        points = (totals - self.lows[which]) // self.steps
        return np.asarray(np.ravel_multi_index(tuple(points.T), self.sizes))


def merged(totals: Units, chances: Floats) -> Law:
    """A law with every outcome listed once, action 0 at 0."""
    totals = totals - totals[:, :1]
    if len(chances) == 1:
        return Law(totals, chances)
    distinct, which = np.unique(totals, axis=0, return_inverse=True)
    summed = np.asarray(np.bincount(which.ravel(), chances, len(distinct)), dtype=np.float64)
    kept = summed > _NEGLIGIBLE
    return Law(distinct[kept], summed[kept])


def mixture(laws: Sequence[Law], weights: Sequence[float]) -> Law:
    """The law of a total that is drawn from one of several laws."""
    chances = [weight * law.chances for law, weight in zip(laws, weights, strict=True)]
    return merged(np.concatenate([law.totals for law in laws]), np.concatenate(chances))


def listed(totals: Units) -> Law:
    """The law of a row drawn uniformly from a table of totals."""
    return merged(totals, _even(len(totals)))


def two_valued(low: Units, high: Units, chance: Floats) -> Law:
    """The law of one round whose actions are independent, at `high` with the given chance, else at `low`."""
    open_ = np.flatnonzero((low != high) & (chance > 0) & (chance < 1))
    if len(open_) * np.log(2) + np.log(len(low)) > np.log(MOST):
        raise ValueError(f"one round has 2^{len(open_)} outcomes, too many to sum over; simulate instead")
    ups = (np.arange(2 ** len(open_))[:, None] >> np.arange(len(open_))) & 1
    rounds = np.repeat(np.where(chance == 1, high, low)[None], len(ups), axis=0)
    rounds[:, open_] = np.where(ups, high[open_], low[open_])
    return merged(rounds, np.where(ups, chance[open_], 1 - chance[open_]).prod(axis=1))


def _even(n: int) -> Floats:
    return np.full(n, 1 / n)
