"""What a block learner can lose where losses never change, whatever its noise, with explicit constants.

Let V(n) be the expectation of the largest score, -n · gap plus noise, where the noises of the K actions
are independent and of any one law. As a mean of maxima of straight lines V is convex, and its slope at n is minus
the expected gap of the action that is drawn. So an action that is drawn from n rounds has an expected gap of at most
(V(m) - V(n)) / (n - m) for every m < n. Multiplied by the length of the next block and added up over the blocks that
telescopes, and V falls by no more than from the expected largest noise to the expectation of one: the `lead`.

Softmax is the case of Gumbel noise, permute-and-flip that of exponential noise; for the first this is the bound of
`bounds.wu_wang_theorem_11_explicit`. Wu & Wang's proof is for these two alone.
"""

from __future__ import annotations

import math

import numpy as np

from discreet.experts.blocks import BlockLearner
from discreet.selection import NoisyMax, PermuteAndFlip, Selection, Softmax


def lead(selection: Selection, n_actions: int) -> float:
    """By how much the largest of K noises of a selection exceeds one of them, in expectation, in losses."""
    k = np.arange(1, n_actions + 1)
    if isinstance(selection, Softmax):
        return math.log(n_actions) / selection.rate
    if isinstance(selection, PermuteAndFlip):
        return float((1 / k[1:]).sum()) / selection.rate
    if isinstance(selection, NoisyMax):
        return selection.scale * float(((1 - 0.5**k) / k).sum() - 0.5**n_actions / n_actions)
    raise ValueError(f"the noise of {selection!r} is not known")


def upper(learner: BlockLearner) -> float:
    """The regret of a block learner at every horizon, against any losses that never change, at most this.

    Until some block every round may cost 1; from there on the telescoping sum counts. The block is the best one.
    """
    schedule, weights = learner.schedule, learner.weights
    counts = [schedule.prefix_counts(block)[-1] for block in range(len(schedule.ends))]
    seen = [
        sum(weight * n for weight, n in zip(weights, counts[block::-1], strict=False)) for block in range(len(counts))
    ]
    steps = np.diff(np.array(seen, dtype=np.float64), prepend=0)
    factors = schedule.lengths[1:-1] / steps[:-2]  # the last block is cut short
    worst = np.maximum.accumulate(factors[::-1])[::-1]
    before = np.array(schedule.ends[: len(worst)], dtype=np.float64)
    return float((before + worst * lead(learner.selection, learner.n_actions)).min())
