from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.regret import regret
from discreet.bounds import block_leader, cesari_colomboni_theorem_1
from discreet.experts import NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.experts.blocks import BlockLearner


def test_theorem_1_by_hand() -> None:
    assert cesari_colomboni_theorem_1(8, 0.5, 0.1) == pytest.approx(1 + 1600 * math.log(8) + 320 * math.log(8))
    assert cesari_colomboni_theorem_1(8, 0.5, 9.0) == pytest.approx(1 + 1600 * math.log(8) + 128 * math.log(8))


@pytest.mark.parametrize("bad", [(1, 0.5, 1.0), (2, 0.0, 1.0), (2, 1.5, 1.0), (2, 0.5, 0.0), (2, math.nan, 1.0)])
def test_conditions_of_theorem_1(bad: tuple[int, float, float]) -> None:
    with pytest.raises(ValueError, match="needs two actions"):
        cesari_colomboni_theorem_1(*bad)


def test_block_leader_by_hand() -> None:
    # Blocks 1, 2, 4 of two actions with gap 1: uniform, then after 1 round, then after 2 rounds.
    chances = [math.exp(-n / 8) + math.exp(-0.5 * n / 2) for n in (1, 2)]
    wanted = 0.5 + sum(n * min(1.0, chance) for n, chance in zip((2, 4), chances, strict=True))
    assert block_leader([1.0, 0.0], [1, 2, 4], [1], rate=0.5, rounds=7) == pytest.approx(wanted)
    # Carried over: the score before the third block is 2 · (2 rounds) + 1 · (1 round): N = 5, V = 9.
    chance = math.exp(-25 / 72) + math.exp(-0.5 * 5 / 2)
    first = math.exp(-4 / 32) + math.exp(-0.5 * 2 / 2)
    wanted = 0.5 + 2 * min(1.0, first) + 4 * min(1.0, chance)
    assert block_leader([1.0, 0.0], [1, 2, 4], [2, 1], rate=0.5, rounds=7) == pytest.approx(wanted)


def test_block_leader_never_exceeds_the_worst_action() -> None:
    assert block_leader([0.0, 0.2, 0.3], [1] * 50, [1], rate=1e-6, rounds=50) <= 50 * 0.3


@pytest.mark.parametrize(
    "learner",
    [
        PrivateLeader(5, 0.5, seed=1, runs=500),
        PrivateLeader(5, 4.0, seed=1, runs=500),
        NoisyLeader(5, 1.0, seed=1, runs=500),
        NoisyLeader(5, 1.0, noise="gumbel", seed=1, runs=500),
    ],
    ids=repr,
)
def test_measured_regret_is_below_the_bound(learner: BlockLearner) -> None:
    means = np.array([0.2, 0.4, 0.4, 0.7, 0.9])
    measured = regret(lambda seed: learner, means, 50_000, seed=1)
    lengths = learner.schedule.lengths.tolist()
    bound = block_leader(means - 0.2, lengths, learner.weights, learner.selection.error_rate, 50_000)
    assert measured.mean + 5 * measured.error < bound < 100 * measured.mean
    capped = regret(lambda seed: PrefixSoftmax(5, 1.0, seed=1, runs=500), means, 50_000, seed=1)
    assert capped.mean + 5 * capped.error < cesari_colomboni_theorem_1(5, 0.2, 1.0)
