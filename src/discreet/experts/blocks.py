"""Block learners: one action a block, drawn from weighted totals of the blocks before.

The rule is written once, here: a `Schedule`, whole-number weights by age of block, and a `Selection`. What drives
it differs only in where a block's totals come from: rounds as they arrive (`update`, `play`), sums over a log
(`replay`), or an environment that draws them directly.

Why a block learner is private. A round lies in one block. Its losses enter the score of the selection right after
that block with weight w_0, of the next one with weight w_1, and so on; a selection whose score moves by w reveals
w times what its `guarantee` says; everything played is a function of the selections. By adaptive composition the
whole release reveals at most (w_0 + w_1 + ...) times the selection's guarantee about that round, and the rate is
set so that this is at most epsilon, exactly, in the floats that are used.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from discreet.experts.base import Actions, Learner
from discreet.guarantees import PureDP
from discreet.losses import MAX_ROUNDS, Units
from discreet.schedules import Counts, Schedule
from discreet.selection import Selection
from discreet.selection.base import at_least

#: Totals of the first `counts` rounds (one number a run, or one for all) from a given round on: (runs or 1, K).
Source = Callable[[int, Counts], Units]


class BlockLearner(Learner):
    """The rule of all block learners; a subclass says which schedule, weights and selection."""

    _state = ("_action", "_prefixes", "_totals", "_earlier")

    schedule: Schedule
    weights: tuple[int, ...]
    selection: Selection
    epsilon: float

    def _reset(self) -> None:
        shape = (self._width, self.n_actions)
        self._prefixes = self.schedule.draw_prefixes(self._width, self._entropy)
        self._action = self._entropy.below_each(np.full(self._width, self.n_actions))
        self._totals = np.zeros(shape, dtype=np.int64)
        self._earlier = np.zeros((len(self.weights) - 1, *shape), dtype=np.int64)

    def _limits(self, name: str, rounds: int) -> tuple[Any, Any]:
        """Prefixes lie within their blocks."""
        if name != "_prefixes":
            return super()._limits(name, rounds)
        possible = [self.schedule.prefix_counts(block) for block in range(len(self.schedule.ends))]
        return np.array([counts[0] for counts in possible]), np.array([counts[-1] for counts in possible])

    @property
    def claim(self) -> PureDP:
        """What the selection reveals, times the weights; shown as epsilon where only float rounding parts the two."""
        spent = self.selection.level * sum(self.weights)
        spare = Fraction(self.epsilon) - spent
        return PureDP(self.epsilon if 0 <= spare <= spent / 2**50 else at_least(spent))

    @property
    def needs_rounds(self) -> bool:
        """Whether the rule treats each round by itself, so that totals of a log will not do."""
        return False

    @property
    def max_rounds(self) -> int:
        """How many rounds fit: their weighted total must fit into int64."""
        return MAX_ROUNDS // max(self.weights)

    def score(self) -> Units:
        """What the next selection would draw from now: block totals, weighted by age, in units."""
        return self._weighted(self._totals)

    def _weighted(self, newest: Units) -> Units:
        score = self.weights[0] * newest
        for weight, totals in zip(self.weights[1:], self._earlier, strict=True):
            score += weight * totals
        return score

    def _selected(self, totals: Units) -> dict[str, Units]:
        """The state after a block with these totals: the next action drawn, every block older by one."""
        action = np.asarray(self.selection.sample(self._weighted(totals), self._entropy))
        earlier = np.concatenate([totals[None], self._earlier])[: len(self._earlier)]
        return {"_action": action, "_earlier": earlier, "_totals": np.zeros_like(totals)}

    def advance(self, rounds: int, source: Source) -> Iterator[tuple[int, Actions]]:
        """Go through rounds whose totals come from a source; yields stretches: how many rounds, and the actions."""
        if self._rounds + rounds > self.max_rounds:
            raise ValueError(f"at most {self.max_rounds} rounds fit; this would be round {self._rounds + rounds}")
        last = self._rounds + rounds
        while self._rounds < last:
            block = bisect_right(self.schedule.ends, self._rounds)
            end = self.schedule.ends[block]
            stretch = min(last, end) - self._rounds
            position = self._rounds - end + int(self.schedule.lengths[block])
            counted = np.minimum(np.maximum(self._prefixes[:, block] - position, 0), stretch)
            # Never in place: a copy may share the array. And all at once: an interruption must not leave a block
            # that has been drawn from but is still counted, or a round that is counted but not seen.
            totals = self._totals + source(self._rounds, counted)
            rounds, played = self._rounds + stretch, self._action
            after = self._selected(totals) if rounds == end else {"_totals": totals}
            self.__dict__.update(after, _rounds=rounds)
            yield stretch, played

    def _learn(self, units: Units) -> None:
        for _ in self.stretches(units):
            pass

    def stretches(self, units: Units) -> Iterator[tuple[int, Actions]]:
        """Learn some rounds, block by block."""
        return self.advance(len(units), self._source(units))

    def play_units(self, units: Units) -> Actions:
        """The actions of some rounds, a stretch at a time."""
        stretches = [np.broadcast_to(action, (n, self._width)) for n, action in self.stretches(units)]
        return np.concatenate(stretches) if stretches else np.empty((0, self._width), dtype=np.int64)

    def _source(self, units: Units) -> Source:
        """Sums over rounds of units, (rounds, K) or (rounds, runs, K), of which the first is the next round."""
        first = self._rounds
        return lambda start, counts: prefix_sums(units[start - first :], counts)

    def cuts(self, rounds: int) -> Counts:
        """The rounds, before which totals matter to some run: a table summed up to each of them is enough."""
        ends = np.array(self.schedule.ends)
        prefixes = (ends - self.schedule.lengths) + self._prefixes
        wanted = np.concatenate([ends, prefixes.ravel()])
        return np.unique(wanted[wanted <= rounds])


def prefix_sums(units: Units, counts: Counts) -> Units:
    """The sum of the first `count` rounds of units for each count: (counts, K); for one count, (1, K).

    >>> prefix_sums(np.array([[1, 5], [2, 5], [4, 5]]), np.array([3, 1])).tolist()
    [[7, 15], [1, 5]]
    """
    if units.ndim == 3:  # every run has rounds of its own
        before_end = np.arange(len(units))[:, None] < counts
        sums: Units = np.where(before_end[..., None], units, 0).sum(axis=0)
        return sums
    if len(counts) == 1:
        counted = units[: counts[0]]
        return counted if len(counted) == 1 else counted.sum(axis=0, keepdims=True)
    stops, which = np.unique(counts, return_inverse=True)
    between = [units[start:stop].sum(axis=0) for start, stop in zip([0, *stops[:-1]], stops, strict=True)]
    running: Units = np.cumsum(between, axis=0)
    return running[which]


def rate_for(epsilon: float, weights: tuple[int, ...]) -> float:
    """The largest float rate at which selections that reveal 2 · rate, times the weights, stay within epsilon."""
    exact = Fraction(epsilon) / (2 * sum(weights))
    rate = float(exact)
    return rate if Fraction(rate) <= exact else math.nextafter(rate, 0.0)


def scale_for(epsilon: float) -> float:
    """The smallest float scale at which Laplace noise reveals at most epsilon: 2 / epsilon, rounded up."""
    return at_least(2 / Fraction(epsilon))
