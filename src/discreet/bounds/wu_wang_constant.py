"""The constant of Wu & Wang's theorem 11, from its proof: what a softmax costs when losses never change."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.bounds.conditions import needs_actions, needs_rate


def wu_wang_theorem_11_explicit(n_actions: int, rate: float) -> float:
    """For losses that never change, regret at most 1 + 4 log(K)/rate at every horizon. Explicit; derived here.

    For learners with blocks of 1, 2, 4, ... rounds that draw an action from the totals of the whole last block by
    `Softmax(rate)` or `PermuteAndFlip(rate)`: `NoisyLeader` without resampling, with Gumbel or exponential noise, at
    rate epsilon/2 (and epsilon for exponential noise as printed, which is 2 · epsilon-private). Any gap. It holds for
    the random prefix of `PrefixSoftmax` too.

    Proof, after that of theorem 11. Let h(n) be the expected gap of a softmax draw from the totals of n rounds. It
    falls with n (its slope is minus rate times a variance), and it is the slope of
    -log(sum over j of e^(-rate · n · gap_j))/rate, so its integral from 0 on is at most log(K)/rate. A block of 2n
    rounds costs 2n h(n), at most four times the integral of h from n/2 to n; the blocks together cost at most
    4 log(K)/rate, and the first round at most 1. With a random prefix lemma 4 of Cesari & Colomboni gives
    1 + 4 (h(1) + h(2) + ...), and the sum is at most the integral. Permute-and-flip costs at most what the softmax
    of the same rate costs (McKenna & Sheldon, 2020, theorem 2).

    The proof as printed adds 3 in front, reads off the rate of Gumbel noise of scale 2/epsilon as epsilon, which is
    epsilon/2, and has lemma 13 for the sum; put right, it gives 3 + 2 (1 + 1/log 2) log(K)/rate. No constant below 4
    will do for all gaps: with K - 1 equal gaps and K large the softmax comes as close to it as one likes.

    >>> round(wu_wang_theorem_11_explicit(n_actions=100, rate=0.5), 1)
    37.8
    """
    needs_actions(n_actions)
    needs_rate(rate)
    return 1 + 4 * math.log(n_actions) / rate


def wu_wang_lemma_13(n_actions: int) -> float:
    """Lemma 13: f(1) + f(2) + ... is at most (1 + 1/log 2) log(K) for the f of `softmax_cost`, all a >= 0. Explicit.

    The paper states O(log K). Its proof bounds the sum by (1 + log 2) times the integral of f from 0 on, and prints
    2/log(2) · log(K) for an integral that is log_2(the sum over i of e^(-a_i)), at most log(K)/log(2), where the
    smallest a is 0. The sum over *all* whole numbers, negative ones too, obeys the same bound, because the integral
    over all x is log_2(K). And 2 log(K) is true: f(x)/2^x falls, so f(r) is at most 2 log(2) times the integral of f
    from r - 1 to r.

    >>> round(wu_wang_lemma_13(n_actions=100), 2)
    11.25
    """
    needs_actions(n_actions)
    return (1 + 1 / math.log(2)) * math.log(n_actions)


def softmax_cost(a: ArrayLike, x: float) -> float:
    """The function f of lemmas 12 and 13: the mean of 2^x a under weights proportional to e^(-2^x a).

    With a = rate · gaps, f(r) / rate is what a softmax draw from 2^r rounds costs over 2^r rounds, if losses never
    change.

    >>> round(softmax_cost([0.0, 1.0], x=0.0), 4)
    0.2689
    """
    costs, chances = _softmax(a, x)
    return float(costs @ chances)


def softmax_cost_slope(a: ArrayLike, x: float) -> float:
    """The derivative of `softmax_cost`: log 2 times (f less the variance of 2^x a), so lemma 12, f' <= log(2) f.

    >>> round(softmax_cost_slope([0.0, 1.0], x=0.0), 4)
    0.0501
    """
    costs, chances = _softmax(a, x)
    mean = float(costs @ chances)
    return math.log(2) * (mean - float((costs - mean) ** 2 @ chances))


def _softmax(a: ArrayLike, x: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The costs 2^x a and their chances, without those whose chance is smaller than every float."""
    with np.errstate(over="ignore"):
        costs = np.ldexp(np.asarray(a, dtype=np.float64) * 2.0 ** (x - math.floor(x)), math.floor(x))
    if costs.ndim != 1 or not costs.size or not np.isfinite(costs).all():
        raise ValueError("needs a row of numbers that stay finite when multiplied by 2^x")
    weights = np.exp(costs.min() - costs)
    return costs[weights > 0], weights[weights > 0] / weights.sum()
