"""The losses and regrets of the study of DP-FTRL, against independent calculation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.convex import TreeFTRL
from studies.smooth.cases import (
    AT,
    LIPSCHITZ,
    NOISY,
    SHARP,
    Played,
    Setting,
    Stream,
    general_regularization,
    made,
    noise_sum,
    play,
)
from studies.smooth.results import power
from tests.chances import MILLION_SIGMA


def stream(kind: str, seed: int = 1, runs: int = 4, dimension: int = 3) -> Stream:
    return Stream(kind, dimension, np.arange(runs) % 2 == 1, np.random.default_rng(seed))


@pytest.mark.parametrize("kind", ["squares", NOISY, SHARP])
def test_gradients_are_differences_of_losses(kind: str) -> None:
    points = np.random.default_rng(2).uniform(-0.5, 0.5, (4, 3))
    _, _, gradients = stream(kind).step(points)
    for axis in range(3):
        move = np.zeros(3)
        move[axis] = 1e-5
        above, below = (stream(kind).step(points + sign * move)[0] for sign in (1, -1))
        assert gradients[:, axis] == pytest.approx((above - below) / 2e-5, abs=1e-8)
    assert np.linalg.norm(gradients, axis=1).max() <= LIPSCHITZ[kind] + 1e-12


@pytest.mark.parametrize("kind", ["squares", SHARP])
def test_the_solution_has_no_loss(kind: str) -> None:
    solution = np.tile([AT, 0.0, 0.0], (4, 1))
    losses, standing, _ = stream(kind).step(solution)
    assert losses == pytest.approx(0.0)
    assert (standing > 0).all()


def test_standing_still_loses_what_the_design_says() -> None:
    one = stream("squares", runs=2, dimension=5)
    standing = np.array([one.step(np.zeros((2, 5)))[1] for _ in range(4_000)])
    # All directions: (a · x*)^2 / 2 is |x*|^2 / (2 d) on average; one direction: |x*|^2 / 2. One false alarm in 10^6.
    mean, error = standing[:, 0].mean(), standing[:, 0].std() / math.sqrt(4_000)
    assert abs(mean - AT**2 / 10) < MILLION_SIGMA * error
    assert standing[:, 1] == pytest.approx(AT**2 / 2)


def test_the_best_point_is_that_of_least_squares() -> None:
    one, points = stream(NOISY), np.tile([0.2, 0.0, 0.0], (4, 1))
    rows = []
    for _ in range(60):
        # The loss is off^2 / 2 and the gradient off · a, where off = a · x - b is not 0 at this point.
        losses, _, gradients = one.step(points)
        rows.append((gradients, losses))
    for run in range(4):
        sizes = np.sqrt([2 * losses[run] for _, losses in rows])
        sides = np.array([gradients[run] for gradients, _ in rows]) / sizes[:, None]
        # The sign of off is not known; with the other one a and b have the other sign too, which is the same loss.
        targets = sides @ points[run] - sizes
        left = np.linalg.lstsq(sides, targets, rcond=None)[0]
        least = float(((sides @ left - targets) ** 2).sum()) / 2
        assert one.best()[run] == pytest.approx(least, rel=1e-9)


def test_regret_is_that_of_a_loop() -> None:
    setting = Setting("squares", 3, 2.0, 40, "reduced", "theorem")
    played = play(setting, runs=3, seed=7)
    learner = TreeFTRL(3, 1.0, 1.5, 1.0, 2.0, 1e-6, 40, "reduced", "theorem", seed=7, runs=6)
    rng, solution, regret = np.random.default_rng([7, 40, 3]), np.array([0.5, 0.0, 0.0]), np.zeros(6)
    for _ in range(40):
        sides = rng.standard_normal((6, 3))
        sides[3:, 1:] = 0
        sides /= np.linalg.norm(sides, axis=1)[:, None]
        off = ((learner.act() - solution) * sides).sum(axis=1)
        regret += off**2 / 2
        learner.update(off[:, None] * sides)
    assert [one.mean for one in played] == pytest.approx([regret[:3].mean(), regret[3:].mean()])
    assert [one.design for one in played] == ["all directions", "one direction"]


def test_the_noise_of_a_tree_adds_up_its_nodes() -> None:
    # 7 rounds: after t of them, as many nodes as t has binary digits 1: 1, 1, 2, 1, 2, 2 for t = 1, ..., 6. One
    # gradient is in 3 nodes and moves each by 2 L.
    learner = made(Setting(SHARP, 4, 1.0, 7), runs=1, seed=1)
    scale = 2 * math.sqrt(3) / learner.claim.mu
    assert noise_sum(learner) == pytest.approx(4 * 9 * scale**2, rel=1e-6)
    spread = math.sqrt(4 * 9 * scale**2 / 7)
    assert general_regularization(learner, 7) == pytest.approx(math.sqrt(14 * (1 + spread)), rel=1e-6)


def test_the_power_of_a_power_is_found() -> None:
    def row(error: float) -> list[Played]:
        settings = (Setting("squares", 3, 1.0, rounds) for rounds in (100, 10_000, 1_000_000))
        return [
            Played(one, "all directions", 2.0 * one.rounds**0.35, error * one.rounds**0.35, 1.0, 1.0, None, 0)
            for one in settings
        ]

    assert power(row(0.0)) == pytest.approx((0.35, 0.0))
    # Two points are long enough to count: the logarithms have errors of 1/200 and lie log(100) apart.
    assert power(row(0.01))[1] == pytest.approx(0.005 * math.sqrt(2) / math.log(100))
