"""Laws of selections in interval arithmetic: every probability between two numbers that are proved to enclose it.

Needs python-flint (`pip install 'discreet[intervals]'`). An interval is a `flint.arb`: a midpoint and a radius, which
every operation widens by whatever it rounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import singledispatch
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.audit.branches import distinct_gaps
from discreet.losses import UNITS, Units
from discreet.selection import NoisyMax, PermuteAndFlip, Selection, Softmax

Interval = Any  # flint.arb, which has no types
#: Coefficients of powers of (r^v, u): see `_noisy_max`.
Polynomial = dict[tuple[int, int], Interval]

_BITS = 400


def enclosed_laws(selection: Selection, totals: Units) -> NDArray[np.object_]:
    """The law for each row of totals (..., K)."""
    distinct, which = distinct_gaps(totals)
    found = np.empty(distinct.shape, dtype=object)
    for row, gaps in enumerate(distinct.tolist()):
        found[row] = enclosed_law(selection, gaps)
    return found[which].reshape(totals.shape)


@singledispatch
def enclosed_law(selection: Selection, gaps: Sequence[int]) -> list[Interval]:
    """The probability of each action, for totals that lie so many units above the smallest one."""
    raise ValueError(f"there are no intervals for the law of {selection!r}")


@enclosed_law.register
def _softmax(selection: Softmax, gaps: Sequence[int]) -> list[Interval]:
    weights = _coins(selection.rate, gaps)
    total = sum(weights[1:], weights[0])
    return [weight / total for weight in weights]


@enclosed_law.register
def _permute_and_flip(selection: PermuteAndFlip, gaps: Sequence[int]) -> list[Interval]:
    """P(j) = p_j · integral over u in [0, 1] of the product over i != j of (1 - u · p_i), a polynomial in u."""
    coins = _coins(selection.rate, gaps)
    laws = []
    for j, coin in enumerate(coins):
        product = [interval(1)]
        for other in coins[:j] + coins[j + 1 :]:
            shifted = [interval(0), *(-other * c for c in product)]
            product = [a + b for a, b in zip([*product, interval(0)], shifted, strict=True)]
        integral = sum((c / (power + 1) for power, c in enumerate(product)), interval(0))
        laws.append(coin * integral)
    return laws


@enclosed_law.register
def _noisy_max(selection: NoisyMax, gaps: Sequence[int]) -> list[Interval]:
    """P(j has the largest score), ties to each alike, for discrete Laplace noise: geometric sums, piece by piece.

    With r = e^(-1/scale), noise n has mass c r^|n|, c = (1 - r)/(1 + r). Action j's score is v with mass c r^|v + g_j|;
    another action's lies below v, or at v with a fraction u of its mass. Averaged over u in [0, 1] the product over the
    others is the chance of winning with ties shared alike. Between the places where some v + g_i turns from 0 to 1,
    every factor is a polynomial in r^v, 1/r^v and u, so that the sum over v is one of geometric series.
    """
    step = -1 / (interval(selection.scale) * UNITS)
    ends = sorted({1 - gap for gap in gaps})
    pieces = [(None, ends[0]), *pairwise(ends), (ends[-1], None)]
    return [sum((_piece(gaps, j, start, stop, step) for start, stop in pieces), interval(0)) for j in range(len(gaps))]


def _piece(gaps: Sequence[int], j: int, start: int | None, stop: int | None, step: Interval) -> Interval:
    """The part of P(j) from scores start <= v < stop."""
    inside = start if start is not None else (stop or 0) - 1
    product: Polynomial = {(0, 0): interval(1)}
    for i, gap in enumerate(gaps):
        product = _times(product, _factor(inside + gap > 0, gap, i == j, step))
    total = interval(0)
    for (power, of_u), coefficient in product.items():
        total += coefficient / (of_u + 1) * _geometric(power, start, stop, step)
    return total


def _factor(above: bool, gap: int, own: bool, step: Interval) -> Polynomial:
    """The mass at v, or the chance to lie below v plus u times the mass at v; in powers of r^v and u."""
    one_more = (1 + step.exp()) if not own else None
    mass = -step.expm1() / (1 + step.exp()) * (step * (gap if above else -gap)).exp()
    power = 1 if above else -1
    if own:
        return {(power, 0): mass}
    if above:
        return {(0, 0): interval(1), (1, 0): -(step * gap).exp() / one_more, (1, 1): mass}
    return {(-1, 0): (step * (1 - gap)).exp() / one_more, (-1, 1): mass}


def _times(one: Polynomial, other: Polynomial) -> Polynomial:
    product: Polynomial = defaultdict(lambda: interval(0))
    for (a, b), x in one.items():
        for (c, d), y in other.items():
            product[a + c, b + d] += x * y
    return product


def _geometric(power: int, start: int | None, stop: int | None, step: Interval) -> Interval:
    """The sum of r^(power · v) over start <= v < stop; without an end, powers make it finite."""
    if power == 0:
        return interval((stop or 0) - (start or 0))
    upto = interval(0) if stop is None else (step * power * stop).exp()
    since = interval(0) if start is None else (step * power * start).exp()
    return (upto - since) / (step * power).expm1()


def _coins(rate: float, gaps: Sequence[int]) -> list[Interval]:
    """e^(-rate · gap)."""
    return [(-(interval(rate) * gap) / UNITS).exp() for gap in gaps]


def interval(value: float | Fraction) -> Interval:
    """A number as an interval; floats and whole numbers are taken exactly."""
    import flint

    flint.ctx.prec = _BITS
    if isinstance(value, Fraction):
        return flint.arb(value.numerator) / value.denominator
    return flint.arb(value)
