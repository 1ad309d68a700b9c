"""Cesari & Colomboni, Optimal Gap-Dependent Regret for Private Stochastic Decision-Theoretic Online Learning, 2026.

All four are explicit, at every horizon. The proofs were followed step by step: every constant holds, and some could
be smaller. In lemma 5 a group has at most K - 1 actions, so log(|H| + 1) is at most log K and 200 may be
64 + 36/log 2 < 116; the factor 1 - 7/16 · rate · gap may be kept, so 4 may be 16/7. Theorem 1 then reads
1 + 464 log(K)/gap + 64/7 · log(K)/rate. The functions state what is printed.
"""

from __future__ import annotations

import math

from discreet.bounds.conditions import needs_actions, needs_epsilon, needs_gap, needs_rate

#: The largest rate for which lemma 5 is proved.
LARGEST_RATE = 1 / 8


def cesari_colomboni_theorem_1(n_actions: int, gap: float, epsilon: float) -> float:
    """Theorem 1, form (1): expected regret at most 1 + 800 log(K)/gap + 16 log(K)/rate. Explicit.

    For `PrefixSoftmax`, whose rate is min(epsilon/2, 1/8), and i.i.d. loss vectors in [0, 1]^K with one best action,
    `gap` below the next; actions may depend on each other within a round. It is lemma 4 of lemma 5.

    >>> round(cesari_colomboni_theorem_1(n_actions=100, gap=0.1, epsilon=1.0))
    37432
    """
    needs_epsilon(epsilon)
    return cesari_colomboni_lemma_4(cesari_colomboni_lemma_5(n_actions, gap, min(epsilon / 2, LARGEST_RATE)))


def cesari_colomboni_theorem_1_simple(n_actions: int, gap: float, epsilon: float) -> float:
    """Theorem 1, form (2): expected regret at most 1000 (log(K)/gap + log(K)/epsilon). Explicit.

    Under the conditions of form (1), and never below it: up to epsilon = 1/4 form (1) is at most
    802 log(K)/gap + 32 log(K)/epsilon, and above it at most 930 log(K)/gap.

    >>> round(cesari_colomboni_theorem_1_simple(n_actions=100, gap=0.1, epsilon=1.0))
    50657
    """
    needs_actions(n_actions)
    needs_gap(gap)
    needs_epsilon(epsilon)
    return 1000 * math.log(n_actions) * (1 / gap + 1 / epsilon)


def cesari_colomboni_lemma_4(sum_of_f: float) -> float:
    """Lemma 4, the clock: expected regret at most 1 + 4 · (F_1 + F_2 + ...). Explicit.

    F_m is the expected gap of one action drawn by the softmax from the totals of m rounds. For a learner whose blocks
    have 1, 2, 4, ... rounds and which draws from a prefix of the last block of 2^r rounds, its length uniform on the
    second half; at any rate. (F_1 counts twice, not four times: the first block of one round has no second half.)

    >>> cesari_colomboni_lemma_4(2.5)
    11.0
    """
    if not 0 <= sum_of_f < math.inf:
        raise ValueError(f"needs a finite sum of expected gaps, 0 or more; got {sum_of_f}")
    return 1 + 4 * sum_of_f


def cesari_colomboni_lemma_5(n_actions: int, gap: float, rate: float) -> float:
    """Lemma 5: the sum F_1 + F_2 + ... of lemma 4 is at most 200 log(K)/gap + 4 log(K)/rate. Explicit.

    For i.i.d. loss vectors in [0, 1]^K with one best action, `gap` below the next, and rates up to 1/8.

    >>> round(cesari_colomboni_lemma_5(n_actions=100, gap=0.1, rate=0.125))
    9358
    """
    needs_actions(n_actions)
    needs_gap(gap)
    needs_rate(rate, LARGEST_RATE)
    return 200 * math.log(n_actions) / gap + 4 * math.log(n_actions) / rate
