"""Geometric numbers, floor(-scale · log U), decided exactly."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

from discreet.exact.words import Words


def geometric(drawn: int, bits: int, scale: Fraction, words: Words) -> int:
    """floor(-scale · log U), where the binary expansion of U begins with `bits` bits of `drawn`.

    It is n or more with probability exp(-n/scale) exactly.

    >>> from discreet.entropy import ScriptedEntropy
    >>> geometric(2**63, 64, Fraction(1000), ScriptedEntropy("0" * 64))  # U = 1/2: 1000 · log 2 = 693.1
    693
    """
    digits = 40
    while True:
        if drawn:
            most = _times_minus_log(Fraction(drawn, 2**bits), scale, digits, +1)
            least = _times_minus_log(Fraction(drawn + 1, 2**bits), scale, digits, -1)
            if most // 1 == least // 1:
                return int(most // 1)
        drawn, bits, digits = drawn << 64 | words.word(), bits + 64, digits + 20


def _times_minus_log(u: Fraction, scale: Fraction, digits: int, side: int) -> Fraction:
    """A bound of -scale · log(u) from above (side +1) or below (side -1), to about `digits` digits.

    u is a whole number over a power of two, so its logarithm is that of one whole number less that of another;
    each is rounded correctly, and one unit in the last place of the larger covers both.
    """
    context = Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX)
    numerator, denominator = (Fraction(context.ln(Decimal(n))) for n in (u.numerator, u.denominator))
    slack = (numerator + denominator) / 10 ** (digits - 1)
    bound: Fraction = max(denominator - numerator + side * slack, Fraction(0))
    return scale * bound
