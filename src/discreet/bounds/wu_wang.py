"""Wu & Wang, Improved Regret in Stochastic Decision-Theoretic Online Learning under Differential Privacy, 2026.

The orders. Theorem 7 and what follows from the proof of theorem 11 have constants, and files of their own.

For the noise that makes the theorems' privacy true, see `NoisyLeader`: exponential noise must have mean 2/epsilon, not
the printed 1/epsilon. The orders are the same.

Slips in the proof of theorem 3 (appendix C), none of which changes the order: the horizon is 2^R - 1, not
2^(R+1) - 1; tau_l counts blocks, so it must be the base-2 logarithm of c_2 ln(|H_l| + 1)/gap_l^2, and without the + 1 a
group of one action would get nothing; the sum of 2^-(l-1) over l >= 1 is 2, which the last equality leaves out; the
density of Laplace noise of scale b has 1/(2b) in front, not b/2.
"""

from __future__ import annotations

import math

from discreet.bounds.conditions import needs_actions, needs_epsilon, needs_gap, needs_rounds
from discreet.bounds.order import Order


def wu_wang_theorem_3(n_actions: int, gap: float, epsilon: float) -> Order:
    """Theorem 3: expected regret of order at most log(K)/gap + log(K)^2/epsilon. An order.

    For `NoisyLeader` with any noise and resampling, at every horizon, and i.i.d. loss vectors in [0, 1]^K, actions
    independent of each other, one best action `gap` below the next.

    >>> round(wu_wang_theorem_3(n_actions=100, gap=0.1, epsilon=1.0).value)
    67
    """
    needs_actions(n_actions)
    needs_gap(gap)
    needs_epsilon(epsilon)
    size = math.log(n_actions)
    return Order(size / gap + size**2 / epsilon, "log(K)/gap + log(K)^2/epsilon")


def wu_wang_corollary_5(n_actions: int, epsilon: float, rounds: int) -> Order:
    """Corollary 5: expected regret of order at most sqrt(T log(K)) + log(K)^2/epsilon, whatever the gap. An order.

    Otherwise as `wu_wang_theorem_3`, of which it takes the gap sqrt(log(K)/T) and below as lost.

    >>> round(wu_wang_corollary_5(n_actions=100, epsilon=1.0, rounds=10**6).value)
    2167
    """
    needs_actions(n_actions)
    needs_epsilon(epsilon)
    needs_rounds(rounds)
    size = math.log(n_actions)
    return Order(math.sqrt(rounds * size) + size**2 / epsilon, "sqrt(T log(K)) + log(K)^2/epsilon")


def wu_wang_corollary_10(n_actions: int, epsilon: float) -> Order:
    """Corollary 10: for losses that never change, regret of order at most log(K)^2/epsilon. An order.

    For `NoisyLeader` with any noise, without resampling, at every horizon and any gap. The corollary does not say
    "without", but resampling makes losses of 0 and 1 of losses that never change, and then the gap matters.

    >>> round(wu_wang_corollary_10(n_actions=100, epsilon=1.0).value)
    21
    """
    needs_actions(n_actions)
    needs_epsilon(epsilon)
    return Order(math.log(n_actions) ** 2 / epsilon, "log(K)^2/epsilon")


def wu_wang_theorem_11(n_actions: int, epsilon: float) -> Order:
    """Theorem 11: for losses that never change, regret of order at most log(K)/epsilon. An order.

    For `NoisyLeader` with exponential or Gumbel noise and without resampling, at every horizon and any gap; by theorem
    7 no private learner has a lower order. `wu_wang_theorem_11_explicit` has the constant.

    >>> round(wu_wang_theorem_11(n_actions=100, epsilon=1.0).value, 2)
    4.61
    """
    needs_actions(n_actions)
    needs_epsilon(epsilon)
    return Order(math.log(n_actions) / epsilon, "log(K)/epsilon")
