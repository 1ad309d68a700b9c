"""RandomWalkLeader and AdaptiveBatchLeader: against the paper's pseudo-code, and against each other."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import erf, erfc

from discreet.entropy import SystemEntropy
from discreet.guarantees import GaussianDP, NoGuarantee, PureDP, TradeOff, from_description
from discreet.local import AdaptiveBatchLeader, RandomWalkLeader, amplified_trade_off
from discreet.local.grid import to_grid, unit_for
from tests.experts.checks import losses

Floats = NDArray[np.float64]


def reports(rounds: int, n: int, scale: float, seed: int, means: object = 0.0) -> Floats:
    return np.asarray(np.random.default_rng(seed).standard_normal((rounds, n)) * scale + np.asarray(means))


def pseudo_code(first: Floats, table: Floats, scale: float, tolerance: float) -> tuple[list[int], list[int]]:
    """Algorithms 2 and 4 as printed, for losses: the actions, and the sizes of the batches that ended."""
    totals, buffer, delay, n = first.copy(), [], 0, len(first)
    actions, sizes = [], []
    for t, row in enumerate(table, start=1):
        actions.append(int(totals.argmin()))
        buffer.append(row)
        if delay:
            delay -= 1
            continue
        totals = totals + np.sum(buffer, axis=0)
        sizes.append(len(buffer))
        buffer = []
        low, second = np.sort(totals)[:2]
        while _lasts(second - low, delay + 1, t, n, scale, tolerance):
            delay += 1
    return actions, sizes


def _lasts(gap: float, b: int, t: int, n: int, scale: float, tolerance: float) -> bool:
    beta = (gap - b) / (scale * math.sqrt(2 * b)) - math.sqrt(math.log(2 * n - 2))
    chance = erfc(beta) + 2 * math.sqrt(math.pi) * math.exp(-(beta**2) / 2) / math.sqrt(2 * math.pi) * erf(
        beta / 2**0.5
    )
    return bool(chance <= tolerance * math.sqrt(math.log(n) / (t + b)))


@pytest.mark.parametrize(("n", "scale", "tolerance"), [(2, 5.0, 0.01), (25, 5.0, 0.01), (4, 1.0, 0.9), (3, 0.3, 0.1)])
@pytest.mark.parametrize("runs", [None, 3])
def test_actions_and_batches_are_those_of_the_pseudo_code(
    n: int, scale: float, tolerance: float, runs: int | None
) -> None:
    learner = AdaptiveBatchLeader(n, scale, tolerance, seed=5, runs=runs)
    table = reports(1500, n, scale, seed=6, means=np.linspace(0, 0.3, n))
    first = learner._totals * learner.unit
    played = learner.play(table).reshape(1500, -1)
    for run in range(learner._width):
        actions, sizes = pseudo_code(first[run], table, scale, tolerance)
        assert played[:, run].tolist() == actions
        assert max(sizes) > 3
        assert np.atleast_1d(learner.delay)[run] < 1500


@pytest.mark.parametrize("runs", [None, 2])
def test_batches_of_the_first_rounds_are_those_of_the_pseudo_code(runs: int | None) -> None:
    """Where the count of rounds matters most: 300 short streams, the sizes of all batches."""
    for seed in range(300):
        learner = AdaptiveBatchLeader(2, 0.5, 0.9, seed=seed, runs=runs)
        table = reports(40, 2, 0.5, seed=seed, means=[0.0, 1.0])
        first, ended = learner._totals[0] * learner.unit, []
        for t, row in enumerate(table, start=1):
            if np.atleast_1d(learner.delay)[0] == 0:
                ended.append(t)
            if seed % 2:  # one round at a time, or the rest at once
                learner.update(row)
            else:
                learner.play(table[t - 1 : t])
        assert np.diff([0, *ended]).tolist() == pseudo_code(first, table, 0.5, 0.9)[1]


def test_long_streams_at_once_have_the_batches_of_single_rounds() -> None:
    for seed in range(200):
        table = reports(40, 2, 0.5, seed=seed, means=[0.0, 1.0])
        whole, single = AdaptiveBatchLeader(2, 0.5, 0.9, seed=seed), AdaptiveBatchLeader(2, 0.5, 0.9, seed=seed)
        whole.play(table)
        for row in table:
            single.update(row)
        assert whole.state_dict() == single.state_dict()


def test_the_walk_is_followed_with_initial_noise_of_the_scale() -> None:
    learner = RandomWalkLeader(4, 5.0, seed=1, runs=20_000)
    first = learner._totals * learner.unit
    assert np.std(first) == pytest.approx(5.0, rel=0.02)
    assert (learner.act() == first.argmin(axis=1)).all()
    table = reports(50, 4, 5.0, seed=2)
    actions = learner.play(table)
    walk = first + np.cumsum(table, axis=0)[:, None]
    assert (actions[1:] == walk[:-1].argmin(axis=2)).mean() > 1 - 1e-6  # but for ties of the grid


def test_without_noise_it_is_follow_the_leader() -> None:
    table = losses(40)
    expected = [0, *np.cumsum(table, axis=0)[:-1].argmin(axis=1).tolist()]
    assert RandomWalkLeader(3, 0.0, seed=1).play(table).tolist() == expected


def test_it_differs_from_the_random_walk_no_more_often_than_stated() -> None:
    """With a tolerance of 0.9, so that it differs at all, on 300 runs with losses of their own.

    A round differs with chance at most tolerance sqrt(log n / round); five standard deviations, the runs being
    independent and their numbers at most 2000 each, would be passed by accident with probability below 1e-6.
    """
    n, runs, rounds, tolerance = 5, 300, 2000, 0.9
    means = np.random.default_rng(1).random((rounds, 1, n))
    table = np.random.default_rng(2).standard_normal((rounds, runs, n)) * 2.0 + means
    walk, batch = RandomWalkLeader(n, 2.0, seed=3, runs=runs), AdaptiveBatchLeader(n, 2.0, tolerance, seed=3, runs=runs)
    differing = np.zeros(runs)
    for row in table:
        differing += walk.act() != batch.act()
        walk.update(row)
        batch.update(row)
    bound = sum(min(1.0, tolerance * math.sqrt(math.log(n) / t)) for t in range(1, rounds + 1))
    assert 0 < differing.mean() < bound + 5 * differing.std() / math.sqrt(runs)
    assert differing.mean() < 0.5 * bound


def test_a_small_tolerance_changes_nothing_in_ten_thousand_rounds() -> None:
    table = reports(10_000, 25, 5.0, seed=8)
    walk, batch = RandomWalkLeader(25, 5.0, seed=9), AdaptiveBatchLeader(25, 5.0, seed=9)
    assert (walk.play(table) != batch.play(table)).sum() <= 5


def test_what_a_batch_holds_in_which_order_is_forgotten_exactly() -> None:
    """Shuffle the reports of every batch: the same actions and the same state, to the last unit."""
    table = reports(3000, 3, 5.0, seed=4)
    learner = AdaptiveBatchLeader(3, 5.0, seed=2)
    ends = []
    for i, row in enumerate(table):
        if learner.delay == 0:
            ends.append(i + 1)
        learner.update(row)
    random = np.random.default_rng(0)
    parts = [random.permutation(part) for part in np.split(table, ends)]
    assert max(map(len, parts)) > 20
    shuffled = AdaptiveBatchLeader(3, 5.0, seed=2)
    again = shuffled.play(np.concatenate(parts[:-1]))
    straight = AdaptiveBatchLeader(3, 5.0, seed=2)
    assert straight.play(table[: len(again)]).tolist() == again.tolist()
    assert straight.state_dict() == shuffled.state_dict()


def test_the_amplified_promise_is_for_one_unpredictable_learner_that_was_told_mu() -> None:
    told = AdaptiveBatchLeader(25, 5.0, mu=1.0)
    assert told.amplified(500) == amplified_trade_off(500, 25, 1.0, 5.0, 0.01)
    assert isinstance(told.amplified(500), TradeOff)
    assert AdaptiveBatchLeader(25, 5.0, mu=1.0, seed=1).amplified(500) == GaussianDP(1.0)
    assert AdaptiveBatchLeader(25, 5.0, mu=1.0, runs=4).amplified(500) == GaussianDP(2.0)
    assert AdaptiveBatchLeader(25, 1e-9, mu=1.0).amplified(500) == GaussianDP(1.0, within=1e-9)


def test_initial_noise_from_a_seed_stays_known() -> None:
    seeded = AdaptiveBatchLeader(25, 5.0, mu=1.0, seed=1)
    seeded.draw_from(SystemEntropy())
    assert seeded.amplified(500) == GaussianDP(1.0)


def test_an_amplified_promise_says_what_it_is_about() -> None:
    """It is not one about any other round, about losses that react, or about more than the actions."""
    promise = AdaptiveBatchLeader(25, 0.3, mu=1.0).amplified(500)
    for words in ("round 500 alone", "at most 0.3 in", "do not react", "nothing but the actions"):
        assert words in promise.words()
    assert "differ" not in AdaptiveBatchLeader(25, 5.0, mu=1.0).amplified(500).words()
    assert isinstance(promise.for_group(2), NoGuarantee)
    for other in (promise, GaussianDP(1.0), PureDP(1.0)):
        assert isinstance(promise.compose(other), NoGuarantee)
        assert isinstance(other.compose(promise), NoGuarantee)
    assert from_description(promise.describe()) == promise == pickle.loads(pickle.dumps(promise))
    assert eval(repr(promise)) == promise


def test_reports_are_rounded_to_the_nearest_unit_and_halves_up() -> None:
    unit = unit_for(5.0)
    table = np.array([0.0, 0.5, -0.5, 1.5, 2.4999, -2.5, 0.49999999999999994]) * unit
    assert to_grid(table, 7, 5.0).tolist() == [0, 1, 0, 2, 2, -2, 0]
    assert math.log2(unit) == int(math.log2(unit))
    for scale in (1e-9, 0.01, 0.5, 1.0, 5.0, 1e9):
        assert unit_for(scale) <= max(scale * 2.0**-23, 2.0**-30)
