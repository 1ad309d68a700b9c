"""Nets cover the ball, and learners of experts play on them."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest

from discreet.convex import NetExperts, net
from discreet.convex.net import MOST_POINTS, size
from discreet.experts import Hedge, PrefixSoftmax, PrivateLeader
from discreet.guarantees import NoGuarantee, PureDP


@pytest.mark.parametrize(("dimension", "resolution"), [(1, 0.03), (2, 0.1), (3, 0.3), (4, 0.6), (5, 0.9)])
@pytest.mark.parametrize("radius", [1.0, 2.5])
def test_every_point_of_the_ball_has_a_point_of_the_net_nearby(
    dimension: int, resolution: float, radius: float
) -> None:
    points = net(dimension, radius, resolution * radius)
    assert np.linalg.norm(points, axis=1).max() <= radius * (1 + 1e-12)
    rows = np.random.default_rng(1).standard_normal((2000, dimension))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[:1000] *= np.random.default_rng(2).random((1000, 1)) ** (1 / dimension)
    distances = [np.linalg.norm(points - radius * row, axis=1).min() for row in rows]
    assert max(distances) <= resolution * radius * (1 + 1e-9)


def test_a_coarser_lattice_would_leave_holes() -> None:
    """Planted: steps of twice the resolution, right in one dimension only."""
    points = net(3, 1.0, 0.3 * 3**0.5)
    rows = np.random.default_rng(1).standard_normal((2000, 3))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert max(np.linalg.norm(points - row, axis=1).min() for row in rows) > 0.3


@pytest.mark.parametrize(("dimension", "resolution"), [(1, 1e-8), (3, 1e-3), (10, 0.1), (1000, 0.1), (50, 1e-300)])
def test_a_net_that_is_too_large_is_refused_with_its_size(dimension: int, resolution: float) -> None:
    with pytest.raises(ValueError, match=f"points; at most {MOST_POINTS}") as caught:
        net(dimension, 1.0, resolution)
    assert f"{size(dimension, 1.0, resolution):.3g}" in str(caught.value)


def test_the_size_is_told_well() -> None:
    for dimension, resolution in ((1, 1e-3), (2, 0.01), (3, 0.05)):
        assert len(net(dimension, 1.0, resolution)) == pytest.approx(size(dimension, 1.0, resolution), rel=0.05)


def distance(points: Any) -> Any:
    return np.linalg.norm(points - np.array([0.3, -0.6]), axis=-1)


def test_it_learns_the_best_point() -> None:
    learner = NetExperts(2, 1.0, 1.0, rounds=400, epsilon=5.0, resolution=0.1, seed=1)
    for _ in range(400):
        learner.update(distance)
    assert learner.rounds == 400
    assert distance(learner.act()) < 0.3


def test_any_learner_of_experts_serves() -> None:
    options: dict[str, Any] = {"dimension": 1, "radius": 1.0, "lipschitz": 1.0, "rounds": 50}
    private = NetExperts(**options, learner=PrefixSoftmax(2, epsilon=0.2))
    assert private.guarantee == PureDP(0.2)
    assert private.learner == PrefixSoftmax(len(private.points), epsilon=0.2)
    assert isinstance(NetExperts(**options, learner=Hedge(7, seed=3)).guarantee, NoGuarantee)
    assert NetExperts(**options, epsilon=0.5).guarantee == PureDP(0.5)
    assert isinstance(NetExperts(**options, epsilon=0.5, seed=1).guarantee, NoGuarantee)
    for wrong in ({}, {"epsilon": 1.0, "learner": Hedge(2)}, {"learner": "Hedge"}, {"learner": PrivateLeader}):
        with pytest.raises(ValueError, match="learner"):
            NetExperts(**options, **wrong)


def test_losses_are_scaled_to_the_bound_and_refused_beyond() -> None:
    learner = NetExperts(1, 2.0, 3.0, rounds=50, epsilon=1.0, resolution=0.5, seed=1)
    assert learner.bound == 12.0
    before = learner.state_dict()
    bad: list[Any] = [lambda points: points[:, 0] - 5, [1.0], lambda points: points, "abc"]
    bad += [lambda points: np.full(len(points), 12.1), lambda points: np.full(len(points), np.nan)]
    for losses in bad:
        with pytest.raises(ValueError, match=r".") as caught:
            learner.update(losses)
        assert "\n" not in str(caught.value)
        assert learner.state_dict() == before
    with pytest.raises(ValueError, match="read-only"):
        learner.update(lambda points: points.sort())  # type: ignore
    clipping = NetExperts(1, 2.0, 3.0, rounds=50, epsilon=1.0, resolution=0.5, clip=True)
    clipping.update(lambda points: 40 * points[:, 0])
    assert clipping.rounds == 1


def test_runs_states_and_parameters() -> None:
    learner = NetExperts(2, 1.0, 1.0, 30, learner=PrivateLeader(2, 1.0), resolution=0.2, seed=2, runs=3)
    assert learner.act().shape == (3, 2)
    for _ in range(10):
        learner.update(distance)
    twin = eval(repr(learner), {"NetExperts": NetExperts, "PrivateLeader": PrivateLeader})
    assert twin == learner
    twin.load_state_dict(json.loads(json.dumps(learner.state_dict())))
    assert np.array_equal(twin.act(), learner.act())
    other = NetExperts(2, 1.0, 1.0, 30, learner=PrivateLeader(2, 1.0), resolution=0.3, seed=2, runs=3)
    for state in (other.state_dict(), {}, None):
        with pytest.raises(ValueError, match="state"):
            learner.load_state_dict(state)  # type: ignore[arg-type]
    assert learner.clone().rounds == 0


def test_a_copy_shares_no_learner() -> None:
    learner = NetExperts(2, 1.0, 1.0, 30, epsilon=1.0, resolution=0.2)
    other = copy.copy(learner)
    other.update(distance)
    assert (learner.rounds, other.rounds) == (0, 1)
    assert learner.points is other.points
    assert (other.claim, other.guarantee) == (PureDP(1.0), PureDP(1.0))


def test_a_net_of_one_point_is_refused() -> None:
    with pytest.raises(ValueError, match="single point"):
        NetExperts(1, 1.0, 1.0, 10, epsilon=1.0, resolution=4.0)
