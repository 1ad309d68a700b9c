"""Adversaries that react to what a watching learner plays: laws against online play, and the worst of all trees."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet import audit
from discreet.audit.tables import cells
from discreet.audit.trees import every_law, largest_delta
from discreet.experts import AdaptiveSparseVectorExperts, PotentialExperts, SparseVectorExperts
from discreet.experts.watching import WatchingLearner
from discreet.guarantees import ApproxDP
from discreet.losses import UNITS
from tests.audit.mutants import ClaimsWhatTablesShow
from tests.chances import assert_fits

Law = NDArray[np.float64]

#: Thresholds so low that a few rounds go through halts, draws and guesses.
SMALL: list[WatchingLearner] = [
    SparseVectorExperts(2, 4.0, 100, switches=3, threshold=0.0),
    SparseVectorExperts(2, 2.0, 100, switches=2, threshold=1.0, constants="paper"),
    SparseVectorExperts(2, 3.0, 100, switches=3, threshold=0.5, delta=0.1),
    AdaptiveSparseVectorExperts(2, 4.0, 1000, switches=1, threshold=0.5),
    AdaptiveSparseVectorExperts(2, 4.0, 8, switches=2, threshold=1.0, constants="paper"),
    PotentialExperts(2, 8.0, 100, switches=2, threshold=0.3),
    PotentialExperts(2, 4.0, 100, switches=2, threshold=0.2, constants="paper", calibration="paper"),
]


def spiteful(actions: tuple[int, ...]) -> list[float]:
    """A loss for the action just played, and for one that was just left."""
    return [float(action == actions[-1] or actions[-2:-1] == (action,)) for action in range(2)]


@pytest.mark.parametrize("learner", SMALL, ids=repr)
def test_the_law_against_an_adversary_is_that_of_what_is_played(learner: WatchingLearner) -> None:
    """Online, losses made from what was played, 40,000 runs: a chi-square, wrong once in a million."""
    made = type(learner)(**(learner.get_params() | {"seed": 9, "runs": 40_000}))
    law = audit.law_against(learner, spiteful, rounds=4)
    assert sum(law.values()) == pytest.approx(1, abs=1e-9)
    columns: list[NDArray[np.int64]] = []
    for _ in range(4):
        columns.append(made.act())
        rows = [np.stack([column == action for action in range(2)], axis=1) for column in columns[-2:]]
        made.update(np.logical_or.reduce(rows).astype(float))
    columns.append(made.act())
    assert_fits(np.bincount(np.stack(columns, axis=1) @ [16, 8, 4, 2, 1], minlength=32), list(law.values()))


def every_tree(learner: WatchingLearner, rows: NDArray[np.int64]) -> list[tuple[tuple[int, ...], Law]]:
    """Every adversary of two rounds who chooses between two rows: its choices after 1 and 2 actions, and the law."""
    histories = [(0,), (1,), *product(range(2), repeat=2)]
    found = []
    for choices in product(range(2), repeat=6):
        tree = {actions: rows[choice] / UNITS for actions, choice in zip(histories, choices, strict=True)}
        found.append((choices, np.array(list(audit.law_against(learner, tree.__getitem__, 2).values()))))
    return found


@pytest.mark.parametrize("learner", SMALL, ids=repr)
def test_the_worst_tree_is_the_worst_of_all_trees_one_by_one(learner: WatchingLearner) -> None:
    rows = np.array([[UNITS, 0], [0, UNITS]])
    laws, trees = every_law(learner, 2, rows), every_tree(learner, rows)
    for epsilon in (0.0, 0.2, 1.0):
        worst = 0.0
        for (one, mine), (other, others) in product(trees, trees):
            if one[:2] == other[:2] or one[2:] == other[2:]:  # they differ in one round
                worst = max(worst, float(np.maximum(mine - math.exp(epsilon) * others, 0).sum()))
        assert largest_delta(laws, epsilon) == pytest.approx(worst, abs=1e-12)


@pytest.mark.parametrize("learner", SMALL, ids=repr)
def test_adversaries_stay_within_the_guarantee(learner: WatchingLearner) -> None:
    """All trees of four rounds with losses 0 and 1: no outcome beyond the claim, and no more than its delta in all."""
    laws = every_law(learner, 4, cells([0, 1], 2))
    loss = audit.worst_loss(learner, 4, [0, 1]).upper
    assert largest_delta(laws, loss) < 1e-9
    assert largest_delta(laws, 0.9 * loss) > 1e-6
    for share in (0.0, 0.1, 0.5, 1.0):
        epsilon = share * float(learner.get_params()["epsilon"])
        reacting, fixed = largest_delta(laws, epsilon), largest_delta(laws, epsilon, reacting=False)
        assert fixed <= reacting + 1e-12
        assert reacting <= learner.claim.delta(epsilon) + 1e-9


def test_a_delta_that_is_right_for_fixed_tables_is_caught_by_adversaries_alone() -> None:
    learner = ClaimsWhatTablesShow(2, 4.0, 9, switches=3, threshold=0.0)
    report = audit.check(learner, runs=4000)
    assert {finding.check for finding in report.failures} == {"adversaries"}
    assert "at epsilon 2 losses that react take a delta of 0.05954, above 0.03; fixed ones 0.02977" in (
        report.failures[0].said
    )
    assert audit.check(learner, claim=ApproxDP(2.0, 0.06), runs=4000).passed
