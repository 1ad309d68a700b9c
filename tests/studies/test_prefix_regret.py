"""What study 1 makes of its simulations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

import numpy as np
import pytest

from discreet.environments import one_gap
from discreet.experts import PrefixSoftmax
from discreet.simulate import RegretCurve, exact_regret
from studies.prefix_regret.cases import LEFT, Case
from studies.prefix_regret.fit import fit, powers


@dataclass(frozen=True)
class Made:
    """A case with a regret that is known."""

    n_actions: int
    gap: float
    rate: float
    mean: float
    error: float = 0.01


def made(power: float) -> list[Made]:
    """Regret 3 log(K)^power / gap + 5 log(K)^power / rate."""
    return [
        Made(size, gap, rate, log(size) ** power * (3 / gap + 5 / rate))
        for size in (2, 30, 1000)
        for gap in (0.5, 0.02)
        for rate in (0.1, 0.025)
    ]


def test_slopes_that_are_there_are_found() -> None:
    line = fit(made(power=1))
    assert line.slopes.tolist() == pytest.approx([3, 5])
    assert line.intervals.ravel().tolist() == pytest.approx([3, 5, 3, 5])
    assert line.worst < 1e-12
    assert line.of(Made(8, 0.1, 0.1, 0)) == pytest.approx(80 * log(8))
    # Only gap 0.5 and rate 0.025 count: 3 · 0.025 / 0.5 + 5.
    assert line.alone == pytest.approx((5.15, 5.15))


def test_a_slope_is_never_negative_and_a_bad_fit_shows() -> None:
    points = [replace(point, mean=log(point.n_actions) * (60 - 1 / point.gap)) for point in made(power=1)]
    line = fit(points)
    assert line.slopes.min() >= 0
    assert line.worst > 0.2
    assert np.ptp(line.intervals, axis=0).max() > 0


@pytest.mark.parametrize("power", [1, 2])
def test_powers_of_the_logarithm_are_told_apart(power: int) -> None:
    found = powers(made(power))
    assert len(found) == 4
    assert [value for value, _ in found] == pytest.approx([power] * 4)


def test_the_error_of_a_power_is_that_of_many_fits() -> None:
    # Relative errors of 1 % in each mean; 400 fits tell the standard error to about 4 %, and 20 % is six of those.
    rng, exact = np.random.default_rng(1), made(power=1)
    noise = rng.normal(1, 0.01, (400, len(exact)))
    many = [
        powers([replace(p, mean=p.mean * x, error=0.01 * p.mean) for p, x in zip(exact, row, strict=True)])[0]
        for row in noise.tolist()
    ]
    assert np.std([value for value, _ in many]) == pytest.approx(many[0][1], rel=0.2)


def case(rows: list[list[float]]) -> Case:
    """Two actions, gap 0.5, epsilon 1, with the regret given at its quiet round and at the end."""
    blank = RegretCurve(np.array([1]), np.zeros((1, 1)), "pseudo", "", "")
    quiet = Case(2, 0.5, 1.0, 0.125, blank).still_after
    return Case(2, 0.5, 1.0, 0.125, replace(blank, horizons=np.array([7, quiet, 10**6]), regret=np.array(rows)))


def test_runs_that_grow_after_the_quiet_round_are_counted() -> None:
    assert case([[1.0, 2.0, 2.0], [3.0, 3.0, 3.0]]).grown == 0
    assert case([[1.0, 2.0, 2.0], [3.0, 3.0, 3.5]]).grown == 1


def test_after_the_quiet_round_next_to_nothing_is_left() -> None:
    one = case([[1.0, 1.0, 1.0]] * 2)
    assert (one.still_after + 1).bit_count() == 1
    learner, world = PrefixSoftmax(2, epsilon=1.0), one_gap(2, 0.5)
    lost = [exact_regret(learner, world, rounds) for rounds in (127, one.still_after, 2 * one.still_after + 1)]
    assert lost[1] - lost[0] > LEFT
    assert 0 <= lost[2] - lost[1] <= LEFT
    assert 0 < one.chance_of_growth < 1e-3


def test_99_percent_of_the_regret_is_there_by_the_first_horizon_that_has_it() -> None:
    assert case([[1.0, 2.0, 2.0], [3.0, 3.0, 3.0]]).settles == case([[0.0, 1.0, 1.0]] * 2).still_after
    assert case([[3.0, 3.0, 3.01]] * 2).settles == 7


def test_the_constant_is_regret_over_the_form_of_theorem_1() -> None:
    one = case([[1.0, 30.0, 30.0]] * 2)
    assert one.constant == pytest.approx(30 / (log(2) / 0.5 + log(2) / 1.0))
    assert one.constant == pytest.approx(1000 * one.mean / one.bound_2)
