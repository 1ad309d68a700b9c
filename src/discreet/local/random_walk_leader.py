"""Follow the leader of the noisy totals: the classical learner, which is private by accident."""

from __future__ import annotations

import numpy as np

from discreet.experts.base import Actions
from discreet.local.base import WalkLearner
from discreet.losses import Units


class RandomWalkLeader(WalkLearner):
    """Plays the action with the smallest total of reports (RW-FTPL, algorithm 1).

    **Rule.** Start with totals N(0, scale^2), one for each action. Play the action with the smallest total; add the
    report, which is the loss of every action plus noise of that scale. `scale` is that of the noise in the reports,
    sensitivity/mu for mu-Gaussian reports; 0 is that of reports without noise, with which this is follow the leader.

    **Guarantee.** Local: what the report says, `GaussianDP(mu)` where `mu` is given, to anyone and against losses
    that react to the release. Central: the same and no more. (`AdaptiveBatchLeader` plays almost the same actions and
    has more to promise.)

    **Regret.** At most (scale + 2/scale) sqrt(2 T log n) in expectation over the noise, for losses in [0, 1] that do
    not react to it (Devroye et al. 2013; Lee 2018): smallest at scale sqrt(2), so where mu allows for less noise than
    that, worst cases are better met by more.

    **Cost.** O(n) a round.

    >>> RandomWalkLeader(n_actions=3, scale=5.0, mu=0.4).guarantee
    GaussianDP(mu=0.4)
    >>> RandomWalkLeader(n_actions=3, scale=5.0, seed=1).play([[-9.5, 8.0, 7.5]] * 20)[-3:].tolist()
    [0, 0, 0]

    References: Devroye, Lugosi & Neu, Prediction by Random-Walk Perturbation, 2013; Jacobsen & Fawaz, Prediction with
    Expert Advice under Local Differential Privacy, 2025, algorithm 1.
    """

    _state = ("_action", "_totals")

    def __init__(
        self,
        n_actions: int,
        scale: float,
        mu: float | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self._begin_reports(n_actions, scale, mu, seed, runs)

    def _play_chunk(self, rows: Units) -> Actions:
        walk = self._walk(rows)
        leaders = walk.argmin(axis=2)
        actions = np.concatenate([self._action[None], leaders[:-1]])
        self.__dict__.update(_action=leaders[-1], _totals=walk[-1].copy(), _rounds=self._rounds + len(rows))
        return actions
