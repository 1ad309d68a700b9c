"""A bound for learners that draw one action a block from weighted block totals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray


def block_leader(gaps: ArrayLike, lengths: Sequence[int], weights: Sequence[int], rate: float, rounds: int) -> float:
    """Pseudo-regret of a block learner over some rounds of i.i.d. loss vectors in [0, 1]^K, at most this.

    That is its expected loss beyond that of the action with the best mean; for regret against the action that turns
    out best, add `hindsight`. Actions may depend on each other within a round.

    gaps: how far each action's mean loss lies above the best. lengths: of the blocks. weights: by age of block.
    rate: of the selection, which must prefer an action that is D losses behind the best with probability at most
    e^(-rate · D): true of `Softmax` and `PermuteAndFlip`.

    The score of action j less that of the best is a sum of independent differences with mean N · gap_j, where
    N = sum of w · n; it is below N · gap_j / 2 with probability at most exp(-N^2 gap_j^2 / (8 V)), V = sum of
    w^2 · n (Hoeffding), and above it the selection errs with probability at most e^(-rate · N · gap_j / 2). Over
    all actions these chances cannot exceed 1, so the largest gaps are counted first until they reach it.

    >>> round(block_leader([0.0, 0.5], lengths=[2**k for k in range(20)], weights=[1], rate=0.5, rounds=10**6), 1)
    50.6
    """
    gaps = np.sort(np.asarray(gaps, dtype=np.float64))[::-1]
    if gaps.size < 2 or gaps[-1] != 0 or not rate > 0 or rounds < 0:
        raise ValueError("needs gaps of at least two actions with the best at 0, a rate above 0, and rounds >= 0")
    total, played = float(gaps.mean()) * min(lengths[0], rounds), lengths[0]
    for k, length in enumerate(lengths[1:], start=1):
        if played >= rounds:
            break
        total += min(length, rounds - played) * selection_gap(gaps, list(lengths[k - 1 :: -1]), weights, rate)
        played += length
    return total


def selection_gap(gaps: NDArray[np.float64], counts: Sequence[int], weights: Sequence[int], rate: float) -> float:
    """The expected gap of one selection, at most this; gaps from the largest to the smallest.

    counts: how many rounds of each block count, the newest first.
    """
    signal = sum(w * n for w, n in zip(weights, counts, strict=False))
    noise = sum(w * w * n for w, n in zip(weights, counts, strict=False))
    chances = np.exp(-((signal * gaps) ** 2) / (8 * noise)) + np.exp(-rate * signal * gaps / 2)
    before = np.concatenate([[0.0], np.cumsum(chances)[:-1]])
    return float((gaps * np.clip(1.0 - before, 0.0, chances)).sum())
