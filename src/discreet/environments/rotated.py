"""An environment whose actions change places from run to run."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from discreet.environments.base import Counts, Environment, Floats, Stream
from discreet.losses import Units

Number = TypeVar("Number", bound=np.generic)


class Rotated(Environment):
    """The same losses with the actions moved round the circle, by a step drawn uniformly for each run.

    A lower bound that holds on average over positions needs them drawn; a learner that treats actions alike has the
    same expected regret in every position.

    >>> from discreet.environments import Deterministic
    >>> Rotated(Deterministic([0.0, 1.0, 1.0])).n_actions
    3
    """

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    @property
    def n_actions(self) -> int | None:
        """How many actions there are."""
        return self.environment.n_actions

    @property
    def means(self) -> Floats | None:
        """Expected losses before the actions are moved; which action has which differs from run to run."""
        return self.environment.means

    @property
    def draws_totals(self) -> bool:
        """As the environment does."""
        return self.environment.draws_totals

    def stream(self, n_actions: int, rounds: int, runs: int, rng: np.random.Generator) -> Stream:
        """Draw the positions, then the losses."""
        steps = rng.integers(n_actions, size=(runs, 1))
        return _Moved(self.environment.stream(n_actions, rounds, runs, rng), (np.arange(n_actions) - steps) % n_actions)

    def resampled(self) -> Environment | None:
        """The resampled environment, moved."""
        inner = self.environment.resampled()
        return None if inner is None else Rotated(inner)

    def still(self) -> Environment:
        """The environment that is moved."""
        return self.environment.still()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rotated) and self.environment == other.environment

    def __repr__(self) -> str:
        return self.label or f"Rotated({self.environment!r})"


class _Moved(Stream):
    def __init__(self, stream: Stream, columns: Counts) -> None:
        self._stream, self._columns = stream, columns
        self.means = None if stream.means is None else self._move(stream.means)

    def rounds(self, start: int, n: int) -> Units:
        units = self._stream.rounds(start, n)
        return np.take_along_axis(np.broadcast_to(units, (n, *self._columns.shape)), self._columns[None], axis=2)

    def totals(self, start: int | Counts, counts: Counts) -> Units:
        return self._move(self._stream.totals(start, counts))

    def _move(self, rows: NDArray[Number]) -> NDArray[Number]:
        return np.take_along_axis(np.broadcast_to(rows, self._columns.shape), self._columns, axis=1)
