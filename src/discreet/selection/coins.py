"""Coins that land heads with probability factor · e^-exponent exactly: the last resort of every filter.

A selection decides in floating point with an error bound, from the first bits of a uniform number U. Where that
cannot decide, it hands those bits over, and U is compared with the exact probability: more bits of U and more
digits of e^-x until they part. `decimal` rounds its exponential correctly, and every other step is rounded
outward, so the two ends are a proved enclosure.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from discreet.entropy import Entropy

#: Bound on the relative error of a float estimate of e^-x for x up to 745. Its argument carries two roundings,
#: 2 · 745 · 2^-53, and exp itself a few units in the last place: less than 2^-41 together.
RELATIVE_ERROR = 2.0**-40


def heads(drawn: int, bits: int, factor: Fraction, exponent: Fraction, entropy: Entropy) -> bool:
    """Whether U < factor · e^-exponent, where the binary expansion of U begins with `bits` bits of `drawn`.

    >>> from discreet.entropy import ScriptedEntropy
    >>> zeros = ScriptedEntropy("0" * 10_000)
    >>> heads(0, 16, Fraction(1), Fraction(1000), zeros)  # an event of probability e^-1000 can happen
    True
    """
    digits = 30
    while True:
        low, high = enclosure(factor * 2**bits, exponent, digits)
        if drawn + 1 <= low:
            return True
        if drawn >= high:
            return False
        drawn, bits, digits = drawn << 64 | entropy.word(), bits + 64, digits + 20


def enclosure(factor: Fraction, exponent: Fraction, digits: int) -> tuple[Decimal | Fraction, Decimal | Fraction]:
    """Two numbers with factor · e^-exponent between them, about 10^-digits apart, relatively."""
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
