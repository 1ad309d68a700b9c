"""Parameters, copies and equality."""

from __future__ import annotations

import numpy as np
import pytest

from discreet import experts
from tests.experts.checks.playing import K, Make, losses, refuses


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
