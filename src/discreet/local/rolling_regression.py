"""Follow the best forecast of a straight line through the last reports."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.experts.base import Actions
from discreet.experts.parameters import whole
from discreet.local.base import ReportLearner
from discreet.losses import Units
from discreet.selection.base import positive

_LONGEST = 1 << 10  # so that sums weighted by age fit


class RollingRegression(ReportLearner):
    """Plays the action whose losses a straight line through the last `window` reports forecasts to be smallest.

    **Rule.** For each action, with c = min(rounds, window) reports, mean and slope of its reports over time, the slope
    shrunk by a ridge: slope = Sxy / (Sxx + penalty), Sxx = c (c^2 - 1)/12. The forecast for the coming round is
    mean + slope · (c + 1)/2; the smallest is played, the first of equal ones, and any action at first. `penalty` 0 is
    the plain trend; a penalty far above window^3/12 leaves the rolling mean.

    A pattern for `MetaLeader`, which gives it its number of actions, scale and runs; by itself it needs `n_actions`.

    **Guarantee.** Local: `GaussianDP(mu)` where `mu` is given; the actions reveal no more than the reports.

    **Regret.** None is proved: it follows trends, and against constant actions it may lose at any rate.

    **Cost.** O(n) a round: the oldest report leaves running sums, the newest enters them. Exact, in whole units.

    >>> learner = RollingRegression(window=4, penalty=0.0, n_actions=2, seed=1)
    >>> learner.play([[0.0, 0.9], [0.3, 0.8], [0.6, 0.7], [0.9, 0.6]])[2:].tolist(), learner.act()
    ([0, 1], 1)

    Reference: Jacobsen & Fawaz, Prediction with Expert Advice under Local Differential Privacy, 2025, section 4.
    """

    _state = ("_action", "_window", "_sums", "_aged")

    def __init__(
        self,
        window: int,
        penalty: float = 1.0,
        n_actions: int = 2,
        scale: float = 1.0,
        mu: float | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.window = whole("window", window, least=1)
        if self.window > _LONGEST:
            raise ValueError(f"window is {window}; it must be at most {_LONGEST}")
        self.penalty = 0.0 if isinstance(penalty, int | float) and penalty == 0 else positive("penalty", penalty)
        self._begin_reports(n_actions, scale, mu, seed, runs)

    def _reset(self) -> None:
        shape = (self._width, self.n_actions)
        self._window: Sequence[Units] | Units = np.zeros((self.window, *shape), dtype=np.int64)  # the oldest first
        self._sums: Units = np.zeros(shape, dtype=np.int64)
        self._aged: Units = np.zeros(shape, dtype=np.int64)  # each report times its age, 0 for the newest
        self._action = self._entropy.below_each(np.full(self._width, self.n_actions))

    def forecasts(self) -> NDArray[np.float64]:
        """What is forecast for each action's loss in this round, (runs, K); zeros before the first report."""
        return self._forecasts(self._sums, self._aged, self._rounds) * self.unit

    def _forecasts(self, sums: Units, aged: Units, rounds: int) -> NDArray[np.float64]:
        c = min(rounds, self.window)
        if c < 2:
            return sums.astype(np.float64)
        spread = c * (c * c - 1) / 12
        slopes = ((c - 1) / 2 * sums - aged) / (spread + self.penalty)
        forecasts: NDArray[np.float64] = sums / c + slopes * ((c + 1) / 2)
        return forecasts

    def _play_chunk(self, rows: Units) -> Actions:
        actions = np.empty((len(rows), self._width), dtype=np.int64)
        for i, row in enumerate(rows):
            actions[i] = self._action
            self._slide(np.broadcast_to(row, self._sums.shape).copy())
        return actions

    def _slide(self, row: Units) -> None:
        """One report in, the oldest out."""
        oldest = self._window[0]
        aged = self._aged + self._sums - self.window * oldest
        sums = self._sums - oldest + row
        rounds = self._rounds + 1
        action = self._forecasts(sums, aged, rounds).argmin(axis=1)
        window = (*self._window[1:], row)  # a new tuple of old rows: a copy may share this one
        self.__dict__.update(_action=action, _window=window, _sums=sums, _aged=aged, _rounds=rounds)
