"""The Toeplitz factors against whole matrices."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.linalg import toeplitz

from discreet.entropy import SeededEntropy
from discreet.guarantees import GaussianDP
from discreet.mechanisms import RunningSums, ToeplitzSums
from discreet.mechanisms.toeplitz_sums import coefficients, inverse, squares
from tests.mechanisms.sums import NORM, drive, values_of

ROUNDS = 200


def lower(column: np.ndarray) -> np.ndarray:
    return np.tril(toeplitz(column))


def test_the_factors_multiply_to_the_running_sum() -> None:
    sums = ToeplitzSums(ROUNDS, GaussianDP(1.0))
    product = lower(sums._back) @ lower(sums._weights)
    np.testing.assert_allclose(product, np.tril(np.ones((ROUNDS, ROUNDS))), atol=1e-12)


def test_coefficients_are_those_of_the_square_root() -> None:
    exact = [Fraction(1)]
    for k in range(1, ROUNDS):
        exact.append(exact[-1] * (1 - Fraction(1, 2 * k)))
    given = [Fraction(float(x)) for x in coefficients(ROUNDS)]
    assert max(abs(x - y) for x, y in zip(exact, given, strict=True)) <= Fraction(1, 2**21)
    square = np.convolve(coefficients(ROUNDS), coefficients(ROUNDS))[:ROUNDS]
    np.testing.assert_allclose(square, 1.0, atol=1e-4)


def test_the_noise_covers_the_longest_column_exactly() -> None:
    weights = coefficients(ROUNDS)
    column = sum(Fraction(float(x)) ** 2 for x in weights)
    assert squares(weights) == column
    assert float(column) == pytest.approx((lower(weights) ** 2).sum(axis=0).max())
    for mu in (1.0, 0.3, 7.7):
        scale = ToeplitzSums(ROUNDS, GaussianDP(mu), norm=NORM).noise.scale
        assert column * 4 * NORM**2 <= (Fraction(mu) * Fraction(scale)) ** 2
        assert scale == pytest.approx(float(column) ** 0.5 * 2 * NORM / mu, rel=1e-14)


def test_releases_are_the_whole_matrix_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """B (C x + z) for the z that were drawn."""
    sums, values = ToeplitzSums(ROUNDS, GaussianDP(1.0), (3,), NORM), values_of(ROUNDS, (3,))
    released = drive(sums, values, SeededEntropy(8))
    inner = lower(sums._weights) @ values
    drawn = sums._released - inner
    assert drawn.std() == pytest.approx(sums.noise.scale, rel=0.2)
    np.testing.assert_allclose(released, np.cumsum(values, axis=0) + lower(sums._back) @ drawn, atol=1e-6)


def test_the_promise_of_everything_released_is_met_and_not_wasted() -> None:
    """mu of B (C x + z) is |C (x - x')| / scale, largest for the first round."""
    sums = ToeplitzSums(ROUNDS, GaussianDP(1.0), norm=NORM)
    columns = np.linalg.norm(lower(sums._weights), axis=0) * 2 * NORM / sums.noise.scale
    assert columns.max() == pytest.approx(1.0, rel=1e-12)
    assert columns.argmax() == 0


@pytest.mark.parametrize("rounds", [1, 2, 3, 1000, 4096])
def test_the_inverse_series_is_one_over_it(rounds: int) -> None:
    weights = coefficients(rounds)
    product = np.convolve(weights, inverse(weights))[:rounds]
    np.testing.assert_allclose(product, [1.0] + [0.0] * (rounds - 1), atol=1e-12)


def test_it_is_less_noise_than_a_tree() -> None:
    for rounds, least in ((100, 1.6), (1000, 2.0), (10_000, 2.2)):
        tree = RunningSums(rounds.bit_length(), GaussianDP(1.0)).variances(rounds).mean()
        ours = ToeplitzSums(rounds, GaussianDP(1.0)).variances(rounds).mean()
        assert (tree / ours) ** 0.5 > least


def test_values_that_floats_could_not_add_exactly_are_refused() -> None:
    with pytest.raises(ValueError, match="coarser grid"):
        ToeplitzSums(1000, GaussianDP(1.0), norm=2**30)
