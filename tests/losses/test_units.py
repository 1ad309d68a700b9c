"""Losses become whole units: rounding, exact totals, and one sentence for what is not a loss."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.losses import MAX_ROUNDS, UNITS, to_units

LOSSES = st.floats(0, 1)
REPEATABLE = settings(derandomize=True, deadline=None, max_examples=300)


@REPEATABLE
@given(LOSSES)
def test_a_loss_becomes_the_nearest_whole_unit(loss: float) -> None:
    (units,) = to_units([loss], 1).tolist()
    assert isinstance(units, int)
    assert abs(units - Fraction(loss) * UNITS) <= Fraction(1, 2)
    assert 0 <= units <= UNITS


@REPEATABLE
@given(LOSSES, LOSSES)
def test_one_round_moves_a_total_by_at_most_one_loss_exactly(one: float, other: float) -> None:
    left, right = to_units([one, other], 2).tolist()
    assert abs(left - right) <= UNITS
    assert (left <= right) == (one <= other) or left == right


def test_the_ends_are_reached_and_rounding_is_not_towards_zero() -> None:
    fine = [0.0, 1.0, 0.6 / UNITS, 0.4 / UNITS, 1 - 0.4 / UNITS, 1 - 0.6 / UNITS]
    assert to_units(fine, 6).tolist() == [0, UNITS, 1, 0, UNITS, UNITS - 1]


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble, np.int8, np.uint64, np.int64])
def test_every_kind_of_number_is_read(kind: type[Any]) -> None:
    units = to_units(np.array([[0, 1], [1, 0]], dtype=kind), 2)
    assert units.dtype == np.int64
    assert units.tolist() == [[0, UNITS], [UNITS, 0]]


def test_the_table_that_was_given_is_not_changed() -> None:
    table = np.array([[0.25, 0.75]])
    to_units(table, 2)
    assert table.tolist() == [[0.25, 0.75]]


def test_totals_are_the_same_in_any_order_and_any_chunks() -> None:
    random = np.random.default_rng(1)
    table = random.random((4000, 3)) * 10.0 ** -random.integers(0, 7, (4000, 1))
    units = to_units(table, 3)
    exact = [sum(column) for column in zip(*units.tolist(), strict=True)]
    assert units.sum(axis=0).tolist() == exact
    for _ in range(20):
        shuffled = table[random.permutation(len(table))]
        cuts = np.sort(random.integers(0, len(table), 5))
        parts = [to_units(part, 3).sum(axis=0) for part in np.split(shuffled, cuts)]
        assert np.sum(parts, axis=0).tolist() == exact


def test_as_many_rounds_fit_as_stated_and_no_more() -> None:
    largest = np.iinfo(np.int64).max
    assert MAX_ROUNDS == 2**43 - 1
    assert MAX_ROUNDS * UNITS <= largest < (MAX_ROUNDS + 1) * UNITS


BAD_VALUES = [np.nan, np.inf, -np.inf, -1e-9, 1 + 1e-9, 2, -1]


@pytest.mark.parametrize("bad", BAD_VALUES)
def test_a_bad_value_in_one_round_is_named_by_action(bad: float) -> None:
    with pytest.raises(ValueError, match=r"action 2 is .*\[0, 1\]") as caught:
        to_units([0.0, 1.0, bad, 0.5], 4)
    assert "\n" not in str(caught.value)
    assert "round" not in str(caught.value)


@pytest.mark.parametrize("bad", BAD_VALUES)
@pytest.mark.parametrize("first", [0, 1000])
def test_a_bad_value_in_a_table_is_named_by_round_and_action(bad: float, first: int) -> None:
    table = np.full((7, 3), 0.5)
    table[4, 1] = bad
    table[6, 0] = np.nan  # only the first bad value is named
    with pytest.raises(ValueError, match=rf"round {first + 4}, action 1 is ") as caught:
        to_units(table, 3, first_round=first)
    assert "\n" not in str(caught.value)


def test_a_bad_value_in_one_round_is_named_by_its_number_where_that_is_known() -> None:
    with pytest.raises(ValueError, match="round 12, action 0 is nan"):
        to_units([np.nan, 0.0], 2, first_round=12)


def test_values_a_hair_inside_are_accepted() -> None:
    assert to_units([-0.0, 1.0, 5e-324, np.nextafter(1, 0)], 4).tolist() == [0, UNITS, 0, UNITS]


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (["a", "b", "c"], "text"),
        ([b"a", b"b", b"c"], "text"),
        ([0.5, "0.5", 0.5], "text"),
        ([True, False, True], "truth values"),
        ([None, 0.5, 0.5], "objects"),
        ([0.5, 0.5j, 0], "complex"),
        (np.array(["2020-01-01"] * 3, dtype="M8[D]"), "dates"),
        ([10**30, 0, 0], "objects"),
        ([[0.1, 0.2, 0.3], [0.1, 0.2]], "ragged"),
        ([0.1, 0.2], "3 actions"),
        ([0.1, 0.2, 0.3, 0.4], "3 actions"),
        ([], "3 actions"),
        ([[]], "3 actions"),
        (0.5, "3 actions"),
        (None, "objects"),
        ("0.5", "text"),
    ],
)
def test_what_is_not_a_vector_of_numbers_is_refused_in_one_sentence(bad: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        to_units(bad, 3)
    assert "\n" not in str(caught.value)


def test_a_table_without_rounds_is_a_table() -> None:
    assert to_units(np.empty((0, 3)), 3).shape == (0, 3)
