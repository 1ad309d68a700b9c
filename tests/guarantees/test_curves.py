"""Trade-off curves: definition, both orders, safe construction, groups."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from discreet.guarantees import ApproxDP, GaussianDP, Guarantee, PureDP, TradeOff
from discreet.guarantees.checks import Floats


@st.composite
def curves(draw: st.DrawFn) -> TradeOff:
    """Curves with corners at random: lines of rising slope, summed from the right."""
    number = draw(st.integers(1, 8))
    widths = draw(st.lists(st.floats(0.01, 1), min_size=number, max_size=number))
    drops = sorted(draw(st.lists(st.floats(0, 20), min_size=number, max_size=number)), reverse=True)
    alphas = np.append(0.0, np.cumsum(widths) / sum(widths))
    alphas[-1] = 1.0
    betas = np.append(np.cumsum((np.diff(alphas) * drops)[::-1])[::-1], 0.0)
    return TradeOff(alphas, betas * draw(st.floats(0, 1)) * _largest_factor(alphas, betas))


def _largest_factor(alphas: Floats, betas: Floats) -> float:
    with np.errstate(all="ignore"):
        return min(1.0, float(np.nanmin(np.where(betas > 0, (1 - alphas) / betas, np.inf))))


@pytest.mark.parametrize(
    ("alphas", "betas", "words"),
    [
        ((0.1, 1.0), (0.5, 0.0), "alphas must rise strictly from 0 to 1"),
        ((0.0, 0.9), (0.5, 0.0), "alphas must rise strictly from 0 to 1"),
        ((0.0, 0.5, 0.5, 1.0), (0.5, 0.2, 0.1, 0.0), "alphas must rise strictly from 0 to 1"),
        ((0.0,), (0.5,), "alphas must rise strictly from 0 to 1"),
        ((0.0, 0.5, 1.0), (0.1, 0.2, 0.0), "betas must never rise"),
        ((0.0, 0.5, 1.0), (1.0, 0.51, 0.0), "betas must be at most 1 - alpha"),
        ((0.0, 0.5, 1.0), (0.8, 0.5, 0.0), "betas must be convex"),
        ((0.0, 1.0), (1.0,), "alphas and betas must be two lists of the same length"),
        ((), (), "alphas must hold numbers|two lists"),
        ((0.0, 1.0), (1.5, 0.0), "betas must hold numbers from 0 to 1"),
        ((0.0, math.nan), (1.0, 0.0), "alphas must hold numbers from 0 to 1"),
        (("0", "1"), (1.0, 0.0), "alphas must hold numbers from 0 to 1"),
    ],
)
def test_only_curves_are_accepted(alphas: ArrayLike, betas: ArrayLike, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TradeOff(alphas, betas)


def test_arrays_lists_and_tuples_make_the_same_curve() -> None:
    one = TradeOff((0, 0.25, 1), [1, 0.25, 0])
    assert one == TradeOff(np.array([0.0, 0.25, 1.0]), np.array([1.0, 0.25, 0.0]))
    assert one.alphas == (0.0, 0.25, 1.0)
    assert all(type(alpha) is float for alpha in one.alphas)


@given(curves(), st.floats(0, 5))
def test_delta_is_the_worse_of_both_orders(curve: TradeOff, epsilon: float) -> None:
    alphas = np.linspace(0, 1, 2001)
    betas = np.interp(alphas, curve.alphas, curve.betas)
    growth = math.exp(epsilon)
    grid = max(0.0, (1 - betas - growth * alphas).max(), (1 - alphas - growth * betas).max())
    corners = zip(curve.alphas, curve.betas, strict=True)
    best = max(max(1 - b - growth * a, 1 - a - growth * b) for a, b in corners)
    assert curve.delta(epsilon) >= grid - 1e-12
    assert curve.delta(epsilon) == pytest.approx(max(0.0, best), abs=1e-12)


@given(curves(), st.floats(1e-6, 0.9))
def test_epsilon_inverts_delta(curve: TradeOff, delta: float) -> None:
    epsilon = curve.epsilon(delta)
    if epsilon < math.inf:
        assert curve.delta(epsilon) <= delta
    else:
        assert curve.delta(600.0) > delta
    if epsilon > 1e-9:
        assert curve.delta(min(600.0, epsilon - 1e-9)) > delta - 1e-15


@given(curves())
def test_symmetric_is_below_both_orders_and_keeps_every_delta(curve: TradeOff) -> None:
    both = curve.symmetric()
    alphas = np.linspace(0, 1, 301)
    assert (both.trade_off(alphas) <= curve.trade_off(alphas) + 1e-13).all()
    assert both.symmetric() == both
    for epsilon in (0.0, 0.3, 1.0, 3.0):
        assert both.delta(epsilon) == pytest.approx(curve.delta(epsilon), abs=1e-13)


def test_the_order_that_is_worse_counts() -> None:
    one = TradeOff((0.0, 0.5, 1.0), (1.0, 0.0, 0.0))  # one order is revealed half of the time
    assert one.delta(0.0) == one.delta(10.0) == 0.5
    assert one.epsilon(0.4) == math.inf
    other = TradeOff((0.0, 1.0), (0.5, 0.0))  # the same pair in the other order
    assert [other.delta(e) for e in (0, 1, 10)] == [one.delta(e) for e in (0, 1, 10)]


def test_corners_of_pure_and_approximate_guarantees() -> None:
    middle = 0.75 / (1 + math.e)
    curve = TradeOff((0.0, middle, 0.75, 1.0), (0.75, middle, 0.0, 0.0))
    promise = ApproxDP(1.0, 0.25)
    for epsilon in (0.0, 0.5, 0.9, 1.0, 2.0):
        assert curve.delta(epsilon) == pytest.approx(promise.delta(epsilon), abs=1e-14)
    for delta in (0.25, 0.3, 0.5):
        assert curve.epsilon(delta) == pytest.approx(promise.epsilon(delta), abs=1e-12)


@pytest.mark.parametrize("promise", [*map(GaussianDP, (0.1, 1.0, 3.0)), PureDP(1.0)], ids=repr)
def test_from_function_is_below_and_near(promise: Guarantee) -> None:
    curve = TradeOff.from_function(promise.trade_off)
    alphas = np.linspace(0, 1, 5001)
    assert (curve.trade_off(alphas) <= promise.trade_off(alphas) * (1 + 1e-13)).all()
    assert np.abs(curve.trade_off(alphas) - promise.trade_off(alphas)).max() < 1e-3
    for epsilon in (0.0, 0.25, 0.5, 0.75):
        assert promise.delta(epsilon) <= curve.delta(epsilon) <= promise.delta(epsilon) * 1.02 + 1e-14
    assert promise.epsilon(1e-6) <= curve.epsilon(1e-6) <= promise.epsilon(1e-6) + 0.02


@pytest.mark.parametrize("points", [2, 5, 20])
def test_few_points_are_still_safe(points: int) -> None:
    promise = GaussianDP(1.0)
    curve = TradeOff.from_function(promise.trade_off, points=points)
    alphas = np.linspace(0, 1, 1001)
    assert (curve.trade_off(alphas) <= promise.trade_off(alphas) + 1e-15).all()


@settings(deadline=None)
@given(curves(), st.lists(st.floats(0, 1), min_size=1, max_size=30), st.randoms())
def test_from_points_is_never_above_the_curve_they_come_from(
    curve: TradeOff, alphas: list[float], random: Random
) -> None:
    random.shuffle(alphas)
    betas = np.interp(alphas, curve.alphas, curve.betas)
    below = TradeOff.from_points(np.array(alphas), betas)
    grid = np.linspace(0, 1, 501)
    assert (below.trade_off(grid) <= np.interp(grid, curve.alphas, curve.betas) + 1e-12).all()


def test_from_points_along_a_threshold_of_the_likelihood_ratio() -> None:
    from scipy.special import ndtr

    scores = np.linspace(-7, 8, 3000)
    curve = TradeOff.from_points(ndtr(-scores), ndtr(scores - 1), error=1e-14)
    chords = np.interp(0.1234, ndtr(-scores)[::-1], ndtr(scores - 1)[::-1])
    assert curve.trade_off(0.1234) <= GaussianDP(1.0).trade_off(0.1234) <= chords
    for epsilon in (0.0, 1.0, 3.0):
        exact = GaussianDP(1.0).delta(epsilon)
        assert exact <= curve.delta(epsilon) <= exact * 1.001


@pytest.mark.parametrize("error", [1e-12, 1e-6, 1e-3])
def test_points_with_errors_stay_safe(error: float) -> None:
    from scipy.special import ndtr

    scores = np.linspace(-6, 6, 400)
    noise = np.random.default_rng(7).uniform(-error, error, (2, 400))
    alphas = np.minimum(1, ndtr(-scores) * (1 + noise[0]))
    betas = np.minimum(1, ndtr(scores - 1) * (1 + noise[1]))
    curve = TradeOff.from_points(alphas, betas, error=1.01 * error)
    grid = np.linspace(0, 1, 4001)
    gap = GaussianDP(1.0).trade_off(grid) - curve.trade_off(grid)
    assert gap.min() >= -1e-15
    assert gap.max() < 0.02
    with pytest.raises(ValueError, match="error must be below 1"):
        TradeOff.from_points(alphas, betas, error=1.0)


def test_few_points_with_large_errors_stay_safe() -> None:
    draws = np.random.default_rng(11)
    grid = np.linspace(0, 1, 201)
    for _ in range(1000):
        alphas = draws.uniform(0, 1, 5)
        noise = draws.choice([-0.02, 0.02], (2, 5))
        betas = GaussianDP(0.5).trade_off(alphas)
        points = np.minimum(1, np.array([alphas, betas]) * (1 + noise))
        below = TradeOff.from_points(points[0], points[1], error=0.021)
        assert (below.trade_off(grid) <= GaussianDP(0.5).trade_off(grid) + 1e-15).all()


@pytest.mark.parametrize("k", [2, 3, 5])
def test_groups_of_a_gaussian_curve_are_just_above_k_mu(k: int) -> None:
    group = TradeOff.from_function(GaussianDP(0.3).trade_off).for_group(k)
    exact = GaussianDP(0.3).for_group(k)
    alphas = np.linspace(0, 1, 1001)
    assert (group.trade_off(alphas) <= exact.trade_off(alphas) + 1e-15).all()
    for epsilon in (0.0, 0.5, 1.0, 2.0):
        assert exact.delta(epsilon) <= group.delta(epsilon) <= exact.delta(epsilon) * 1.02


@given(curves(), st.integers(2, 5))
def test_groups_iterate_the_curve(curve: TradeOff, k: int) -> None:
    symmetric = curve.symmetric()
    alphas = np.linspace(0, 1, 101)
    betas = alphas
    for _ in range(k):
        betas = 1 - np.interp(betas, symmetric.alphas, symmetric.betas)
    exact = 1 - betas
    answer = curve.for_group(k).trade_off(alphas)
    # At alpha 0 alone, a corner nearer than rounding may have been moved there.
    assert answer[1:] == pytest.approx(exact[1:], abs=1e-9)
    assert (answer <= exact + 1e-12).all()


def test_large_groups_end_in_nothing() -> None:
    assert TradeOff((0.0, 0.25, 1.0), (1.0, 0.25, 0.0)).for_group(10**6).trade_off(1e-9) < 1e-9
