"""Phases on a ball: a point is kept until a test finds that it has lost too much, then another is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.convex import ball_state
from discreet.convex.affine import Affine, read_each, values
from discreet.convex.ball import Floats
from discreet.convex.ball_draws import BallDraws
from discreet.convex.base import BallLearner
from discreet.convex.walk import BallWalk
from discreet.experts.stages import in_units
from discreet.losses import Units
from discreet.mechanisms import AboveThreshold


class BallPhases(BallLearner):
    """The rule of `PotentialBall`, which says which test, which draws and how many of them."""

    dimension: int
    radius: float
    lipschitz: float
    bound: float
    bits: int
    switches: int
    threshold: float
    test: AboveThreshold
    draws: BallDraws | BallWalk

    #: For each run: the point in steps of the grid, its loss since it was drawn and its noisy threshold (in units), and
    #: the number of draws.
    _state: tuple[str, ...] = ("point", "lost", "threshold", "drawn")
    _point: Units
    _lost: Units
    _threshold: Units
    _drawn: NDArray[np.int64]
    _rounds: int
    #: The runs whose test has halted and whose next point is not drawn yet: none, but while or after a draw is cut off.
    _halted: NDArray[np.int64]

    def _reset(self) -> None:
        """The state before the first round."""
        width = self.runs or 1
        self._losses: ball_state.Losses = []
        self._rounds, self._halted = 0, np.zeros(0, dtype=np.int64)
        self._lost, self._drawn = np.zeros(width, dtype=np.int64), np.zeros(width, dtype=np.int64)
        self._point = np.array([self.draws.first(self._entropy) for _ in range(width)])
        self._threshold = self._drawn_thresholds(width)

    @property
    def rounds(self) -> int:
        """How many rounds have been seen."""
        return self._rounds

    def act(self) -> Floats:
        """The point of this round, (dimension,) or (runs, dimension). Asking again costs nothing."""
        self._draw_due()
        points = np.asarray(self._point * (self.radius / (1 << self.bits)), dtype=np.float64)
        return points[0] if self.runs is None else points

    def update(self, slopes: ArrayLike, offsets: ArrayLike) -> None:
        """Learn this round's loss: slopes (pieces, dimension) and offsets (pieces,); or (dimension,) and a number.

        With runs also one for each, (runs, pieces, dimension) and (runs, pieces). A round is learned whole or not at
        all, as `rounds` tells. That a test has halted is kept before a point is drawn: should the draw be cut off, it
        is made later, and the test is not asked again.
        """
        self._draw_due()
        loss = read_each(slopes, offsets, self.runs, self.radius, self.lipschitz, self.bound, self.dimension)
        active = (self._drawn < self.switches).nonzero()[0]
        if not active.size:
            self._losses, self._rounds = [], self._rounds + 1
            return
        del self._losses[self._rounds :]  # left by an update that was interrupted
        self._losses.append(loss)
        lost = self._lost + self._suffered(loss)
        _, above = self.test.first_above(lost[None, active], self._threshold[active], self._entropy)
        self.__dict__.update(_lost=lost, _halted=active[above], _rounds=self._rounds + 1)
        self._draw_due()

    def _suffered(self, loss: tuple[Affine, ...]) -> Units:
        """What the points lose, in units."""
        if len(loss) == 1:
            return values(loss, self._point, self.bits)
        return np.array(
            [values([own], point[None], self.bits)[0] for own, point in zip(loss, self._point, strict=True)]
        )

    def _draw_due(self) -> None:
        """Begin a phase at a new point in the runs whose test has halted."""
        if not self._halted.size:
            return
        point, lost, threshold, drawn = (getattr(self, f"_{name}").copy() for name in self._state)
        for run in self._halted.tolist():
            own = [loss[run % len(loss)] for loss in self._losses[: self._rounds]]
            point[run] = self.draws.sample(own, self._entropy)
        threshold[self._halted] = self._drawn_thresholds(len(self._halted))
        lost[self._halted] = 0
        drawn[self._halted] += 1
        after = dict(zip(self._state, (point, lost, threshold, drawn), strict=True))
        self.__dict__.update({f"_{name}": array for name, array in after.items()}, _halted=self._halted[:0])

    def _drawn_thresholds(self, runs: int) -> Units:
        """Fresh noisy thresholds."""
        noisy: Units = in_units(self.threshold) + self.test.thresholds(runs, self._entropy)
        return noisy

    def state_dict(self) -> dict[str, Any]:
        """The state as plain data that JSON can hold. It contains every loss so far: it is the owner's."""
        self._draw_due()
        arrays = {name: getattr(self, f"_{name}").tolist() for name in self._state}
        losses = ball_state.written(self._losses[: self._rounds])
        entropy = self._entropy.state_dict()
        return {"learner": repr(self), "rounds": self._rounds, "entropy": entropy, "losses": losses} | arrays

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a state, exactly as the learner that it was taken from would have when it was seeded."""
        self._check_state(state)
        rounds, mine = ball_state.rounds_of(state), {name: getattr(self, f"_{name}") for name in self._state}
        found = ball_state.arrays_of(state, mine, rounds, self.bits, self.switches)
        running = bool((found["drawn"] < self.switches).any())
        losses = ball_state.losses_of(state["losses"], rounds, running, self.runs or 1, self.dimension)
        self._load_entropy(state["entropy"])
        more = {"_rounds": rounds, "_losses": losses, "_halted": self._halted[:0]}
        self.__dict__.update({f"_{name}": array for name, array in found.items()} | more)
