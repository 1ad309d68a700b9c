"""Permute-and-flip: visit the actions in random order, take the first whose coin lands heads."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.losses import UNITS, Units
from discreet.selection.base import Floats, RateSelection, exact_exponent, gaps
from discreet.selection.coins import first_head, heads

_BITS = 16
# Errors of the float estimate are below 2^16 · RELATIVE_ERROR = 2^-24 on the scale of the 16 bits.
_GUARD = 2.0**-23


class PermuteAndFlip(RateSelection):
    """Action j's coin lands heads with probability exp(-rate · (total_j - smallest total)).

    One row of totals is visited just so, a few times: actions are drawn with replacement, and one that has been
    visited counts no more, which is a random order. Where all visits find tails, and for many rows, all other coins
    are flipped at once, with 16 bits of each and more only where those leave it open: the order does not depend on
    the coins, so the action taken is uniform among the heads.

    The law is that of report-noisy-max with one-sided exponential noise of mean 1/rate on *negated* totals.

    **Guarantee.** 2 · rate when one round's whole loss vector is replaced: with the coins of the other actions
    fixed, moving action j's gap by at most 2 changes its probability by e^(2 rate) at most (McKenna & Sheldon
    2020, for scores of sensitivity 1). It would be `rate` if all losses
    could only move in one direction, which replacing a round does not promise.

    **Cost.** O(K): the smallest total, and a few words where heads are common; else about 16 random bits an action.

    >>> from discreet.entropy import SeededEntropy
    >>> PermuteAndFlip(rate=1.0).sample([0, 50 * 2**20], SeededEntropy(1))
    0
    >>> PermuteAndFlip(rate=1.0).law([0, 2**20]).round(4).tolist()
    [0.8161, 0.1839]
    """

    def _sample_rows(self, totals: Units, entropy: Entropy) -> NDArray[np.int64]:
        above, tails = gaps(totals), set[int]()
        if len(totals) == 1:
            taken = first_head(above[0], self.rate, entropy, tails)
            if taken is not None:
                return np.array([taken])
        return self._flip_others(above, entropy, tails)

    def _flip_others(self, above: NDArray[np.uint64], entropy: Entropy, tails: set[int]) -> NDArray[np.int64]:
        """One of the heads for each row, where the coins at the places in `tails` have landed tails before."""
        thresholds = np.multiply(above, -self.rate / UNITS)
        np.exp(thresholds, out=thresholds)
        thresholds *= 2**_BITS
        if tails:
            thresholds.put(list(tails), -1.0)
        drawn = entropy.numbers(above.size, _BITS).reshape(above.shape)
        thresholds -= drawn
        maybe = (thresholds.ravel() > -_GUARD).nonzero()[0]
        open_ = maybe[thresholds.take(maybe) < 1 + _GUARD]
        if open_.size:
            missed = [i for i in open_.tolist() if not self._heads(int(above.flat[i]), int(drawn.flat[i]), entropy)]
            maybe = np.delete(maybe, maybe.searchsorted(missed))
        return one_per_row(maybe, above.shape, entropy)

    def _heads(self, gap: int, drawn: int, entropy: Entropy) -> bool:
        return heads(drawn, _BITS, Fraction(1), exact_exponent(self.rate, gap), entropy)

    def _law_rows(self, totals: Units) -> Floats:
        """P(j) = p_j · integral over u in [0, 1] of the product over i != j of (1 - u · p_i).

        That is the average over the size of the set of heads. The integrand falls like exp(-u · sum of p), so
        Gauss-Legendre on intervals that halve towards 0 is exact to rounding.
        """
        probabilities = np.exp(np.multiply(gaps(totals), -self.rate / UNITS))
        nodes, weights = _halving_nodes(totals.shape[1])
        laws = np.zeros(totals.shape)
        for u, weight in zip(nodes, weights, strict=True):
            misses = np.log(1.0 - u * probabilities)
            laws += weight * np.exp(misses.sum(axis=1, keepdims=True) - misses)
        laws *= probabilities
        return laws


def _halving_nodes(n_actions: int) -> tuple[Floats, Floats]:
    """Nodes and weights on (0, 1), 24 on each of the intervals (1/2, 1), (1/4, 1/2), ... and (0, last)."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    ends = np.concatenate([2.0 ** -np.arange(n_actions.bit_length() + 3), [0.0]])
    widths = ends[:-1] - ends[1:]
    return (ends[1:, None] + widths[:, None] * (nodes + 1) / 2).ravel(), (widths[:, None] * weights / 2).ravel()


def one_per_row(flat: NDArray[np.int64], shape: tuple[int, ...], entropy: Entropy) -> NDArray[np.int64]:
    """One column for each row, uniform among the flat positions that fall into it; flat is sorted."""
    runs, n_actions = shape
    if runs == 1:
        return flat[[entropy.below(len(flat))]]
    rows, columns = np.divmod(flat, n_actions)
    counts = np.bincount(rows, minlength=runs)
    picked: NDArray[np.int64] = columns[np.cumsum(counts) - counts + entropy.below_each(counts)]
    return picked
