"""The ball's learner spends what it says, keeps its contract, and loses no more as the horizon grows."""

from __future__ import annotations

import copy
import itertools
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from discreet.convex import PotentialBall
from discreet.convex.affine import Affine, read, values
from discreet.convex.ball_draws import BallDraws
from discreet.guarantees import NoGuarantee, PureDP
from discreet.losses import UNITS
from discreet.selection import Softmax

OPTIONS: dict[str, Any] = {"dimension": 2, "radius": 1.0, "lipschitz": 1.0, "epsilon": 1.0, "rounds": 1000}


def test_the_accounting_by_hand() -> None:
    """One test, and 2 · rate a draw: the score of one point may rise while those of all others fall."""
    learner = PotentialBall(**OPTIONS)
    assert (learner.switches, learner.test.epsilon) == (22, 0.35)
    assert learner.rate == pytest.approx(0.65 / 44, rel=1e-15)
    assert learner.test.level + 44 * Fraction(learner.rate) == learner.revealed <= 1
    assert learner.guarantee == learner.claim == PureDP(1.0)
    for changes in ({"switches": 3}, {"epsilon": 0.3}, {"dimension": 1, "rounds": 10**5}, {"threshold": 1.0}):
        made = PotentialBall(**(OPTIONS | changes))
        assert Fraction(99, 100) * Fraction(made.epsilon) < made.revealed <= Fraction(made.epsilon)
    assert isinstance(PotentialBall(**OPTIONS, seed=1).guarantee, NoGuarantee)


RISING, FALLING = (read([a], b, 1.0, 1.0, 1.0, 1) for a, b in ((1.0, 0.0), (-1.0, 0.0)))
UP, DOWN = (read([a], 0.5, 1.0, 1.0, 1.0, 1) for a in (0.5, -0.5))


def course_law(learner: PotentialBall, losses: list[Affine]) -> np.ndarray:
    """P(first point, round of the halt, second point), from the learner's own test and draws, by enumeration."""
    points = np.arange(-(1 << learner.bits), (1 << learner.bits) + 1)[:, None]
    each = np.array([values([loss], points, learner.bits) for loss in losses])
    totals = np.cumsum(each, axis=0)
    courses: list[Any] = []
    assert isinstance(learner.draws, BallDraws)
    for place in range(len(points)):
        halts = learner.test.law(totals[:, place] - round(learner.threshold * UNITS))
        for halt, chance in enumerate(halts[:-1]):
            law = Softmax(learner.rate).law(learner.draws.scores(totals[halt]))
            courses.append(chance / len(points) * law)
        courses.append([halts[-1] / len(points)])
    return np.concatenate(courses)


def test_no_course_is_likelier_by_more_than_what_is_revealed() -> None:
    """Exact laws on nine points of the interval, each round replaced; floor 0, so that scores move."""
    learner = PotentialBall(1, 1.0, 1.0, 4.0, 4, bound=1.0, switches=1, threshold=0.5, bits=2)
    learner.draws = BallDraws(1, 2, learner.rate, 0)
    worst = 0.0
    for table in ([RISING, RISING, UP], [UP, RISING, FALLING], [RISING] * 3):
        before = course_law(learner, table)
        assert before.sum() == pytest.approx(1.0)
        for at, new in itertools.product(range(3), (UP, DOWN, FALLING)):
            after = course_law(learner, [*table[:at], new, *table[at + 1 :]])
            worst = max(worst, float(np.abs(np.log(after / before)).max()))
    assert 1.5 < worst <= float(learner.revealed)  # three rounds do not reach all of it


def test_one_rate_a_draw_would_not_do() -> None:
    """Planted: a draw counted at its rate. The scores of likely points fall, that of an unlikely one rises."""
    draws = BallDraws(1, 2, 0.5, 0)
    points = np.arange(-4, 5)[:, None]
    laws = [Softmax(0.5).law(draws.scores(values([*[UP] * 60, last], points, 2))) for last in (UP, DOWN)]
    worst = float(np.abs(np.log(laws[1] / laws[0])).max())
    assert 0.5 * 1.5 < worst <= float(draws.level) == 1.0


def test_what_is_played_follows_that_law() -> None:
    """A coarse check that test and draws are put together so: the chance of a halt in the first round, 5 sigma."""
    options: dict[str, Any] = {"bound": 1.0, "switches": 1, "threshold": 0.5, "bits": 2}
    halted, chance, n = 0, 0.0, 400
    loss = read([0.5], 0.5, 1.0, 1.0, 1.0, 1)
    for seed in range(n):
        learner = PotentialBall(1, 1.0, 1.0, 4.0, 4, **options, seed=seed)
        lost = int(values([loss], learner._point, 2)[0])
        chance += learner.test.law([lost - UNITS // 2])[0]
        learner.update([0.5], 0.5)
        halted += int(learner._drawn[0])
    assert abs(halted - chance) < 5 * (n / 4) ** 0.5


def regret(dimension: int, rounds: int, runs: int) -> float:
    """Mean of the runs, for one hinge loss in every round: 0 beyond 0.7 in one direction, and 1 at the other end."""
    learner = PotentialBall(dimension, 1.0, 1.0, 5.0, rounds, bound=1.7, seed=1, runs=runs)
    slope, lost = -np.eye(dimension)[0], 0.0
    for _ in range(rounds):
        lost += float(np.maximum(0.0, 0.7 - learner.act()[:, 0]).mean()) / 1.7
        learner.update(slope, 0.7)
    assert learner.rounds == rounds
    return lost


@pytest.mark.parametrize("dimension", [1, 2])
def test_regret_is_flat_in_the_horizon_where_some_points_lose_nothing(dimension: int) -> None:
    """A hundred runs: the ratio is known to a tenth. Points that stay would lose five times as much in five times T."""
    short, long = regret(dimension, 600, 100), regret(dimension, 3000, 100)
    found = PotentialBall(dimension, 1.0, 1.0, 5.0, 3000, bound=1.7)
    assert long < 1.7 * short
    assert long < 4 * found.threshold


def test_a_draw_finds_good_points_and_the_last_one_stays() -> None:
    learner = PotentialBall(1, 2.0, 1.0, 20.0, 600, threshold=2.0, switches=2, seed=2)
    for _ in range(600):
        learner.update([[1.0], [-1.0]], [-1.0, 1.0])
    assert learner._drawn.tolist() == [2]
    assert learner._losses == []
    assert abs(learner.act()[0] - 1.0) < 0.2
    last = learner.act()
    for _ in range(50):
        learner.update([[1.0], [-1.0]], [1.9, -1.9])
    assert np.array_equal(learner.act(), last)
    assert learner.rounds == 650


def test_contract() -> None:
    learner = PotentialBall(2, 3.0, 0.5, 4.0, 500, best_loss=1.0, threshold=2.0, seed=7)
    assert np.linalg.norm(learner.act()) <= 3.0
    assert np.array_equal(learner.act(), learner.act())
    for _ in range(30):
        learner.update([0.3, 0.4], 0.5)
    twin = pickle.loads(pickle.dumps(learner))
    also = copy.copy(learner)
    for one in (learner, twin, also):
        for _ in range(60):
            one.update([[0.0, 0.5], [0.1, 0.0]], [0.0, 0.2])
    assert learner._drawn[0] > 0
    assert np.array_equal(learner.act(), twin.act())
    assert np.array_equal(learner.act(), also.act())
    again = eval(repr(learner), {"PotentialBall": PotentialBall})
    assert again == learner == learner.clone()
    assert again != learner.clone().set_params(bits=10)
    assert (again.rounds, learner.rounds) == (0, 90)
    private = pickle.loads(pickle.dumps(PotentialBall(**OPTIONS)))
    private.update([0.3, 0.4], 0.5)
    assert private.guarantee == PureDP(1.0)


def test_bad_losses_change_nothing() -> None:
    learner = PotentialBall(**OPTIONS, seed=1)
    learner.update([0.3, 0.4], 0.5)
    before = pickle.dumps(learner)
    for slopes, offsets in (([1.0], 0.0), ([2.0, 0.0], 0.0), ([1.0, 0.0], 1.5), ([np.nan, 0.0], 0.0)):
        with pytest.raises(ValueError, match=r".") as caught:
            learner.update(slopes, offsets)
        assert "\n" not in str(caught.value)
        assert pickle.dumps(learner) == before


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"dimension": 0}, "dimension"),
    ({"dimension": 11}, "up to 10 dimensions"),
    ({"dimension": 5, "rounds": 10**6}, "proposals"),
    ({"epsilon": 500.0, "dimension": 4}, "proposals"),
    ({"radius": -1.0}, "radius"),
    ({"radius": 1e-200, "lipschitz": 1e-200}, "bound"),
    ({"radius": 1e200, "lipschitz": 1e200}, "bound"),
    ({"bound": 1e-9}, "bound"),
    ({"lipschitz": np.nan}, "lipschitz"),
    ({"epsilon": 0.0}, "epsilon"),
    ({"epsilon": 1e-30}, "epsilon"),
    ({"rounds": 0}, "rounds"),
    ({"best_loss": -1.0}, "best_loss"),
    ({"failure": 1.0}, "failure"),
    ({"switches": 0}, "switches"),
    ({"threshold": "low"}, "threshold"),
    ({"bits": 21}, "bits"),
    ({"seed": -1}, "seed"),
]


@pytest.mark.parametrize(("changes", "word"), WRONG)
def test_bad_parameters_are_refused_in_one_sentence(changes: dict[str, Any], word: str) -> None:
    with pytest.raises(ValueError, match=word) as caught:
        PotentialBall(**(OPTIONS | changes))
    assert "\n" not in str(caught.value)


def test_small_and_large_worlds_can_be_made() -> None:
    for changes in ({"rounds": 1}, {"rounds": 2, "switches": 1}, {"epsilon": 0.001}, {"best_loss": 30.0}, {"bits": 1}):
        learner = PotentialBall(**(OPTIONS | changes))
        learner.update([0.0, 1.0], 0.0)
        assert learner.rounds == 1
