"""One pass over a log: totals up to chosen rounds, and whatever else wants to see the rounds go by."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from discreet.losses import Units
from discreet.replay.log import Log
from discreet.replay.opened import Progress
from discreet.schedules import Counts

#: Something that sees all rounds go by, some thousands at a time: (first round, units (rounds, actions)).
Watcher = Callable[[int, Units], None]


@dataclass(frozen=True)
class Totals:
    """Exact totals of all actions before each of some rounds: `before[i]` sums rounds 0 .. cuts[i] - 1."""

    cuts: Counts
    before: Units

    @property
    def rounds(self) -> int:
        """How many rounds there are in all."""
        return int(self.cuts[-1])

    def at(self, rounds: Counts | int) -> Units:
        """The totals before the given rounds, each of which must be a cut."""
        return self.before[np.searchsorted(self.cuts, rounds)]

    def stretch(self, start: int, counts: Counts) -> Units:
        """The totals of the first `counts` rounds from `start` on: a `Source` for block learners."""
        return self.at(start + counts) - self.at(start)


def add_up(log: Log, cuts: Counts, watchers: Iterable[Watcher] = (), progress: Progress | None = None) -> Totals:
    """Read a log once and sum it up to each cut (and 0 and the end), which takes memory for the cuts alone."""
    watchers = list(watchers)
    wanted = cuts[cuts > 0].tolist()
    kept = [np.zeros(log.n_actions, dtype=np.int64)]
    running, rounds, position = kept[0], 0, 0
    for first, units in log.chunks():
        rows = np.ascontiguousarray(units.T).astype(np.int64) if watchers else None
        for watch in watchers:
            watch(first, np.asarray(rows))
        last, start = first + units.shape[1], 0
        while position < len(wanted) and wanted[position] <= last:
            stop = wanted[position] - first
            running = running + units[:, start:stop].sum(axis=1).astype(np.int64)
            kept.append(running)
            start, position = stop, position + 1
        running = running + units[:, start:].sum(axis=1).astype(np.int64)
        rounds = last
        if progress is not None:
            progress(rounds)
    ends = [0, *wanted[:position]]
    if ends[-1] != rounds:
        kept.append(running)
        ends.append(rounds)
    return Totals(np.array(ends), np.array(kept))
