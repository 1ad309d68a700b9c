"""Gradients are clipped and counted in whole cells of a norm that is exactly bounded."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from discreet.convex.ball import CELLS, clipped, lengths, projected, to_cells, vectors
from discreet.convex.budget import gaussian_budget
from discreet.guarantees import GaussianDP


def rows_of(dimension: int, rows: int = 2000) -> np.ndarray:
    return np.random.default_rng(dimension).standard_normal((rows, dimension))


@pytest.mark.parametrize("dimension", [1, 2, 3, 10, 1000])
@pytest.mark.parametrize("radius", [1.0, 0.3, 1e-200, 1e200])
def test_no_row_is_longer_than_the_ball_in_exact_arithmetic(dimension: int, radius: float) -> None:
    rows, long = clipped(rows_of(dimension) * radius, radius)
    cells = to_cells(rows)
    assert max(sum(x * x for x in row) for row in cells.tolist()) <= CELLS**2
    assert long.any()
    np.testing.assert_allclose(cells / CELLS, rows, atol=1.1 / CELLS)


def test_rows_of_just_the_radius_are_not_counted_as_long() -> None:
    units = rows_of(5)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    for radius in (1.0, 0.3, 7e10):
        assert not clipped(units * radius, radius)[1].any()
        assert clipped(units * radius * (1 + 1e-9), radius)[1].all()


def test_plain_rounding_would_push_rows_over() -> None:
    """Planted: rounding to nearest alone."""
    rows, _ = clipped(rows_of(3) * 9, 1.0)
    plain = np.rint(rows * CELLS).astype(np.int64)
    assert ((plain * plain).sum(axis=1) > CELLS**2).any()


@pytest.mark.parametrize("huge", [1e308, 5e-324])
def test_rows_at_the_ends_of_the_floats_are_clipped_to_their_direction(huge: float) -> None:
    rows, long = clipped(np.array([[huge, -huge]]), 1.0)
    assert long.tolist() == [huge > 1]
    np.testing.assert_allclose(rows, [[0.5**0.5, -(0.5**0.5)]] if huge > 1 else [[0.0, 0.0]], atol=1e-300)
    assert to_cells(clipped(np.zeros((1, 2)), 1.0)[0]).tolist() == [[0, 0]]


def test_projection_is_the_nearest_point() -> None:
    rows = rows_of(4) * 3
    points = projected(rows, 2.0)
    inside = np.linalg.norm(rows, axis=1) <= 2
    assert np.array_equal(points[inside], rows[inside])
    np.testing.assert_allclose(np.linalg.norm(points[~inside], axis=1), 2.0)
    np.testing.assert_allclose(lengths(rows), np.linalg.norm(rows, axis=1))
    assert np.isfinite(projected(np.array([[1e300, 1e300]]), 1.0)).all()


@pytest.mark.parametrize(
    "bad", [[1.0], [[1.0, 2.0]], "ab", [1.0, float("nan")], [float("inf"), 0.0], None, [[1], [2, 3]]]
)
def test_bad_vectors_are_refused_in_one_sentence(bad: Any) -> None:
    with pytest.raises(ValueError, match="gradient") as caught:
        vectors(bad, 2, None)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 10.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.1])
def test_the_budget_is_the_largest_that_proves_what_is_asked(epsilon: float, delta: float) -> None:
    mu = gaussian_budget(epsilon, delta).mu
    assert GaussianDP(mu).delta(epsilon) <= delta
    assert GaussianDP(mu * (1 + 1e-10)).delta(epsilon) > delta
    assert Fraction(mu) > 0
