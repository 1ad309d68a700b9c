"""Exact laws against calculation by hand, against simulation, and inside their own intervals."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet import audit, experts
from discreet.experts.blocks import BlockLearner
from tests.chances import assert_fits
from tests.experts.learners import BLOCK_CASES, Case

TABLE = np.random.default_rng(4).random((9, 3)).round(2)
RUNS = 40_000


def played(learner: BlockLearner, table: NDArray[np.float64]) -> list[tuple[int, ...]]:
    """The block actions of many seeded runs."""
    made = type(learner)(**(learner.get_params() | {"runs": RUNS, "seed": 17}))
    actions = made.play(table)
    starts = [0, *(end for end in learner.schedule.ends if end < len(table))]
    columns = [actions[start] for start in starts]
    if len(table) in learner.schedule.ends:
        columns.append(made.act())
    return [tuple(row) for row in np.stack(columns, axis=1).tolist()]


@pytest.mark.parametrize("case", BLOCK_CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("rounds", [3, 6, 9])
def test_the_law_is_that_of_what_is_played(case: Case, rounds: int) -> None:
    """Chi-square over all sequences: wrong alarms once in a million."""
    learner, table = case.make(), TABLE[:rounds]
    law = audit.law(learner, table)
    assert sum(law.values()) == pytest.approx(1, abs=1e-11)
    sequences = played(learner, table)
    assert set(sequences) <= set(law)
    places = {sequence: place for place, sequence in enumerate(law)}
    counts = np.bincount([places[sequence] for sequence in sequences], minlength=len(law))
    assert_fits(counts, list(law.values()))


def test_softmax_of_random_prefixes_by_hand() -> None:
    rate, table = 0.5, TABLE[:7, :2]
    after = [table[:1]], [table[1:3]], [table[3:6], table[3:7]]
    chances = []
    for prefixes in after:
        behind = [float(rows[:, 1].sum() - rows[:, 0].sum()) for rows in prefixes]
        first = np.mean([1 / (1 + math.exp(-rate * gap)) for gap in behind])
        chances.append((first, 1 - first))
    law = audit.law(experts.PrefixSoftmax(2, epsilon=1.0, capped=False), table)
    assert len(law) == 16
    for actions, chance in law.items():
        wanted = 0.5 * math.prod(pair[action] for pair, action in zip(chances, actions[1:], strict=True))
        assert chance == pytest.approx(wanted, rel=1e-6)  # losses are rounded to units


@pytest.mark.parametrize("kind", [experts.FollowTheLeader, experts.Hedge])
def test_learners_that_draw_every_round(kind: type[experts.FollowTheLeader | experts.Hedge]) -> None:
    table = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.0]])
    law = audit.law(kind(2), table)
    assert len(law) == 2**4
    made = kind(2, seed=3, runs=RUNS)
    sequences = np.concatenate([made.play(table), made.act()[None]]).T
    counts = np.bincount(sequences @ [8, 4, 2, 1], minlength=16)
    assert_fits(counts, list(law.values()))


def test_no_rounds_at_all() -> None:
    assert audit.law(experts.PrivateLeader(3, 1.0), []) == {(0,): 1 / 3, (1,): 1 / 3, (2,): 1 / 3}


def test_a_table_that_touches_a_block_and_one_that_completes_it() -> None:
    learner = experts.NoisyLeader(2, 1.0)
    assert len(audit.law(learner, TABLE[:2, :2])) == 2**2
    assert len(audit.law(learner, TABLE[:3, :2])) == 2**3
    two, three = audit.law(learner, TABLE[:2, :2]), audit.law(learner, TABLE[:3, :2])
    for pair in product(range(2), repeat=2):
        assert sum(three[*pair, last] for last in range(2)) == pytest.approx(two[pair])


@pytest.mark.parametrize("case", BLOCK_CASES, ids=lambda case: case.name)
def test_intervals_hold_the_floats_and_add_up_to_one(case: Case) -> None:
    learner = case.make()
    floats, intervals = audit.law(learner, TABLE[:6]), audit.law(learner, TABLE[:6], intervals=True)
    assert sum(intervals.values()).contains(1)
    for actions, chance in floats.items():
        assert float(intervals[actions].rad()) < 1e-60
        assert chance == pytest.approx(float(intervals[actions].mid()), rel=1e-12)


def test_intervals_hold_probabilities_that_floats_cannot() -> None:
    learner = experts.PrivateLeader(2, epsilon=8.0, growth=2, weights=(1,))
    rounds = learner.schedule.ends[11]
    law = audit.law(learner, np.tile([0.0, 1.0], (rounds, 1)), intervals=True)
    assert audit.law(learner, np.tile([0.0, 1.0], (rounds, 1)))[(1,) * 13] == 0.0
    least = law[(1,) * 13]
    assert least > 0
    lengths = learner.schedule.lengths[:12].tolist()
    # Of two actions the one behind wins with half its coin's chance.
    logs = math.log(0.5) + sum(math.log(0.5) - 4.0 * length for length in lengths)
    assert float(least.log().mid()) == pytest.approx(logs, rel=1e-12)
    assert logs < -745


def test_what_cannot_be_written_down_is_refused() -> None:
    with pytest.raises(ValueError, match="40 actions in 5 blocks have 102400000 sequences, too many"):
        audit.law(experts.NoisyLeader(40, 1.0), np.zeros((15, 40)))
    with pytest.raises(ValueError, match="only statistical audits fit it"):
        audit.law(experts.AdaHedge(2), TABLE[:2, :2])
    with pytest.raises(ValueError, match="no intervals"):
        audit.law(experts.Hedge(2), TABLE[:2, :2], intervals=True)
    with pytest.raises(ValueError, match="3 actions want 3 losses a round"):
        audit.law(experts.PrivateLeader(3, 1.0), TABLE[:, :2])
    with pytest.raises(ValueError, match="the loss of round 1, action 0 is"):
        audit.law(experts.PrivateLeader(2, 1.0), [[0.0, 1.0], [2.0, 0.0]])
    with pytest.raises(ValueError, match="too many to go through"):
        audit.law(experts.NoisyLeader(3, 1.0, resample=True), np.full((255, 3), 0.5))
