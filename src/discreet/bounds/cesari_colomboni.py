"""Cesari & Colomboni, Optimal Gap-Dependent Regret for Private Stochastic Decision-Theoretic Online Learning, 2026."""

from __future__ import annotations

import math


def cesari_colomboni_theorem_1(n_actions: int, gap: float, epsilon: float) -> float:
    """Theorem 1: `PrefixSoftmax` has expected regret at most 1 + 800 log(K)/gap + 16 log(K)/rate at every horizon.

    rate = min(epsilon/2, 1/8). For i.i.d. loss vectors in [0, 1]^K with one best action, `gap` below the next.

    >>> round(cesari_colomboni_theorem_1(n_actions=100, gap=0.1, epsilon=1.0))
    37432
    """
    if n_actions < 2 or not 0 < gap <= 1 or not epsilon > 0:
        raise ValueError(f"needs two actions, a gap in (0, 1] and epsilon > 0; got {n_actions}, {gap}, {epsilon}")
    rate = min(epsilon / 2, 1 / 8)
    return 1 + 800 * math.log(n_actions) / gap + 16 * math.log(n_actions) / rate
