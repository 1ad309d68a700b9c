"""Hu, Huang & Mehta, Near-Optimal Algorithms for Private Online Learning in a Stochastic Environment, 2021.

As quoted by Wu & Wang (equations 2 and 3, theorem 2 and table 1). All four are orders: no constants are given.
"""

from __future__ import annotations

import math

from discreet.bounds.conditions import needs_actions, needs_epsilon, needs_gap, needs_rounds
from discreet.bounds.order import Order


def hu_upper(n_actions: int, gap: float, epsilon: float, rounds: int) -> Order:
    """Expected regret of order at most log(K)/gap + log(K) log(T)/epsilon. An order.

    For `NoisyLeader` with Laplace noise, without resampling, and i.i.d. loss vectors in [0, 1]^K, actions independent
    of each other, one best action `gap` below the next.

    >>> round(hu_upper(n_actions=100, gap=0.1, epsilon=1.0, rounds=10**6).value)
    110
    """
    needs_actions(n_actions)
    needs_gap(gap)
    needs_epsilon(epsilon)
    needs_rounds(rounds)
    size = math.log(n_actions)
    return Order(size / gap + size * math.log(rounds) / epsilon, "log(K)/gap + log(K) log(T)/epsilon")


def hu_lower(n_actions: int, gap: float, epsilon: float) -> Order:
    """No epsilon-private learner has expected regret of lower order than log(K)/gap + log(K)/epsilon. An order.

    For the worst i.i.d. losses with that gap, once the horizon is long enough. It is the same order as
    log(K)/min(gap, epsilon), and `PrefixSoftmax` reaches it.

    >>> round(hu_lower(n_actions=100, gap=0.1, epsilon=1.0).value)
    51
    """
    needs_actions(n_actions)
    needs_gap(gap)
    needs_epsilon(epsilon)
    return Order(math.log(n_actions) * (1 / gap + 1 / epsilon), "log(K)/gap + log(K)/epsilon")


def hu_upper_any_gap(n_actions: int, epsilon: float, rounds: int) -> Order:
    """Expected regret of order at most sqrt(T log(K)) + log(K) log(T)/epsilon, whatever the gap. An order.

    Otherwise as `hu_upper`; by Asi et al. (2023) as well.

    >>> round(hu_upper_any_gap(n_actions=100, epsilon=1.0, rounds=10**6).value)
    2210
    """
    needs_actions(n_actions)
    needs_epsilon(epsilon)
    needs_rounds(rounds)
    size = math.log(n_actions)
    formula = "sqrt(T log(K)) + log(K) log(T)/epsilon"
    return Order(math.sqrt(rounds * size) + size * math.log(rounds) / epsilon, formula)


def hu_lower_any_gap(n_actions: int, epsilon: float, rounds: int) -> Order:
    """No epsilon-private learner has regret of lower order than sqrt(T log(K)) + log(K)/epsilon at every gap. An order.

    For the worst i.i.d. losses at a horizon T that is at least of order log(K)/epsilon. (Wu & Wang's introduction
    prints O where a lower bound must say Omega.)

    >>> round(hu_lower_any_gap(n_actions=100, epsilon=1.0, rounds=10**6).value)
    2151
    """
    needs_actions(n_actions)
    needs_epsilon(epsilon)
    needs_rounds(rounds)
    size = math.log(n_actions)
    return Order(math.sqrt(rounds * size) + size / epsilon, "sqrt(T log(K)) + log(K)/epsilon")
