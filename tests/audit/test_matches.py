"""`audit.matches`: the right law fits, a slightly wrong one does not, whichever way it is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet import audit
from discreet.entropy import SeededEntropy
from discreet.losses import UNITS
from discreet.selection import NoisyMax, PermuteAndFlip, Selection, Softmax

TOTALS = np.array([0, 1, 2, 9]) * UNITS


@pytest.mark.parametrize("selection", [Softmax(0.5), PermuteAndFlip(0.5), NoisyMax(2.0)])
def test_selections_draw_by_their_law_and_not_by_a_neighboring_one(selection: Selection) -> None:
    def sampler(losses: Any, runs: int) -> Any:
        return selection.sample(np.tile(losses, (runs, 1)), SeededEntropy(3))

    assert audit.matches(sampler, selection.law(TOTALS), 40_000, losses=TOTALS).fits
    wrong = selection.law(TOTALS + np.array([0, UNITS // 4, 0, 0]))
    assert not audit.matches(sampler, wrong, 40_000, losses=TOTALS).fits


def test_false_alarms_are_as_rare_as_stated() -> None:
    chance = np.random.default_rng(1)
    law = np.array([0.5, 0.3, 0.15, 0.04, 0.009, 0.001])
    fits = [audit.matches(lambda n: chance.choice(6, n, p=law), law, 1000, false_alarm=0.1).fits for _ in range(1000)]
    assert sum(fits) > 850  # 900 expected at least; 850 is five standard deviations below


def test_a_law_of_sequences() -> None:
    chance = np.random.default_rng(1)
    law = {(i, j): 0.25 for i in range(2) for j in range(2)}
    found = audit.matches(lambda n: chance.integers(0, 2, (n, 2)), law, 4000)
    assert found.fits
    assert audit.matches(lambda n: chance.integers(0, 2, (n, 2)), np.full((2, 2), 0.25), 4000).fits
    copied = audit.matches(lambda n: np.repeat(chance.integers(0, 2, (n, 1)), 2, axis=1), law, 4000)
    assert not copied.fits
    assert copied.worst in law


def test_one_impossible_outcome_is_enough() -> None:
    draws = np.zeros(1000, dtype=int)
    draws[17] = 5
    for law in ({0: 1.0}, {0: 1.0, 5: 0.0}):
        found = audit.matches(lambda n: draws, law, 1000)
        assert (found.fits, found.p_value, found.worst, found.seen, found.expected) == (False, 0.0, 5, 1, 0.0)
    assert not audit.matches(lambda n: draws, {0: 1 - 1e-12, 5: 1e-12}, 1000).fits
    assert "the outcomes do not fit the law" in str(found)


def test_small_deviations_of_many_outcomes_add_up() -> None:
    chance = np.random.default_rng(1)
    tilted = 1 + 0.15 * (-1.0) ** np.arange(200)
    assert not audit.matches(lambda n: chance.choice(200, n, p=tilted / 200), np.full(200, 1 / 200), 20_000).fits


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"law": [0.5, 0.4]}, "sum to 0.9; they must be 0 or more and sum to 1"),
        ({"law": [1.5, -0.5]}, "they must be 0 or more"),
        ({"law": {0.5: 1.0}}, "must be probabilities of whole numbers"),
        ({"law": {}}, "must be probabilities of whole numbers"),
        ({"law": {(0, 1): 1.0}}, r"outcomes like \(0, 1\), the sampler drew 0"),
        ({"runs": 0}, "runs is 0"),
        ({"false_alarm": 2}, "false_alarm is 2"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: dict[str, Any], complaint: str) -> None:
    usual: dict[str, Any] = {"sampler": lambda n: np.zeros(n, dtype=int), "law": [1.0], "runs": 10}
    with pytest.raises(ValueError, match=complaint):
        audit.matches(**usual | arguments)
