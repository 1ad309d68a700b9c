"""A convex function that is made of straight pieces, along a chord, and exact draws by its exponential."""

from __future__ import annotations

import math
from bisect import insort
from dataclasses import dataclass

import numpy as np

from discreet.convex.ball import Floats
from discreet.entropy import Entropy

#: A place on the chord, the value of the function there, and a slope of it.
Tangent = tuple[float, float, float]


@dataclass(frozen=True)
class Chord:
    """rate · (the sum of losses, raised to a floor) at place t, each loss the largest of heights + t · rises and 0.

    heights and rises (pieces, losses).
    """

    heights: Floats
    rises: Floats
    rate: float
    floor: float

    def tangent(self, place: float) -> Tangent:
        """The value and a slope at a place: one look at every piece."""
        tops, rise = np.zeros(self.heights.shape[1]), np.zeros(self.heights.shape[1])
        for heights, rises in zip(self.heights, self.rises, strict=True):
            line = heights + place * rises
            rise = np.where(line > tops, rises, rise)
            tops = np.maximum(line, tops)
        total = float(tops.sum())
        if total <= self.floor:
            return place, self.rate * self.floor, 0.0
        return place, self.rate * total, self.rate * float(rise.sum())

    def drawn(self, low: float, high: float, entropy: Entropy) -> float:
        """A place between two ends, with density proportional to e^-function, whatever place the walk came from.

        Adaptive rejection (Gilks & Wild 1992): the largest of some tangents lies below the function, so a place drawn
        by e^-(largest tangent) is kept with probability e^-(what the function is above it); else it adds its tangent.
        """
        tangents = [self.tangent(place) for place in (low, (low + high) / 2, high)]
        while True:
            place, below = under(tangents, entropy)
            found = self.tangent(place)
            if uniform(entropy) <= math.exp(min(0.0, below - found[1])):
                return place
            insort(tangents, found)


def under(tangents: list[Tangent], entropy: Entropy) -> tuple[float, float]:
    """A place drawn by e^-(the largest of some tangents), and that tangent's value at it."""
    ends = [tangents[0][0], *map(_crossing, tangents, tangents[1:]), tangents[-1][0]]
    spans = list(zip(ends, ends[1:], tangents, strict=False))
    logs = [_log_weight(*span) for span in spans]
    top = max(logs)
    left = uniform(entropy) * math.fsum(math.exp(log - top) for log in logs)
    chosen = 0
    while (left := left - math.exp(logs[chosen] - top)) > 0 and chosen < len(spans) - 1:
        chosen += 1
    return _within(*spans[chosen], entropy)


def _crossing(left: Tangent, right: Tangent) -> float:
    """Where two neighboring tangents meet; anywhere between their places where they are one line."""
    (a, f, s), (b, g, r) = left, right
    if r - s <= 1e-12 * (abs(s) + abs(r)):
        return (a + b) / 2
    return min(max((f - g - s * a + r * b) / (r - s), a), b)


def _log_weight(low: float, high: float, tangent: Tangent) -> float:
    """The logarithm of the integral of e^-tangent."""
    width = high - low
    if width <= 0:
        return -math.inf
    place, value, slope = tangent
    least = value + slope * ((low if slope > 0 else high) - place)
    fall = abs(slope) * width
    return math.log(width) - least + (math.log(-math.expm1(-fall) / fall) if fall > 1e-12 else 0.0)


def _within(low: float, high: float, tangent: Tangent, entropy: Entropy) -> tuple[float, float]:
    """A place between the ends, drawn by e^-tangent, and the tangent's value there."""
    place, value, slope = tangent
    fall, u = abs(slope) * (high - low), uniform(entropy)
    way = -math.log1p(u * math.expm1(-fall)) / abs(slope) if fall > 1e-12 else u * (high - low)
    at = min(max(low + way if slope > 0 else high - way, low), high)
    return at, value + slope * (at - place)


def uniform(entropy: Entropy) -> float:
    """A float between 0 and 1."""
    return (entropy.word() + 0.5) * 2.0**-64
