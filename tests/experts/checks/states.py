"""Keeping a state and going on from it."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np

from discreet import experts
from tests.experts.checks.playing import K, Make, losses, refuses


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
