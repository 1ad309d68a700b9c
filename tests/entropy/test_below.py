"""Whole numbers below a bound, exactly uniform."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from discreet.entropy import ScriptedEntropy, SeededEntropy, SystemEntropy
from tests.chances import assert_fits


@pytest.mark.parametrize("bound", [2, 3, 5, 6, 7, 10, 100, 129])
def test_every_number_below_is_equally_likely(bound: int) -> None:
    entropy = SeededEntropy(bound)
    drawn = Counter(entropy.below(bound) for _ in range(400 * bound))
    assert_fits([drawn[i] for i in range(bound)], np.full(bound, 1 / bound))
    assert sum(drawn.values()) == sum(drawn[i] for i in range(bound))


@pytest.mark.parametrize("bound", [3 * 2**62, 2**63 + 1, 2**64 - 1, 2**64, 2**64 + 1, 3 * 2**64, 10**40, 2**128 + 1])
def test_large_bounds_are_filled_evenly(bound: int) -> None:
    entropy = SeededEntropy(1)
    drawn = [entropy.below(bound) for _ in range(8000)]
    assert max(drawn) < bound
    assert_fits(np.bincount([16 * number // bound for number in drawn], minlength=16), np.full(16, 1 / 16))
    assert_fits(np.bincount([number % 2 for number in drawn], minlength=2), [0.5, 0.5])


@pytest.mark.parametrize("bound", [2, 3, 5, 8, 9])
def test_words_are_shared_out_equally_to_the_last_bit(bound: int) -> None:
    # Only the leading bits of a word count: going through them all shows what every number gets.
    width = (bound - 1).bit_length()
    gets = [ScriptedEntropy(f"{top:0{width}b}" + "0" * 200).below(bound) for top in range(2**width)]
    again = 2**width - bound  # drawn once more, here from zeros
    assert sorted(gets) == sorted([*range(bound), *[0] * again])


def test_only_one_possibility_costs_no_bits() -> None:
    empty = ScriptedEntropy("")
    assert empty.below(1) == 0
    assert empty.below_each(np.array([1, 1, 1])).tolist() == [0, 0, 0]
    assert empty.below_each(np.array([1])).tolist() == [0]
    assert SystemEntropy().below(1) == 0


def test_a_power_of_two_never_draws_twice() -> None:
    for power in (1, 2, 31, 62, 63, 64, 65, 127, 128):
        bits = 64 if power <= 64 else 128
        assert ScriptedEntropy("1" * bits).below(2**power) == 2**power - 1


def test_each_bound_has_its_own_uniform_number() -> None:
    bounds = np.array([1, 2, 3, 5, 100, 7])
    entropy = SeededEntropy(4)
    drawn = np.array([entropy.below_each(bounds) for _ in range(30_000)])
    assert drawn[:, 0].max() == 0
    for column, bound in zip(drawn.T, bounds.tolist(), strict=True):
        assert_fits(np.bincount(column, minlength=bound), np.full(bound, 1 / bound))
    together = np.bincount(drawn[:, 2] * 7 + drawn[:, 5], minlength=21)
    assert_fits(together, np.full(21, 1 / 21))  # and they are independent


EDGES = [2**k + d for k in (31, 52, 53, 54, 61, 62) for d in (-1, 0, 1)] + [3 * 2**61, 2**63 - 1025, 2**63 - 1]


@pytest.mark.parametrize("bound", EDGES)
def test_many_at_once_have_the_support_of_one_at_a_time(bound: int) -> None:
    drawn = SeededEntropy(6).below_each(np.full(4000, bound, dtype=np.int64))
    assert drawn.min() >= 0
    assert drawn.max() < bound
    assert_fits(np.bincount([16 * number // bound for number in drawn.tolist()], minlength=16), np.full(16, 1 / 16))
    (single,) = SeededEntropy(6).below_each(np.array([bound])).tolist()
    assert single == SeededEntropy(6).below(bound)
