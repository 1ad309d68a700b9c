"""Losses that are given: a recorded table, or a function that makes one for each run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from discreet.environments.base import Counts, Environment, Floats, Stream
from discreet.environments.laws import Law, listed
from discreet.losses import Units, as_numbers, to_units

#: Makes the losses of one run, (rounds, K), from the number of rounds and a generator of the run's own.
Maker = Callable[[int, np.random.Generator], ArrayLike]


class Sequence(Environment):
    """A recorded table of losses (rounds, K), the same for every run: a log, or a sequence of an adversary.

    Its losses are not draws, so there are no means to compare with: regret is realized, against the best fixed
    action of the rounds played.

    >>> Sequence([[0.0, 1.0], [0.5, 0.5]]).n_actions
    2
    """

    def __init__(self, table: ArrayLike) -> None:
        losses = as_numbers(table)
        if losses.ndim != 2 or losses.shape[1] < 2 or not len(losses):
            raise ValueError(f"a sequence is a table of rounds by two or more actions; got shape {losses.shape}")
        self.units = to_units(losses, losses.shape[1], first_round=0)
        self.units.setflags(write=False)

    @property
    def n_actions(self) -> int:
        """How many actions there are."""
        return int(self.units.shape[1])

    def stream(self, n_actions: int, rounds: int, runs: int, rng: np.random.Generator) -> Stream:
        """The recorded rounds, for every run."""
        self._check(rounds)
        return _Tables(self.units[:rounds, None])

    @property
    def fixed(self) -> bool:
        """It is what was recorded."""
        return True

    def total_law(self, start: int, counts: range) -> Law:
        """One outcome for each count: the sum over the table."""
        self._check(start + counts.stop - 1)
        least = self.units[start : start + counts.start].sum(axis=0, keepdims=True)
        more = self.units[start + counts.start : start + counts.stop - 1]
        return listed(np.cumsum(np.concatenate([least, more]), axis=0))

    def _check(self, rounds: int) -> None:
        if rounds > len(self.units):
            raise ValueError(f"the sequence has {len(self.units)} rounds; {rounds} were asked for")

    def _parameters(self) -> dict[str, Floats]:
        return {"table": self.units.astype(np.float64)}

    def __repr__(self) -> str:
        return self.label or f"Sequence(<{len(self.units)} rounds of {self.n_actions} actions>)"


class Made(Environment):
    """Losses from a function `make(rounds, rng)`, called once a run: a table (rounds, K) of losses in [0, 1].

    Anything can be written that way: losses that drift, that depend on earlier rounds, from a file or a simulator.
    `simulate.regret` takes the bare function too. means: expected losses, if they are known and do not change.

    >>> Made(lambda rounds, rng: rng.random((rounds, 3))).losses(rounds=2, seed=1, n_actions=3).shape
    (2, 3)
    """

    def __init__(self, make: Maker, means: ArrayLike | None = None) -> None:
        self.make = make
        self._means = None if means is None else np.array(means, dtype=np.float64)

    @property
    def n_actions(self) -> int | None:
        """As many as the function makes."""
        return None if self._means is None else len(self._means)

    @property
    def means(self) -> Floats | None:
        """As given."""
        return self._means

    @property
    def draws_totals(self) -> bool:
        """Every round is made."""
        return False

    def stream(self, n_actions: int, rounds: int, runs: int, rng: np.random.Generator) -> Stream:
        """A table for each run, from a generator of its own."""
        tables = [self._table(n_actions, rounds, of_run) for of_run in rng.spawn(runs)]
        return _Tables(np.stack(tables, axis=1), self._means)

    def _table(self, n_actions: int, rounds: int, rng: np.random.Generator) -> Units:
        losses = as_numbers(self.make(rounds, rng))
        if losses.shape != (rounds, n_actions):
            raise ValueError(f"the function made losses of shape {losses.shape}, not {(rounds, n_actions)}")
        return to_units(losses, n_actions, first_round=0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Made) and self.make is other.make and np.array_equal(self._given(), other._given())

    def _given(self) -> Floats:
        return np.empty(0) if self._means is None else self._means

    def __repr__(self) -> str:
        return self.label or f"Made({getattr(self.make, '__name__', repr(self.make))})"


class _Tables(Stream):
    """Tables (rounds, runs or 1, K), with running sums that are made when they are first wanted."""

    def __init__(self, units: Units, means: Floats | None = None) -> None:
        self._units = units
        self._before: Units | None = None
        self.means = None if means is None else means[None]

    def rounds(self, start: int, n: int) -> Units:
        return self._units[start : start + n]

    def totals(self, start: int | Counts, counts: Counts) -> Units:
        if self._before is None:
            none = np.zeros((1, *self._units.shape[1:]), dtype=np.int64)
            self._before = np.concatenate([none, np.cumsum(self._units, axis=0)])
        width = max(self._units.shape[1], len(counts))
        runs = np.minimum(np.arange(width), self._units.shape[1] - 1)
        first = np.broadcast_to(start, counts.shape)
        totals: Units = self._before[first + counts, runs] - self._before[first, runs]
        return totals
