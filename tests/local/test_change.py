"""Theorem 1: the bound against its integral in 40 digits, its inverse, and against random walks."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from discreet.local.change import change_chance, change_chances, least_margin, margin_near
from tests.guarantees.digits import in_digits

MARGINS = [0.01, 0.3, 1.0, 1.9, 3.0, 4.5, 8.0, 15.0, 30.0]


@in_digits(40)
def printed(margin: float) -> mpf:
    """The formula of theorem 1 as printed, with Phi and phi."""
    b = mpf(margin)
    inside = mpmath.ncdf(b) - mpmath.ncdf(-b)
    return 2 * mpmath.ncdf(-mpmath.sqrt(2) * b) + 2 * mpmath.sqrt(mpmath.pi) * mpmath.npdf(-b) * inside


@in_digits(30)
def derived(margin: float) -> mpf:
    """The integral that the proof begins with, in units of scale sqrt(B), where a = sqrt(2) beta."""
    a = mpmath.sqrt(2) * mpf(margin)
    fall = mpmath.quad(lambda u: 2 * mpmath.npdf(a - u) * mpmath.exp(-u * u / 2), mpmath.linspace(0, a, 60))
    return 2 * mpmath.ncdf(-a) + fall


@pytest.mark.parametrize("margin", MARGINS)
def test_the_bound_is_the_integral_of_the_proof_and_the_printed_formula(margin: float) -> None:
    assert abs(change_chance(margin) / printed(margin) - 1) < 1e-13
    assert abs(printed(margin) / derived(margin) - 1) < 1e-12


def test_the_bound_falls_everywhere_and_is_one_at_no_margin() -> None:
    chances = [change_chance(margin) for margin in np.linspace(-4, 38, 5000).tolist()]
    assert (np.diff(chances) < 0).all()
    assert change_chance(0.0) == 1.0


def test_many_are_as_one() -> None:
    margins = np.linspace(-4, 30, 999)
    assert change_chances(margins) == pytest.approx([change_chance(margin) for margin in margins.tolist()], rel=1e-13)


@pytest.mark.parametrize("chance", [0.999, 0.3, 1e-2, 1e-6, 1e-50, 1e-300])
def test_the_least_margin_is_safe_and_least(chance: float) -> None:
    margin = least_margin(chance)
    assert change_chance(margin) <= chance < change_chance(margin - 2e-9)
    assert margin_near(chance) == pytest.approx(margin, abs=1e-4)


@pytest.mark.parametrize(("n", "steps", "margin"), [(2, 1, 0.5), (2, 30, 0.3), (5, 10, 0.6), (25, 100, 1.0)])
def test_leaders_of_random_walks_change_no_more_often_than_the_bound(n: int, steps: int, margin: float) -> None:
    """20,000 walks whose data closes the gap by one a step; by accident with probability below 1e-6."""
    scale = 5.0
    gap = steps + scale * np.sqrt(2 * steps) * (margin + np.sqrt(np.log(2 * n - 2)))
    random, changed, walks = np.random.default_rng(n), 0, 20_000
    for _ in range(10):
        steps_of = scale * random.standard_normal((walks // 10, steps, n))
        steps_of[..., 0] += 1
        totals = np.cumsum(steps_of, axis=1) + np.append(0.0, np.full(n - 1, gap))
        changed += int((totals.argmin(axis=2) != 0).any(axis=1).sum())
    bound = min(1.0, change_chance(margin))
    assert changed <= walks * bound + 5 * np.sqrt(walks * bound)
    assert changed > 0
