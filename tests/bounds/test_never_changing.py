"""Losses that never change: theorem 11 from above and theorem 7 from below, against other calculations."""

from __future__ import annotations

import math
from itertools import permutations, product

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

from discreet.bounds import (
    softmax_cost,
    softmax_cost_slope,
    wu_wang_lemma_13,
    wu_wang_theorem_7,
    wu_wang_theorem_7_sharp,
    wu_wang_theorem_11_explicit,
)
from discreet.losses import UNITS
from discreet.selection import PermuteAndFlip, Softmax

Floats = NDArray[np.float64]


def _instances(count: int) -> list[Floats]:
    """Rows of gaps, the first 0: equal ones, spread ones, and ones over many scales."""
    rng = np.random.default_rng(1)
    rows = []
    for i in range(count):
        k = int(rng.choice([2, 3, 10, 100, 2000]))
        equal, spread, scales = np.full(k, 10 ** rng.uniform(-3, 0)), rng.random(k), 10 ** rng.uniform(-4, 0, k)
        gaps = (equal, spread, scales)[i % 3]
        gaps[0] = 0.0
        rows.append(gaps)
    return rows


def _mean_gap(gaps: Floats, rate: float, rounds: float) -> float:
    weights = np.exp(-rate * rounds * gaps)
    return float(gaps @ weights / weights.sum())


@pytest.mark.parametrize("rate", [0.01, 0.125, 2.0])
def test_dyadic_softmax_stays_below_theorem_11(rate: float) -> None:
    for gaps in _instances(60):
        cost = gaps.mean() + sum(2.0 ** (r + 1) * _mean_gap(gaps, rate, 2.0**r) for r in range(40))
        assert cost < wu_wang_theorem_11_explicit(len(gaps), rate)


@pytest.mark.parametrize("k", [2, 10, 300])
@pytest.mark.parametrize("rate", [0.125, 1.0])
def test_a_random_prefix_stays_below_theorem_11(k: int, rate: float) -> None:
    gaps = np.append(0.0, np.random.default_rng(3).uniform(0.2, 1.0, k - 1))
    costs = np.array([_mean_gap(gaps, rate, m) for m in range(4097)])
    assert costs[-1] < 1e-40  # no regret is left after these rounds
    whole = (
        gaps.mean()
        + 2 * costs[1]
        + sum(2 ** (r + 1) * costs[2 ** (r - 1) + 1 :][: 2 ** (r - 1)].mean() for r in range(1, 13))
    )
    bound = wu_wang_theorem_11_explicit(k, rate)
    assert bound / 5 < whole < bound


def test_the_constant_of_theorem_11_cannot_be_much_smaller() -> None:
    size, rate = 500.0, 1.0  # log K; the K - 1 equal gaps only enter by their number

    def regret(gap: float) -> float:
        return sum(2.0 ** (r + 1) * gap / (1 + math.exp(min(700.0, rate * 2.0**r * gap - size))) for r in range(60))

    assert 3.9 * size / rate < max(regret(gap) for gap in np.linspace(1e-3, 2e-3, 2000)) < 4 * size / rate


@pytest.mark.parametrize("rate", [0.1, 1.0, 5.0])
def test_permute_and_flip_costs_at_most_what_softmax_costs(rate: float) -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        gaps = np.round(rng.random(6) * 10 ** rng.uniform(-2, 1) * UNITS).astype(np.int64)
        gaps[0] = 0
        assert PermuteAndFlip(rate).law(gaps) @ gaps <= Softmax(rate).law(gaps) @ gaps * (1 + 1e-9)


def test_lemma_12_and_its_slope() -> None:
    for a in _instances(30):
        for x in np.arange(-6.0, 12.0, 0.7):
            slope, step = softmax_cost_slope(a, x), 1e-5
            measured = (softmax_cost(a, x + step) - softmax_cost(a, x - step)) / (2 * step)
            assert slope == pytest.approx(measured, rel=1e-5, abs=1e-8)
            assert slope <= math.log(2) * softmax_cost(a, x) * (1 + 1e-12)


def test_lemma_13_over_all_whole_numbers() -> None:
    for a in _instances(60):
        added = sum(softmax_cost(a, r) for r in range(-40, 60))
        assert added < 2 * math.log(len(a)) < wu_wang_lemma_13(len(a))


def test_softmax_cost_far_out() -> None:
    assert softmax_cost([0.0, 1.0], 900.0) == 0.0
    assert softmax_cost([0.0, 1.0], -900.0) == pytest.approx(0.5 * 2.0**-900)
    assert softmax_cost_slope([0.0, 1.0], 900.0) == 0.0
    with pytest.raises(ValueError, match="stay finite"):
        softmax_cost([0.0, 1.0], 2000.0)


@pytest.mark.parametrize("rounds", [None, 1, 7, 2**43])
@pytest.mark.parametrize("epsilon", [1e-3, 0.3, 1.0, 50.0])
@pytest.mark.parametrize("k", [6, 100, 10**9])
def test_theorem_7_is_the_printed_formula(k: int, epsilon: float, rounds: int | None) -> None:
    with mpmath.workdps(60):
        start = mpmath.e**epsilon
        tail = mpmath.mpf(1) / 3
        if rounds is not None:
            power = mpmath.exp(mpmath.mpf(epsilon) * (rounds + 1))
            tail = power / (3 * power + k - 5)
        wanted = mpmath.log(tail * (3 * start + k - 5) / start) / epsilon
        assert wu_wang_theorem_7(k, epsilon, rounds) == pytest.approx(float(wanted), rel=1e-12)


@pytest.mark.parametrize(("k", "epsilon", "rounds"), [(4, 0.5, 3), (100, 1.0, 400), (10**9, 0.1, 2000), (7, 50.0, 9)])
def test_the_sharper_bound_is_the_sum(k: int, epsilon: float, rounds: int) -> None:
    with mpmath.workdps(40):
        terms = [(k - 3) / (3 * mpmath.exp(mpmath.mpf(epsilon) * n) + k - 3) for n in range(rounds)]
    assert wu_wang_theorem_7_sharp(k, epsilon, rounds) == pytest.approx(float(sum(terms)), rel=1e-12)
    if rounds * epsilon > 100:  # what is left is too small to see
        assert wu_wang_theorem_7_sharp(k, epsilon) == pytest.approx(float(sum(terms)), rel=1e-12)


def test_the_sharper_bound_goes_over_into_the_integral() -> None:
    for epsilon in (1e-7, 1e-6):
        bound = wu_wang_theorem_7_sharp(100, epsilon)
        assert math.log(100 / 3) / epsilon <= bound <= math.log(100 / 3) / epsilon + 1
        assert wu_wang_theorem_7_sharp(100, epsilon, 2**43) == pytest.approx(bound, rel=1e-12)
    assert 1 <= wu_wang_theorem_7_sharp(100, 1e-9, 10**7) - wu_wang_theorem_7_sharp(100, 1e-9, 10**7 - 2) <= 2


@pytest.mark.parametrize("factor", [1.5, 4.0, 20.0])
@pytest.mark.parametrize("k", [4, 6, 7])
def test_a_linear_program_finds_nothing_below_the_sharper_bound(k: int, factor: float) -> None:
    """All laws of the second action on the K instances, within `factor` of each other, as the gap tends to 0."""
    far = np.array([[min((i - place) % k, (place - i) % k) > 1 for i in range(k)] for place in range(k)])
    limits = np.zeros((k * (k - 1) * k, k, k))
    for limit, ((one, two), action) in zip(limits, product(permutations(range(k), 2), range(k)), strict=True):
        limit[one, action], limit[two, action] = 1.0, -factor
    rows, sums = limits.reshape(len(limits), -1), np.kron(np.eye(k), np.ones(k))
    least = linprog(far.ravel() / k, rows, np.zeros(len(rows)), sums, np.ones(k)).fun
    first, both = (wu_wang_theorem_7_sharp(k, math.log(factor), rounds) for rounds in (1, 2))
    assert first == pytest.approx((k - 3) / k)
    assert both - first == pytest.approx(least, rel=1e-6)


def test_a_private_learner_obeys_theorem_7() -> None:
    for k, epsilon in ((6, 1.0), (100, 0.1), (100, 8.0)):
        gaps = np.ones(k)
        gaps[[0, 1, -1]] = 0.0, 1e-3, 1e-3
        played, regret = 1, float(gaps.mean())
        for r in range(40):
            regret += 2.0 ** (r + 1) * _mean_gap(gaps, epsilon / 2, 2.0**r)
            played += 2 ** (r + 1)
            assert wu_wang_theorem_7_sharp(k, epsilon, played) < regret
        assert regret < wu_wang_theorem_11_explicit(k, epsilon / 2)
