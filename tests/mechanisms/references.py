"""Normal numbers in many digits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
from mpmath import mpf


def in_digits(value: Fraction | float) -> Any:
    """A fraction or float, exactly where it is a float."""
    exact = Fraction(value)
    return mpf(exact.numerator) / exact.denominator


def two_tails(x: Fraction | float) -> Any:
    """P(|Z| > x)."""
    return mpmath.erfc(in_digits(x) / mpmath.sqrt(2))


def size_at(probability: Any) -> Any:
    """The x with P(|Z| > x) = probability, by Newton's steps on the logarithm, which is concave."""
    x = mpmath.sqrt(-2 * mpmath.log(probability)) * mpf("0.9") if probability < mpf("0.5") else 1 - probability
    for _ in range(200):
        tail = two_tails_mp(x)
        slope = -mpmath.sqrt(2 / mpmath.pi) * mpmath.exp(-x * x / 2) / tail
        step = (mpmath.log(tail) - mpmath.log(probability)) / slope
        x -= step
        if abs(step) < abs(x) * mpf(10) ** (5 - mpmath.mp.dps):
            break
    return x


def two_tails_mp(x: Any) -> Any:
    """P(|Z| > x) for a number of mpmath."""
    return mpmath.erfc(x / mpmath.sqrt(2))


def cell_mass(value: float, cell: int, scale: Fraction) -> Any:
    """P(the cell nearest to value + scale · Z is this one)."""
    low, high = (in_digits((cell - Fraction(value) + side) / scale) for side in (Fraction(-1, 2), Fraction(1, 2)))
    if low > 0:
        low, high = -high, -low
    return mpmath.ncdf(high) - mpmath.ncdf(low)
