"""Enclosures of the normal tail against mpmath, and roundings that need them."""

from __future__ import annotations

import random
from fractions import Fraction
from math import floor

import mpmath
import pytest

from discreet.entropy import ScriptedEntropy, SeededEntropy
from discreet.exact import enclosure, geometric, nearest, two_tails
from discreet.exact import normal as module
from tests.mechanisms import references

SIZES = [Fraction(1, 10**9), Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(9), Fraction(30), Fraction(45)]


@pytest.mark.parametrize("bits", [1, 40, 95, 700, 1600])
@pytest.mark.parametrize("x", SIZES, ids=str)
def test_the_tail_lies_within_and_the_ends_are_near(x: Fraction, bits: int) -> None:
    with mpmath.workprec(bits + 2000):
        exact = references.two_tails(x) * mpmath.mpf(2) ** bits
        low, high = two_tails(x, bits)
        assert low <= exact <= high
        assert high - low <= 2


def test_random_tails_lie_within() -> None:
    draw = random.Random(1)
    with mpmath.workprec(1500):
        for _ in range(300):
            x = Fraction(draw.getrandbits(60), draw.getrandbits(58) + 1) % 40
            low, high = two_tails(x, bits := draw.randrange(20, 400))
            assert low <= references.two_tails(x) * mpmath.mpf(2) ** bits <= high


def test_nothing_lies_below_zero() -> None:
    assert two_tails(Fraction(0), 10) == two_tails(Fraction(-3), 10) == (1024, 1024)


def test_pi_is_pi() -> None:
    with mpmath.workprec(5000):
        for work in (64, 640, 4096):
            low, high = module._pi(work)
            assert low <= mpmath.pi * mpmath.mpf(2) ** work <= high
            assert high - low < 100 * work


@pytest.mark.parametrize("zeros", [0, 1, 62, 200, 700])
@pytest.mark.parametrize("offset", [Fraction(0), Fraction(1, 3), Fraction(-1, 2)], ids=str)
def test_a_rounded_size_is_that_of_many_digits(zeros: int, offset: Fraction) -> None:
    """U = 0.00...0 and then ones and zeros: sizes out to 30 standard deviations."""
    tail = random.Random(zeros).getrandbits(4000)
    script = "0" * zeros + f"1{tail:04000b}"
    with mpmath.workprec(6000):
        size = references.size_at(mpmath.mpf(int(script, 2)) / mpmath.mpf(2) ** len(script))
        for scale in (Fraction(7, 3), Fraction(10**7)):
            expected = int(mpmath.floor(references.in_digits(offset) + references.in_digits(scale) * size + 0.5))
            first = int(script[:63], 2)
            assert nearest(first, 63, scale, offset, ScriptedEntropy(script[63:])) == expected


def test_bits_are_asked_for_only_where_they_decide() -> None:
    silent = ScriptedEntropy("")
    assert nearest(2**62, 63, Fraction(1000), Fraction(0), silent) == 674
    border = two_tails(Fraction(1349, 2000), 63)[0]  # U of this word begins as the border of 674 and 675 does
    with pytest.raises(EOFError):
        nearest(border, 63, Fraction(1000), Fraction(0), silent)
    assert nearest(border, 63, Fraction(1000), Fraction(0), ScriptedEntropy("0" * 64)) == 675
    assert nearest(border, 63, Fraction(1000), Fraction(0), ScriptedEntropy("1" * 64)) == 674


def test_known_ends_do_not_change_the_answer() -> None:
    draw = random.Random(5)
    for _ in range(50):
        drawn, scale = draw.getrandbits(63), Fraction(draw.randrange(1, 10**6), 7)
        alone = nearest(drawn, 63, scale, Fraction(1, 4), SeededEntropy(1))
        ends = max(0, alone - draw.randrange(3)), alone + draw.randrange(3)
        assert nearest(drawn, 63, scale, Fraction(1, 4), SeededEntropy(1), ends) == alone


def test_the_old_names_are_the_same_functions() -> None:
    from discreet.selection import coins, noisy_max

    assert coins.enclosure is enclosure
    assert noisy_max.geometric is geometric


def test_a_geometric_number_is_that_of_many_digits() -> None:
    with mpmath.workdps(60):
        assert geometric(3, 64, Fraction(10), ScriptedEntropy("0" * 64)) == floor(
            10 * mpmath.log(mpmath.mpf(2) ** 64 / 3)
        )
