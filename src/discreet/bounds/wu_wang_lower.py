"""Wu & Wang's lower bound for losses that never change, as printed and as sharp as its idea allows.

The instance: actions stand on a circle; one has loss 0, its two neighbors have loss `gap`, all others loss 1, in every
round (`environments.hard_for_privacy`). Where the best one stands is drawn uniformly. An epsilon-private learner that
has seen n rounds can favor the right three places by a factor of at most e^(n epsilon).
"""

from __future__ import annotations

import math

import numpy as np

from discreet.bounds.conditions import needs_actions, needs_epsilon, needs_rounds

_ONE_BY_ONE = 1 << 20  # rounds that are added up; from there on an integral stands for the sum


def wu_wang_theorem_7(n_actions: int, epsilon: float, rounds: int | None = None) -> float:
    """Theorem 7: no epsilon-private learner has less expected regret than this on its instance. Explicit.

    The bound at the end of appendix E, with c = K - 5 > 0:

        log(e^((T+1) epsilon) / (3 e^((T+1) epsilon) + c) · (3 e^epsilon + c) / e^epsilon) / epsilon

    and without `rounds` its limit log(e^epsilon + c/3)/epsilon - 1. It holds on average over where the best action
    stands, hence for the worst place, and for any gap. For large epsilon it falls like e^(-epsilon), not like
    log(K)/epsilon as the theorem states: action t is told by t - 1 rounds, but the proof pays for t.
    `wu_wang_theorem_7_sharp` does not, and is larger everywhere.

    >>> round(wu_wang_theorem_7(n_actions=100, epsilon=1.0), 3), round(wu_wang_theorem_7(100, 1.0, rounds=2), 3)
    (2.538, 1.591)
    """
    needs_actions(n_actions, least=6)
    needs_epsilon(epsilon)
    return _integral(n_actions - 5, epsilon, 1, None if rounds is None else _checked(rounds) + 1)


def wu_wang_theorem_7_sharp(n_actions: int, epsilon: float, rounds: int | None = None) -> float:
    """No epsilon-private learner has less expected regret on the instance of theorem 7 than the sum over rounds t of

        (K - 3) / (3 e^((t-1) epsilon) + K - 3)

    which is at least log(K/3)/epsilon for an endless horizon, and needs K > 3. Explicit; on average over where the
    best action stands, for any gap.

    Proof. Let q(d) be the chance, on average over the places, that the action of round t stands d places from the
    best one. An action that stands at d in one instance stands at d' in another, and the two differ only in the t - 1
    rounds seen: so q(d) <= e^((t-1) epsilon) q(d') for all d, d'. Let y be the chance of the K - 3 places with loss 1.
    The other three have 1 - y <= 3 e^((t-1) epsilon) y / (K - 3), and the regret of the round is at least y. For a
    single round nothing larger is true when the gap tends to 0: a q with equality everywhere is allowed.

    Theorem 7 pairs only places that are three or more apart, which gives K - 5 for K - 3. The first 2^20 rounds are
    added one by one, and further ones by the integral, which is less than the sum: only an epsilon below 10^-4
    notices, by less than one loss.

    >>> round(wu_wang_theorem_7_sharp(n_actions=100, epsilon=1.0), 3), round(wu_wang_theorem_7_sharp(100, 1.0, 2), 3)
    (3.994, 1.892)
    """
    needs_actions(n_actions, least=4)
    needs_epsilon(epsilon)
    added = min(_ONE_BY_ONE if rounds is None else _checked(rounds), _ONE_BY_ONE)
    shrunk = (n_actions - 3) * np.exp(-epsilon * np.arange(added))
    return float((shrunk / (3 + shrunk)).sum()) + _integral(n_actions - 3, epsilon, added, rounds)


def _integral(others: int, epsilon: float, start: int, end: int | None) -> float:
    """The integral of others / (3 e^(n epsilon) + others) over n, in negative powers of e: nothing can overflow."""
    far = 0.0 if end is None else math.exp(-epsilon * end)
    kept = 1.0 if end is None else -math.expm1(-epsilon * (end - start))
    return math.log1p(others * math.exp(-epsilon * start) * kept / (3 + others * far)) / epsilon


def _checked(rounds: int) -> int:
    needs_rounds(rounds)
    return int(rounds)
