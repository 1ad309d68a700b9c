"""Adding up regret while a learner plays: the two kinds, each with what it needs to know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from discreet.environments import Stream
from discreet.experts.base import Actions, Learner
from discreet.experts.blocks import BlockLearner
from discreet.losses import UNITS, Units
from discreet.simulate.samples import Floats

Counts = NDArray[np.int64]
_CELLS = 1 << 20  # losses held at a time when rounds are gone through one by one


class Meter(ABC):
    """Regret of some runs of a learner, recorded at horizons."""

    def __init__(self, learner: Learner, stream: Stream, horizons: Counts, runs: int) -> None:
        self.learner, self.stream, self.horizons = learner, stream, horizons
        self.regret = np.empty((runs, len(horizons)))
        self.runs = runs
        self._recorded = 0

    def by_totals(self) -> Floats:
        """Play from totals, drawn as the learner wants them: for block learners."""
        assert isinstance(self.learner, BlockLearner)
        self._by_totals(self.learner)
        return self.regret

    def by_rounds(self) -> Floats:
        """Play round by round: for any learner."""
        for start, n in self._pieces():
            units = self.stream.rounds(start, n)
            seen = units[:, 0] if units.shape[1] == 1 else units
            self._add_rounds(self.learner.play_units(seen), units)
        return self.regret

    def _pieces(self) -> Iterator[tuple[int, int]]:
        """Stretches of rounds, none of them across a horizon or too large to hold."""
        step = max(1, _CELLS // (self.runs * self.learner.n_actions))
        start = 0
        for end in self.horizons.tolist():
            for first in range(start, end, step):
                yield first, min(step, end - first)
            start = end

    @abstractmethod
    def _by_totals(self, learner: BlockLearner) -> None: ...

    @abstractmethod
    def _add_rounds(self, actions: Actions, units: Units) -> None:
        """Add rounds played: actions (n, runs) and losses (n, runs or 1, K); record where a horizon is reached."""

    def _record(self, regret: Floats) -> None:
        self.regret[:, self._recorded] = regret
        self._recorded += 1


class PseudoMeter(Meter):
    """Gaps of the expected losses of the actions played, added up."""

    def __init__(self, learner: Learner, stream: Stream, horizons: Counts, runs: int) -> None:
        super().__init__(learner, stream, horizons, runs)
        assert stream.means is not None
        gaps = stream.means - stream.means.min(axis=1, keepdims=True)
        self._gaps = np.broadcast_to(gaps, (runs, learner.n_actions))
        self._spent, self._done = np.zeros(runs), 0

    def _by_totals(self, learner: BlockLearner) -> None:
        for n, actions in learner.advance(int(self.horizons[-1]), self.stream.totals):
            self._add(n, np.take_along_axis(self._gaps, actions[:, None], axis=1)[:, 0])

    def _add(self, n: int, gap: Floats) -> None:
        """Add n rounds with the same gap in each run; horizons within them are on a straight line."""
        for horizon in self.horizons[self._recorded :].tolist():
            if horizon > self._done + n:
                break
            self._record(self._spent + (horizon - self._done) * gap)
        self._spent = self._spent + n * gap
        self._done += n

    def _add_rounds(self, actions: Actions, units: Units) -> None:
        total = self._gaps[np.arange(self.runs), actions].sum(axis=0)
        self._add(len(actions), total / len(actions))


class RealizedMeter(Meter):
    """Losses suffered, less those of the action with the smallest total so far."""

    def __init__(self, learner: Learner, stream: Stream, horizons: Counts, runs: int) -> None:
        super().__init__(learner, stream, horizons, runs)
        self._suffered = np.zeros(runs, dtype=np.int64)
        self._totals = np.zeros((runs, learner.n_actions), dtype=np.int64)
        self._done = 0

    def _by_totals(self, learner: BlockLearner) -> None:
        for horizon in self.horizons.tolist():
            for n, actions in learner.advance(horizon - self._done, self._source):
                totals = self._seen + self.stream.totals(self._done + self._counts, n - self._counts)
                self._add(np.take_along_axis(totals, actions[:, None], axis=1)[:, 0], totals, n)

    def _source(self, start: int, counts: Counts) -> Units:
        """What the learner sees of a stretch; what it leaves out is drawn afterwards."""
        self._counts = np.broadcast_to(counts, (self.runs,))
        self._seen = np.broadcast_to(self.stream.totals(start, self._counts), self._totals.shape)
        return self._seen

    def _add_rounds(self, actions: Actions, units: Units) -> None:
        losses = np.broadcast_to(units, (*actions.shape, units.shape[2]))
        suffered = np.take_along_axis(losses, actions[..., None], axis=2)[..., 0].sum(axis=0)
        self._add(suffered, units.sum(axis=0), len(actions))

    def _add(self, suffered: Units, totals: Units, n: int) -> None:
        self._suffered = self._suffered + suffered
        self._totals = self._totals + totals
        self._done += n
        if self._done == self.horizons[self._recorded]:
            self._record((self._suffered - self._totals.min(axis=1)) / UNITS)


METERS: dict[str, type[Meter]] = {"pseudo": PseudoMeter, "realized": RealizedMeter}
