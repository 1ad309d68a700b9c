"""Follow the leader of the noisy totals, and look only when the leader may have changed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.experts.base import Actions
from discreet.guarantees import Guarantee
from discreet.local.amplification import allowed_tolerance, amplified_trade_off, is_fine
from discreet.local.base import WalkLearner
from discreet.local.delays import MOST, delays_for
from discreet.losses import Units
from discreet.selection.base import positive

_FEW, _MANY = 8, 64  # of so few actions and so many rounds, columns are faster than rows


class AdaptiveBatchLeader(WalkLearner):
    """`RandomWalkLeader` that adds reports in batches, each as long as the leader is almost sure to stay (RW-AdaBatch).

    **Rule.** Play the action with the smallest total. After a batch, when t reports have come in and the second
    smallest total lies `gap` losses behind the smallest, the next batch is the next B + 1 reports, B the longest delay
    that `Delays` allows: theorem 1 bounds the chance that `RandomWalkLeader` changes its action during it by
    tolerance · sqrt(log n / (t + B)). The first batch is the first report.

    **Guarantee.** Local: `GaussianDP(mu)`, as the reports have it. Central, of the actions: `GaussianDP(mu)` for
    every round, whatever the losses react to. For losses that do not react to the release `amplified(t)` is stronger:
    the actions depend on the reports of a batch only through their sum, exactly, because totals are whole numbers.

    **Regret.** At most (1 + tolerance/2) times the bound of `RandomWalkLeader`: a batch of delay B costs at most
    B · tolerance · sqrt(log n/(t + B)) more, which sums to 2 · tolerance · sqrt(T log n), and scale + 2/scale is at
    least 2 sqrt(2) (corollary 2). Losses must lie in [0, 1].

    **Cost.** O(n) a round; a delay takes a few evaluations of the bound.

    >>> learner = AdaptiveBatchLeader(n_actions=3, scale=5.0, mu=0.4, seed=1)
    >>> learner.play([[-9.5, 8.0, 7.5]] * 20)[-3:].tolist()
    [0, 0, 0]
    >>> learner.guarantee, learner.delay
    (GaussianDP(mu=0.4), 2)

    Reference: Jacobsen & Fawaz, Prediction with Expert Advice under Local Differential Privacy, 2025, algorithms 2, 4.
    """

    _state = ("_action", "_totals", "_delay")

    def __init__(
        self,
        n_actions: int,
        scale: float,
        tolerance: float = 0.01,
        mu: float | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.tolerance = allowed_tolerance(tolerance)
        self._begin_reports(n_actions, positive("scale", scale), mu, seed, runs)

    def _reset(self) -> None:
        super()._reset()
        self._delays = delays_for(self.n_actions, self.scale, self.tolerance)
        self._delay = np.zeros(self._width, dtype=np.int64)

    @property
    def delay(self) -> int | list[int]:
        """How many of the coming reports only wait; the one after them ends the batch."""
        delays: list[int] = self._delay.tolist()
        return delays[0] if self.runs is None else delays

    def amplified(self, t: int) -> Guarantee:
        """What the actions reveal about the losses of round t (from 1) where losses do not react to the release.

        A trade-off curve that says so (`amplified_trade_off`), for one learner with `mu` whose own draws, the first
        included, are unpredictable, and with a grid that is fine beside the noise (scale at least 2^-25); else
        `guarantee`.
        """
        if self.mu is None or self._width > 1 or not (self._hidden and self._entropy.private and is_fine(self.scale)):
            return self.guarantee
        return amplified_trade_off(t, self.n_actions, self.mu, self.mu * self.scale, self.tolerance)

    def _limits(self, name: str, rounds: int) -> tuple[int, int]:
        return (0, MOST) if name == "_delay" else super()._limits(name, rounds)

    def _play_chunk(self, rows: Units) -> Actions:
        walk = self._walk(rows)
        actions = np.empty((len(rows) + 1, self._width), dtype=np.int64)
        go = self._go_alone if self._width == 1 else self._go_together
        delay = go(walk, actions)
        totals, rounds = walk[-1].copy(), self._rounds + len(rows)
        self.__dict__.update(_action=actions[-1].copy(), _totals=totals, _delay=delay, _rounds=rounds)
        return actions[:-1]

    def _go_alone(self, walk: Units, actions: Actions) -> Actions:
        """Fill in the actions of one run, from batch to batch; the delay that is left."""
        if self._delay[0] >= len(walk):
            actions[:] = self._action
            return self._delay - len(walk)
        totals, n, gaps = walk[:, 0], len(walk), self._gaps(walk[:, 0])
        if n == 1:
            actions[0], actions[1] = self._action, totals.argmin(axis=1)
            return np.array([self._delays.longest(gaps.item(), self._rounds + 1)])
        ends, at = self._delays.ends(gaps, int(self._delay[0]), self._rounds + 1)
        leaders = np.append(self._action, totals[ends].argmin(axis=1))
        actions[:, 0] = np.repeat(leaders, np.diff(ends, prepend=-1, append=n))
        return np.array([at - n])

    def _go_together(self, walk: Units, actions: Actions) -> Actions:
        """The same for many runs, from the end of a batch of any run to the next."""
        action, ends, at = self._action.copy(), self._delay.copy(), 0
        while (end := int(ends.min())) < len(walk):
            actions[at : end + 1] = action
            due = np.flatnonzero(ends == end)
            totals = walk[end, due]
            gaps = self._gaps(totals)
            action[due] = totals.argmin(axis=1)
            ends[due] = end + 1 + self._delays.each(gaps, np.full(len(due), self._rounds + end + 1))
            at = end + 1
        actions[at:] = action
        return ends - len(walk)

    def _gaps(self, totals: Units) -> NDArray[np.float64]:
        """How far the second smallest of each row of totals lies behind the smallest, in losses."""
        return np.asarray(_behind(totals) * self.unit, dtype=np.float64)


def _behind(totals: Units) -> Units:
    """The same in units."""
    if totals.shape[1] > _FEW or len(totals) < _MANY:
        first_two = np.partition(totals, 1, axis=1)
        behind: Units = first_two[:, 1] - first_two[:, 0]
        return behind
    smallest, second = np.minimum(totals[:, 0], totals[:, 1]), np.maximum(totals[:, 0], totals[:, 1])
    for column in totals.T[2:]:
        second = np.minimum(second, np.maximum(smallest, column))
        smallest = np.minimum(smallest, column)
    difference: Units = second - smallest
    return difference
