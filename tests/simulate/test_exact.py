"""Expected regret against calculations of our own, and against simulation."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from discreet import experts, simulate
from discreet.environments import (
    Bernoulli,
    Correlated,
    Deterministic,
    Environment,
    Made,
    Sequence,
    TwoPoint,
    hard_for_privacy,
    one_gap,
)
from discreet.experts import Learner
from discreet.simulate import exact_regret
from tests.chances import MILLION_SIGMA
from tests.environments.worlds import TABLE
from tests.experts.learners import BLOCK_CASES, Case

Floats = NDArray[np.float64]


def softmax(rate: float, totals: Floats) -> Floats:
    weights = np.exp(-rate * (totals - totals.min()))
    return np.asarray(weights / weights.sum())


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 7.5])
@pytest.mark.parametrize("rounds", [1, 2, 3, 6, 7, 40])
def test_whole_blocks_of_losses_that_never_change(epsilon: float, rounds: int) -> None:
    gaps = np.array([0.0, 0.25, 0.5, 1.0])
    wanted, start = float(gaps.mean()), 1
    for block in range(1, 20):
        played = max(0, min(2 ** (block + 1) - 1, rounds) - start)
        wanted += played * float(softmax(epsilon / 2, gaps * 2 ** (block - 1)) @ gaps)
        start = 2 ** (block + 1) - 1
    got = exact_regret(experts.NoisyLeader(4, epsilon, noise="gumbel"), Deterministic(gaps), rounds)
    assert got == pytest.approx(wanted, rel=1e-12)


def test_random_prefixes_of_losses_that_never_change() -> None:
    gaps = np.array([0.0, 0.25, 1.0])
    wanted = float(gaps.mean())
    for block in range(1, 14):
        half = 2 ** (block - 2)
        counts = range(int(half) + 1, 2 ** (block - 1) + 1) if block > 1 else [1]
        wanted += 2**block * float(np.mean([softmax(0.125, gaps * n) @ gaps for n in counts]))
    got = exact_regret(experts.PrefixSoftmax(3, 1.0), Deterministic(gaps), 2**14 - 1)
    assert got == pytest.approx(wanted, rel=1e-11)


def test_bernoulli_losses_by_binomial_sums() -> None:
    means, rate, wanted = (0.3, 0.6), 0.5, 0.15
    for block in range(1, 9):
        n = 2 ** (block - 1)
        k = np.arange(n + 1)
        chances = np.outer(binom.pmf(k, n, means[0]), binom.pmf(k, n, means[1]))
        wrong = 1 / (1 + np.exp(rate * (k[None, :] - k[:, None])))
        wanted += 2**block * 0.3 * float((chances * wrong).sum())
    got = exact_regret(experts.NoisyLeader(2, 1.0, noise="gumbel"), Bernoulli(means), 2**9 - 1)
    assert got == pytest.approx(wanted, rel=1e-11)


def test_carried_over_blocks_by_going_through_every_table() -> None:
    """Weights 2 and 1 over blocks of 1, 2 and 4 rounds: 2^6 tables of two correlated actions, with their chances."""
    world = Correlated([0.3, 0.6], strength=[0.5, -0.8])
    learner = experts.PrivateLeader(2, epsilon=1.0, growth=2, weights=(2, 1))
    lengths = learner.schedule.lengths[:3].tolist()
    up, down = world.chances()
    cells = list(product((0, 1), repeat=2))
    chance = {
        cell: sum(0.5 * math.prod(p if x else 1 - p for p, x in zip(side, cell, strict=True)) for side in (up, down))
        for cell in cells
    }
    wanted = 0.15 * lengths[0]
    for rounds in product(cells, repeat=lengths[0] + lengths[1]):
        weight = math.prod(chance[cell] for cell in rounds)
        first, second = np.array(rounds[: lengths[0]]).sum(axis=0), np.array(rounds[lengths[0] :]).sum(axis=0)
        for n, score in ((lengths[1], 2 * first), (lengths[2], 2 * second + first)):
            behind = learner.selection.error_rate * abs(int(score[1] - score[0]))
            worse = 1 - math.exp(-behind) / 2  # of two, the leader wins unless the other's coin and then the draw do
            second_wins = worse if score[1] < score[0] else 1 - worse
            wanted += weight * n * 0.3 * second_wins
    assert exact_regret(learner, world, sum(lengths)) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("case", BLOCK_CASES, ids=lambda case: case.name)
@pytest.mark.parametrize(
    "world",
    [
        one_gap(3, 0.4),
        Deterministic([0.1, 0.2, 0.75]),
        TwoPoint([0.3, 0.0, 0.25], [0.3, 0.4, 0.75], [0.0, 0.8, 0.5]),
        Correlated([0.3, 0.5, 0.6], strength=[0.9, -0.9, 0.0]),
        hard_for_privacy(3, 0.25),
        Sequence(TABLE),
    ],
    ids=repr,
)
def test_every_block_learner_against_simulation(case: Case, world: Environment) -> None:
    """|z| beyond 4.9 once in a million."""
    learner = case.make()
    if learner.needs_rounds and isinstance(world, Sequence):
        with pytest.raises(ValueError, match="cannot be written down; simulate instead"):
            exact_regret(learner, world, rounds=40)
        return
    truth = exact_regret(learner, world, rounds=40)
    curve = simulate.regret(learner, world, rounds=40, runs=4000, seed=11)
    error = curve.regret[:, -1].std(ddof=1) / math.sqrt(4000)
    assert abs(curve.mean[-1] - truth) <= MILLION_SIGMA * error + 1e-9


@pytest.mark.parametrize("learner", [experts.FollowTheLeader(3), experts.Hedge(3)], ids=repr)
@pytest.mark.parametrize("world", [Deterministic([0.1, 0.2, 0.75]), Sequence(TABLE)], ids=repr)
def test_learners_that_draw_every_round_against_simulation(learner: Learner, world: Environment) -> None:
    """|z| beyond 4.9 once in a million."""
    truth = exact_regret(learner, world, rounds=40)
    curve = simulate.regret(learner, world, rounds=40, runs=4000, seed=12, kind="realized")
    error = curve.regret[:, -1].std(ddof=1) / math.sqrt(4000)
    assert abs(curve.mean[-1] - truth) <= MILLION_SIGMA * error + 1e-9


def test_hedge_by_hand() -> None:
    gaps, wanted = np.array([0.0, 0.5]), 0.0
    for t in range(1, 31):
        wanted += float(softmax(math.sqrt(8 * math.log(2) / t), gaps * (t - 1)) @ gaps)
    assert exact_regret(experts.Hedge(2), Deterministic(gaps), 30) == pytest.approx(wanted, rel=1e-12)


def test_large_sizes() -> None:
    """What is left out at the end is nothing: 10^12 rounds cost what a million do."""
    learner, world = experts.PrivateLeader(10_000, 1.0), hard_for_privacy(10_000, 0.1)
    million, all_ = (exact_regret(learner, world, rounds) for rounds in (10**6, 10**12))
    assert all_ == pytest.approx(million, rel=1e-9)
    assert exact_regret(experts.PrivateLeader(2, 1.0), one_gap(2, 0.1), 10**12) == pytest.approx(
        exact_regret(experts.PrivateLeader(2, 1.0), one_gap(2, 0.1), 10**5), rel=1e-9
    )


def test_what_cannot_be_summed_is_refused() -> None:
    with pytest.raises(ValueError, match="2\\^40 outcomes, too many to sum over; simulate instead"):
        exact_regret(experts.PrivateLeader(40, 1.0), one_gap(40, 0.1), 1000)
    with pytest.raises(ValueError, match="cannot be summed; simulate instead"):
        exact_regret(experts.AdaHedge(3), Deterministic([0.1, 0.2, 0.3]), 10)
    with pytest.raises(ValueError, match="cannot be summed"):
        exact_regret(experts.Hedge(3), one_gap(3, 0.1), 10)
    with pytest.raises(ValueError, match="3 actions and the environment 4"):
        exact_regret(experts.PrivateLeader(3, 1.0), one_gap(4, 0.1), 10)
    with pytest.raises(ValueError, match=r"the law of the losses of Made.* cannot be written down"):
        exact_regret(experts.PrivateLeader(3, 1.0), Made(lambda rounds, rng: rng.random((rounds, 3))), 10)
    with pytest.raises(ValueError, match="rounds is 0"):
        exact_regret(experts.PrivateLeader(3, 1.0), one_gap(3, 0.1), 0)
