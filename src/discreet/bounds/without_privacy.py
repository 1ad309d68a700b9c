"""What learning costs without privacy, and what privacy adds."""

from __future__ import annotations

import math

from discreet.bounds.conditions import needs_actions, needs_epsilon, needs_gap
from discreet.bounds.order import Order


def non_private_rate(n_actions: int, gap: float) -> Order:
    """The best regret without privacy is of order log(K)/gap. An order, upper and lower.

    For i.i.d. loss vectors with one best action, `gap` below the next, at every horizon (Kotlowski, 2018, and Mourtada
    & Gaiffas, 2019, as quoted by both papers).

    >>> round(non_private_rate(n_actions=100, gap=0.1).value)
    46
    """
    needs_actions(n_actions)
    needs_gap(gap)
    return Order(math.log(n_actions) / gap, "log(K)/gap")


def follow_the_leader(n_actions: int, gap: float) -> float:
    """`FollowTheLeader` has expected regret at most 1 + 2 (1 + log(K - 1)) (2/gap - 1). Explicit; proved here.

    For i.i.d. loss vectors in [0, 1]^K with one best action, `gap` below the next, at every horizon; actions may
    depend on each other within a round, and ties may be broken in any way. Not private.

    Proof. After m rounds an action with gap D leads with probability at most e^(-m D^2 / 2) (Hoeffding, differences in
    [-1, 1]). So one with gap above x leads with probability at most min(1, (K - 1) e^(-m y^2 / 2)), y = max(x, gap).
    That falls with m: its sum over m >= 1 is at most its integral from 0 on, 2 (log(K - 1) + 1) / y^2. The expected
    gap is the integral of the probability over x from 0 to 1, and the integral of 1/y^2 is 2/gap - 1. The first round
    costs at most 1.

    >>> round(follow_the_leader(n_actions=100, gap=0.1), 1)
    213.6
    """
    needs_actions(n_actions)
    needs_gap(gap)
    return 1 + 2 * (1 + math.log(n_actions - 1)) * (2 / gap - 1)


def price_of_privacy(gap: float, epsilon: float) -> float:
    """How many times the best rate without privacy the best private rate is: 1 + gap/epsilon.

    The ratio of log(K)/gap + log(K)/epsilon, reached by Cesari & Colomboni and by nobody beaten (Hu et al.), to
    log(K)/gap. A ratio of orders: true up to a constant factor.

    >>> price_of_privacy(gap=0.5, epsilon=0.1)
    6.0
    """
    needs_gap(gap)
    needs_epsilon(epsilon)
    return 1 + gap / epsilon


def free_privacy_gap(epsilon: float) -> float:
    """The largest gap for which privacy is free, up to a constant: epsilon itself, or 1, the largest gap there is.

    For gaps up to epsilon log(K)/epsilon is at most log(K)/gap: telling the actions apart takes so many rounds that
    the noise is lost in them, and `price_of_privacy` is at most 2. For gaps above epsilon privacy is what costs. With
    epsilon >= 1 it is free for every gap.

    >>> free_privacy_gap(0.1), free_privacy_gap(4.0)
    (0.1, 1.0)
    """
    needs_epsilon(epsilon)
    return min(epsilon, 1.0)
