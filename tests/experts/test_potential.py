"""The potential learner: how far one round moves its query, the printed constants, and where the printed rule fails."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.experts import PotentialExperts
from discreet.experts.potential import potential
from discreet.experts.potential_constants import ROUNDING
from discreet.guarantees import ApproxDP, PureDP
from discreet.losses import UNITS, Units


def moved(before: Units, later: Units, change: Units, rate: float) -> float:
    """How far replacing a round before the last draw moves the query, in losses."""
    queries = [potential(start + later, rate) - potential(start, rate) for start in (before, before + change)]
    return float(abs(queries[0] - queries[1])) / UNITS


def test_a_round_before_the_last_draw_moves_the_query_by_more_than_one() -> None:
    """Two actions with weights 0.2 and 0.8, rate 0.1, later losses on the second: 1.63, by hand."""
    rate = 0.1
    before = np.array([round(math.log(4) / rate * UNITS), 0])
    later, change = np.array([0, 400 * UNITS]), np.array([UNITS, -UNITS])
    by_hand = -math.log(math.exp(-rate) / (0.2 * math.exp(-rate) + 0.8 * math.exp(rate))) / rate
    assert moved(before, later, change, rate) == pytest.approx(by_hand, abs=1e-5)
    assert by_hand == pytest.approx(1.63, abs=0.005)


def test_it_never_moves_by_more_than_two_and_comes_near() -> None:
    rng, worst = np.random.default_rng(1), 0.0
    for _ in range(4000):
        rate = float(rng.choice([0.01, 0.1, 1.0]))
        n = int(rng.integers(2, 6))
        before = (rng.random(n) * rng.choice([1, 10, 100]) / rate * UNITS).astype(np.int64) + UNITS
        later = (rng.random(n) * rng.choice([0, 1, 10, 100], n) / rate * UNITS).astype(np.int64)
        worst = max(worst, moved(before, later, rng.choice([-UNITS, UNITS], n), rate))
    assert 1.9 < worst <= 2 * (1 + ROUNDING)


def test_one_potential_moves_by_one_loss_at_most() -> None:
    rng = np.random.default_rng(2)
    for rate in (1e-6, 1e-3, 0.1, 3.0):
        totals = (rng.random((3000, 4)) * 10 / rate * UNITS).astype(np.int64)
        moves = rng.integers(-UNITS, UNITS + 1, totals.shape)
        differences = potential(totals + moves, rate) - potential(totals, rate)
        assert np.abs(differences).max() <= UNITS * (1 + ROUNDING)
        assert (potential(totals + UNITS, rate) - potential(totals, rate) == UNITS).all()


def test_the_constants_of_theorem_6_and_what_they_reveal() -> None:
    learner = PotentialExperts(100, 1.0, 10_000, constants="paper", calibration="paper")
    # K = 2 log 100 = 9.21034; epsilon0 = 0.108574; eta = epsilon0 / (56 · 9.21034) = 2.10504e-4
    assert learner.switches == 9
    assert learner.rate == pytest.approx(2.10504e-4, rel=1e-5)
    assert learner.threshold == pytest.approx(2 / 2.10504e-4, rel=1e-5)
    assert (learner.test.threshold_scale, learner.test.query_scale) == pytest.approx((18.42068, 36.84136), rel=1e-6)
    assert learner.claim.epsilon == pytest.approx(17 * 0.108574 + 18 * 2.10504e-4, rel=2e-5)


def test_the_constants_of_theorem_7_and_what_they_reveal() -> None:
    learner = PotentialExperts(100, 1.0, 10_000, delta=1e-6, constants="paper", calibration="paper")
    # epsilon0 = 1 / sqrt(9.21034 · 13.81551) = 0.0886498; eta = epsilon0 / 515.779
    assert learner.rate == pytest.approx(0.0886498 / 515.779, rel=1e-5)
    spent = 17 * 0.0886498 + 18 * learner.rate
    rho = 0.0886498**2 * (0.5 + 2 * 8) + 9 * learner.rate**2 / 2
    assert isinstance(learner.claim, ApproxDP)
    assert learner.claim.epsilon == pytest.approx(min(spent, rho + 2 * math.sqrt(rho * 13.81551)), rel=1e-4)
    assert learner.claim.epsilon > 1


def test_proved_noise_spends_what_was_asked_for() -> None:
    for constants in ("tight", "paper"):
        assert PotentialExperts(50, 0.7, 1000, constants=constants).claim == PureDP(0.7)
        many = PotentialExperts(10_000, 0.7, 1000, delta=1e-2, constants=constants)
        assert many.claim == ApproxDP(0.7, 1e-2)
        assert many.revealed > 0.7  # so that delta is what pays


def test_the_printed_rule_has_linear_regret() -> None:
    """One of two actions loses in every round: it is kept to the end by half of the runs, false alarms aside."""
    table = np.tile([0.0, 1.0], (50_000, 1))
    regrets = []
    for constants in ("paper", "tight"):
        actions = PotentialExperts(2, 1.0, 50_000, constants=constants, seed=1, runs=400).play(table)
        regrets.append((actions == 1).sum(axis=0).mean())
    assert regrets[0] > 0.4 * 50_000
    assert regrets[1] < 500
