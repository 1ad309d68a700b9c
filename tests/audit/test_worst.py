"""Worst losses: known numbers, an enumeration of our own, and larger blocks."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from discreet import audit, experts
from discreet.experts.blocks import BlockLearner
from discreet.guarantees import PureDP
from tests.experts.learners import BLOCK_CASES, Case

HALVES, ENDS = [0, 0.5, 1], [0, 1]


def uncapped(n_actions: int) -> BlockLearner:
    """Softmax at rate 1/2."""
    return experts.PrefixSoftmax(n_actions, epsilon=1.0, capped=False)


@pytest.mark.parametrize(
    ("n_actions", "grid", "rounds", "worst"),
    [
        (2, HALVES, 1, 0.5000),
        (2, HALVES, 3, 0.6201),
        (2, HALVES, 7, 0.7623),
        (3, HALVES, 1, 0.6636),
        (3, HALVES, 3, 0.7634),
        (3, ENDS, 7, 0.8628),
    ],
)
def test_softmax_over_random_prefixes(n_actions: int, grid: list[float], rounds: int, worst: float) -> None:
    """Found by an enumeration elsewhere, to four digits."""
    found = audit.worst_loss(uncapped(n_actions), rounds, grid)
    assert round(found.lower, 4) == round(found.upper, 4) == worst
    assert found.exact


@pytest.mark.parametrize("n_actions", [2, 3])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_exponential_noise_as_printed_reveals_twice_its_claim(n_actions: int, epsilon: float) -> None:
    printed = experts.NoisyLeader(n_actions, epsilon, noise="exponential", calibration="paper")
    proved = experts.NoisyLeader(n_actions, epsilon, noise="exponential")
    assert audit.worst_loss(printed, 7, ENDS).lower == pytest.approx(2 * epsilon)
    assert audit.worst_loss(proved, 7, ENDS).upper == pytest.approx(epsilon)
    # If losses could only rise, the printed noise would do.
    assert audit.worst_loss(printed, 7, ENDS, neighbors="rise").upper == pytest.approx(epsilon)


def test_laplace_noise_on_two_actions() -> None:
    """Two such noises differ by x or more with probability (1 + x / 2s) e^(-x/s) / 2: worst where gaps are widest.

    0.96 of what is claimed is reached at a gap of 48 losses, all of it only in the limit.
    """
    for block in range(2, 7):
        n = 2**block
        wanted = 1 + math.log((1 + (n - 2) / 4) / (1 + n / 4))
        assert audit.worst_loss(experts.NoisyLeader(2, 1.0), 2 * n - 1, ENDS).upper == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("case", BLOCK_CASES, ids=lambda case: case.name)
def test_every_learner_keeps_its_claim_exactly(case: Case) -> None:
    learner = case.make(n_actions=2)
    rounds = next(end for end in learner.schedule.ends if end >= 7)
    found = audit.worst_loss(learner, rounds, ENDS)
    assert isinstance(learner.claim, PureDP)
    assert 0 < found.lower <= found.upper <= learner.claim.epsilon + 1e-9


@pytest.mark.parametrize("case", BLOCK_CASES[:8:2], ids=lambda case: case.name)
def test_against_all_pairs_of_tables(case: Case) -> None:
    """The whole joint law of every table of four rounds of two actions, and every neighbor."""
    learner = case.make(n_actions=2)
    rows = list(product(ENDS, repeat=2))
    tables = list(product(range(4), repeat=4))
    logs = {table: np.log(list(audit.law(learner, [rows[row] for row in table]).values())) for table in tables}
    worst = max(
        float(np.abs(logs[table] - logs[(*table[:place], row, *table[place + 1 :])]).max())
        for table in tables
        for place in range(4)
        for row in range(4)
    )
    assert audit.worst_loss(learner, 4, ENDS).lower == pytest.approx(worst, abs=1e-8)


@pytest.mark.parametrize("case", BLOCK_CASES[1:9:2], ids=lambda case: case.name)
def test_the_witness_shows_the_loss(case: Case) -> None:
    learner = case.make(n_actions=2)
    found = audit.worst_loss(learner, 7, ENDS)
    seen = found.witness
    tables = [np.zeros((7, 2)), np.zeros((7, 2))]
    where = slice(seen.first_round, seen.first_round + len(seen.losses))
    tables[0][where], tables[1][where] = seen.losses, seen.neighbor
    assert ((tables[0] != tables[1]).any(axis=1)).sum() == 1
    laws = [audit.law(learner, table) for table in tables]
    ratios = {actions: math.log(chance / laws[1][actions]) for actions, chance in laws[0].items()}
    assert max(ratios.values()) == pytest.approx(found.lower, abs=1e-8)


def test_totals_stand_for_tables() -> None:
    """One table for each total gives what all tables give."""
    learner = experts.PrivateLeader(2, epsilon=1.0, growth=2, weights=(2, 1))
    whole = audit.worst_loss(learner, 7, ENDS)
    assert "every total" not in whole.how
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr("discreet.audit.worst.MOST_TABLES", 3000)
        fewer = audit.worst_loss(learner, 7, ENDS)
    assert "every total" in fewer.how
    assert fewer.exact
    assert fewer.lower == pytest.approx(whole.lower, abs=1e-9)


@pytest.mark.parametrize("n_actions", [2, 3, 6])
def test_long_blocks_by_search_lie_below_the_proof(n_actions: int) -> None:
    found = audit.worst_loss(uncapped(n_actions), 511, ENDS)
    assert "a search" in found.how
    assert not found.exact or found.lower == pytest.approx(1.0, abs=1e-6)
    assert 0.95 < found.lower <= found.upper == 1.0
    assert found.lower < 1.0 + 1e-12


def test_the_search_finds_what_enumeration_finds() -> None:
    exact = audit.worst_loss(uncapped(2), 7, ENDS)
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr("discreet.audit.worst.MOST_TABLES", 20)
        found = audit.worst_loss(uncapped(2), 7, ENDS)
    assert "a search" in found.how
    assert found.lower == pytest.approx(exact.lower, abs=1e-9)
    assert found.upper == 1.0


def test_bad_input() -> None:
    learner = uncapped(2)
    with pytest.raises(ValueError, match="rounds is 0"):
        audit.worst_loss(learner, 0, ENDS)
    with pytest.raises(ValueError, match="two or more different losses"):
        audit.worst_loss(learner, 3, [0.5])
    with pytest.raises(ValueError, match="two or more different losses"):
        audit.worst_loss(learner, 3, [0.5, 0.5])
    with pytest.raises(ValueError, match="the loss of action 1 is"):
        audit.worst_loss(learner, 3, [0, 2])
    near: Any = "near"
    with pytest.raises(ValueError, match="neighbors is 'near'"):
        audit.worst_loss(learner, 3, ENDS, neighbors=near)
    with pytest.raises(ValueError, match="cannot be computed"):
        audit.worst_loss(experts.Hedge(2), 3, ENDS)


# Adversaries


def spiteful(actions: tuple[int, ...]) -> list[float]:
    return [float(action == actions[-1]) for action in range(2)]


@pytest.mark.parametrize("case", BLOCK_CASES[1:7], ids=lambda case: case.name)
def test_adversaries_who_differ_in_one_round_learn_no_more(case: Case) -> None:
    """All trees of two rounds in which losses of 0 and 1 react to what is played, and what replaces a round of them."""
    learner = case.make(n_actions=2, **({"growth": 2} if case.kind is experts.PrivateLeader else {}))
    if learner.schedule.ends[1] > 3:
        learner = experts.PrivateLeader(2, case.make().epsilon, growth=2, weights=(1,))
    worst = audit.worst_loss(learner, 3, ENDS).upper
    rng = np.random.default_rng(6)
    for _ in range(60):
        tree = {actions: rng.integers(2, size=2) for n in (1, 2, 3) for actions in product(range(2), repeat=n)}
        other = dict(tree)
        changed = int(rng.integers(1, 4))
        for actions in product(range(2), repeat=changed):
            other[actions] = rng.integers(2, size=2)
        loss = audit.loss_against(learner, tree.__getitem__, other.__getitem__, rounds=3)
        assert loss <= worst + 1e-9


def test_the_law_against_an_adversary_is_that_of_what_is_played() -> None:
    """Online, losses made from what was played: a chi-square, wrong once in a million."""
    from tests.chances import assert_fits

    learner = experts.NoisyLeader(2, 4.0, noise="exponential", seed=9, runs=20_000)
    law = audit.law_against(learner, spiteful, rounds=3)
    columns = []
    for _ in range(3):
        columns.append(learner.act())
        learner.update(np.stack([columns[-1] == action for action in range(2)], axis=1).astype(float))
    columns.append(learner.act())
    counts = np.bincount(np.stack([columns[0], columns[1], columns[3]], axis=1) @ [4, 2, 1], minlength=8)
    assert_fits(counts, list(law.values()))
