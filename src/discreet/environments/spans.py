"""Losses of 0 and 1 where each action loses in one span of rounds: the sequences of oblivious adversaries."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from discreet.environments.base import Counts, Environment, Floats, Stream
from discreet.environments.laws import Law, listed
from discreet.losses import UNITS, Units


class Spans(Environment):
    """Action j loses 1 in the rounds first_j <= t < last_j, and 0 in all others; which is which is drawn for each run.

    Losses that an adversary has fixed: there are no means, so regret is realized. A total is the length of an
    overlap, so that a run costs what it costs to look.

    >>> world = Spans(first=[0, 2, 4], last=[2, 4, 4])
    >>> world.still().losses(rounds=4, seed=1).tolist()
    [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
    """

    def __init__(self, first: ArrayLike, last: ArrayLike, shuffled: bool = True) -> None:
        self.first, self.last = _rounds("first", first), _rounds("last", last)
        if self.first.shape != self.last.shape:
            raise ValueError(f"first has {self.first.size} actions and last has {self.last.size}")
        self.shuffled = shuffled

    @property
    def n_actions(self) -> int:
        """How many actions there are."""
        return int(self.first.size)

    def stream(self, n_actions: int, rounds: int, runs: int, rng: np.random.Generator) -> Stream:
        """Draw which action has which span, then look."""
        if not self.shuffled:
            return _Overlaps(self.first[None], self.last[None])
        order = rng.permuted(np.tile(np.arange(self.n_actions), (runs, 1)), axis=1)
        return _Overlaps(self.first[order], self.last[order])

    @property
    def fixed(self) -> bool:
        """Whether no order is drawn."""
        return not self.shuffled

    def total_law(self, start: int, counts: range) -> Law:
        """One outcome for each count."""
        if self.shuffled:
            return super().total_law(start, counts)
        overlaps = _Overlaps(self.first[None], self.last[None])
        return listed(np.concatenate([overlaps.totals(start, np.array([n])) for n in counts]))

    def still(self) -> Environment:
        """Every action in its place."""
        kept = Spans(self.first, self.last, shuffled=False)
        kept.label = self.label and f"{self.label}, in place"
        return kept

    def _parameters(self) -> dict[str, Floats]:
        spans = {"first": self.first.astype(np.float64), "last": self.last.astype(np.float64)}
        return spans | {"shuffled": np.array([float(self.shuffled)])}


class _Overlaps(Stream):
    def __init__(self, first: Counts, last: Counts) -> None:
        self._first, self._last = first, last

    def rounds(self, start: int, n: int) -> Units:
        rounds = np.arange(start, start + n)[:, None, None]
        return ((self._first <= rounds) & (rounds < self._last)) * np.int64(UNITS)

    def totals(self, start: int | Counts, counts: Counts) -> Units:
        begin = np.broadcast_to(start, np.shape(counts))[:, None]
        end = begin + np.asarray(counts)[:, None]
        overlap = np.minimum(end, self._last) - np.maximum(begin, self._first)
        totals: Units = np.maximum(overlap, 0) * UNITS
        return totals


def late_loss(k: int, epsilon: float, rounds: int, last: int | None = None) -> Environment:
    """No losses at all until the last log(k) / (2 epsilon) rounds, in which all actions but one lose.

    The adversary of Asi et al.'s theorem 5: so few rounds do not tell an epsilon-private learner which action is the
    good one. `bounds.asi_theorem_5` says what it must lose at least, on average over where the good one stands. With
    more rounds at the end (`last`) learners show how fast they find it.

    >>> late_loss(100, epsilon=0.1, rounds=1000).still().losses(rounds=1000, seed=1).sum(axis=0)[:3].tolist()
    [0.0, 23.0, 23.0]
    """
    _check(k, rounds)
    if not 0 < epsilon < math.inf:
        raise ValueError(f"epsilon is {epsilon}; it must be a finite number above 0")
    late = max(1, math.floor(math.log(k) / (2 * epsilon))) if last is None else last
    if late > rounds:
        raise ValueError(f"the last {late} rounds are those with losses; there are only {rounds}")
    label = f"late_loss({k}, {epsilon:g}, {rounds}{'' if last is None else f', last={last}'})"
    return _ending(np.where(np.arange(k) == 0, rounds, rounds - late), rounds, label)


def one_by_one(k: int, rounds: int) -> Environment:
    """Actions go bad one after the other, evenly over the rounds, and lose from then on; one stays perfect.

    >>> one_by_one(3, rounds=6).still().losses(rounds=6, seed=1).sum(axis=0).tolist()
    [0.0, 2.0, 4.0]
    """
    _check(k, rounds)
    return _ending(rounds - np.arange(k) * rounds // k, rounds, f"one_by_one({k}, {rounds})")


def halving(k: int, rounds: int) -> Environment:
    """In each of log2(k) phases half of the actions that are still perfect go bad for good; one stays perfect.

    >>> halving(4, rounds=6).still().losses(rounds=6, seed=1).sum(axis=0).tolist()
    [0.0, 2.0, 4.0, 4.0]
    """
    _check(k, rounds)
    phases = math.ceil(math.log2(k))
    survived = phases - np.array([0, *(j.bit_length() for j in range(1, k))])
    first = np.where(np.arange(k) == 0, rounds, (survived + 1) * rounds // (phases + 1))
    return _ending(first, rounds, f"halving({k}, {rounds})")


def _ending(first: Counts, rounds: int, label: str) -> Environment:
    """Every action loses from its first round to the end."""
    world = Spans(first, np.full(len(first), rounds))
    world.label = label
    return world


def _check(k: int, rounds: int) -> None:
    if k < 2 or rounds < 1:
        raise ValueError(f"needs two actions and a round; got k={k}, rounds={rounds}")


def _rounds(name: str, values: ArrayLike) -> Counts:
    vector = np.array(values)
    if vector.ndim != 1 or vector.size < 2 or vector.dtype.kind not in "iu" or vector.min() < 0:
        raise ValueError(f"{name} is a list of whole numbers of rounds, 0 or more, one for each of two or more actions")
    counts: Counts = vector.astype(np.int64)
    counts.setflags(write=False)
    return counts
