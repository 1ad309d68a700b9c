"""The measurements of the study of perfect actions, against independent calculation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from discreet.environments import Spans, halving
from discreet.experts import SparseVectorExperts
from discreet.guarantees import GaussianDP
from discreet.losses import UNITS
from studies.realizable.any_losses import any_losses
from studies.realizable.cases import (
    ANY,
    DELTA,
    EVEN,
    LEARNERS,
    SEQUENCES,
    TREE,
    Case,
    Size,
    mean_regret,
    power,
    tree_leader,
)
from studies.realizable.grown import Grown, deviation
from studies.realizable.lower import hard
from studies.realizable.nearly import ADAPTIVE, TOLD, WORLDS, Near, general, learners, worlds
from studies.realizable.nearly_findings import ended
from studies.realizable.results import Results
from studies.realizable.switches import Switching, drawn, halvings, switching
from tests.chances import MILLION_SIGMA


def case(mean: float) -> Case:
    return Case("any", "any", 10, 1.0, 100, mean, 0.0)


def test_the_power_of_a_power_is_found() -> None:
    xs = [10.0, 100.0, 1000.0, 10_000.0]
    slope, error = power(xs, [case(3 * x**0.4) for x in xs])
    assert slope == pytest.approx(0.4)
    assert error < 1e-9


def test_the_error_of_a_power_is_that_of_a_straight_line() -> None:
    x, y = np.array([0.0, 1.0, 2.0]), np.array([0.0, 2.0, 1.0])
    slope, error = power(np.exp(x).tolist(), [case(value) for value in np.exp(y).tolist()])
    assert slope == pytest.approx(0.5)
    # The line is 1/2 + x/2; what is left are -1/2, 1, -1/2, in squares 3/2; divided by 3 - 2, and by 2.
    assert error == pytest.approx(math.sqrt(1.5 / 2))


@pytest.mark.parametrize("name", list(SEQUENCES))
def test_the_first_action_is_perfect_and_no_other_is(name: str) -> None:
    totals = SEQUENCES[name](8, 400).still().losses(rounds=400, seed=1).sum(axis=0)
    assert totals[0] == 0
    assert totals[1:].min() > 0


@pytest.mark.parametrize("place", [0, 1])
def test_the_best_action_has_the_loss_that_is_said(place: int) -> None:
    made = worlds(4, 20_000, 300)[WORLDS[place]]
    totals = made.losses(rounds=20_000, seed=2).sum(axis=0)
    assert totals[0] == totals.min()
    # Random losses are binomial: one false alarm in a million.
    assert abs(totals[0] - 300) <= (MILLION_SIGMA * math.sqrt(300) if place else 0)


def test_the_order_for_any_losses_is_worked_out_by_hand() -> None:
    assert general(10, 1000) == pytest.approx(math.sqrt(1000 * math.log(10)) + 10 * math.log(10))


def test_the_potential_is_halved_where_it_is_by_hand() -> None:
    # Two of four actions lose in every round: K/2 is passed for good only when all but one lose, from round 5 on.
    world = Spans(first=[100, 4, 0, 0], last=[100, 100, 100, 100], shuffled=False)
    rate = math.log(2)
    # Before round t: 1 + 2^-(t-5)+ + 2 · 2^-(t-1). At t = 1: 4; the last t with at least 2 is 5 (2 + 2/16), then
    # t = 6: 1 + 1/2 + 2/32; and with at least 1, the last round of all.
    assert halvings(world, 50, rate).tolist() == [1, 5, 50]


def test_draws_are_counted_by_playing_round_after_round() -> None:
    world, rounds = halving(6, 900).still(), 900
    counted = drawn(SparseVectorExperts(6, 8.0, rounds, runs=40, seed=5), world, [0, 300, 301, rounds])
    learner, table = SparseVectorExperts(6, 8.0, rounds, runs=40, seed=5), world.losses(rounds, seed=0)
    actions = learner.play_units((table * UNITS).astype(np.int64))
    moves = (actions[1:] != actions[:-1]).sum(axis=0)
    assert (counted[:, 0] == 0).all()
    assert (np.diff(counted, axis=1) >= 0).all()
    # A draw may take the action that was played already, so moves are draws or fewer.
    assert (moves <= counted[:, -1]).all()
    assert moves.sum() > 0


def test_draws_that_are_used_up_are_counted_in_full() -> None:
    world = Spans(first=[0, 0], last=[4000, 4000], shuffled=False)
    learner = SparseVectorExperts(2, 8.0, rounds=4000, switches=3, runs=10, seed=1)
    assert drawn(learner, world, [4000])[:, 0].tolist() == [3] * 10


def test_a_tail_is_a_share_of_runs() -> None:
    between = np.array([[0, 2], [2, 2], [3, 1], [1, 0]])
    one = Switching("any", 4, "tight", 9, 50.0, between.sum(axis=1), between)
    assert [(k, share) for k, share, _ in one.tail()] == [(1, 0.5), (2, 0.25)]


def test_draws_stay_within_what_is_allowed() -> None:
    one = switching("halving", 10, "tight", rounds=2_000, runs=50)
    assert one.total.max() <= one.allowed == SparseVectorExperts(10, 1.0, 2_000).switches
    assert (one.between.sum(axis=1) <= one.total).all()


def test_a_uniform_guess_is_what_theorem_5s_instance_leaves() -> None:
    # Too few losses for any test to halt: 17 rounds at K = 32, in 31 of 32 runs. One false alarm in a million.
    (first, _) = hard(((32,), (0.1,), 200, 400), jobs=1)
    mean, _ = first.regrets["SparseVectorExperts"]
    assert first.last == 17
    assert first.least == 17 / 16
    assert abs(mean - 17 * 31 / 32) < MILLION_SIGMA * 17 * math.sqrt(31 / 32**2 / 400)


def test_mean_regret_is_that_of_play() -> None:
    world = Spans(first=[0, 0, 0], last=[0, 50, 50], shuffled=False)
    learner = SparseVectorExperts(3, 0.1, rounds=50)
    # In 50 rounds at epsilon 0.1 the threshold is far off: the first action stays. One false alarm in a million.
    mean, error = mean_regret(learner, world, 50, runs=900, jobs=1, seed=3)
    assert abs(mean - 50 * 2 / 3) < MILLION_SIGMA * 50 * math.sqrt(2 / 9 / 900)
    assert error == pytest.approx(50 * math.sqrt(2 / 9 / 900), rel=0.1)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_tree_leader_has_the_largest_mu_that_proves_epsilon(epsilon: float) -> None:
    claim = tree_leader(10, epsilon, 1000, "least").claim
    assert isinstance(claim, GaussianDP)
    assert claim.delta(epsilon) <= DELTA < GaussianDP(claim.mu * (1 + 1e-9)).delta(epsilon)


def test_the_noise_of_a_sum_is_worked_out_by_hand() -> None:
    mu = GaussianDP(tree_leader(10, 10.0, 1000, "least").mu)
    # 999 sums: ten levels, a node of each in the noisiest sum. sqrt(10) is how far a round moves all losses.
    assert deviation(TREE, 10, 10.0, 1000) == pytest.approx(10 * math.sqrt(10) / mu.mu)
    assert deviation(EVEN, 10, 10.0, 1000) == pytest.approx(10 * math.sqrt(10) / mu.mu)
    assert deviation(EVEN, 10, 10.0, 1_000_000) == pytest.approx(500)


def test_each_kind_of_learner_has_its_runs() -> None:
    size = Size(10, 1.0, 100, runs=5, tree_runs=3, cheap_runs=9)
    assert [size.runs_of(name) for name in LEARNERS] == [5, 5, 5, 9, 9, 3, 3]


def test_pure_bounds_are_not_held_against_tree_leader() -> None:
    theorem, sharper = hard(((32,), (0.1,), 60, 3), jobs=1)
    assert set(theorem.regrets) == set(LEARNERS)
    assert set(sharper.regrets) == set(LEARNERS) - set(ANY)


def of_tree(regret: Callable[[str, int, int], float]) -> Results:
    """What would be measured if the regret of `TreeLeader` were this, and 100 losses that of all others."""
    sizes = {"rounds": [(10, 10_000), (10, 1_000_000)], "actions": [(10, 30_000), (1000, 30_000)]}
    cases = {
        what: [
            Case(name, sequence, k, 1.0, rounds, regret(name, k, rounds) if name in ANY else 100.0, 0.0)
            for name in LEARNERS
            for sequence in SEQUENCES
            for k, rounds in of
        ]
        for what, of in sizes.items()
    }
    grown = [
        Grown(Case(name, "halving", 10, 10.0, rounds, regret(name, 10, rounds), 0.0), 1.0)
        for name in ANY
        for rounds in (1000, 1_000_000)
    ]
    return Results(cases, [], grown, [], [], [])


def test_what_is_said_of_tree_leader_depends_on_what_is_measured() -> None:
    # In the order of the findings: grows with T; in proportion to noise; as its bound does; with K.
    by_noise = any_losses(of_tree(lambda name, k, rounds: 2 * deviation(name, k, 1.0, rounds)))
    assert [finding.agrees for finding in by_noise] == [False, True, False, True]
    by_rounds = any_losses(of_tree(lambda name, k, rounds: rounds**0.5))
    assert [finding.agrees for finding in by_rounds] == [True, False, True, False]


def test_where_another_learner_is_better_is_said() -> None:
    def one(best_loss: int, told: float) -> Near:
        regrets = dict.fromkeys(learners(4, 100, best_loss), (300.0, 0.0))
        return Near("any", best_loss, 100, regrets | {TOLD: (told, 3.0), ADAPTIVE: (200.0, 0.0), TREE: (250.0, 4.0)})

    # The difference has a standard error of 5: the better one is known from 9.8 on.
    assert "not reached" in ended([one(0, 100.0), one(10, 259.7)])
    assert "told, at L* = 10, 20; than algorithm 2 at L* = none" in ended([one(0, 1.0), one(10, 259.9), one(20, 270.0)])
