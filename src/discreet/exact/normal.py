"""Normal numbers rounded to whole numbers, decided exactly.

A standard normal Z has a random sign and a size m with P(m > x) = P(|Z| > x). The size is drawn as the m at which
that probability equals a uniform number U. Whether m lies beyond x is whether U is below P(|Z| > x): more bits of U,
and more bits of the probability, until they part.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isqrt

from discreet.exact.exponential import enclosure
from discreet.exact.words import Words

_GUARD = 32  # further bits of a probability than of the uniform number that it is compared with


def nearest(
    drawn: int,
    bits: int,
    scale: Fraction,
    offset: Fraction,
    words: Words,
    between: tuple[int, int] | None = None,
) -> int:
    """floor(offset + scale · m + 1/2), where U, of which m is made, begins with `bits` bits of `drawn`.

    `offset` is at least -1/2, so the result is 0 or more; `between` says where it is known to lie.

    >>> from discreet.entropy import ScriptedEntropy
    >>> nearest(2**63, 64, Fraction(1000), Fraction(0), ScriptedEntropy("0" * 64))  # U = 1/2: m = 0.67449
    674
    """
    while not drawn:
        drawn, bits = words.word(), bits + 64
    most = _most(bits - drawn.bit_length() + 1, scale, offset)  # no border further out need be looked at
    low, high = (between[0], min(between[1], most)) if between else (0, most)
    while low < high:
        middle = (low + high + 1) // 2
        x = (middle - Fraction(1, 2) - offset) / scale
        below, drawn, bits = _below(drawn, bits, x, words)
        low, high = (middle, high) if below else (low, middle - 1)
    return low


def _most(zeros: int, scale: Fraction, offset: Fraction) -> int:
    """A bound on the result where U >= 2^-zeros: P(|Z| > x) <= e^(-x^2 / 2), so m^2 <= 2 · zeros · log 2."""
    return floor(offset + scale * (isqrt(2 * zeros) + 1)) + 1


def _below(drawn: int, bits: int, x: Fraction, words: Words) -> tuple[bool, int, int]:
    """Whether U < P(|Z| > x), and the bits of U that are known by then."""
    while True:
        low, high = two_tails(x, bits + _GUARD)
        if (drawn + 1) << _GUARD <= low:
            return True, drawn, bits
        if drawn << _GUARD >= high:
            return False, drawn, bits
        drawn, bits = drawn << 64 | words.word(), bits + 64


def two_tails(x: Fraction, bits: int) -> tuple[int, int]:
    """Two whole numbers with 2^bits · P(|Z| > x) between them, for a standard normal Z.

    P(|Z| <= x) = sqrt(2 / pi) · e^(-x^2 / 2) · (x + x^3 / 3 + x^5 / (3 · 5) + ...). All terms are positive; each is
    kept as two whole numbers that are rounded outward. Where terms at least halve, the last bounds all that follow.

    >>> low, high = two_tails(Fraction(1), 40)
    >>> high - low, round(low / 2**40, 10)
    (1, 0.3173105079)
    """
    if x <= 0:
        return 1 << bits, 1 << bits
    square = x * x
    # The terms grow up to about e^(x^2 / 2) times the first, and with them the rounding of the first.
    work = -(-(bits + ceil(square * 3 / 4) + 64) // 64) * 64
    low, high = _first_term(x, square, work)
    within, at_most, odd = low, high, 1
    while odd + 2 < 2 * square or high > 1:
        odd += 2
        low = low * square.numerator // (square.denominator * odd)
        high = -(-high * square.numerator // (square.denominator * odd))
        within, at_most = within + low, at_most + high
    shift, one = work - bits, 1 << work
    return max(0, one - at_most - high) >> shift, -((within - one) >> shift)


def _first_term(x: Fraction, square: Fraction, work: int) -> tuple[int, int]:
    """Whole numbers with 2^work · sqrt(2 / pi) · x · e^(-x^2 / 2) between them."""
    low, high = enclosure(x * (1 << work), square / 2, work * 302 // 1000 + 10)
    root_low, root_high = _root(work)
    return floor(low) * root_low >> work, -(-ceil(high) * root_high >> work)


@lru_cache(maxsize=64)
def _root(work: int) -> tuple[int, int]:
    """Whole numbers with 2^work · sqrt(2 / pi) between them."""
    low, high = _pi(work)
    return isqrt((2 << 3 * work) // high), isqrt((2 << 3 * work) // low) + 1


def _pi(work: int) -> tuple[int, int]:
    """Whole numbers with 2^work · pi between them, by Machin's formula 16 arctan(1/5) - 4 arctan(1/239)."""
    (first, error), (second, more) = _arctan(5, work), _arctan(239, work)
    slack = 16 * error + 4 * more
    return 16 * first - 4 * second - slack, 16 * first - 4 * second + slack


def _arctan(n: int, work: int) -> tuple[int, int]:
    """2^work · arctan(1/n) and a bound on its error: two roundings a term, and the first term that is left out."""
    power, total, odd, sign = (1 << work) // n, 0, 1, 1
    while power:
        total += sign * (power // odd)
        power, odd, sign = power // (n * n), odd + 2, -sign
    return total, odd + 1
