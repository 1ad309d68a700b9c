"""How long the leader of the noisy totals may be left alone (algorithm 4)."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from discreet.local.change import change_chance, change_chances, least_margin, margin_near, margins_near

Floats = NDArray[np.float64]
Rounds = NDArray[np.int64]

_ROOT2 = math.sqrt(2.0)
_SHORT = 128  # delays up to this are looked up
_NONE: list[float] = []
#: No delay is longer.
MOST = 1 << 40


@dataclass(frozen=True)
class Stretch:
    """Rounds in which short delays are looked up: after `first` reports or more, and fewer than `end`.

    For each of the shortest delays, `least` is a gap below which it is too long there, `sure` one at which it is not.
    """

    first: int
    end: int
    least: list[float]
    sure: list[float]


class Delays:
    """The longest delays with n actions, a scale of the noise and a tolerance (algorithm 4).

    After t reports with a gap, the delay is the largest B with

        change_chance((gap - B)/(scale sqrt(2B)) - sqrt(log(2n - 2))) <= tolerance sqrt(log n / (t + B)),

    0 where there is none, and never more than `MOST`. The left side rises with B and the right side falls. So a short
    delay is looked up among gaps of rounder, smaller t, which are too small, and lowered until it fits; a long one is
    found by halving between two roots of a quadratic, at the margins asked for at t and at t + (upper end).

    >>> delays = Delays(25, scale=5.0, tolerance=0.01)
    >>> [delays.longest(gap, 1000) for gap in (100.0, 200.0, 400.0, 800.0)]
    [5, 18, 64, 202]
    """

    def __init__(self, n_actions: int, scale: float, tolerance: float) -> None:
        self.scale = scale
        self.lift = math.sqrt(math.log(2 * n_actions - 2))
        self._allowance = tolerance * math.sqrt(math.log(n_actions))
        self._known: dict[int, Stretch] = {}

    def allowed(self, rounds: int) -> float:
        """The chance of a change that is tolerated when a delay ends after so many rounds."""
        return self._allowance / math.sqrt(rounds)

    def longest(self, gap: float, t: int) -> int:
        """The delay after t reports, where the gap is in losses."""
        stretch = self.stretch(t)
        delay = bisect_right(stretch.least, gap)
        if delay == _SHORT:
            return self._long(gap, t)
        while delay and gap < stretch.sure[delay - 1] and not self._lasts(gap, delay, t):
            delay -= 1
        return delay

    def ends(self, gaps: Floats, at: int, t: int) -> tuple[Rounds, int]:
        """The places of the reports that end a batch, and the place at which the batch after these ends.

        gaps[i] is the gap after t + i reports; the first batch ends with the report at place `at`. Where gaps lie below
        the floor every report ends one: such stretches are passed over at once.
        """
        n, item, floor, later = len(gaps), gaps.item, self.floor(t), None
        ended, single = np.zeros(n, dtype=bool), []
        limit, least, sure = 0, _NONE, _NONE
        while at < n:
            gap = item(at)
            if gap < floor:
                later = later or _next_at_least(gaps, floor)
                start, at = at, later(at)
                ended[start:at] = True
                continue
            single.append(at)
            if at >= limit:
                stretch = self.stretch(t + at)
                limit, least, sure = stretch.end - t, stretch.least, stretch.sure
            delay = bisect_right(least, gap)
            if delay and (delay == _SHORT or gap < sure[delay - 1]):
                delay = self.longest(gap, t + at)
            at += 1 + delay
        ended[single] = True
        return np.flatnonzero(ended), at

    def _long(self, gap: float, t: int) -> int:
        """`longest` by halving between the two roots."""
        high = self._root(gap, margin_near(self.allowed(t + 1)) - 1e-3) + 1
        low = self._root(gap, margin_near(self.allowed(t + high)) + 1e-3)
        low = low if self._lasts(gap, low, t) else 0
        while high <= MOST and self._lasts(gap, high, t):  # beyond the table's ends
            low, high = high, min(2 * high, MOST + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._lasts(gap, middle, t) else (low, middle)
        return low

    def each(self, gaps: Floats, t: Rounds) -> Rounds:
        """`longest` for many pairs at once."""
        delays = np.zeros(len(gaps), dtype=np.int64)
        open_ = np.flatnonzero(gaps >= self.floor(int(t.min()))) if len(t) else np.empty(0, dtype=np.int64)
        if len(open_):
            delays[open_] = self._each_open(gaps[open_], t[open_])
        return delays

    def _each_open(self, gaps: Floats, t: Rounds) -> Rounds:
        """By halving from the bracket of `longest`; by `longest` itself where the bracket fails."""
        high = self._roots(gaps, t + 1, -1e-3) + 1
        low = self._roots(gaps, t + high, 1e-3)
        fails = ~self._last(gaps, low, t) | (self._last(gaps, high, t) & (high <= MOST))
        while (wide := np.flatnonzero((high - low > 1) & ~fails)).size:
            middle = (low[wide] + high[wide]) // 2
            lasts = self._last(gaps[wide], middle, t[wide])
            low[wide], high[wide] = np.where(lasts, middle, low[wide]), np.where(lasts, high[wide], middle)
        for i in np.flatnonzero(fails).tolist():
            low[i] = self.longest(float(gaps[i]), int(t[i]))
        return low

    def _roots(self, gaps: Floats, rounds: Rounds, shift: float) -> Rounds:
        """`_root` at the margin, moved by the shift, that is allowed after so many rounds."""
        half = self.scale * (self._margins(rounds) + shift + self.lift) / _ROOT2
        bent = np.sqrt(half * half + gaps)
        root = np.where(half > 0, gaps / (bent + np.abs(half)), bent - half)
        whole: Rounds = np.minimum(root * root, MOST).astype(np.int64)
        return whole

    def _last(self, gaps: Floats, delays: Rounds, t: Rounds) -> NDArray[np.bool_]:
        """`_lasts` for many."""
        some = np.maximum(delays, 1)
        margins = (gaps - some) / (self.scale * np.sqrt(2.0 * some)) - self.lift
        lasts: NDArray[np.bool_] = (delays == 0) | (change_chances(margins) <= self._allowance / np.sqrt(t + some))
        return lasts

    def floor(self, t: int) -> float:
        """Below this gap there is no delay after t reports or more."""
        return self.stretch(t).least[0]

    def stretch(self, t: int) -> Stretch:
        """The stretch that the round after t reports lies in, up to an eighth of t long."""
        dropped = max(t.bit_length() - 4, 0)
        first = t >> dropped << dropped
        if first not in self._known:
            end = first + (1 << dropped)
            self._known[first] = Stretch(first, end, *self._gaps_for(first, end))
        return self._known[first]

    def _gaps_for(self, first: int, end: int) -> tuple[list[float], list[float]]:
        """What the shortest delays need after `first` reports at least, and after `end` at most.

        Margins are known within 1e-5 above 1/2; below that a gap is never called sure.
        """
        delays = np.arange(1, _SHORT + 1)
        wide = self.scale * np.sqrt(2 * delays)
        least, most = self._margins(first + delays) - 1e-3, self._margins(end + delays) + 1e-3
        sure = np.where(most > 0.5, delays + wide * (most + self.lift), np.inf)
        return (delays + wide * (least + self.lift)).tolist(), sure.tolist()

    def _margins(self, rounds: Rounds) -> Floats:
        """`margin_near` what is allowed when delays end after so many rounds."""
        return margins_near(math.log(self._allowance) - 0.5 * np.log(rounds))

    def gap_for(self, delay: int, t: int) -> float:
        """A gap at which the delay after t reports or fewer is at least this: the least one, to about 1e-9.

        Where the table by which delays are looked up asks for more than the bound itself, so does this: near a chance
        of 1, where the bound is flat, and beyond the table's ends.
        """
        chance = self.allowed(t + delay)
        margin = max(least_margin(chance), margin_near(chance)) + self.lift
        return delay + self.scale * math.sqrt(2 * delay) * margin

    def _lasts(self, gap: float, delay: int, t: int) -> bool:
        """Whether the bound allows the delay."""
        if delay == 0:
            return True
        margin = (gap - delay) / (self.scale * math.sqrt(2 * delay)) - self.lift
        return change_chance(margin) <= self.allowed(t + delay)

    def _root(self, gap: float, margin: float) -> int:
        """The largest delay B with gap >= B + scale sqrt(2B) (margin + lift), rounded down."""
        half = self.scale * (margin + self.lift) / _ROOT2
        root = gap / (half + math.sqrt(half * half + gap)) if half > 0 else -half + math.sqrt(half * half + gap)
        return int(min(root * root, MOST))


def _next_at_least(gaps: Floats, floor: float) -> Callable[[int], int]:
    """For a place, the next one from it on whose gap is not below the floor; the length where there is none."""
    places = np.where(gaps >= floor, np.arange(len(gaps)), len(gaps))
    return np.minimum.accumulate(places[::-1])[::-1].item


@lru_cache(maxsize=16)
def delays_for(n_actions: int, scale: float, tolerance: float) -> Delays:
    """The delays of all learners with the same parameters: what has been looked up is kept."""
    return Delays(n_actions, scale, tolerance)
