"""Blocks and prefixes, fixed before the first loss."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from discreet.entropy import ScriptedEntropy, SeededEntropy
from discreet.losses import MAX_ROUNDS
from discreet.schedules import Schedule, dyadic, growing
from tests.chances import assert_fits


@pytest.mark.parametrize("random_prefix", [False, True])
def test_dyadic_block_r_is_the_rounds_from_2_to_the_r_on(random_prefix: bool) -> None:
    schedule = dyadic(random_prefix)
    for block, end in enumerate(schedule.ends):
        start = schedule.ends[block - 1] if block else 0
        # Counted from 1, as the paper does: 2^r .. 2^(r+1) - 1.
        assert (start + 1, end) == (2**block, 2 ** (block + 1) - 1)
    assert schedule.lengths.tolist() == [2**block for block in range(43)]
    assert schedule.ends[-1] == MAX_ROUNDS


def test_the_prefixes_that_are_possible_are_the_second_half() -> None:
    schedule = dyadic(random_prefix=True)
    assert list(schedule.prefix_counts(0)) == [1]
    for block in range(1, 12):
        assert schedule.prefix_counts(block) == range(2 ** (block - 1) + 1, 2**block + 1)


def test_without_random_prefixes_the_whole_block_counts() -> None:
    schedule = growing(3)
    for block in range(5):
        assert list(schedule.prefix_counts(block)) == [3**block]
    # The same for every run, and no bits are used.
    assert schedule.draw_prefixes(100, ScriptedEntropy("")).tolist() == [schedule.lengths.tolist()]


def test_prefixes_are_uniform_on_the_second_half() -> None:
    schedule = dyadic(random_prefix=True)
    drawn = schedule.draw_prefixes(20_000, SeededEntropy(8))
    assert drawn.shape == (20_000, 43)
    assert set(drawn[:, 0].tolist()) == {1}
    assert set(drawn[:, 1].tolist()) == {2}
    for block in range(2, 8):
        counts = schedule.prefix_counts(block)
        assert set(drawn[:, block].tolist()) <= set(counts)
        assert_fits(
            np.bincount(drawn[:, block] - counts[0], minlength=len(counts)), np.full(len(counts), 1 / len(counts))
        )
    for block in range(8, 43):
        half = 2 ** (block - 1)
        assert drawn[:, block].min() > half
        assert drawn[:, block].max() <= 2 * half
        assert_fits(np.bincount((drawn[:, block] - half - 1) * 16 // half, minlength=16), np.full(16, 1 / 16))


def test_prefixes_of_different_blocks_and_runs_are_independent() -> None:
    drawn = dyadic(random_prefix=True).draw_prefixes(20_000, SeededEntropy(8))
    pairs = 4 * (drawn[:, 3] - 5) + (drawn[:, 4] - 9) // 2
    assert_fits(np.bincount(pairs, minlength=16), np.full(16, 1 / 16))
    neighbors = 4 * (drawn[:-1:2, 3] - 5) + (drawn[1::2, 3] - 5)
    assert_fits(np.bincount(neighbors, minlength=16), np.full(16, 1 / 16))


@pytest.mark.parametrize("growth", [2, 3, Fraction(12, 5), Fraction(3, 2), Fraction(2.718281828), Fraction(11, 10)])
@pytest.mark.parametrize("lengths", [(1,), (1, 42), (5, 3, 9)])
def test_blocks_grow_by_the_rule_up_to_the_last_round_that_fits(
    growth: Fraction | int, lengths: tuple[int, ...]
) -> None:
    schedule = growing(growth, lengths)
    got = schedule.lengths.tolist()
    assert tuple(got[: len(lengths)]) == lengths
    for before, after in zip(got[len(lengths) - 1 : -2], got[len(lengths) : -1], strict=True):
        assert after == math.ceil(before * Fraction(growth))
    assert 1 <= got[-1] <= math.ceil(got[-2] * Fraction(growth))
    assert schedule.ends[-1] == sum(got) == MAX_ROUNDS
    assert list(schedule.ends) == np.cumsum(got).tolist()


def test_a_first_block_longer_than_all_rounds_is_cut() -> None:
    assert growing(2, (1, MAX_ROUNDS)).ends == (1, MAX_ROUNDS)
    assert growing(2, (MAX_ROUNDS * 3,)).ends == (MAX_ROUNDS,)


@pytest.mark.parametrize("growth", [1, 0, -2, Fraction(1, 2)])
def test_blocks_that_do_not_grow_are_refused(growth: Fraction | int) -> None:
    with pytest.raises(ValueError, match="growth is"):
        growing(growth)


@pytest.mark.parametrize("lengths", [(0,), (1, 0), (-1, 5)])
def test_blocks_without_rounds_are_refused(lengths: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="at least one round"):
        growing(2, lengths)


def test_schedules_are_values() -> None:
    assert dyadic() == growing(2)
    assert dyadic() != dyadic(random_prefix=True)
    assert eval(repr(dyadic()), {"Schedule": Schedule}) == dyadic()
