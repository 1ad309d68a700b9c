"""What happens to the promise when a learner is copied, interrupted, or run many times at once."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from numpy.typing import ArrayLike

from discreet.entropy import Entropy
from discreet.experts import NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.experts.blocks import BlockLearner
from discreet.guarantees import PureDP
from discreet.losses import UNITS
from discreet.selection import PermuteAndFlip

LEARNERS: list[BlockLearner] = [
    PrivateLeader(2, 1.0),
    PrivateLeader(2, 4.0),
    PrefixSoftmax(2, 1.0),
    NoisyLeader(2, 1.0),
]


def test_many_runs_reveal_as_much_as_many_releases() -> None:
    assert PrivateLeader(2, 1.0, runs=50).guarantee == PureDP(50.0)
    assert PrivateLeader(2, 1.0, runs=1).guarantee == PureDP(1.0)
    assert PrivateLeader(2, 1.0, runs=50).claim == PureDP(1.0)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_a_shallow_copy_shares_no_totals(learner: BlockLearner) -> None:
    learner = learner.clone()
    learner.play([[0.0, 1.0]] * 4)
    before = learner.score().copy()
    other = copy.copy(learner)
    other.update([0.0, 1.0])
    np.testing.assert_array_equal(learner.score(), before)
    learner.update([0.0, 1.0])
    np.testing.assert_array_equal(learner.score(), other.score())


class Interrupted(PermuteAndFlip):
    """Raises where a user may press Ctrl-C: in the middle of a draw."""

    def sample(self, totals: ArrayLike, entropy: Entropy) -> int | np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        raise KeyboardInterrupt


def test_an_interrupted_round_is_not_learned_and_can_be_learned_again() -> None:
    learner = PrivateLeader(2, 4.0, seed=1)  # blocks of 1, 3, 6 rounds; the newest weighs 4, the one before 1
    learner.play([[0.0, 1.0]] * 3)
    whole, before = learner.selection, learner.state_dict()
    learner.selection = Interrupted(1.0)
    with pytest.raises(KeyboardInterrupt):
        learner.update([0.0, 1.0])
    assert learner.state_dict() == before
    learner.selection = whole
    learner.update([0.0, 1.0])
    assert learner.rounds == 4
    learner.update([0.0, 1.0])
    # One round of the new block, the three of the block before, and nothing of the first one.
    assert learner.score().tolist() == [[0, (4 * 1 + 1 * 3) * UNITS]]


def test_a_seeded_state_does_not_enter_a_private_learner() -> None:
    seeded = PrivateLeader(2, 1.0, seed=1)
    state = seeded.state_dict()
    with pytest.raises(ValueError, match="the state is of"):
        PrivateLeader(2, 1.0).load_state_dict(state)
    state["learner"] = PrivateLeader(2, 1.0).state_dict()["learner"]
    with pytest.raises(ValueError, match="repeatable stream"):
        PrivateLeader(2, 1.0).load_state_dict(state)
