"""Pure and approximate guarantees against exact laws of randomized response."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.guarantees import ApproxDP, NoGuarantee, PureDP
from tests.guarantees.digits import in_digits

exactly = in_digits(800)  # sums of 1 and of the smallest float, without loss
levels = st.floats(0, 60)
deltas = st.floats(0, 1)


def exact_delta(level: float, amount: float, epsilon: float) -> mpmath.mpf:
    """The sum of (p - e^epsilon q)+ over the outcomes of the hardest case."""
    level, amount, growth = mpmath.mpf(level), mpmath.mpf(amount), mpmath.exp(epsilon)
    truth = (1 - amount) * mpmath.exp(level) / (1 + mpmath.exp(level))
    pairs = [(amount, 0), (0, amount), (truth, 1 - amount - truth), (1 - amount - truth, truth)]
    return sum(max(mpmath.mpf(0), p - growth * q) for p, q in pairs)


@given(levels, st.one_of(st.just(0.0), deltas), levels)
@exactly
def test_delta_is_exact_and_never_below(level: float, amount: float, epsilon: float) -> None:
    promise = ApproxDP(level, amount)
    exact = exact_delta(level, amount, epsilon)
    highest = exact * (1 + mpmath.mpf("1e-14")) + mpmath.mpf("1e-320")
    assert exact - mpmath.mpf("1e-700") <= mpmath.mpf(promise.delta(epsilon)) <= highest
    if amount == 0:
        assert PureDP(level).delta(epsilon) == promise.delta(epsilon)


@given(levels, st.one_of(st.just(0.0), deltas), deltas)
@exactly
def test_epsilon_is_the_exact_inverse_and_never_below(level: float, amount: float, delta: float) -> None:
    answer = ApproxDP(level, amount).epsilon(delta)
    if delta == 1:
        assert answer == 0.0
    elif delta < amount:
        assert answer == math.inf
    else:
        left = (mpmath.mpf(delta) - mpmath.mpf(amount)) / (1 - mpmath.mpf(amount))
        inner = mpmath.exp(level) * (1 - left) - left
        exact = max(mpmath.mpf(0), mpmath.log(inner)) if inner > 1 else mpmath.mpf(0)
        assert exact - mpmath.mpf("1e-700") <= answer <= exact + mpmath.mpf("1e-13") * (1 + level)


@exactly
def test_epsilon_is_never_below_at_a_thousand_ordinary_places() -> None:
    places = np.random.default_rng(3)
    for level in places.uniform(0.01, 4, 1000).tolist():
        delta = places.uniform(0, 1) * math.tanh(level / 2)
        inner = mpmath.exp(level) * (1 - mpmath.mpf(delta)) - delta
        assert inner <= 1 or PureDP(level).epsilon(delta) >= mpmath.log(inner)


@given(st.floats(0, 800), st.one_of(st.just(0.0), deltas), st.floats(0, 1))
@exactly
def test_trade_off_is_never_above(level: float, amount: float, alpha: float) -> None:
    rest = 1 - mpmath.mpf(amount)
    steep = rest - mpmath.exp(level) * alpha
    exact = max(mpmath.mpf(0), steep, mpmath.exp(-level) * (rest - alpha))
    beta = mpmath.mpf(ApproxDP(level, amount).trade_off(alpha))
    assert exact - mpmath.mpf("1e-14") <= beta <= exact


def test_limits() -> None:
    huge = PureDP(1e6)
    assert huge.delta(0.0) == 1.0
    assert huge.delta(999_999.0) == pytest.approx(1 - math.exp(-1), rel=1e-14)
    assert huge.delta(1e6) == huge.delta(2e6) == 0.0
    assert huge.trade_off([0.0, 5e-324, 1.0]).tolist() == [1.0, 0.0, 0.0]
    assert huge.epsilon(0.5) == pytest.approx(1e6 - math.log(2), abs=1e-8)
    assert PureDP(0).delta(0.0) == 0.0
    assert PureDP(0).trade_off([0.0, 0.3, 1.0]).tolist() == [1.0, 1 - 0.3, 0.0]
    assert 1e-12 < 1 - PureDP(720.0).trade_off(5e-324) < 1e-10
    assert PureDP(760.0).trade_off([0.0, 5e-324]).tolist() == [1.0, 0.0]


def test_fields_are_the_ends_of_the_profile() -> None:
    assert PureDP(1.25).epsilon(0.0) == 1.25
    assert ApproxDP(1.25, 1e-6).epsilon(1e-6) == 1.25
    assert ApproxDP(1.25, 1e-6).delta(1.25) == ApproxDP(1.25, 1e-6).delta(math.inf) == 1e-6


def test_groups() -> None:
    assert PureDP(0.5).for_group(3) == PureDP(1.5)
    tenth = PureDP(0.1).for_group(3)
    assert isinstance(tenth, PureDP)
    assert tenth.epsilon == 0.30000000000000004  # the float 0.1 exceeds a tenth
    assert ApproxDP(0.0, 0.125).for_group(4) == ApproxDP(0.0, 0.5)
    assert ApproxDP(1.0, 0.0).for_group(4) == ApproxDP(4.0, 0.0)
    assert ApproxDP(1.0, 0.25).for_group(9) == ApproxDP(9.0, 1.0)
    assert ApproxDP(1e6, 1e-300).for_group(3) == ApproxDP(3e6, 1.0)
    assert ApproxDP(1.0, 1e-300).for_group(800) == ApproxDP(800.0, 1.0)
    assert isinstance(PureDP(1e308).for_group(100), NoGuarantee)
    assert isinstance(PureDP(1.0).for_group(10**400), NoGuarantee)


@given(st.floats(0, 5), st.floats(0, 1e-3), st.integers(2, 40))
@exactly
def test_group_delta_is_the_geometric_sum_and_never_below(level: float, delta: float, k: int) -> None:
    exact = min(mpmath.mpf(1), delta * mpmath.fsum(mpmath.exp(mpmath.mpf(level) * i) for i in range(k)))
    group = ApproxDP(level, delta).for_group(k)
    # The group's level is rounded up too; its delta belongs to the original level.
    assert exact <= mpmath.mpf(group.delta) <= exact * (1 + mpmath.mpf("1e-12")) + mpmath.mpf("1e-322")


def test_group_of_approximate_holds_on_the_chain_that_attains_it() -> None:
    # Three inputs in a row, each step (ln 2, 1/8) or less: the ends differ by exactly (ln 4, 3/8).
    first = np.array([7 / 8, 1 / 8])
    step = np.array([3 / 8, 5 / 8])
    last = np.array([1 / 8, 7 / 8])
    for one, two in ((first, step), (step, last)):
        assert max(one - 2 * two) <= 1 / 8
    assert max(first - 4 * last) == 3 / 8
    assert ApproxDP(math.log(2), 1 / 8).for_group(2).delta == pytest.approx(3 / 8, rel=1e-12)
