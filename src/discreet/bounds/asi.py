"""Asi, Feldman, Koren & Talwar, Near-Optimal Algorithms for Private Online Optimization in the Realizable Regime, 2023.

The lower bound. Its instance (`environments.late_loss`): no losses at all, and then some rounds in which all actions
but one lose 1. Where the good one stands is drawn uniformly. The total loss of the best action is 0.
"""

from __future__ import annotations

import math

from discreet.bounds.conditions import needs_actions, needs_epsilon


def asi_theorem_5(n_actions: int, epsilon: float) -> float:
    """Theorem 5: no (epsilon, delta)-private learner has less expected regret on `late_loss`. Explicit.

    For delta up to epsilon / K, epsilon up to 1/10 and 32 actions or more: k/16, where k is log(K) / (2 epsilon)
    rounded down, the number of rounds with losses. The proof's log(K)/(32 epsilon) is this without the rounding.

    >>> asi_theorem_5(n_actions=100, epsilon=0.1)
    1.4375
    """
    needs_actions(n_actions, least=32)
    needs_epsilon(epsilon)
    if epsilon > 1 / 10:
        raise ValueError(f"needs an epsilon of at most 1/10; got {epsilon}")
    return math.floor(math.log(n_actions) / (2 * epsilon)) / 16


def asi_theorem_5_sharp(n_actions: int, epsilon: float) -> float:
    """No epsilon-private learner has less expected regret against an adversary with one perfect action. Explicit.

    The largest, over the number k of rounds with losses, of the sum over i = 0, ..., k - 1 of 1 - e^(i epsilon) / K:
    about (log(K) - 1)/epsilon, some thirty times theorem 5. On average over where the perfect action stands, and for
    any epsilon; for pure privacy only.

    Proof. Let p_j be the chance to play action j in the round after i rounds with losses, if j is the perfect one. Had
    there been no losses at all the chance were at least p_j e^(-i epsilon), and those chances sum to 1 over j. So the
    mean of p_j is at most e^(i epsilon) / K, and the expected loss of that round at least 1 less that. Once this is
    below 0 the adversary stops.

    >>> round(asi_theorem_5_sharp(n_actions=100, epsilon=0.1), 2)
    36.64
    """
    needs_actions(n_actions)
    needs_epsilon(epsilon)
    k = math.floor(math.log(n_actions) / epsilon) + 1  # rounds of which the loss is above 0, or one that adds 0
    return k - math.expm1(k * epsilon) / math.expm1(epsilon) / n_actions
