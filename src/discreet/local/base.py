"""What learners on reports share: reports instead of losses, and a promise that was made before they came in."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from discreet.entropy import Entropy
from discreet.experts.base import Actions, Learner
from discreet.guarantees import Guarantee, NoGuarantee
from discreet.guarantees.reach import within_reach
from discreet.local.grid import ROOM, to_grid, unit_for
from discreet.losses import Units
from discreet.selection.base import positive

_CHUNK = 1 << 18  # numbers held at a time


class ReportLearner(Learner):
    """A learner that never sees a loss: `update` and `play` take reports, losses plus noise of the given scale.

    **Guarantee.** The noise was added where the losses arose, so whatever is done with reports is post-processing:
    state, totals, regret against reports and the actions all reveal at most what the reports do, `local_guarantee`.
    The learner cannot know how they were made: it says what it was told as `mu`, and nothing where it was told nothing.
    Noise of its `scale` keeps that promise for losses that move by mu · scale at most, so where that is less than
    sqrt(n_actions), the most that losses in [0, 1] can move, the guarantee names it as `within`. A seed takes nothing
    away, since only the learner's own draws become predictable.

    Reports are held as whole units of a grid (`local.grid`). The same report twice is the same round twice: what is
    promised is about a release in which every report is made once.
    """

    scale: float
    mu: float | None

    def _begin_reports(self, n_actions: int, scale: object, mu: object, seed: int | None, runs: int | None) -> None:
        """Check and keep what learners on reports share. A scale of 0 is that of reports without noise."""
        without = isinstance(scale, int | float) and not isinstance(scale, bool) and scale == 0
        self.scale = 0.0 if without else positive("scale", scale)
        self.mu = None if mu is None else positive("mu", mu)
        self.unit = unit_for(self.scale)
        self._begin(n_actions, seed, runs)

    @property
    def local_guarantee(self) -> Guarantee:
        """What one round's report reveals, to whoever receives it, of that round's losses."""
        if self.mu is None:
            return NoGuarantee("what the reports reveal was settled where the noise was added; give it as mu")
        if self.scale == 0:
            return NoGuarantee("a scale of 0 is that of reports without noise")
        return within_reach(self.mu, Fraction(self.mu) * Fraction(self.scale), self.n_actions)

    @property
    def claim(self) -> Guarantee:
        """What the released actions reveal to whoever sees them: no more than the reports."""
        return self.local_guarantee

    @property
    def guarantee(self) -> Guarantee:
        """What the released actions promise, seeded or not; of many runs, as if each had reports of its own."""
        return self.claim.compose(*[self.claim] * (self._width - 1))

    def draw_from(self, entropy: Entropy) -> None:
        """Take chance from there from now on."""
        self._entropy = entropy
        if not isinstance(self.seed, int | None):
            self.seed = entropy

    def play(self, table: ArrayLike) -> Actions:
        """Act and update for every row of a table of reports (rounds, K): the actions, (rounds,) or (rounds, runs)."""
        actions = self._play(self._units_of(table))
        return actions[:, 0] if self.runs is None else actions

    def play_units(self, units: Units) -> Actions:
        """Refused: those who drive learners by units have losses, and this learner must not see them."""
        raise ValueError(f"{type(self).__name__} learns from reports, not from losses: make reports and play them")

    def _read(self, losses: ArrayLike, first_round: int | None = None, row: str = "round") -> Units:
        return to_grid(losses, self.n_actions, self.scale, first_round, row)

    def _learn(self, units: Units) -> None:
        self._play(units)

    def _play(self, units: Units) -> Actions:
        """The actions of some rounds of units of the grid, (rounds, K) or (rounds, runs, K), many at a time."""
        rows = units if units.ndim == 3 else units[:, None]
        self._check_room(rows)
        step = max(1, _CHUNK // (self._width * self.n_actions))
        parts = [self._play_chunk(rows[start : start + step]) for start in range(0, len(rows), step)]
        return np.concatenate(parts) if parts else np.empty((0, self._width), dtype=np.int64)

    @abstractmethod
    def _play_chunk(self, rows: Units) -> Actions:
        """The actions of consecutive rounds of units (rounds, runs or 1, K)."""

    def _largest(self) -> int:
        """The largest number of the state, without its sign, that reports are added to."""
        return 0

    def _check_room(self, rows: Units) -> None:
        """Refuse reports whose totals might not fit."""
        if rows.size and self._largest() + len(rows) * int(max(rows.max(), -rows.min())) >= ROOM:
            raise ValueError(f"the totals of {len(rows)} more rounds may not fit: they must stay below 2^62 units")

    def _limits(self, name: str, rounds: int) -> tuple[Any, Any]:
        return super()._limits(name, rounds) if name == "_action" else (-ROOM, ROOM)


class WalkLearner(ReportLearner):
    """Keeps the sum of all reports and of initial noise of the same scale: a random walk with a drift."""

    #: Whether the initial noise was drawn where nobody can know it.
    _hidden: bool

    def _reset(self) -> None:
        from discreet.local.noise import normals

        self._hidden = self._entropy.private
        first = normals((self._width, self.n_actions), self._entropy) * (self.scale / self.unit)
        self._totals: Units = np.rint(first).astype(np.int64)
        self._action = self._totals.argmin(axis=1)

    def _largest(self) -> int:
        return int(max(self._totals.max(), -self._totals.min()))

    def _walk(self, rows: Units) -> Units:
        """The totals after each of some rounds, (rounds, runs, K)."""
        if rows.shape[1] < self._width:
            rows = np.broadcast_to(rows, (len(rows), self._width, self.n_actions))
        walk: Units = np.cumsum(rows, axis=0)
        walk += self._totals
        return walk
