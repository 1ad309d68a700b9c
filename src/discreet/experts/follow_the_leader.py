"""Follow the leader, not private."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.experts.totals import Floats, TotalsLearner
from discreet.losses import Units


class FollowTheLeader(TotalsLearner):
    """The action with the smallest total so far, each round anew; uniform among equals.

    **Guarantee.** None: the leader can hang on a single round.

    **Regret.** For i.i.d. losses O(log(K)/gap) (Kotłowski 2018), the floor for private learners that choose from
    totals; against an adversary it can be half of all rounds.

    **Cost.** O(K) a round.

    >>> FollowTheLeader(n_actions=2, seed=1).play([[0.0, 1.0], [0.0, 1.0], [1.0, 0.5]])[1:].tolist()
    [0, 0]

    Reference: Kotłowski, On minimaxity of Follow the Leader strategy in the stochastic setting, 2018.
    """

    def __init__(self, n_actions: int, seed: int | None = None, runs: int | None = None) -> None:
        self._begin(n_actions, seed, runs)

    def _laws(self, totals: Units, rounds: NDArray[np.int64]) -> Floats:
        leads = totals == totals.min(axis=-1, keepdims=True)
        laws: Floats = leads / leads.sum(axis=-1, keepdims=True)
        return laws

    def _reach(self, rounds: int) -> float:
        return 0.0
