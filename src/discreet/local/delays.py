"""How long the leader of the noisy totals may be left alone (algorithm 4)."""

from __future__ import annotations

import math
from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from discreet.local.change import change_chance, change_chances, least_margin, margin_near, margins_near

Floats = NDArray[np.float64]
Rounds = NDArray[np.int64]

_ROOT2 = math.sqrt(2.0)
_SHORT = 64  # delays up to this are looked up
#: No delay is longer.
MOST = 1 << 40


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
        self._known: dict[int, list[float]] = {}

    def allowed(self, rounds: int) -> float:
        """The chance of a change that is tolerated when a delay ends after so many rounds."""
        return self._allowance / math.sqrt(rounds)

    def longest(self, gap: float, t: int) -> int:
        """The delay after t reports, where the gap is in losses."""
        gaps = self._gaps(t)
        delay = bisect_right(gaps, gap)
        if delay == len(gaps):
            return self._long(gap, t)
        while delay and not self._lasts(gap, delay, t):
            delay -= 1
        return delay

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
        return self._gaps(t)[0]

    def _gaps(self, t: int) -> list[float]:
        """For each of the shortest delays a gap below which it is too long after t reports or more."""
        dropped = max(t.bit_length() - 4, 0)
        rounder = t >> dropped << dropped
        if rounder not in self._known:
            delays = np.arange(1, _SHORT + 1)
            margins = self._margins(rounder + delays) + self.lift - 1e-3
            self._known[rounder] = (delays + self.scale * np.sqrt(2 * delays) * margins).tolist()
        return self._known[rounder]

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
