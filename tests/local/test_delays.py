"""Algorithm 4: delays against the condition itself, tried one by one."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from discreet.local.delays import MOST, Delays
from tests.guarantees.digits import in_digits

CASES = [(2, 5.0, 0.01), (25, 5.0, 0.01), (25, 0.03, 0.9), (1000, 100.0, 1e-9), (3, 1e-3, 0.5), (10_000, 5.0, 0.999)]


@in_digits(40)
def lasts(n: int, scale: float, tolerance: float, gap: float, t: int, delay: int) -> bool:
    """The condition of algorithm 4 in 40 digits."""
    beta = (mpf(gap) - delay) / (mpf(scale) * mpmath.sqrt(2 * delay)) - mpmath.sqrt(mpmath.log(2 * n - 2))
    inside = mpmath.ncdf(beta) - mpmath.ncdf(-beta)
    chance = 2 * mpmath.ncdf(-mpmath.sqrt(2) * beta)
    chance += 2 * mpmath.sqrt(mpmath.pi) * mpmath.npdf(beta) * inside
    return bool(chance <= mpf(tolerance) * mpmath.sqrt(mpmath.log(n) / (t + delay)))


@pytest.mark.parametrize(("gap", "delay"), [(100, 5), (200, 18), (400, 64), (800, 202)])
def test_the_delays_of_the_issue(gap: float, delay: int) -> None:
    assert Delays(25, 5.0, 0.01).longest(float(gap), 1000) == delay
    assert lasts(25, 5.0, 0.01, gap, 1000, delay)
    assert not lasts(25, 5.0, 0.01, gap, 1000, delay + 1)


@pytest.mark.parametrize(("n", "scale", "tolerance"), CASES)
def test_a_delay_is_the_longest_that_the_condition_allows(n: int, scale: float, tolerance: float) -> None:
    random = np.random.default_rng(n)
    delays = Delays(n, scale, tolerance)
    for gap, t in zip(10 ** random.uniform(-3, 4, 150), 10 ** random.uniform(0, 7, 150), strict=True):
        delay = delays.longest(gap, int(t))
        assert delay == 0 or lasts(n, scale, tolerance, gap, int(t), delay)
        assert not lasts(n, scale, tolerance, gap, int(t), delay + 1)


@pytest.mark.parametrize(("n", "scale", "tolerance"), CASES)
def test_many_delays_are_as_one(n: int, scale: float, tolerance: float) -> None:
    random = np.random.default_rng(7)
    gaps, t = 10 ** random.uniform(-3, 6, 5000), (10 ** random.uniform(0, 9, 5000)).astype(np.int64)
    delays = Delays(n, scale, tolerance)
    assert delays.each(gaps, t).tolist() == [
        delays.longest(*pair) for pair in zip(gaps.tolist(), t.tolist(), strict=True)
    ]


def test_what_was_looked_up_before_does_not_matter() -> None:
    random = np.random.default_rng(3)
    used = Delays(25, 5.0, 0.01)
    for gap, t in zip(random.uniform(0, 900, 500).tolist(), random.integers(1, 5000, 500).tolist(), strict=True):
        assert used.longest(gap, t) == Delays(25, 5.0, 0.01).longest(gap, t)


@pytest.mark.parametrize("delay", [1, 2, 17, 500])
def test_the_gap_for_a_delay_is_enough_after_any_earlier_round_and_hardly_less_would_do(delay: int) -> None:
    delays = Delays(25, 5.0, 0.01)
    gap = delays.gap_for(delay, 3000)
    for t in (1, 2, 31, 32, 33, 2999, 3000):
        assert delays.longest(gap, t) >= delay
    assert delays.longest(gap * (1 - 1e-7), 3000) < delay


def test_a_delay_is_never_longer_than_the_most() -> None:
    delays = Delays(2, 1e-6, 0.5)
    assert delays.longest(1e15, 1) == delays.each(np.array([1e15]), np.array([1]))[0] == MOST
    assert Delays(2, 5.0, 0.01).longest(0.0, 1) == 0
    assert math.isfinite(Delays(2, 1e285, 0.01).gap_for(1, 1))
