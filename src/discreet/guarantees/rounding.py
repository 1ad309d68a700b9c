"""Rounding that never flatters: results go up (or curves down) whenever floating point is inexact."""

import math
from fractions import Fraction

import numpy as np

from discreet.guarantees.checks import Floats

UNIT = 2.0**-52
"""One unit in the last place of 1.0."""


def up(exact: Fraction) -> float:
    """Return the smallest float that is not below ``exact`` (infinity when there is no finite one).

    >>> up(Fraction(1, 2)), up(Fraction(1, 10)) > Fraction(1, 10)
    (0.5, True)
    """
    try:
        near = float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.nextafter(math.inf, 0.0)
    return math.nextafter(near, math.inf) if near < exact else near


def down(exact: Fraction) -> float:
    """Return the largest float that is not above ``exact``.

    >>> down(1 - Fraction(1e-20)) < 1.0
    True
    """
    return -up(-exact)


def add_up(*numbers: float) -> float:
    """Return the sum, exact where a float can hold it and rounded up where none can.

    >>> add_up(0.5, 0.25), add_up(0.1, 0.7), 0.1 + 0.7
    (0.75, 0.8, 0.7999999999999999)
    """
    return up(sum((Fraction(number) for number in numbers), Fraction(0)))


def root_up(exact: Fraction) -> float:
    """Return the square root: exact where a float can hold it, otherwise rounded up.

    >>> root_up(Fraction(25)), Fraction(root_up(Fraction(2))) ** 2 > 2
    (5.0, True)
    """
    square = (exact.numerator * exact.denominator) << 256  # 128 bits after the point
    root = math.isqrt(square)
    root += root * root < square
    return up(Fraction(root, exact.denominator << 128))


def raised(value: float, units: int = 8) -> float:
    """Return ``value`` a few units in the last place higher, to cover the error of computing it.

    >>> 1.0 < raised(1.0) < 1.0 + 1e-14, raised(0.0) > 0.0
    (True, True)
    """
    return math.nextafter(value * (1 + units * UNIT), math.inf)


def minus_down(start: float, amounts: Floats) -> Floats:
    """Return ``start - amounts``, rounded down where a float cannot hold it.

    >>> minus_down(1.0, np.array([0.25, 1e-300])).tolist()
    [0.75, 0.9999999999999999]
    """
    rest = start - amounts
    lost = rest - start  # Knuth's two-sum: start - amounts is exactly rest + error
    error = (start - (rest - lost)) - (amounts + lost)
    return np.where(error < 0, np.nextafter(rest, -np.inf), rest)
