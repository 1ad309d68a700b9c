"""Learners that are not private: every round anew, a law over actions made from the totals so far."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.experts.base import Actions, Learner
from discreet.guarantees import NoGuarantee
from discreet.losses import UNITS, Units

Floats = NDArray[np.float64]
_CHUNK = 1 << 20  # entries of a law held at a time
_STRETCH = 1 << 10  # rounds within which few actions matter


class TotalsLearner(Learner):
    """Draws each round's action from a law over the totals of all rounds before."""

    _state = ("_action", "_totals")

    @abstractmethod
    def _laws(self, totals: Units, rounds: NDArray[np.int64]) -> Floats:
        """The probability of each action given totals (..., K) and how many rounds they are of (...)."""

    @property
    def claim(self) -> NoGuarantee:
        """Nothing: here to compare with."""
        return NoGuarantee(f"{type(self).__name__} is not private")

    def _reset(self) -> None:
        self._totals = np.zeros((self._width, self.n_actions), dtype=np.int64)
        self._action = self._drawn(self._totals[None], np.zeros(1, dtype=np.int64))[0]

    def _drawn(self, totals: Units, rounds: NDArray[np.int64]) -> Actions:
        """An action from each law: totals (n, runs, K), rounds (n,)."""
        sums = np.cumsum(self._laws(totals, rounds[:, None]), axis=-1)
        uniform = self._entropy.numbers(sums.shape[0] * sums.shape[1], 64).reshape(*sums.shape[:2], 1) * 2.0**-64
        columns: Actions = np.minimum((sums <= uniform * sums[..., -1:]).sum(axis=-1), self.n_actions - 1)
        return columns

    def _learn(self, units: Units) -> None:
        self.play_units(units)

    def play_units(self, units: Units) -> Actions:
        """The actions of some rounds, many at a time."""
        rows = units if units.ndim == 3 else units[:, None]
        step = max(1, _CHUNK // (self._width * self.n_actions))
        parts = [self._play_chunk(rows[start : start + step]) for start in range(0, len(rows), step)]
        return np.concatenate(parts) if parts else np.empty((0, self._width), dtype=np.int64)

    def _play_chunk(self, units: Units) -> Actions:
        """The actions of consecutive rounds; the action after them becomes the current one."""
        totals = self._totals + np.cumsum(units, axis=0)
        rounds = self._rounds + np.arange(1, len(units) + 1)
        following = self._drawn(totals, rounds)
        actions = np.concatenate([self._action[None], following[:-1]])
        self._action, self._totals, self._rounds = following[-1], totals[-1], self._rounds + len(units)
        return actions

    def expected_losses(self, table: ArrayLike) -> Floats:
        """The expected loss of each row of a table (rounds, K), over the learner's own draws; it learns the rows.

        Exact, so that no simulation is needed to compare with it. For learners made without `runs`.
        """
        if self.runs is not None:
            raise ValueError(f"expected losses are those of one learner; this one has runs={self.runs}")
        losses: Floats = self.expected_units(self._units_of(table)) / UNITS
        return losses

    def expected_units(self, units: Units) -> Floats:
        """`expected_losses` for rows of units, in units."""
        if not len(units):
            return np.empty(0)
        parts = [self._expected(units[start : start + _STRETCH]) for start in range(0, len(units), _STRETCH)]
        self._action = self._drawn(self._totals[None], np.array([self._rounds]))[0]
        return np.concatenate(parts)

    def _expected(self, units: Units) -> Floats:
        """The expected losses of a stretch of rounds, from those actions alone that can matter within it."""
        totals, rounds = self._totals[0].copy(), self._rounds + np.arange(len(units))
        near = np.flatnonzero(totals - totals.min() <= (len(units) + self._reach(int(rounds[-1]))) * UNITS)
        rows = units[:, near]
        sums = np.cumsum(rows, axis=0)
        self._totals = self._totals + units.sum(axis=0)
        self._rounds += len(units)
        if len(near) == 1:
            return rows[:, 0].astype(np.float64)
        losses: Floats = np.einsum("rk,rk->r", self._laws(totals[near] + sums - rows, rounds), rows)
        return losses

    @abstractmethod
    def _reach(self, rounds: int) -> float:
        """How many losses an action may lie behind after that many rounds and still have a probability to speak of."""
