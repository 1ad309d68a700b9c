"""The Gaussian guarantee against 400-digit arithmetic."""

import math
import pickle
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.guarantees import GaussianDP, Guarantee, NoGuarantee, PureDP, TradeOff, from_description


def exact_delta(mu: float, epsilon: float) -> mpmath.mpf:
    with mpmath.workdps(400):
        mu, epsilon = mpmath.mpf(mu), mpmath.mpf(epsilon)
        tail = mpmath.ncdf(-epsilon / mu + mu / 2)
        return tail - mpmath.exp(epsilon) * mpmath.ncdf(-epsilon / mu - mu / 2)


@settings(deadline=None)
@given(st.floats(-8, 2), st.floats(-8, 37))
def test_delta_has_relative_accuracy_in_the_tails_and_is_never_below(log_mu: float, score: float) -> None:
    mu = 10**log_mu
    epsilon = max(0.0, mu * (score + mu / 2))
    exact = exact_delta(mu, epsilon)
    value = mpmath.mpf(GaussianDP(mu).delta(epsilon))
    assert exact <= value
    assert exact < 1e-305 or value <= min(1, exact * (1 + mpmath.mpf("3e-14")))


def test_delta_at_1e_minus_300_by_value() -> None:
    value = GaussianDP(1.0).delta(37.4)
    exact = exact_delta(1.0, 37.4)
    assert 1e-300 < exact < 1e-296
    assert value == pytest.approx(float(exact), rel=3e-14)


def test_the_published_comparison_at_one_quarter() -> None:
    mu, delta = 0.25, 1e-6
    assert round(GaussianDP(mu).epsilon(delta), 3) == 1.061
    zcdp = mpmath.findroot(lambda e: mpmath.log(_zcdp_delta(mu**2 / 2, e) / delta), 1.1)
    assert round(float(zcdp), 3) == 1.143


def _zcdp_delta(rho: float, epsilon: mpmath.mpf) -> mpmath.mpf:
    """The best delta that rho-zCDP proves (Canonne, Kamath & Steinke 2020, corollary 13)."""

    def log_delta(order: mpmath.mpf) -> mpmath.mpf:
        gain = (order - 1) * (order * rho - epsilon) + order * mpmath.log1p(-1 / order)
        return gain - mpmath.log(order - 1)

    return mpmath.exp(min(log_delta(1 + mpmath.mpf(step) / 100) for step in range(50, 6000)))


@settings(deadline=None, max_examples=60)
@given(st.floats(-4, 1.5), st.floats(-300, -0.01))
def test_epsilon_is_the_exact_root_and_never_below(log_mu: float, log_delta: float) -> None:
    mu, delta = 10**log_mu, 10**log_delta
    epsilon = GaussianDP(mu).epsilon(delta)
    assert exact_delta(mu, epsilon) <= delta
    if delta < 0.5 * exact_delta(mu, 0.0):
        assert exact_delta(mu, epsilon * (1 - 1e-11)) > delta
    elif epsilon > 1e-6:
        assert exact_delta(mu, epsilon * (1 - 1e-6)) > delta


@settings(deadline=None)
@given(st.floats(0.001, 30), st.floats(1e-300, 1 - 1e-16))
def test_trade_off_is_never_above(mu: float, alpha: float) -> None:
    from scipy.special import ndtri

    with mpmath.workdps(60):
        score = mpmath.mpf(float(ndtri(alpha)))
        for _ in range(6):  # Newton's steps, from 15 digits to all
            score -= (mpmath.ncdf(score) - mpmath.mpf(alpha)) / mpmath.npdf(score)
        exact = mpmath.ncdf(-score - mu)
        beta = mpmath.mpf(GaussianDP(mu).trade_off(alpha))
        assert exact * (1 - mpmath.mpf("1e-11")) - mpmath.mpf("1e-305") <= beta <= exact


def test_limits() -> None:
    assert GaussianDP(0).delta(0.0) == GaussianDP(0).epsilon(0.0) == 0.0
    assert GaussianDP(0).trade_off([0.0, 0.25, 1.0]).tolist() == [1.0, 0.75, 0.0]
    assert GaussianDP(2.0).trade_off([0.0, 1.0]).tolist() == [1.0, 0.0]
    assert GaussianDP(1.0).epsilon(0.0) == math.inf
    assert GaussianDP(1.0).epsilon(0.9) == 0.0
    assert GaussianDP(1.0).delta(1e9) == 5e-324  # not zero: the truth is not
    assert GaussianDP(1.0).delta(math.inf) == 0.0
    assert GaussianDP(1e200).delta(1e300) == 1.0
    assert GaussianDP(1e200).epsilon(0.5) == math.inf
    assert 0.0 < GaussianDP(5e-324).delta(0.0) < 1e-321
    assert GaussianDP(5e-324).epsilon(5e-324) < 1e-290


def test_groups_and_composition() -> None:
    assert GaussianDP(0.5).for_group(3) == GaussianDP(1.5)
    assert GaussianDP(3.0).compose(GaussianDP(4.0), GaussianDP(12.0)) == GaussianDP(13.0)
    large = GaussianDP(3e200).compose(GaussianDP(4e200))
    assert isinstance(large, GaussianDP)
    assert large.mu == pytest.approx(5e200)
    assert isinstance(GaussianDP(1e308).for_group(100), NoGuarantee)


def test_whom_it_is_about_stays_with_it() -> None:
    narrow, wide = GaussianDP(3.0, within=0.25), GaussianDP(4.0)
    assert narrow.words().startswith(
        "any one round's losses may be replaced by others that differ by at most 0.25 in Euclidean norm: telling"
    )
    assert narrow != GaussianDP(3.0)
    assert narrow.delta(1.0) == GaussianDP(3.0).delta(1.0)
    assert eval(repr(narrow)) == narrow == pickle.loads(pickle.dumps(narrow))
    assert from_description(narrow.describe()) == narrow
    assert narrow.for_group(2) == GaussianDP(6.0, within=0.25)
    assert narrow.compose(wide) == wide.compose(narrow) == GaussianDP(5.0, within=0.25)
    assert narrow.compose(GaussianDP(4.0, within=0.125)) == GaussianDP(5.0, within=0.125)
    assert "within" not in wide.describe()


@pytest.mark.parametrize("other", [PureDP(1.0), PureDP(0.0), TradeOff((0.0, 1.0), (1.0, 0.0))])
def test_other_kinds_cannot_say_whom_they_are_about(other: Guarantee) -> None:
    joined = GaussianDP(3.0, within=0.25).compose(other)
    assert isinstance(joined, NoGuarantee)
    assert "0.25" in joined.words()


@pytest.mark.parametrize("within", [-1.0, math.nan, "0.3", True])
def test_a_distance_is_a_number(within: Any) -> None:
    with pytest.raises(ValueError, match="within"):
        GaussianDP(1.0, within=within)


def test_a_distance_between_two_floats_becomes_the_smaller() -> None:
    exact: Any = Fraction(1, 10)  # the float 0.1 lies above it
    assert GaussianDP(1.0, within=exact).within == math.nextafter(0.1, 0.0)
