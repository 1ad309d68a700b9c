"""What every learner keeps: one function a property, each given a way to make the learner.

`make(**changes)` builds the learner with 3 actions, no seed and one run, unless `changes` say otherwise. Seeds are
fixed; a statistical check fails by accident with probability 1e-6.
"""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet import experts
from discreet.experts import Learner
from discreet.guarantees import NoGuarantee
from tests.chances import assert_fits, assert_same_law, counts_of

Make = Callable[..., Learner]
K = 3


def losses(rounds: int, seed: int = 0, runs: int | None = None, n_actions: int = K) -> NDArray[np.float64]:
    """Random losses that no binary fraction holds."""
    shape = (rounds, n_actions) if runs is None else (rounds, runs, n_actions)
    return np.random.default_rng(seed).random(shape)


def loop(learner: Learner, table: NDArray[np.float64]) -> NDArray[np.int64]:
    """The actions of `act` and `update`, round by round."""
    actions = []
    for row in table:
        actions.append(learner.act())
        learner.update(row)
    return np.array(actions)


def refuses(use: Callable[..., object], *arguments: Any, **named: Any) -> str:
    """The one sentence of the `ValueError` that `use` raises."""
    with pytest.raises(ValueError, match=r".") as caught:
        use(*arguments, **named)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence
    return sentence


# Acting and learning


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


# Keeping and going on


def a_state_goes_on_exactly(make: Make) -> None:
    """Through JSON into a fresh clone, at many places, in the middle of blocks too."""
    table = losses(130)
    for runs in (None, 3):
        learner = make(seed=6, runs=runs)
        for start, end in [(0, 1), (1, 2), (2, 3), (3, 6), (6, 7), (7, 20), (20, 45), (45, 64), (64, 101)]:
            resumed = learner.clone()
            resumed.load_state_dict(json.loads(json.dumps(learner.state_dict())))
            assert resumed.rounds == learner.rounds == start
            assert np.array_equal(resumed.act(), learner.act())
            rest = table[start:]
            assert resumed.play(rest).tolist() == copy.deepcopy(learner).play(rest).tolist()
            learner.play(table[start:end])


def a_state_without_a_seed_keeps_totals_and_action(make: Make) -> None:
    """On system entropy the next draws differ; what has been seen and drawn does not."""
    learner, resumed = make(), make()
    learner.play(losses(37))
    state = json.loads(json.dumps(learner.state_dict()))
    resumed.load_state_dict(state)
    assert resumed.state_dict() == learner.state_dict() == state
    assert resumed.act() == learner.act()
    assert resumed.rounds == 37
    resumed.play(losses(10))


def a_state_is_a_snapshot(make: Make) -> None:
    """What happens later does not change it."""
    learner = make(seed=1)
    learner.play(losses(9))
    state = learner.state_dict()
    kept = json.dumps(state)
    learner.play(losses(30))
    assert json.dumps(state) == kept


def a_state_of_another_learner_is_refused(make: Make) -> None:
    """Another class, number of actions, runs or seed: one sentence, nothing changed."""
    learner = make(seed=1)
    learner.play(losses(21))
    before = json.dumps(learner.state_dict())
    others = [make(seed=1, n_actions=4), make(seed=1, runs=2), make(seed=1, runs=1), make(seed=2)]
    kinds = (experts.Hedge, experts.FollowTheLeader)
    others += [kind(K, seed=1) for kind in kinds if type(learner) is not kind]
    for other in others:
        refuses(learner.load_state_dict, other.state_dict())
        assert json.dumps(learner.state_dict()) == before


def a_state_without_a_seed_is_refused_by_a_seeded_learner(make: Make) -> None:
    """It lacks the place in the stream, without which a seeded learner cannot go on: nothing is changed."""
    learner, unseeded = make(seed=1), make()
    learner.play(losses(21))
    before = json.dumps(learner.state_dict())
    unseeded.play(losses(5))
    refuses(learner.load_state_dict, unseeded.state_dict())
    assert json.dumps(learner.state_dict()) == before


def a_broken_state_changes_nothing(make: Make) -> None:
    """A part that is missing or of the wrong shape."""
    learner = make(seed=1)
    learner.play(losses(21))
    before = json.dumps(learner.state_dict())
    fresh = make(seed=1)
    fresh.play(losses(5))
    for name in ("rounds", "entropy", "action"):
        broken = fresh.state_dict()
        del broken[name]
        assert name in refuses(learner.load_state_dict, broken)
        assert json.dumps(learner.state_dict()) == before
    for broken in (fresh.state_dict() | {"action": [0, 0]}, fresh.state_dict() | {"rounds": -1}):
        refuses(learner.load_state_dict, broken)
        assert json.dumps(learner.state_dict()) == before


def a_forged_state_changes_nothing(make: Make) -> None:
    """Numbers that the learner cannot have come to: one sentence, nothing changed."""
    for runs in (None, 2):
        learner = make(seed=1, runs=runs)
        learner.play(losses(21))
        before = json.dumps(learner.state_dict())
        for name, value in _forgeries(learner.state_dict()):
            refuses(learner.load_state_dict, learner.state_dict() | {name: value})
            assert json.dumps(learner.state_dict()) == before, (name, value)
        nonsense: tuple[Any, ...] = (None, [], "state", 3, {})
        for bad in nonsense:
            assert "state" in refuses(learner.load_state_dict, bad)
        learner.load_state_dict(json.loads(before))
        assert json.dumps(learner.state_dict()) == before


def _forgeries(state: dict[str, Any]) -> list[tuple[str, Any]]:
    """One array at a time with one number that cannot be there."""
    rounds: tuple[Any, ...] = (-1, 1.0, True, None, "3", 2**63)
    entropies: tuple[Any, ...] = (None, {}, [], {"position": -1}, {"position": 1.5}, {"position": None})
    forged = [("rounds", bad) for bad in rounds] + [("entropy", bad) for bad in entropies]
    forged += [("action", _with_first(state["action"], bad)) for bad in (-1, K, 0.0, None, "0", 2**64)]
    if "totals" in state:
        forged += [("totals", _with_first(state["totals"], bad)) for bad in (-1, 1.5, 22 << 20, 2**64)]
    if "prefixes" in state:  # the first block has one round, which counts
        forged += [("prefixes", _with_first(state["prefixes"], bad)) for bad in (-1, 0, 2, 1.0, 2**64)]
    if "stage" in state:
        forged += [("stage", _with_first(state["stage"], bad)) for bad in (-1, 99, 0.0)]
        forged += [("switches", _with_first(state["switches"], bad)) for bad in (-1, 10**6, 0.0)]
        forged += [("lost", _with_first(state["lost"], bad)) for bad in (-1, 22 << 20, 1.5)]
        forged += [("thresholds", _with_first(state["thresholds"], bad)) for bad in (2**63, -(2**63), 1.5)]
    if "nodes" in state:
        forged += [("batch", _with_first(state["batch"], bad)) for bad in (-1, K, 0.0)]
        forged += [("used", _with_first(state["used"], bad)) for bad in (-1, 2, 0.0)]
        forged += [("switches", _with_first(state["switches"], bad)) for bad in (-1, 10**6, 0.0)]
        forged += [("leaves", _with_first(state["leaves"], bad)) for bad in (-1, 22, 1.5)]
        forged += [("held", _with_first(state["held"], bad)) for bad in (-1, 22 << 20, 1.5)]
        forged += [("nodes", _with_first(state["nodes"], bad)) for bad in (2**57, -(2**57), 1.5)]
    if "released" in state:
        forged += [("order", _with_first(state["order"], bad)) for bad in (-1, 2**63, 0.0)]
        forged += [("sums", _with_first(state["sums"], bad)) for bad in (-1, 22 << 20, 1.5)]
        forged += [(name, _with_first(state[name], bad)) for name in ("released", "done") for bad in (2**63, 1.5)]
    if "mixability" in state:
        forged += [("mixability", _with_first(state["mixability"], bad)) for bad in (-1e-9, float("nan"), "1")]
    return forged


def _with_first(nested: Any, value: object) -> Any:
    """Nested lists with another first number."""
    return [_with_first(nested[0], value), *nested[1:]] if isinstance(nested, list) else value


def pickles_and_copies_keep_the_pending_action(make: Make) -> None:
    """And go on exactly the same where seeded; on system entropy they share nothing."""
    table = losses(70)
    for seed, runs in ((3, None), (3, 4), (None, 64)):
        learner = make(seed=seed, runs=runs)
        learner.play(table[:23])
        twins = [pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)]
        for twin in twins:
            assert twin == learner
            assert np.array_equal(twin.act(), learner.act())
            assert twin.state_dict() == learner.state_dict()
        played = [twin.play(table[23:]).tolist() for twin in twins]
        if seed is not None:
            assert played == [learner.play(table[23:]).tolist()] * 2
        assert learner.rounds == (70 if seed is not None else 23)  # the twins share nothing with it


# Parameters


def representations_evaluate(make: Make) -> None:
    """`repr` is an expression for an equal learner, from the names of `discreet.experts` alone."""
    for changes in ({}, {"seed": 3}, {"runs": 5, "seed": 0}):
        learner = make(**changes)
        assert eval(repr(learner), dict(vars(experts))) == learner
        assert eval(repr(learner), dict(vars(experts))).get_params() == learner.get_params()
        assert "\n" not in repr(learner)


def a_seed_may_be_any_kind_of_whole_number(make: Make) -> None:
    """A NumPy integer is the same seed: same draws, equal, and a `repr` that evaluates."""
    learner = make(seed=np.int64(3))
    assert learner == make(seed=3)
    assert learner.play(losses(40)).tolist() == make(seed=3).play(losses(40)).tolist()
    assert repr(learner) == repr(make(seed=3))


def clones_are_equal_and_fresh(make: Make) -> None:
    """Same parameters, nothing seen, nothing shared."""
    learner = make(seed=8)
    actions = learner.play(losses(50)).tolist()
    before = learner.state_dict()
    clone = learner.clone()
    assert clone == learner
    assert clone is not learner
    assert clone.rounds == 0
    assert clone.play(losses(50)).tolist() == actions
    clone.play(losses(9))
    assert learner.state_dict() == before


def parameters_can_be_read_and_set(make: Make) -> None:
    """All of the signature; setting starts afresh; an unknown name or bad value is refused and changes nothing."""
    learner = make(seed=8)
    learner.play(losses(10))
    before = learner.state_dict()
    assert learner.get_params()["n_actions"] == K
    assert learner.get_params()["seed"] == 8
    assert "polish" in refuses(learner.set_params, polish=1)
    refuses(learner.set_params, n_actions=1)
    assert learner.state_dict() == before
    assert learner.set_params(n_actions=5, seed=9) is learner
    assert learner.rounds == 0
    assert learner == make(n_actions=5, seed=9)
    assert learner.state_dict() == make(n_actions=5, seed=9).state_dict()


def equality_is_that_of_parameters(make: Make) -> None:
    """What has been seen does not matter; parameters and class do."""
    learner = make(seed=8)
    learner.play(losses(4))
    assert learner == make(seed=8)
    assert learner != make(seed=9)
    assert learner != make(seed=None)
    assert learner != make(seed=8, runs=2)
    assert learner != make(seed=8, n_actions=4)
    assert learner != "learner"
    with pytest.raises(TypeError, match="unhashable"):
        hash(learner)


# Bad input


def bad_numbers_of_actions_are_refused(make: Make) -> None:
    """At least two, a whole number."""
    for bad in (0, 1, -3, 2.0, True, None, "3", np.float64(3), [3]):
        assert "n_actions" in refuses(make, n_actions=bad)
    assert make(n_actions=np.int64(2), seed=1) == make(n_actions=2, seed=1)


def bad_numbers_of_runs_are_refused(make: Make) -> None:
    """At least one, a whole number, or None."""
    for bad in (0, -1, 2.0, True, "3", np.float64(3)):
        assert "runs" in refuses(make, runs=bad)


def bad_seeds_are_refused(make: Make) -> None:
    """A whole number, not negative, or None."""
    for bad in (-1, 1.0, True, "1", float("nan"), [1]):
        assert "seed" in refuses(make, seed=bad)


def bad_losses_change_nothing(make: Make) -> None:
    """In `update`, and in `play` with a bad row in the middle: one sentence that names the place."""
    for runs in (None, 3):
        learner = make(seed=4, runs=runs)
        learner.play(losses(11))
        before = json.dumps(learner.state_dict())
        action = np.asarray(learner.act()).tolist()
        for bad in (np.nan, np.inf, -np.inf, -1e-9, 1 + 1e-9):
            assert "action 1 " in refuses(learner.update, [0.5, bad, 0.5])
            table = losses(40)
            table[23, 2] = bad
            assert "round 34, action 2 " in refuses(learner.play, table)
        shapes: list[Any] = [[0.1, 0.2], [0.1] * 4, 0.5, [], None, ["a", "b", "c"], [True] * 3, [[0.1, 0.2, 0.3]] * 2]
        for shape in [*shapes, np.zeros((2, 2, 3)), [[0.1, 0.2, 0.3], [0.1]]]:
            refuses(learner.update, shape)
        for shape in [*shapes[:-1], [0.1, 0.2, 0.3], [[0.1, 0.2]], np.zeros((4, 3, 3)), np.zeros((4, 4))]:
            refuses(learner.play, shape)
        assert json.dumps(learner.state_dict()) == before
        assert np.asarray(learner.act()).tolist() == action


def a_bad_loss_of_one_run_is_not_called_a_round(make: Make) -> None:
    """The row of (runs, K) is a run: the sentence must not name a round that does not exist."""
    learner = make(seed=4, runs=3)
    rows = np.full((3, K), 0.5)
    rows[2, 1] = np.nan
    sentence = refuses(learner.update, rows)
    assert "action 1" in sentence
    assert "round 2" not in sentence


# Learning


def extreme_losses_are_borne(make: Make) -> None:
    """300 rounds of zeros, of ones, of one loss for all, and of one action always right: no warning, still lawful."""
    for row in ([0.0] * K, [1.0] * K, [0.3] * K, [0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1e-7, 0.0, 1e-7]):
        with np.errstate(all="warn", under="ignore"):
            for runs in (None, 3):
                learner = make(seed=2, runs=runs)
                actions = learner.play(np.tile(row, (300, 1)))
                assert 0 <= actions.min() <= actions.max() < K
                learner.update(row)
                json.dumps(learner.state_dict(), allow_nan=False)


def equal_losses_leave_all_actions_equally_likely(make: Make) -> None:
    """With nothing to choose between, the choice is uniform, in the first round and later (chi-square, 1e-6)."""
    learner = make(seed=12, runs=10_000)
    for rounds in (0, 1, 2, 40):
        if rounds:
            learner.play(np.full((rounds, K), 0.4))
        assert_fits(counts_of(learner.act(), K), np.full(K, 1 / K))


def an_easy_stream_is_learnt(make: Make) -> None:
    """A perfect action among bad ones: no mistake after 3072 rounds, whichever it is (by accident: below 1e-12)."""
    for best in range(K):
        row = np.ones(K)
        row[best] = 0.0
        learner = make(seed=20 + best, runs=10)
        actions = learner.play(np.tile(row, (4096, 1)))
        assert (actions[3072:] == best).all()


def permuting_the_actions_permutes_the_law(make: Make) -> None:
    """Frequencies over many runs at fixed rounds, against those on permuted columns (chi-square, 1e-6 each)."""
    table = losses(60, seed=5) * [0.5, 0.8, 1.0]
    order = [2, 0, 1]
    straight = make(seed=31, runs=10_000)
    permuted = make(seed=32, runs=10_000)
    for start, end in ((0, 7), (7, 20), (20, 60)):
        straight.play(table[start:end])
        permuted.play(table[start:end, order])
        assert_same_law(counts_of(straight.act(), K)[order], counts_of(permuted.act(), K))


def runs_are_independent(make: Make) -> None:
    """Neighboring runs with nothing to choose between agree as often as chance has it (chi-square, 1e-6)."""
    learner = make(seed=12, runs=20_000)
    learner.play(np.full((3, K), 0.4))
    actions = learner.act()
    assert_fits(counts_of(actions[::2] * K + actions[1::2], K * K), np.full(K * K, 1 / K**2))


# Promises


def a_seed_promises_nothing(make: Make) -> None:
    """And says why; without one the guarantee is the claim."""
    seeded = make(seed=1)
    assert isinstance(seeded.guarantee, NoGuarantee)
    assert "seed" in str(seeded.guarantee).lower() or "repeat" in str(seeded.guarantee)
    unseeded = make()
    assert unseeded.guarantee == unseeded.claim == seeded.claim
    unseeded.play(losses(5))
    assert unseeded.guarantee == seeded.claim


CHECKS: list[Callable[[Make], None]] = [
    acting_twice_is_the_same,
    actions_are_whole_numbers_in_range,
    the_array_of_actions_is_the_callers,
    losses_are_left_alone,
    many_runs_take_losses_of_their_own_or_shared,
    runs_learn_from_their_own_losses,
    play_is_the_loop,
    a_table_without_rounds_plays_nothing,
    a_state_goes_on_exactly,
    a_state_without_a_seed_keeps_totals_and_action,
    a_state_is_a_snapshot,
    a_state_of_another_learner_is_refused,
    a_state_without_a_seed_is_refused_by_a_seeded_learner,
    a_broken_state_changes_nothing,
    a_forged_state_changes_nothing,
    pickles_and_copies_keep_the_pending_action,
    representations_evaluate,
    a_seed_may_be_any_kind_of_whole_number,
    clones_are_equal_and_fresh,
    parameters_can_be_read_and_set,
    equality_is_that_of_parameters,
    bad_numbers_of_actions_are_refused,
    bad_numbers_of_runs_are_refused,
    bad_seeds_are_refused,
    bad_losses_change_nothing,
    a_bad_loss_of_one_run_is_not_called_a_round,
    extreme_losses_are_borne,
    equal_losses_leave_all_actions_equally_likely,
    an_easy_stream_is_learnt,
    permuting_the_actions_permutes_the_law,
    runs_are_independent,
    a_seed_promises_nothing,
]
