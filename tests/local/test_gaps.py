"""The law of the gap: against equation 1 in many digits, and theorem 2 by simulation."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from discreet.local.gaps import survival
from tests.guarantees.digits import in_digits

NS = [2, 3, 25, 1000, 1_000_000]
XS = [0.0, 0.003, 0.1, 0.77, 1.5, 3.2, 6.0, 9.9]


@in_digits(25)
def equation_1(x: float, n: int) -> mpf:
    """1 - F_k(x)."""
    return n * mpmath.quad(lambda y: mpmath.npdf(y) * mpmath.ncdf(y - x) ** (n - 1), mpmath.linspace(-10, x + 14, 120))


@pytest.mark.parametrize("n", NS)
@pytest.mark.parametrize("x", XS)
def test_the_chance_of_a_gap_is_equation_1_from_below(x: float, n: int) -> None:
    ours, exact = survival(np.array([x]), n)[0], equation_1(x, n)
    assert -2e-5 < ours / exact - 1 < 0


@pytest.mark.parametrize("n", NS)
def test_the_law_is_convex_and_its_logarithm_concave(n: int) -> None:
    """What the bounds from below rest on; on the grid, where rounding is the only error."""
    chances = survival(np.arange(0.0, 14.0, 1 / 128), n)
    assert (np.diff(chances, 2) > -1e-14).all()
    assert (np.diff(np.log(chances[1:]), 2) < 1e-11).all()


def test_far_gaps_are_called_impossible() -> None:
    assert survival(np.array([16.1, 1e300]), 2).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("means", [[0.5, 0, 0], [0.4, 0.4, 0], [2, 1, 0], [0.3, 0.2, 0.1, 0, 0, 0]])
def test_no_other_means_make_gaps_smaller(means: list[float]) -> None:
    """Theorem 2, with 400,000 draws at 4 places each; by accident with probability below 1e-6."""
    draws = np.random.default_rng(5).standard_normal((400_000, len(means))) + means
    draws.sort(axis=1)
    gaps = draws[:, -1] - draws[:, -2]
    for x in (0.1, 0.5, 1.0, 2.0):
        chance = survival(np.array([x]), len(means))[0]
        assert (gaps > x).mean() > chance - 5.5 * np.sqrt(chance / len(gaps))


@pytest.mark.parametrize("n", [3, 4, 10, 100, 10_000])
def test_small_gaps_are_at_most_n_over_2_times_as_likely_as_for_two(n: int) -> None:
    """What appendix A.11 needs, and what Slepian's inequality gives."""
    x = np.linspace(0.01, 5, 200)
    assert (1 - survival(x, n) <= n / 2 * (1 - survival(x, 2)) * (1 + 1e-4)).all()
