"""Softmax, the exponential mechanism: P(j) proportional to exp(-rate · total_j)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.losses import UNITS, Units
from discreet.selection.base import Floats, RateSelection, exact_exponent, gaps
from discreet.selection.coins import RELATIVE_ERROR, first_head, heads

# A toss of 64 bits stands for the numbers from itself up to one more: it is surely kept when one more is still below
# this times the float estimate of the ratio.
_SURELY_KEPT = 2.0**64 * (1 - 8 * RELATIVE_ERROR)


class Softmax(RateSelection):
    """P(j) proportional to exp(-rate · total_j), drawn by exact rejection.

    One row of totals is visited a few times: an action drawn uniformly is kept when its coin, fresh at each visit,
    lands heads with probability exp(-rate · gap), the gap being that to the smallest total. Where all visits are in
    vain, which says nothing about a new draw, and for many rows, the draw is by whole-number weights, each just
    above 2^S · exp(-rate · gap). That is exact; the drawn action is then kept with probability
    2^S · exp(-rate · gap) / weight, which is nearly always 1 and is decided exactly where it is not. So rounding of
    the weights costs a retry, never an error in the law.

    **Guarantee.** 2 · rate when one round's whole loss vector is replaced: each exponential moves by a factor of
    e^rate at most, the normalizing sum by as much the other way (McSherry & Talwar 2007).

    **Cost.** O(K): the smallest total, and a few words where many actions are close; else the weights.

    >>> from discreet.entropy import SeededEntropy
    >>> Softmax(rate=1.0).sample([0, 50 * 2**20], SeededEntropy(1))
    0
    >>> Softmax(rate=math.log(3)).law([0, 2**20]).round(4).tolist()
    [0.75, 0.25]
    """

    def _sample_rows(self, totals: Units, entropy: Entropy) -> NDArray[np.int64]:
        above = gaps(totals)
        if len(totals) == 1:
            taken = first_head(above[0], self.rate, entropy)
            if taken is not None:
                return np.array([taken])
        return self._weigh(above, entropy)

    def _weigh(self, above: NDArray[np.uint64], entropy: Entropy) -> NDArray[np.int64]:
        """One action for each row, by whole-number weights."""
        scale = 62 - above.shape[1].bit_length()
        targets = np.multiply(above, -self.rate / UNITS)
        # The excess in the exponent covers every rounding: weights are never below 2^S · exp(-rate · gap).
        targets += scale * math.log(2.0) + 2 * RELATIVE_ERROR
        np.exp(targets, out=targets)
        weights = targets.astype(np.int64)
        weights += 1
        chosen = _draw(np.add.accumulate(weights, axis=1), entropy)
        places = chosen + np.arange(0, above.size, above.shape[1])
        kept = targets.take(places) / weights.take(places)
        tossed = entropy.numbers(len(above), 64)
        unsure = (tossed >= kept * _SURELY_KEPT - 1.0).nonzero()[0].tolist()
        again = [
            i
            for i in unsure
            if not self._keep(int(tossed[i]), int(weights.flat[places[i]]), scale, int(above.flat[places[i]]), entropy)
        ]
        if again:
            chosen[again] = self._weigh(above[again], entropy)
        return chosen

    def _keep(self, tossed: int, weight: int, scale: int, gap: int, entropy: Entropy) -> bool:
        return heads(tossed, 64, Fraction(2**scale, weight), exact_exponent(self.rate, gap), entropy)

    def _law_rows(self, totals: Units) -> Floats:
        weights = np.exp(np.multiply(gaps(totals), -self.rate / UNITS))
        laws: Floats = weights / weights.sum(axis=1, keepdims=True)
        return laws


def _draw(sums: Units, entropy: Entropy) -> NDArray[np.int64]:
    """One column for each row, by whole-number weights whose running sums are given."""
    if len(sums) == 1:
        return np.array([sums[0].searchsorted(entropy.below(int(sums[0, -1])), side="right")])
    drawn = entropy.below_each(sums[:, -1])
    columns: NDArray[np.int64] = (sums <= drawn[:, None]).sum(axis=1)
    return columns
