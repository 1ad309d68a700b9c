"""Report-noisy-max with Laplace noise, drawn as exact discrete Laplace on the grid of units."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.exact import geometric as geometric
from discreet.losses import UNITS, Units
from discreet.selection.base import Floats, Selection, gaps, positive
from discreet.selection.laplace_law import law

# A bound on the error of the float logarithm of a number in (2^-64, 1), and of the sums of scores besides.
_LOG_ERROR = 2.0**-44
_SUM_ERROR = 2.0**-50


@dataclass(frozen=True)
class NoisyMax(Selection):
    """The action with the largest noisy score: score -total, noise P(n units) proportional to exp(-|n|/scale).

    The noise is the difference of two geometric numbers, floor(-scale · log U) each. Floating point tells nearly
    always which score is the largest; scores that it cannot tell apart are computed exactly, from more bits of U
    where needed. Equal scores are equally likely to win: that is a fixed order drawn in advance, so the proof
    for ties broken in a fixed order applies to each such order.

    **Guarantee.** 2/scale when one round's whole loss vector is replaced. Fix the noise of the others: action j
    wins when its noise is at least some whole number, which moves by at most two losses; the tail of the discrete
    Laplace law changes by e^(2/scale) at most (Dwork & Roth 2014, section 3.3, for scores that move both ways).

    **Cost.** O(K), 128 random bits an action.

    >>> from discreet.entropy import SeededEntropy
    >>> NoisyMax(scale=1.0).sample([0, 50 * 2**20], SeededEntropy(1))
    0
    >>> NoisyMax(scale=1.0).law([0, 2**20]).round(4).tolist()
    [0.7241, 0.2759]
    """

    scale: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive("scale", self.scale))

    @property
    def level(self) -> Fraction:
        """2 / scale."""
        return 2 / Fraction(self.scale)

    @property
    def error_rate(self) -> float:
        """Two such noises differ by D or more with probability (1/2) (1 + x/2) e^-x, x = D / scale: below e^(-x/2)."""
        return 0.5 / self.scale

    def _sample_rows(self, totals: Units, entropy: Entropy) -> NDArray[np.int64]:
        above = gaps(totals)
        behind = above.astype(np.float64)
        drawn = entropy.numbers(2 * totals.size, 64).reshape(2, *totals.shape)
        plus, minus = (self._noise(u) for u in drawn)
        estimate = plus[0] - minus[0] - behind
        error = plus[1] + minus[1] + _SUM_ERROR * (plus[0] + minus[0] + behind) + 2
        floor = np.max(estimate - error, axis=1, keepdims=True)
        maybe = ~(estimate + error < floor)
        chosen: NDArray[np.int64] = maybe.argmax(axis=1)
        for row in (maybe.sum(axis=1) > 1).nonzero()[0].tolist():
            rivals = maybe[row].nonzero()[0]
            chosen[row] = self._best(rivals, drawn[:, row, rivals], above[row, rivals], entropy)
        return chosen

    def _noise(self, drawn: NDArray[np.uint64]) -> tuple[Floats, Floats]:
        """-scale · log U in units for U = drawn / 2^64 and on, with a bound on its error; infinite for drawn = 0."""
        u = drawn.astype(np.float64)
        scale = self.scale * UNITS
        with np.errstate(divide="ignore"):
            return np.minimum(scale * -np.log((u + 0.5) * 2.0**-64), 64 * scale), scale * (1 / u + _LOG_ERROR)

    def _best(
        self, rivals: NDArray[np.int64], drawn: NDArray[np.uint64], above: NDArray[np.uint64], entropy: Entropy
    ) -> int:
        """The exact winner among actions whose scores are too close for floats."""
        scale = Fraction(self.scale) * UNITS
        scores = [
            geometric(int(plus), 64, scale, entropy) - geometric(int(minus), 64, scale, entropy) - int(gap)
            for plus, minus, gap in zip(*drawn, above, strict=True)
        ]
        ties: list[int] = [rival for rival, score in zip(rivals.tolist(), scores, strict=True) if score == max(scores)]
        return ties[entropy.below(len(ties))]

    def _law_rows(self, totals: Units) -> Floats:
        laws = [law(-row.astype(np.float64), self.scale * UNITS) for row in gaps(totals)]
        return np.array(laws).reshape(totals.shape)
