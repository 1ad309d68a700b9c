"""Losses on other scales, gains, and names of actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.losses import Scale, check_names, from_gains, to_units

REPEATABLE = settings(derandomize=True, deadline=None, max_examples=300)


@REPEATABLE
@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.floats(0, 1))
def test_a_value_inside_becomes_its_share_of_the_way(low: float, width: float, share: float) -> None:
    scale = Scale(low, low + width)
    value = min(max(low + share * width, scale.low), scale.high)
    (loss,) = scale.apply([value]).tolist()
    assert loss == pytest.approx((value - low) / (scale.high - low), abs=1e-12)
    assert to_units(scale.apply([low, low + width, value]), 3).tolist()[:2] == [0, 2**20]


@REPEATABLE
@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_clipping_gives_losses_and_keeps_the_order(one: float, other: float) -> None:
    left, right = Scale(-3, 5, clip=True).apply([one, other]).tolist()
    assert 0 <= left <= 1
    assert left <= right or one > other


def test_a_scale_as_wide_as_floats_go() -> None:
    assert Scale(-8e307, 8e307).apply([-8e307, 0.0, 8e307]).tolist() == [0.0, 0.5, 1.0]
    with pytest.raises(ValueError, match="both finite"):
        Scale(-1e308, 1e308)


def test_what_was_given_is_not_changed() -> None:
    values = np.array([-5.0, 3.0])
    Scale(0, 2, clip=True).apply(values)
    gains = np.array([0.25, 1.0])
    from_gains(gains)
    assert values.tolist() == [-5.0, 3.0]
    assert gains.tolist() == [0.25, 1.0]


@pytest.mark.parametrize("bad", [-1e-9, 200.0000001, np.inf, -np.inf, np.nan])
def test_values_outside_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="outside the scale 0 to 200") as caught:
        Scale(0, 200).apply([[1.0, 2.0], [3.0, bad]])
    assert "\n" not in str(caught.value)
    assert repr(bad) in str(caught.value)


def test_clipping_cannot_mend_what_is_not_a_number() -> None:
    with pytest.raises(ValueError, match="nan") as caught:
        Scale(0, 200, clip=True).apply([1.0, np.inf, np.nan])
    assert "clip=True" not in str(caught.value)
    assert Scale(0, 200, clip=True).apply([-np.inf, np.inf]).tolist() == [0.0, 1.0]


def test_where_the_first_bad_value_stands() -> None:
    values = np.array([0.5, -1.0, np.nan, 7.0])
    assert Scale().first_bad(values) == 1
    assert Scale(clip=True).first_bad(values) == 2
    assert Scale(clip=True).first_bad(values[:2]) is None
    assert Scale().first_bad(values[:1]) is None
    assert Scale().first_bad(values[:0]) is None


@pytest.mark.parametrize(("low", "high"), [(1, 1), (2, 1), (0, np.inf), (-np.inf, 0), (np.nan, 1), (0, np.nan)])
def test_a_scale_needs_a_low_and_a_higher_finite_number(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="from a low to a higher number"):
        Scale(low, high)


def test_scaled_values_can_be_written_in_place() -> None:
    values = np.array([50.0, 100.0])
    assert Scale(0, 200).scaled(values, out=values) is values
    assert values.tolist() == [0.25, 0.5]


def test_gains_are_losses_upside_down() -> None:
    assert from_gains([[1, 0], [0, 1]]).tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert from_gains([0.25]).tolist() == [0.75]
    with pytest.raises(ValueError, match="text"):
        from_gains(["a"])
    assert from_gains([]).tolist() == []


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ([2.0], "the gain of action 0 is 2.0; a gain is a number in [0, 1]"),
        ([0.5, -1e-9], "the gain of action 1 is -1e-09; a gain is a number in [0, 1]"),
        ([[0.5, 1.0], [np.nan, 0.5]], "the gain of round 1, action 0 is nan; a gain is a number in [0, 1]"),
        (np.inf, "the gain is inf; a gain is a number in [0, 1]"),
        ([True], "gains are numbers in [0, 1], not truth values"),
        ([[0.5], [0.5, 1.0]], "gains are ragged: every round needs the same number of actions"),
    ],
)
def test_what_is_not_a_gain_is_refused_as_a_gain(bad: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        from_gains(bad)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("bad", ["a", "0", b"1", None, True, [1.0], 10**400, 1j])
def test_an_end_of_a_scale_that_is_no_number_is_named(bad: Any) -> None:
    for name, ends in (("low", (bad, 1)), ("high", (0, bad))):
        with pytest.raises(ValueError, match=rf"^the {name} end of a scale is .*; it must be a number$"):
            Scale(*ends)


def test_every_action_needs_a_name_of_its_own() -> None:
    check_names(["a", "b", "c"])
    with pytest.raises(ValueError, match="'b' stands twice"):
        check_names(["a", "b", "c", "b"])
