"""Proved enclosures of e^-x, to any number of digits.

`decimal` rounds its exponential correctly, and every other step is rounded outward, so the two ends enclose.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction


def enclosure(factor: Fraction, exponent: Fraction, digits: int) -> tuple[Decimal | Fraction, Decimal | Fraction]:
    """Two numbers with factor · e^-exponent between them, about 10^-digits apart, relatively.

    >>> low, high = enclosure(Fraction(1), Fraction(1), 20)
    >>> float(low), float(high - low) < 1e-18
    (0.36787944117144233, True)
    """
    if exponent == 0:
        return factor, factor
    down, up = (_context(digits, rounding) for rounding in (ROUND_FLOOR, ROUND_CEILING))
    low = down.next_minus(down.exp(_quotient(exponent, digits, ROUND_CEILING).copy_negate()))
    high = up.next_plus(up.exp(_quotient(exponent, digits, ROUND_FLOOR).copy_negate()))
    return (
        down.multiply(low, down.divide(Decimal(factor.numerator), Decimal(factor.denominator))),
        up.multiply(high, up.divide(Decimal(factor.numerator), Decimal(factor.denominator))),
    )


def _context(digits: int, rounding: str) -> Context:
    return Context(prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX)


def _quotient(value: Fraction, digits: int, rounding: str) -> Decimal:
    """The fraction as a decimal, rounded in the given direction, with `digits` digits after the point at least."""
    whole_digits = len(str(value.numerator // value.denominator))
    return _context(digits + whole_digits, rounding).divide(Decimal(value.numerator), Decimal(value.denominator))
