"""Acting, updating and playing."""

from __future__ import annotations

import numpy as np

from tests.experts.checks.playing import K, Make, loop, losses


def acting_twice_is_the_same(make: Make) -> None:
    """Asking again gives the same answer and costs no randomness, seeded or not."""
    for seed in (1, None):
        asked, twin = make(seed=seed), make(seed=seed)
        for row in losses(20):
            actions = {asked.act() for _ in range(5)}
            assert len(actions) == 1
            asked.update(row)
            twin.update(row)
        assert seed is None or asked.state_dict() == twin.state_dict()


def actions_are_whole_numbers_in_range(make: Make) -> None:
    """An int for one run, int64 arrays for many; `play` gives (rounds,) or (rounds, runs)."""
    one, many = make(seed=1), make(seed=1, runs=4)
    for row in losses(20):
        assert type(one.act()) is int
        assert 0 <= one.act() < K
        actions = many.act()
        assert actions.shape == (4,)
        assert actions.dtype == np.int64
        assert actions.min() >= 0
        assert actions.max() < K
        one.update(row)
        many.update(row)
    assert one.rounds == many.rounds == 20
    assert one.play(losses(9)).shape == (9,)
    assert many.play(losses(9)).shape == (9, 4)
    assert many.play(losses(9)).dtype == one.play(losses(9)).dtype == np.int64
    assert make(seed=1, runs=1).act().shape == (1,)


def the_array_of_actions_is_the_callers(make: Make) -> None:
    """Writing into what `act` gave changes nothing."""
    learner = make(seed=1, runs=3)
    before = learner.act().tolist()
    learner.act()[:] = 99
    assert learner.act().tolist() == before


def losses_are_left_alone(make: Make) -> None:
    """Tables of losses are never written to, and may be read-only or lists."""
    table = losses(12)
    kept = table.copy()
    table.flags.writeable = False
    learner = make(seed=1)
    learner.play(table)
    learner.update(table[0])
    assert np.array_equal(table, kept)
    assert make(seed=1).play(kept.tolist()).tolist() == make(seed=1).play(table).tolist()


def many_runs_take_losses_of_their_own_or_shared(make: Make) -> None:
    """(K,) for all runs, or (runs, K): the same when every run gets the same row."""
    shared, own = make(seed=2, runs=4), make(seed=2, runs=4)
    for row in losses(40):
        shared.update(row)
        own.update(np.tile(row, (4, 1)))
    assert shared.state_dict() == own.state_dict()


def runs_learn_from_their_own_losses(make: Make) -> None:
    """Each run follows its own losses: where another action is perfect, another action is played."""
    learner = make(seed=2, runs=3)
    table = np.ones((3, K))
    np.fill_diagonal(table, 0.0)
    for _ in range(1200):
        learner.update(table)
    assert learner.act().tolist() == [0, 1, 2]  # otherwise with probability below e^-20


def play_is_the_loop(make: Make) -> None:
    """Chunks of any size give the same actions and the same state as one round at a time."""
    random = np.random.default_rng(4)
    for runs in (None, 3):
        table = losses(150)
        looped, chunked, whole = (make(seed=5, runs=runs) for _ in range(3))
        expected = loop(looped, table)
        cuts = np.sort(random.integers(0, 151, 12))
        parts = [chunked.play(part) for part in np.split(table, cuts) if len(part)]
        assert np.concatenate(parts).tolist() == expected.tolist()
        assert whole.play(table).tolist() == expected.tolist()
        assert chunked.state_dict() == whole.state_dict() == looped.state_dict()
        assert np.array_equal(chunked.act(), looped.act())


def a_table_without_rounds_plays_nothing(make: Make) -> None:
    """An empty table of the right width is no rounds: no actions, nothing changed."""
    for runs in (None, 2):
        learner = make(seed=1, runs=runs)
        learner.play(losses(5))
        before = learner.state_dict()
        assert learner.play(np.empty((0, K))).shape == ((0,) if runs is None else (0, 2))
        assert learner.state_dict() == before
