"""From what was played to what it cost: regret curves over the totals of a log."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from discreet.experts.base import Actions
from discreet.experts.blocks import BlockLearner
from discreet.experts.totals import TotalsLearner
from discreet.losses import MAX_ROUNDS, UNITS, Units
from discreet.replay.result import Timeline
from discreet.replay.sums import Totals
from discreet.schedules import Counts

Floats = NDArray[np.float64]


def horizons() -> Counts:
    """The rounds at which regret is recorded: each one, then every 2%, up to all that fit.

    >>> horizons()[[0, 10, 100, 200]].tolist()
    [1, 11, 138, 1003]
    """
    steps = 1.02 ** np.arange(np.log(MAX_ROUNDS) / np.log(1.02))
    return np.unique(np.concatenate([np.arange(1, 51), np.round(steps)]).astype(np.int64))


@dataclass
class Played:
    """What a block learner has played, in stretches, over all its runs: from the totals of its blocks."""

    learner: BlockLearner
    starts: list[int] = field(default_factory=list)
    actions: list[Actions] = field(default_factory=list)

    def from_totals(self, totals: Totals) -> None:
        """Play the whole log from its totals."""
        start = self.learner.rounds
        for stretch, actions in self.learner.advance(totals.rounds, totals.stretch):
            self.starts.append(start)
            self.actions.append(actions)
            start += stretch

    def losses(self, totals: Totals, rounds: Counts) -> Units:
        """The total loss up to each of some rounds, in units, (runs, rounds); stretches and rounds must be cuts."""
        starts = np.array(self.starts)
        actions = np.array(self.actions)  # (stretches, runs)
        ends = np.append(starts[1:], totals.rounds)
        spent = np.take_along_axis(totals.at(ends) - totals.at(starts), actions, axis=1)
        before = np.cumsum(spent, axis=0) - spent
        which = np.searchsorted(starts, rounds, side="left") - 1  # the stretch in which round number `round` lies
        since = np.take_along_axis(totals.at(rounds) - totals.at(starts[which]), actions[which], axis=1)
        losses: Units = (before[which] + since).T
        return losses

    def timeline(self, totals: Totals, released: bool) -> Timeline:
        """What the first run has played, with equal neighbors joined."""
        actions = np.array([chosen[0] for chosen in self.actions])
        changed = np.flatnonzero(np.diff(actions, prepend=-1))
        return Timeline(np.array(self.starts)[changed], actions[changed], totals.rounds, released)


@dataclass
class Expected:
    """The expected loss of a learner that is not private, recorded as the rounds go by."""

    learner: TotalsLearner
    wanted: Counts
    spent: float = 0.0
    recorded: list[float] = field(default_factory=list)

    def watch(self, first: int, rows: Units) -> None:
        """Learn some rounds and record at those that are wanted."""
        sums = self.spent + np.cumsum(self.learner.expected_units(rows))
        low, high = np.searchsorted(self.wanted, [first, first + len(sums)], side="right")
        self.recorded.extend(sums[self.wanted[low:high] - first - 1].tolist())
        self.spent = float(sums[-1])

    def losses(self, rounds: int) -> Floats:
        """The expected total loss up to each wanted round and at the end, in units, (1, rounds)."""
        ends = [] if self.wanted[len(self.recorded) - 1] == rounds else [self.spent]
        return np.array([[*self.recorded, *ends]])


def regrets(losses: NDArray[np.float64] | Units, totals: Totals, rounds: Counts) -> Floats:
    """Losses less those of the best fixed action up to each round, in losses, (runs, rounds)."""
    return np.asarray((losses - totals.at(rounds).min(axis=1)) / UNITS)
