"""Planted mistakes of learners at work: when they draw, from which chance, and what they do with a round."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.entropy import Entropy, SeededEntropy, SystemEntropy
from discreet.experts import NoisyLeader, resampling
from discreet.experts.base import Actions
from discreet.experts.blocks import Source
from discreet.guarantees import PureDP
from discreet.losses import UNITS, Units
from discreet.schedules import Counts
from discreet.selection import Softmax


class Promising:
    """A learner that claims its epsilon, whatever it does."""

    epsilon: float

    @property
    def claim(self) -> PureDP:
        """The lie."""
        return PureDP(self.epsilon)


class DrawsAgainWhenAsked(Promising, NoisyLeader):
    """Every `act` draws anew from the last block."""

    def act(self) -> Any:
        """Another draw from the same totals."""
        if self._rounds:
            self._action = np.asarray(self.selection.sample(self._totals, self._entropy))
        return super().act()


class DrawsAgainWhenResumed(Promising, NoisyLeader):
    """Draws the current action anew when a state is loaded."""

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Load, and draw again."""
        super().load_state_dict(state)
        self._action = self._entropy.below_each(np.full(self._width, self.n_actions))


class SharedSeed(Promising, NoisyLeader):
    """Calls itself private and draws from a fixed seed."""

    def _reset(self) -> None:
        if isinstance(self._entropy, SystemEntropy):
            self._entropy = SeededEntropy(12345)
        super()._reset()


class ResamplesAlike(Promising, NoisyLeader):
    """Resampling from a fixed seed: two learners turn the same losses into the same bits."""

    def __init__(
        self, n_actions: int, epsilon: float, resample: bool = True, seed: Any = None, runs: int | None = None
    ) -> None:
        super().__init__(n_actions, epsilon, resample=resample, seed=seed, runs=runs)

    def _source(self, units: Units) -> Source:
        own, self._entropy = self._entropy, SeededEntropy(7)
        source = super()._source(units)

        def seeded(start: int, counts: Counts) -> Units:
            self._entropy = SeededEntropy(7 + start)
            totals = source(start, counts)
            self._entropy = own
            return totals

        self._entropy = own
        return seeded


class CopiedStore(SystemEntropy):
    """System entropy whose copies go on from the same bytes."""

    def __reduce__(self) -> Any:
        return _restore, (self._buffer, self._at)


def _restore(buffer: bytes, at: int) -> CopiedStore:
    made = CopiedStore()
    made._buffer, made._at = buffer, at
    return made


class CopiesShareDraws(Promising, NoisyLeader):
    """A copy of the learner has the same future."""

    def _reset(self) -> None:
        if isinstance(self._entropy, SystemEntropy) and not isinstance(self._entropy, CopiedStore):
            self._entropy = CopiedStore()
            self._entropy.word()
        super()._reset()


class LooksTwiceAtABlock(Promising, NoisyLeader):
    """Chooses again in the middle of a block, from the same totals that the end of the block uses."""

    def _learn(self, units: Units) -> None:
        for row in units:
            super()._learn(row[None])
            if self._totals.any():
                self._action: Actions = np.asarray(self.selection.sample(self._totals, self._entropy))


@dataclass(frozen=True)
class OneRow(Softmax):
    """Draws at another rate where there is one run, as in a release."""

    def _sample_rows(self, totals: Units, entropy: Entropy) -> NDArray[np.int64]:
        rate = 5 * self.rate if len(totals) == 1 else self.rate
        return Softmax(rate)._sample_rows(totals, entropy)


class OneRowAtAnotherRate(Promising, NoisyLeader):
    """The way that draws a single run, the only one a release takes, has another rate."""

    def _reset(self) -> None:
        self.selection = OneRow(self.epsilon / 2)
        super()._reset()


class LearnsTwiceAlone(Promising, NoisyLeader):
    """A learner without runs counts the rounds of an unfinished block three times."""

    def update(self, losses: ArrayLike) -> None:
        super().update(losses)
        if self.runs is None and self._totals.any():
            self._totals = self._totals + 2 * np.rint(np.asarray(losses) * UNITS).astype(np.int64)


class ChunksOverlap(Promising, NoisyLeader):
    """Sums a block eight rounds at a time, with the round on the border in both sums: short blocks are right."""

    def _source(self, units: Units) -> Source:
        first = self._rounds

        def source(start: int, counts: Counts) -> Units:
            rows = units[start - first :][: int(counts.max())]
            sums = [rows[at : at + 9].sum(axis=0) for at in range(0, len(rows), 8)]
            return np.atleast_2d(np.sum(sums, axis=0)) if sums else np.zeros((1, self.n_actions), dtype=np.int64)

        return source


class LongMemory(Promising, NoisyLeader):
    """The first block enters the fifth selection once more."""

    def _selected(self, totals: Units) -> dict[str, Units]:
        block = bisect_right(self.schedule.ends, self._rounds)
        if block == 0:
            self.__dict__["_kept"] = totals
        return super()._selected(totals + self.__dict__["_kept"] if block == 4 else totals)


class HighLossesCountMore(Promising, NoisyLeader):
    """Resampled losses of action 0 above 1/2 count four times."""

    def __init__(
        self, n_actions: int, epsilon: float, noise: Any = "laplace", resample: bool = True, seed: Any = None,
        runs: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(n_actions, epsilon, noise=noise, resample=resample, seed=seed, runs=runs)

    def _source(self, units: Units) -> Source:
        first = self._rounds

        def source(start: int, counts: Counts) -> Units:
            rows = units[start - first :][: int(counts[0])]
            high = np.where((rows > UNITS // 2) & (np.arange(self.n_actions) == 0), rows, 0)
            drawn, more = (resampling.sample(each, self._width, self._entropy) for each in (rows, high))
            return drawn + 3 * more

        return source


class StateKeepsBytes(Promising, NoisyLeader):
    """The state holds fetched random bytes: two learners resumed from it draw alike."""

    def state_dict(self) -> dict[str, Any]:
        state = super().state_dict()
        if isinstance(self._entropy, SystemEntropy):
            self._entropy.word()
            state["kept"] = [self._entropy._buffer.hex(), self._entropy._at]
        return state

    def load_state_dict(self, state: dict[str, Any]) -> None:
        super().load_state_dict({name: value for name, value in state.items() if name != "kept"})
        if "kept" in state:
            self._entropy._buffer, self._entropy._at = bytes.fromhex(state["kept"][0]), state["kept"][1]


class ResumingCountsTwice(Promising, NoisyLeader):
    """Resuming in the middle of a block counts its rounds again."""

    def load_state_dict(self, state: dict[str, Any]) -> None:
        super().load_state_dict(state)
        self._totals = 2 * self._totals


class ForgetsRuns(Promising, NoisyLeader):
    """Promises for many runs what holds for one."""

    @property
    def guarantee(self) -> PureDP:
        return self.claim
