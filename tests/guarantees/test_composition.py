"""Composition: sums that are never below the true sum, and mixed kinds on the safe side."""

import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.guarantees import ApproxDP, GaussianDP, NoGuarantee, PureDP, TradeOff
from tests.guarantees.digits import in_digits

parts = st.lists(st.floats(0, 1e300), min_size=2, max_size=12)


def is_least(total: float, holds: Callable[[Fraction], bool]) -> bool:
    """Whether total is the smallest float that holds."""
    return holds(Fraction(total)) and (total == 0 or not holds(Fraction(math.nextafter(total, 0.0))))


@given(parts)
def test_epsilons_add_up_to_the_least_float_not_below(epsilons: list[float]) -> None:
    total = PureDP(epsilons[0]).compose(*map(PureDP, epsilons[1:]))
    assert isinstance(total, PureDP)
    assert is_least(float(total.epsilon), lambda x: x >= sum(map(Fraction, epsilons)))


@given(parts)
def test_mus_add_in_squares_to_the_least_float_not_below(mus: list[float]) -> None:
    total = GaussianDP(mus[0]).compose(*map(GaussianDP, mus[1:]))
    assert isinstance(total, GaussianDP)
    assert is_least(total.mu, lambda x: x * x >= sum(Fraction(mu) ** 2 for mu in mus))


@given(st.lists(st.floats(0, 0.3), min_size=2, max_size=12))
def test_deltas_add_up_and_stop_at_one(deltas: list[float]) -> None:
    total = ApproxDP(0.0, deltas[0]).compose(*(ApproxDP(0.0, d) for d in deltas[1:]))
    assert isinstance(total, ApproxDP)
    assert is_least(float(total.delta), lambda x: x >= min(1, sum(map(Fraction, deltas))))


def test_sums() -> None:
    assert PureDP(0.5).compose(PureDP(0.25), PureDP(1)) == PureDP(1.75)
    tenths = PureDP(0.1).compose(PureDP(0.7))
    assert isinstance(tenths, PureDP)
    assert tenths.epsilon > 0.1 + 0.7  # the float sum falls short
    assert PureDP(1.0).compose(ApproxDP(0.5, 0.25)) == ApproxDP(1.5, 0.25)
    assert ApproxDP(1.0, 0.75).compose(ApproxDP(1.0, 0.75)) == ApproxDP(2.0, 1.0)
    assert isinstance(PureDP(1.5e308).compose(PureDP(1e308)), NoGuarantee)


def test_what_reveals_nothing_changes_no_mixed_composition() -> None:
    curve = TradeOff((0.0, 0.25, 1.0), (0.9, 0.125, 0.0))
    assert PureDP(0).compose(GaussianDP(1.0)) == GaussianDP(1.0)
    assert GaussianDP(0).compose(PureDP(1.0)) == PureDP(1.0)
    assert curve.compose(PureDP(0), GaussianDP(0)) == curve
    assert GaussianDP(0).compose(PureDP(0)) == PureDP(0)


@in_digits(60)
def exact_with_gaussian(level: float, mu: float, epsilon: float) -> float:
    """delta of randomized response beside a Gaussian: the mean over what the first one says."""
    level, mu = mpmath.mpf(level), mpmath.mpf(mu)
    total = mpmath.mpf(0)
    for sign in (1, -1):
        chance = 1 / (1 + mpmath.exp(-sign * level))
        left = epsilon - sign * level
        total += chance * (mpmath.ncdf(-left / mu + mu / 2) - mpmath.exp(left) * mpmath.ncdf(-left / mu - mu / 2))
    return float(total)


@pytest.mark.parametrize(("level", "mu"), [(1.0, 1.0), (0.1, 2.0), (3.0, 0.25), (1.0, 4.0)])
def test_pure_beside_gaussian_is_just_above_the_exact_law(level: float, mu: float) -> None:
    mixed = PureDP(level).compose(GaussianDP(mu))
    assert isinstance(mixed, TradeOff)
    assert mixed == TradeOff(mixed.alphas, mixed.betas)
    for epsilon in (0.0, 0.5, 1.0, 2.0, 4.0):
        exact = exact_with_gaussian(level, mu, epsilon)
        assert exact <= mixed.delta(epsilon) <= exact * 1.01 + 1e-13


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0.01, 3), min_size=2, max_size=4), st.floats(0, 3))
@in_digits(40)
def test_curves_of_randomized_responses_multiply_exactly(levels: list[float], epsilon: float) -> None:
    curves = [corners(level) for level in levels]
    product = curves[0].compose(*curves[1:])
    outcomes = [(mpmath.mpf(1), mpmath.mpf(1))]
    for curve in curves:
        a = mpmath.mpf(curve.alphas[1])
        pair = [(1 - mpmath.mpf(curve.betas[1]), a), (mpmath.mpf(curve.betas[1]), 1 - a)]
        outcomes = [(p * x, q * y) for p, q in outcomes for x, y in pair]
    exact = sum(max(mpmath.mpf(0), p - mpmath.exp(epsilon) * q) for p, q in outcomes)
    assert exact <= product.delta(epsilon) <= exact + 1e-12


def corners(level: float) -> TradeOff:
    middle = 1 / (1 + float(mpmath.exp(level)))
    return TradeOff((0.0, middle, 1.0), (1.0, middle, 0.0))


@pytest.mark.parametrize("mu", [0.3, 1.0, 2.0])
def test_gaussian_curves_multiply_to_just_above_the_gaussian(mu: float) -> None:
    curve = TradeOff.from_function(GaussianDP(mu).trade_off)
    both, exact = curve.compose(curve), GaussianDP(mu).compose(GaussianDP(mu))
    for epsilon in (0.0, 0.5, 1.0, 2.0):
        assert exact.delta(epsilon) <= both.delta(epsilon) <= exact.delta(epsilon) * 1.02


def test_three_kinds_together() -> None:
    three = PureDP(0.5).compose(ApproxDP(0.5, 1e-3), GaussianDP(0.6), GaussianDP(0.8))
    lower = PureDP(0.5).compose(PureDP(0.5), GaussianDP(1.0))
    for epsilon in (0.0, 1.0, 2.0):
        assert lower.delta(epsilon) < three.delta(epsilon) <= lower.delta(epsilon) + 1.01e-3


def test_an_asymmetric_curve_is_composed_in_its_worst_order() -> None:
    # With chance 1/2 the second neighbor, but never the first, says so.
    lopsided = TradeOff((0.0, 0.5, 1.0), (0.75, 0.25, 0.0))
    turned = TradeOff((0.0, 0.25, 0.75, 1.0), (1.0, 0.5, 0.0, 0.0))
    assert lopsided.symmetric() == turned.symmetric()
    for one in (lopsided, turned):
        both = one.compose(lopsided)
        assert both.delta(0.0) == pytest.approx(lopsided.compose(lopsided).delta(0.0), abs=1e-12)
        assert both.delta(5.0) >= 1 - 0.75**2 - 1e-12
