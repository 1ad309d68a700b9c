"""Totals that are drawn at once have the law of rounds added up; every chi-square fails by chance once in a million."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.environments import Correlated, Environment, Made, Sequence, hard_for_privacy
from discreet.losses import UNITS, Units
from tests.chances import assert_fits, assert_same_law
from tests.environments.worlds import EVERY, INDEPENDENT, TABLE, drifting

RUNS = 40_000


def stream_of(world: Environment, runs: int, seed: int, rounds: int = 40) -> object:
    return world.stream(3, rounds, runs, np.random.default_rng(seed))


def added_up(world: Environment, n: int, seed: int) -> Units:
    return np.broadcast_to(world.stream(3, 40, RUNS, np.random.default_rng(seed)).rounds(0, n).sum(axis=0), (RUNS, 3))


def at_once(world: Environment, counts: NDArray[np.int64], seed: int) -> Units:
    return np.broadcast_to(world.stream(3, 40, RUNS, np.random.default_rng(seed)).totals(0, counts), (RUNS, 3))


def counted(*samples: Units) -> list[list[int]]:
    tallies = [Counter(map(tuple, sample.tolist())) for sample in samples]
    outcomes = sorted(set().union(*tallies))
    return [[tally[outcome] for outcome in outcomes] for tally in tallies]


@pytest.mark.parametrize("world", INDEPENDENT, ids=repr)
@pytest.mark.parametrize("n", [1, 3])
def test_direct_totals_have_the_joint_law_of_rounds_added_up(world: Environment, n: int) -> None:
    assert_same_law(*counted(added_up(world, n, seed=1), at_once(world, np.array([n]), seed=2)))


def test_the_test_above_notices_a_shock_that_is_forgotten() -> None:
    shared, alone = Correlated([0.3, 0.5, 0.6], strength=0.5), Correlated([0.3, 0.5, 0.6], strength=0.0)
    with pytest.raises(AssertionError):
        assert_same_law(*counted(added_up(shared, 3, seed=1), at_once(alone, np.array([3]), seed=2)))


@pytest.mark.parametrize("world", INDEPENDENT, ids=repr)
def test_each_run_may_ask_for_a_number_of_rounds_of_its_own(world: Environment) -> None:
    counts = np.resize([0, 1, 2], RUNS)
    totals = at_once(world, counts, seed=4)
    assert not totals[counts == 0].any()
    ones = at_once(world, np.array([1]), seed=5)
    assert_same_law(*counted(totals[counts == 1], ones))


@pytest.mark.parametrize("world", INDEPENDENT, ids=repr)
def test_the_law_of_a_total_is_that_of_the_totals_drawn(world: Environment) -> None:
    still = world.still()
    law = still.total_law(0, range(2, 4))
    counts = np.resize([2, 3], RUNS)
    drawn = still.stream(3, 40, RUNS, np.random.default_rng(6)).totals(0, counts)
    relative = np.broadcast_to(drawn, (RUNS, 3)) - np.broadcast_to(drawn, (RUNS, 3))[:, :1]
    tally = Counter(map(tuple, relative.tolist()))
    listed = [tuple(row) for row in law.totals.tolist()]
    assert set(tally) <= set(listed)
    assert_fits([tally[outcome] for outcome in listed], law.chances)


@pytest.mark.parametrize("world", INDEPENDENT, ids=repr)
def test_means_are_those_of_the_losses(world: Environment) -> None:
    stream = world.stream(3, 40, RUNS, np.random.default_rng(7))
    assert stream.means is not None
    units = stream.rounds(0, 4)
    off = units.mean(axis=0) / UNITS - stream.means
    # Each entry is a mean of 4 losses in [0, 1]; over all runs the sum of n independent ones, |z| below 5.
    assert np.abs(off.mean(axis=0)).max() <= 5 * 0.5 / np.sqrt(4 * RUNS)


@pytest.mark.parametrize("world", INDEPENDENT, ids=repr)
def test_resampled_losses_are_0_or_1_with_the_same_means(world: Environment) -> None:
    made = world.resampled()
    assert made is not None
    assert made.still().means == pytest.approx(world.still().means, abs=1 / UNITS)
    assert set(np.unique(stream_rounds(made))) <= {0, UNITS}


def stream_rounds(world: Environment) -> Units:
    return world.stream(3, 40, 100, np.random.default_rng(8)).rounds(0, 5)


@pytest.mark.parametrize("world", EVERY, ids=repr)
def test_any_number_of_rounds_can_be_asked_for_in_pieces(world: Environment) -> None:
    stream = world.stream(3, 40, 5, np.random.default_rng(9))
    assert stream.rounds(0, 7).shape[::2] == (7, 3)
    totals = stream.totals(7, np.array([20]))
    assert totals.shape[1] == 3
    assert ((totals >= 0) & (totals <= 20 * UNITS)).all()


@pytest.mark.parametrize("world", EVERY, ids=repr)
def test_a_table_of_losses_is_repeatable(world: Environment) -> None:
    one, same, other = (world.losses(rounds=30, seed=seed, n_actions=3) for seed in (1, 1, 2))
    assert one.shape == (30, 3)
    assert (one == same).all()
    assert world.fixed or not (one == other).all() or isinstance(world, type(hard_for_privacy(3, 0.5)))


def test_a_sequence_is_summed_where_it_is_asked_for() -> None:
    world = Sequence(TABLE)
    units = np.rint(TABLE * UNITS).astype(np.int64)
    stream = world.stream(3, 40, 2, np.random.default_rng(1))
    assert stream.totals(0, np.array([10])).tolist() == [units[:10].sum(axis=0).tolist()]
    starts, counts = np.array([3, 20]), np.array([5, 0])
    assert stream.totals(starts, counts).tolist() == [units[3:8].sum(axis=0).tolist(), [0, 0, 0]]
    law = world.total_law(5, range(2, 4))
    wanted = sorted((units[5 : 5 + n].sum(axis=0) - units[5 : 5 + n, 0].sum()).tolist() for n in (2, 3))
    assert sorted(law.totals.tolist()) == wanted
    assert law.chances.tolist() == [0.5, 0.5]


def test_made_losses_differ_from_run_to_run() -> None:
    units = Made(drifting).stream(3, 30, 4, np.random.default_rng(1)).rounds(0, 30)
    assert units.shape == (30, 4, 3)
    assert len({units[:, run].tobytes() for run in range(4)}) == 4


def test_the_best_action_stands_anywhere_with_the_same_chance() -> None:
    stream = hard_for_privacy(6, 0.25).stream(6, 10, RUNS, np.random.default_rng(2))
    assert stream.means is not None
    best = stream.means.argmin(axis=1)
    assert_fits(np.bincount(best, minlength=6), np.full(6, 1 / 6))
    assert (np.sort(stream.means, axis=1) == [0, 0.25, 0.25, 1, 1, 1]).all()
    beside = stream.means[np.arange(RUNS), (best + 1) % 6], stream.means[np.arange(RUNS), best - 1]
    assert (np.array(beside) == 0.25).all()
    assert (stream.rounds(0, 1)[0] / UNITS == stream.means).all()
