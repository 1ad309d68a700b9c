"""Scripted bits reach what no float could: every outcome at any gap, and both sides of every undecided coin.

Here actions are looked at all at once; how single rows are visited first is tested in test_visits.py.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import chain, repeat
from typing import Any

import mpmath
import numpy as np
import pytest

from discreet.entropy import Entropy, ScriptedEntropy, SeededEntropy
from discreet.losses import UNITS
from discreet.selection import NoisyMax, PermuteAndFlip, Softmax
from discreet.selection.coins import FEW, LEAST_VISITS, enclosure, heads
from discreet.selection.noisy_max import geometric
from tests.selection import references

GAPS = [50.0, 700.0, 1000.0]  # in units of 1/rate: e^-1000 is no float
WORD = "{:064b}".format


def far_off(gap: float, rate: float) -> tuple[list[int], int]:
    """Totals whose last action lies `gap`/rate behind the first, and how many zero bits reach e^-gap."""
    return [0, 3 * round(gap / rate * UNITS), round(gap / rate * UNITS)], int(gap / 0.69) + 2


FAR = 2**62


def crowded(totals: list[int]) -> tuple[list[int], str]:
    """The same with so many hopeless actions behind the first that a few visits are not all, and visits in vain."""
    many = [totals[0], *[FAR] * FEW, *totals[1:]]
    share = 2**64 // len(many)
    return many, WORD(2 * share - 1) * LEAST_VISITS  # the second action, a coin of ones


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("rate", [0.05, 1.0, 7.3])
def test_permute_and_flip_can_take_an_action_far_behind(gap: float, rate: float) -> None:
    totals, zeros = far_off(gap, rate)
    totals, in_vain = crowded(totals)
    first_bits = in_vain + "0" * 16 + "1" * 16 * (FEW + 1) + "0" * 16
    refined = "0" * (64 * -(-(zeros - 16) // 64))
    pick = {False: "0" * 64, True: "1" + "0" * 63}  # of the two heads, the first or the last
    for last in (False, True):
        script = ScriptedEntropy(first_bits + refined + pick[last])
        assert PermuteAndFlip(rate).sample(totals, script) == (len(totals) - 1 if last else 0)
    # One bit less, and the last action's coin lands tails.
    tails = refined[: zeros - 90] + "1" * (len(refined) - zeros + 90)
    assert PermuteAndFlip(rate).sample(totals, ScriptedEntropy(first_bits + tails + pick[True])) == 0


class Watching(ScriptedEntropy):
    """A script that keeps the bounds it was asked to draw below."""

    def __init__(self, bits: Any) -> None:
        super().__init__(bits)
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        self.bounds.append(bound)
        return super().below(bound)


def last_below(bound: int) -> str:
    """The word from which `below` makes bound - 1."""
    return WORD((bound - 1) << (64 - (bound - 1).bit_length()))


def softmax_bound(totals: list[int], rate: float, in_vain: str) -> int:
    """The sum of softmax's whole-number weights."""
    watching = Watching(chain(map(int, in_vain), repeat(0)))
    Softmax(rate).sample(totals, watching)
    return watching.bounds[0]


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("rate", [0.05, 1.0, 7.3])
def test_softmax_can_take_an_action_far_behind(gap: float, rate: float) -> None:
    totals, zeros = far_off(gap, rate)
    totals, in_vain = crowded(totals)
    script = in_vain + last_below(softmax_bound(totals, rate, in_vain)) + "0" * 64 * (2 + zeros // 64)
    assert Softmax(rate).sample(totals, ScriptedEntropy(script)) == len(totals) - 1


@pytest.mark.parametrize("gap", GAPS[1:])
def test_softmax_takes_an_action_far_behind_no_more_often_than_it_should(gap: float) -> None:
    totals, in_vain = crowded(far_off(gap, 1.0)[0])
    # 64 zeros say only that U < 2^-64; with ones behind them U is far above e^-gap · 2^60, and all starts again.
    script = in_vain + last_below(softmax_bound(totals, 1.0, in_vain)) + "0" * 64 + "1" * 64 + "0" * 128
    assert Softmax(1.0).sample(totals, ScriptedEntropy(script)) == 0


@pytest.mark.parametrize("gap", [30.0, 43.0, 60.0, 80.0, 87.0, 95.0, 120.0])
def test_softmax_keeps_an_action_behind_exactly_when_the_toss_says_so(gap: float) -> None:
    totals, in_vain = crowded([0, round(gap * UNITS)])
    bound = softmax_bound(totals, 1.0, in_vain)
    # The last weight is what the sum has over all others'; the ratio to keep is 2^S e^-gap / weight.
    scale = 62 - len(totals).bit_length()
    with mpmath.workdps(200):
        exact = mpmath.ldexp(mpmath.exp(-mpmath.mpf(totals[-1]) / UNITS), scale)
        weight = bound - softmax_weight_of_others()
        assert weight >= exact  # weights are never below 2^S · exp(-rate · gap)
        for bits in (64, 128, 192):
            edge = references.expansion(exact / weight, bits)
            for toss, kept in ((edge - 1, True), (edge + 1, False)):
                if toss >= 0:
                    tail = ("1" if kept else "0") * 256
                    script = in_vain + last_below(bound) + f"{toss:0{bits}b}" + tail
                    assert Softmax(1.0).sample(totals, ScriptedEntropy(script)) == (len(totals) - 1 if kept else 0)


def softmax_weight_of_others() -> int:
    """The weights of all but the last: those of a vector whose last weighs 1, the least there is."""
    totals, in_vain = crowded([0, FAR])
    return softmax_bound(totals, 1.0, in_vain) - 1


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("scale", [0.3, 1.0, 20.0])
def test_noisy_max_can_take_an_action_far_behind(gap: float, scale: float) -> None:
    totals, zeros = far_off(gap, 1 / scale)
    half = "1" + "0" * 63
    plus, minus = [half, half, "0" * 64], ["1" * 64] * 3
    script = "".join(plus + minus) + "0" * 64 * (zeros // 64 + 1) + "1" * 64
    # Noise of half·scale on the leader, of more than (gap + 1)·scale on the last one.
    assert NoisyMax(scale).sample(totals, ScriptedEntropy(script)) == 2
    assert NoisyMax(scale).sample(totals, ScriptedEntropy("".join([half] * 6) + script)) == 0


CASES = [(rate, gap) for rate in (0.013, 0.37, 1.0, 5.5) for gap in (1, 1000, UNITS // 3, 2 * UNITS, 9 * UNITS)]


@pytest.mark.parametrize("runs", [2, 3])
@pytest.mark.parametrize(("rate", "gap"), CASES)
def test_an_undecided_flip_is_decided_on_the_right_side(rate: float, gap: int, runs: int) -> None:
    """The first 16 bits are those of p itself, and so are 0, 64 or 128 more; only then U and p part."""
    totals = [[0, gap]] * runs
    with mpmath.workdps(200):
        p = mpmath.exp(-mpmath.mpf(rate) * gap / UNITS)
        for more in (0, 64, 128):
            edge = references.expansion(p, 16 + more)
            for drawn, lands in ((edge - 1, True), (edge + 1, False)):
                if drawn < 0:
                    continue
                bits = f"{drawn:0{16 + more}b}"
                refined = bits[16:] if bits[:16] == f"{references.expansion(p, 16):016b}" else ""
                script = ("0" * 16 + bits[:16]) * runs + refined * runs
                endless = chain(map(int, script), repeat(int(lands)))
                taken = PermuteAndFlip(rate).sample(totals, ScriptedEntropy(endless))
                assert np.all(np.asarray(taken) == int(lands)), (more, lands)


@pytest.mark.parametrize("exponent", [1e-5, 0.01, 0.3, 1.0, 2.5, 7.0, 11.5])
def test_one_coin_over_all_first_words(exponent: float) -> None:
    """Heads for exactly floor(2^16 p) first words, tails for all above, and one word between is left open."""
    gap = round(exponent * UNITS)
    with mpmath.workdps(60):
        below = references.expansion(mpmath.exp(-mpmath.mpf(gap) / UNITS), 16)
    first = np.arange(2**16)
    words = np.stack([np.zeros_like(first), first], axis=1)
    script = np.unpackbits(np.frombuffer(words.astype(">u2").tobytes(), dtype=np.uint8)).tolist()
    totals = np.tile(np.array([0, gap]), (2**16, 1))
    # Ones after the first word: the open coin lands tails, and of two heads the second is taken.
    high = np.asarray(PermuteAndFlip(1.0).sample(totals, ScriptedEntropy(chain(script, repeat(1)))))
    assert high.tolist() == (first < below).astype(int).tolist()
    # A zero word first: the open coin lands heads.
    low = np.asarray(PermuteAndFlip(1.0).sample(totals, ScriptedEntropy(chain(script, repeat(0, 64), repeat(1)))))
    assert low.tolist() == (first <= below).astype(int).tolist()


@pytest.mark.parametrize("digits", [30, 50, 90])
def test_the_enclosure_encloses_and_is_tight(digits: int) -> None:
    draw = random.Random(3)
    for _ in range(60):
        exponent = Fraction(draw.randrange(1, 2**60), 2 ** draw.randrange(0, 120))
        if exponent > 10**6:
            exponent /= 2**60
        factor = Fraction(draw.randrange(1, 2**70), draw.randrange(1, 2**70))
        low, high = (Fraction(end) for end in enclosure(factor, exponent, digits))
        with mpmath.workdps(digits + 60):
            exact = references.exp_of(exponent, digits + 60) * factor.numerator / factor.denominator
            ends = [mpmath.mpf(end.numerator) / end.denominator for end in (low, high)]
            assert ends[0] <= exact <= ends[1]
            assert ends[1] - ends[0] <= exact * mpmath.mpf(10) ** (4 - digits)


def test_the_enclosure_of_certainty_is_certain() -> None:
    assert enclosure(Fraction(7, 3), Fraction(0), 30) == (Fraction(7, 3), Fraction(7, 3))
    for drawn in (0, 2**16 - 1):
        assert heads(drawn, 16, Fraction(1), Fraction(0), ScriptedEntropy(""))


def test_the_enclosure_at_extreme_exponents() -> None:
    for exponent in (Fraction(1, 10**300), Fraction(5e-324)):
        low, high = (Fraction(end) for end in enclosure(Fraction(1), exponent, 30))
        assert 1 - Fraction(1, 10**28) <= low < 1 - exponent < high
    for exponent in (Fraction(10**6), Fraction(2**40)):  # e^-(2^40) has 4.8e11 zeros after the point
        ends = enclosure(Fraction(1), exponent, 30)
        with mpmath.workdps(40):
            exact = mpmath.exp(-exponent.numerator)
            assert mpmath.mpf(str(ends[0])) < exact < mpmath.mpf(str(ends[1]))


def test_coins_agree_with_a_comparison_in_long_arithmetic() -> None:
    draw, landed = random.Random(5), 0
    for _ in range(1500):
        bits = draw.choice([16, 64])
        exponent = Fraction(draw.random() * draw.choice([0.01, 1.0, 10.0])) + Fraction(draw.randrange(2**80), 2**90)
        factor = Fraction(draw.randrange(2**60, 2**61), 2**61)
        with mpmath.workdps(150):
            p = references.exp_of(exponent, 150) * factor.numerator / factor.denominator
            agreed = draw.choice([0, bits // 2, bits, bits + 64])  # how many bits of U are those of p
            start = references.expansion(p, agreed)
            rest = bits + 256 - agreed
            long = start << rest | draw.getrandbits(rest)
            exact = mpmath.mpf(long) < mpmath.ldexp(p, bits + 256)
            script = ScriptedEntropy(f"{long & (2**256 - 1):0256b}")
        assert heads(long >> 256, bits, factor, exponent, script) == exact
        landed += exact
    assert 300 < landed < 1200


@pytest.mark.parametrize("hair", [2**-60, 2**-120, 2**-200])
def test_a_coin_a_hair_from_a_whole_number_of_draws_is_not_decided_early(hair: float) -> None:
    """p is 12345 / 2^16 and a hair more or less: only hundreds of digits tell on which side U = 12345 / 2^16 lies."""
    factor, exponent = Fraction(12_345, 2**16), Fraction(hair) / 2**20
    for more, tail, lands in ((True, "0", True), (False, "0", False), (True, "1", False), (False, "1", False)):
        shifted = factor * (1 + Fraction(hair)) if more else factor
        assert heads(12_345, 16, shifted, exponent, ScriptedEntropy(tail * 640)) == lands
        assert heads(12_344, 16, shifted, exponent, ScriptedEntropy("0" * 640))
    assert not heads(12_344, 16, factor, exponent, ScriptedEntropy("1" * 640))


def exact_geometric(u: Any, scale: Fraction) -> int:
    return int(mpmath.floor(-mpmath.mpf(scale.numerator) / scale.denominator * mpmath.log(u)))


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(1), Fraction(7.3), Fraction(1000), Fraction(2.0**21)])
def test_geometric_noise_is_the_floor_of_the_logarithm(scale: Fraction) -> None:
    draw = random.Random(7)
    for _ in range(150):
        long = draw.getrandbits(64 * 6) >> draw.choice([0, 0, 3, 40, 64, 130])
        long |= 1  # a number above 0 with bits to the end
        with mpmath.workdps(200):
            exact = exact_geometric(mpmath.ldexp(long, -64 * 6), scale)
        script = ScriptedEntropy(f"{long & (2**320 - 1):0320b}")
        assert geometric(long >> 320, 64, scale, script) == exact


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(1), Fraction(7.3), Fraction(1000)])
@pytest.mark.parametrize("n", [1, 2, 17, 40])
def test_geometric_noise_is_n_or_more_exactly_when_u_is_at_most_its_exponential(scale: Fraction, n: int) -> None:
    with mpmath.workdps(300):
        edge = references.expansion(references.exp_of(n / scale, 300), 192)
    for long, noise_is_n in ((edge - 1, True), (edge + 1, False)):
        script = ScriptedEntropy(chain(map(int, f"{long & (2**128 - 1):0128b}"), repeat(int(noise_is_n))))
        assert (geometric(long >> 128, 64, scale, script) >= n) == noise_is_n


def test_noisy_max_sees_a_difference_of_one_unit_that_floats_cannot() -> None:
    """Scores one unit apart at a scale where the float estimate's error is many units."""
    scale = 1e6
    words = [WORD(2**63 + 12_345)] * 2 + [WORD(2**62 + 999)] * 2  # the same noise for both actions
    for totals, best in (([0, 1], 0), ([1, 0], 1)):
        for tail in ("0", "1"):
            assert NoisyMax(scale).sample(totals, ScriptedEntropy("".join(words) + tail * 64 * 12)) == best


def test_filters_leave_the_law_alone_when_every_draw_is_refined() -> None:
    """The same draws through the filter and through exact arithmetic alone give the same actions."""
    selection, gap = PermuteAndFlip(1.0), UNITS // 2
    totals = np.tile(np.array([0, gap]), (3000, 1))
    drawn = SeededEntropy(4).numbers(6000, 16).reshape(3000, 2)
    with mpmath.workdps(40):
        p = mpmath.exp(-mpmath.mpf(gap) / UNITS)
        sure = [mpmath.mpf(int(second) + 1) / 2**16 <= p for second in drawn[:, 1]]
    entropy: Entropy = ScriptedEntropy(
        chain(np.unpackbits(np.frombuffer(drawn.astype(">u2").tobytes(), dtype=np.uint8)).tolist(), repeat(1))
    )
    assert np.asarray(selection.sample(totals, entropy)).tolist() == [int(head) for head in sure]
