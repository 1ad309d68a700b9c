"""The laws of the study of resampling against independent calculation."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from discreet.environments import Correlated, TwoPoint
from discreet.environments.laws import Law
from discreet.losses import UNITS
from studies.resampling.conditions import covariance, pairs
from studies.resampling.example import MENDED, PRINTED, SWAPPED, worse
from studies.resampling.laws import NOISES, after_block, leaders, resampled_apart, resampled_together
from studies.resampling.order import Order


def as_dict(law: Law) -> dict[tuple[int, ...], float]:
    return {tuple(row): chance for row, chance in zip(law.totals.tolist(), law.chances.tolist(), strict=True)}


def test_resampling_any_losses_is_the_environment_s_own_where_that_is_known() -> None:
    world = TwoPoint(low=[0.25, 0.0, 0.5], high=[0.25, 0.5, 1.0], chance=[0.0, 0.75, 0.125])
    corners = list(product([0.25], [0.0, 0.5], [0.5, 1.0]))
    chances = [(0.75 if b else 0.25) * (0.125 if c == 1 else 0.875) for _, b, c in corners]
    assert as_dict(resampled_apart(corners, chances)) == pytest.approx(
        as_dict(world.resampled().round_law()), abs=1e-15
    )


def test_zeros_and_ones_stay_what_they_are_however_dependent() -> None:
    world = Correlated([0.4, 0.6], strength=[0.9, -0.5])
    corners = list(product([0.0, 1.0], repeat=2))
    ups = world.chances()
    chances = [float(np.mean([np.prod(np.where(corner, up, 1 - up)) for up in ups])) for corner in corners]
    once = as_dict(world.round_law())
    assert as_dict(resampled_apart(corners, chances)) == pytest.approx(once, abs=1e-15)
    assert as_dict(resampled_together(corners, chances)) == pytest.approx(once, abs=1e-15)


def test_one_number_for_all_keeps_the_order_within_a_round() -> None:
    law = as_dict(resampled_together([[0.25, 0.5, 0.75]], [1.0]))
    assert law == pytest.approx({(0, 0, 0): 0.5, (0, 1 * UNITS, 1 * UNITS): 0.25, (0, 0, 1 * UNITS): 0.25})


def test_leaders_share() -> None:
    assert leaders(np.array([[0, 0, 5], [0, -1, 3]]), within=0).tolist() == [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]]
    assert leaders(np.array([[0, 1, 5]]), within=1).tolist() == [[0.5, 0.5, 0.0]]


def test_totals_that_only_rounding_to_units_parts_are_ties() -> None:
    # 4 · 0.3 = 3 · 0.4: with three losses of 0.4 in four rounds the two actions are level.
    by_hand = sum(math.comb(4, k) * 0.8**k * 0.2 ** (4 - k) * (1 if k < 3 else 0.5) for k in range(4))
    assert worse(PRINTED, None, 1.0, resample=False, rounds=4) == pytest.approx(by_hand)


def test_the_example_by_hand() -> None:
    assert worse(PRINTED, None, 1.0, resample=False) == pytest.approx(0.2)
    assert worse(MENDED, None, 1.0, resample=False) == pytest.approx(0.8)
    assert worse(SWAPPED, None, 1.0, resample=False) == pytest.approx(0.7)
    best, other = Fraction(30, 100), Fraction(32, 100)
    by_hand = best * (1 - other) + (best * other + (1 - best) * (1 - other)) / 2
    for example in (PRINTED, MENDED):
        assert worse(example, None, 1.0, resample=True) == pytest.approx(float(by_hand), abs=1e-6)  # means in units


def test_the_example_with_gumbel_noise_by_hand() -> None:
    def of(gap: float, epsilon: float) -> float:
        return 1 / (1 + math.exp(epsilon / 2 * gap))

    for epsilon in (0.5, 3.0):
        by_hand = 0.8 * of(0.1, epsilon) + 0.2 * of(-0.3, epsilon)
        assert worse(PRINTED, "gumbel", epsilon, resample=False) == pytest.approx(by_hand, abs=1e-6)


@pytest.mark.parametrize("noise", NOISES)
def test_much_epsilon_is_no_noise(noise: str) -> None:
    for rounds in (1, 3):
        limit = worse(MENDED, None, 1.0, resample=False, rounds=rounds)
        assert worse(MENDED, noise, 1e4, resample=False, rounds=rounds) == pytest.approx(limit, abs=1e-9)


def test_order_sees_inversions_and_shares() -> None:
    fine = Order.of(np.array([0.3, 0.5, 0.2]), np.array([0.5, 0.1, 0.9]))
    assert fine.holds
    assert fine.inversion == pytest.approx(-0.1)
    assert fine.excess == pytest.approx(3 * 0.2 - 1)
    assert Order.of(np.array([0.4, 0.6]), np.array([0.1, 0.2])).inversion == pytest.approx(0.2)
    assert Order.of(np.array([0.4, 0.6]), np.array([0.1, 0.2])).excess == pytest.approx(0.2)
    assert not Order.of(np.array([0.4, 0.6]), np.array([0.2, 0.2])).holds  # equal means, unequal chances


def test_two_dependent_actions_by_enumeration() -> None:
    assert pairs(cases=5, longest=3) <= 0


def test_covariance_by_simulation() -> None:
    rng = np.random.default_rng(1)
    losses = np.array([[0.2, 0.3], [0.6, 0.9]])[rng.integers(2, size=200_000)]
    ones = (rng.random(losses.shape) < losses).astype(float)
    both, correlation = covariance(resample=True)
    # Standard errors: of a covariance of 0/1 losses at most 0.25/sqrt(n), of a correlation about 1/sqrt(n); 5 of them.
    assert np.cov(ones.T)[0, 1] == pytest.approx(both, abs=5 * 0.25 / 200_000**0.5)
    assert np.corrcoef(ones.T)[0, 1] == pytest.approx(correlation, abs=5 / 200_000**0.5)
    assert after_block(None, resampled_apart(losses[:4], [0.25] * 4), rounds=1).sum() == pytest.approx(1)
