"""Learners that must see every round: they play as the rounds of a log go by, and little of it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from discreet.experts import Learner
from discreet.experts.base import Actions
from discreet.losses import Units
from discreet.replay.result import Timeline
from discreet.replay.scoring import horizons
from discreet.replay.sums import Totals
from discreet.schedules import Counts

#: Losses of stretches and runs that are held at a time.
_HELD = 1 << 22


@dataclass
class Stepped:
    """What any learner has played, over all its runs: losses at some rounds, and when the first run changed its action.

    What is kept does not grow with the rounds, but for the changes of one run.
    """

    learner: Learner
    wanted: Counts = field(default_factory=horizons)
    spent: Units | None = None
    recorded: list[Units] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)

    def watch(self, first: int, rows: Units) -> None:
        """Play some rounds, a few stretches at a time."""
        stretches, at = self.learner.stretches(rows), 0
        while batch := list(islice(stretches, max(1, _HELD // len(np.atleast_1d(self.learner.act()))))):
            lengths = [rounds for rounds, _ in batch]
            end = at + sum(lengths)
            self._score(first + at, rows[at:end], np.cumsum(lengths), [actions for _, actions in batch])
            at = end

    def _score(self, first: int, rows: Units, ends: Counts, played: Sequence[Actions]) -> None:
        """Add up what stretches have cost, and record it at the rounds that are wanted."""
        low, high = np.searchsorted(self.wanted, [first, first + len(rows)], side="right")
        wanted = self.wanted[low:high] - first
        cuts = np.union1d(ends, wanted)
        parts = np.diff(np.cumsum(rows, axis=0)[cuts - 1], axis=0, prepend=0)
        actions = np.array(played)[np.searchsorted(ends, cuts)]
        spent = np.cumsum(np.take_along_axis(parts, actions, axis=1), axis=0)
        spent += 0 if self.spent is None else self.spent
        self.recorded.extend(spent[np.searchsorted(cuts, wanted)])
        self.spent = spent[-1].copy()
        self._remember(first, ends, [int(chosen[0]) for chosen in played])

    def _remember(self, first: int, ends: Counts, played: Sequence[int]) -> None:
        """When the first run took another action, and which."""
        for start, action in zip([0, *ends[:-1].tolist()], played, strict=True):
            if not self.actions or action != self.actions[-1]:
                self.starts.append(first + start)
                self.actions.append(action)

    def losses(self, totals: Totals, rounds: Counts) -> Units:
        """The total loss up to each of the wanted rounds and at the end, in units, (runs, rounds)."""
        last = [] if len(self.recorded) == len(rounds) else [self.spent]
        return np.array([*self.recorded, *last], dtype=np.int64).T

    def timeline(self, totals: Totals, released: bool) -> Timeline:
        """What the first run has played."""
        return Timeline(np.array(self.starts), np.array(self.actions), totals.rounds, released)
