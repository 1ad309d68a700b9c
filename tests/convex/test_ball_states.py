"""The ball's learner goes on from a state, plays many runs at once, and walks where it is told to."""

from __future__ import annotations

import copy
import json
import math
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.convex import PotentialBall
from discreet.guarantees import NoGuarantee, PureDP
from discreet.losses import UNITS

KINDS: list[dict[str, Any]] = [{}, {"runs": 3}, {"walk": 20, "dimension": 12}, {"walk": 20, "runs": 2}]
kinds = pytest.mark.parametrize("kind", KINDS, ids=["one", "runs", "walk", "walks"])


def make(**changes: Any) -> PotentialBall:
    options: dict[str, Any] = {"dimension": 2, "radius": 3.0, "lipschitz": 0.5, "epsilon": 40.0, "rounds": 200}
    return PotentialBall(**(options | {"switches": 4, "threshold": 1.0} | changes))


def target_loss(learner: PotentialBall, at: int) -> tuple[NDArray[np.float64], list[float]]:
    """Half the distance along one direction after another."""
    slope = np.zeros(learner.dimension)
    slope[at % learner.dimension] = 0.5
    return np.array([slope, -slope]), [-0.5, 0.5]


def play(learner: PotentialBall, rounds: int) -> NDArray[np.float64]:
    points = []
    for _ in range(rounds):
        points.append(learner.act())
        learner.update(*target_loss(learner, learner.rounds))
    return np.array(points)


@kinds
def test_a_state_goes_on_exactly(kind: dict[str, Any]) -> None:
    learner = make(**kind, seed=6)
    for _ in range(6):
        resumed = learner.clone()
        resumed.load_state_dict(json.loads(json.dumps(learner.state_dict())))
        assert resumed.rounds == learner.rounds
        assert np.array_equal(resumed.act(), learner.act())
        twin = learner.clone()
        twin.load_state_dict(learner.state_dict())
        assert np.array_equal(play(resumed, 40), play(twin, 40))
        play(learner, 12)
    assert learner._drawn.min() > 0


def test_a_state_without_a_seed_goes_on_at_the_same_point() -> None:
    learner = make()
    play(learner, 10)
    resumed = make()
    resumed.load_state_dict(json.loads(json.dumps(learner.state_dict())))
    assert np.array_equal(resumed.act(), learner.act())
    assert resumed._threshold == learner._threshold
    assert resumed.guarantee == PureDP(40.0)


def test_when_no_draw_is_left_the_state_is_small() -> None:
    learner = make(switches=1, threshold=0.1, epsilon=8.0, seed=1)
    play(learner, 60)
    assert learner._drawn.tolist() == [1]
    state = learner.state_dict()
    assert state["losses"] == []
    resumed = learner.clone()
    resumed.load_state_dict(state)
    assert np.array_equal(resumed.act(), learner.act())
    resumed.update(*target_loss(resumed, 0))
    assert resumed.rounds == 61


LOSS = [[[1, 2]], [3]]
TOO_HIGH = [[[UNITS, 0]], [1]]


@kinds
def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(kind: dict[str, Any]) -> None:
    learner = make(**kind, seed=1)
    play(learner, 3)
    state = learner.state_dict()
    before = json.dumps(state)
    width, top = learner.runs or 1, 1 << 20
    outside = [[top] * learner.dimension] * width
    bad: list[Any] = [make(**kind, seed=2).state_dict(), make(**kind).state_dict(), {}, None, 7]
    bad += [{name: value for name, value in state.items() if name != "drawn"}]
    bad += [state | {"rounds": value} for value in (-1, 2, 1.5, True, None, 2**60)]
    bad += [state | {"point": value} for value in (outside, [[0]], None, [[0.5] * learner.dimension] * width, "a")]
    bad += [state | {"lost": value} for value in ([-1] * width, [4 * UNITS] * width, [[0]] * width, 0)]
    bad += [state | {"drawn": value} for value in ([5] * width, [-1] * width)]
    bad += [state | {"threshold": [2**62 + 1] * width}, state | {"entropy": 3}, state | {"entropy": {"position": -1}}]
    losses = state["losses"]
    wrong: list[Any] = [None, [], losses[:2], [*losses, losses[0]], [losses[0], losses[1], 3], [[], [], []]]
    wrong += [
        [*losses[:2], [loss]]
        for loss in ([[[1, 2]]], LOSS[:1], TOO_HIGH, [[[0.5, 1]], [3]], [[[2**40, 0]], [0]], [[[-(2**63), 0]], [0]])
    ]
    last: list[Any] = [[[[1, 2]], None], 5, [[], []], [LOSS[0], [3, 4]]]
    wrong += [[*losses[:2], [loss]] for loss in last]
    for other in (*bad, *(state | {"losses": losses} for losses in wrong)):
        with pytest.raises(ValueError, match=r".") as caught:
            learner.load_state_dict(other)
        assert "\n" not in str(caught.value)
        assert json.dumps(learner.state_dict()) == before


def test_runs_are_many_learners_at_once() -> None:
    learner = make(runs=4, seed=2)
    assert learner.act().shape == (4, 2)
    assert len({tuple(point) for point in learner.act()}) == 4
    own = make(runs=4, seed=2)
    for _ in range(60):
        slopes, offsets = target_loss(learner, learner.rounds)
        learner.update(slopes, offsets)
        own.update(np.tile(slopes, (4, 1, 1)), np.tile(offsets, (4, 1)))
    assert np.array_equal(learner.act(), own.act())
    assert learner._drawn.tolist() == own._drawn.tolist()
    assert learner._drawn.min() > 0
    assert make(runs=4).guarantee == PureDP(160.0)
    assert learner.claim == PureDP(40.0)
    assert eval(repr(learner), {"PotentialBall": PotentialBall}) == learner


def test_runs_with_losses_of_their_own_go_their_own_way() -> None:
    learner = make(runs=2, seed=3, dimension=1, switches=20)
    for _ in range(150):
        learner.update([[[0.5], [-0.5]], [[0.5], [-0.5]]], [[-0.75, 0.75], [0.75, -0.75]])
    assert (learner.act()[:, 0] * [1, -1] > 0.5).all()
    resumed = learner.clone()
    resumed.load_state_dict(json.loads(json.dumps(learner.state_dict())))
    assert resumed.state_dict() == learner.state_dict()
    before = learner.state_dict()
    for slopes, offsets in ((np.zeros((3, 1, 1)), np.zeros((3, 1))), (np.zeros((2, 1, 1)), np.zeros(2))):
        with pytest.raises(ValueError, match="slopes of 2 runs"):
            learner.update(slopes, offsets)
    with pytest.raises(ValueError, match="shape"):
        make(dimension=1).update(np.zeros((2, 1, 1)), np.zeros((2, 1)))
    assert learner.state_dict() == before


def test_a_walk_promises_nothing_and_says_why() -> None:
    walking = make(walk=20)
    assert isinstance(walking.guarantee, NoGuarantee)
    assert walking.guarantee == walking.claim
    assert isinstance(make(walk=10**30, runs=2).guarantee, NoGuarantee)
    assert isinstance(make(walk=20, seed=1).guarantee, NoGuarantee)
    steps = walking.demanded_steps(1e-6)
    assert f"10^{math.log10(steps):.0f} steps" in str(walking.guarantee)
    assert walking.demanded_steps(1e-12) > steps > 1e12
    with pytest.raises(ValueError, match="delta"):
        walking.demanded_steps(0.0)
    assert walking.revealed == make().revealed  # of the law that it walks towards


def test_only_a_walk_goes_beyond_ten_dimensions() -> None:
    for changes in ({"dimension": 11}, {"dimension": 5, "rounds": 10**6, "switches": None}):
        with pytest.raises(ValueError, match="walk="):
            make(**changes)
        assert make(**changes, walk=1).act().shape == (changes["dimension"],)
    for walk in (0, -5, 1.5, True, "long"):
        with pytest.raises(ValueError, match="walk"):
            make(walk=walk)


@pytest.mark.parametrize(("dimension", "epsilon", "rounds"), [(20, 20.0, 2000), (50, 100.0, 2000)])
def test_in_many_dimensions_it_learns_by_walking(dimension: int, epsilon: float, rounds: int) -> None:
    """A hinge loss that is 0 beyond 0.5 in one direction: the middle of the ball would lose a third in every round."""
    learner = PotentialBall(dimension, 1.0, 1.0, epsilon, rounds, bound=1.5, walk=300, seed=1)
    slope, lost = -np.eye(dimension)[0], 0.0
    for _ in range(rounds):
        lost += max(0.0, 0.5 - float(learner.act()[0])) / 1.5
        learner.update(slope, 0.5)
    assert lost < 0.35 * rounds / 3
    assert learner._drawn[0] > 0


@kinds
def test_a_draw_that_is_cut_off_is_made_later_and_the_test_not_asked_again(
    kind: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a point would be kept more often where draws take long, which depends on the losses."""
    learner = make(**kind, seed=1)
    play(learner, 5)
    rounds, drawn, points = learner.rounds, learner._drawn.copy(), learner.act()

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(type(learner.draws), "sample", interrupted)
        patch.setattr(learner, "_threshold", np.full_like(learner._threshold, -(2**60)))
        with pytest.raises(KeyboardInterrupt):
            learner.update(*target_loss(learner, 5))
        with pytest.raises(KeyboardInterrupt):
            learner.act()
        again = pickle.loads(pickle.dumps(learner))
    for one in (learner, again):  # thresholds are high again: a test that were asked anew would not halt
        assert one.rounds == rounds + 1
        assert (one._drawn == drawn).all()
        assert (one.act() != points).any()
        assert (one._drawn == drawn + 1).all()
    assert learner.state_dict() == again.state_dict()
    play(learner, 3)
    assert learner.rounds == len(learner.state_dict()["losses"]) == rounds + 4


def test_a_copy_shares_nothing() -> None:
    learner = make(seed=1)
    play(learner, 5)
    other, before = copy.copy(learner), json.dumps(learner.state_dict())
    play(other, 30)
    assert json.dumps(learner.state_dict()) == before
