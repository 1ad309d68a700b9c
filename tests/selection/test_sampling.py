"""`sample` against the exact law: chi-square at one false alarm in a million each, with fixed seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet.entropy import Entropy, ScriptedEntropy, SeededEntropy, SystemEntropy
from discreet.losses import UNITS
from discreet.selection import NoisyMax, PermuteAndFlip, Selection, Softmax
from tests.chances import assert_fits, counts_of
from tests.selection import references

KINDS = (Softmax, PermuteAndFlip, NoisyMax)
kinds = pytest.mark.parametrize("kind", KINDS)
RUNS = 200_000


def runs_of(selection: Selection, totals: list[int], runs: int, entropy: Entropy) -> Any:
    return selection.sample(np.tile(np.array(totals, dtype=np.int64), (runs, 1)), entropy)


ROWS = {2: [0.0, 0.7], 3: [1.5, 0.0, 0.25], 10: [0.1, 0.5, 0.0, 2.0, 2.0, 3.5, 1.25, 0.1, 9.0, 0.3]}


@pytest.mark.parametrize("rate", [0.1, 1.0, 3.7])
@pytest.mark.parametrize("n_actions", ROWS)
@kinds
def test_samples_follow_the_law(kind: type[Selection], n_actions: int, rate: float) -> None:
    totals = [round(loss * UNITS) for loss in ROWS[n_actions]]
    if kind is Softmax:
        selection: Selection = Softmax(rate)
        exact = references.softmax(totals, rate)
    elif kind is PermuteAndFlip:
        selection, exact = PermuteAndFlip(rate), references.permute_and_flip(totals, rate)
    else:
        selection = NoisyMax(1 / rate)
        exact = selection.law(totals).tolist()  # held to independent calculation in test_laws.py
    actions = runs_of(selection, totals, RUNS, SeededEntropy(n_actions))
    assert actions.shape == (RUNS,)
    assert actions.dtype == np.int64
    assert_fits(counts_of(actions, n_actions), [float(p) for p in exact])


@kinds
def test_one_at_a_time_follows_the_same_law(kind: type[Selection]) -> None:
    selection, totals, entropy = kind(0.9), [UNITS // 2, 0, UNITS], SeededEntropy(2)  # type: ignore[call-arg]
    actions = [selection.sample(totals, entropy) for _ in range(8000)]
    assert all(type(action) is int for action in actions)
    assert_fits(counts_of(np.array(actions), 3), selection.law(totals))


@kinds
def test_each_run_has_its_own_totals_and_runs_are_independent(kind: type[Selection]) -> None:
    selection = kind(1.1)  # type: ignore[call-arg]
    rows = np.array([[0, UNITS, 2 * UNITS], [2 * UNITS, 0, 0], [UNITS, UNITS, 0]])
    actions = np.asarray(selection.sample(np.tile(rows, (60_000, 1)), SeededEntropy(5))).reshape(-1, 3)
    laws = selection.law(rows)
    for column, law in zip(actions.T, laws, strict=True):
        assert_fits(counts_of(column, 3), law)
    together = counts_of(actions @ np.array([9, 3, 1]), 27)
    assert_fits(together, np.einsum("i,j,k->ijk", *laws).ravel())


@pytest.mark.parametrize("scale", [0.3, 1.0, 4.0])
def test_noise_of_a_few_units_follows_the_law_of_the_grid(scale: float) -> None:
    gaps = [0, 1, 0, 3]
    actions = runs_of(NoisyMax(scale / UNITS), gaps, 4000, SeededEntropy(8))
    exact = [float(p) for p in references.noisy_max_discrete(gaps, scale / UNITS)]
    assert_fits(counts_of(actions, 4), exact)


@kinds
def test_ties_are_uniform(kind: type[Selection]) -> None:
    for n_actions in (2, 3, 7):
        for scale, runs in ((0.5, 30_000), (1e-9 if kind is NoisyMax else 1e9, 2000)):
            actions = runs_of(kind(scale), [2**40] * n_actions, runs, SeededEntropy(3))  # type: ignore[call-arg]
            assert_fits(counts_of(actions, n_actions), np.full(n_actions, 1 / n_actions))


@kinds
def test_shifting_all_totals_changes_no_draw(kind: type[Selection]) -> None:
    selection = kind(0.8)  # type: ignore[call-arg]
    table = np.random.default_rng(1).integers(0, 3 * UNITS, (500, 4))
    drawn = selection.sample(table, SeededEntropy(1))
    for shift in (2**62, -(2**62), 12_345):
        assert np.array_equal(drawn, selection.sample(table + shift, SeededEntropy(1)))


@kinds
def test_gaps_are_exact_near_the_largest_total(kind: type[Selection]) -> None:
    top = 2**62
    selection = kind(1 / UNITS if kind is NoisyMax else float(UNITS))  # type: ignore[call-arg]
    actions = runs_of(selection, [top + 1, top, top + 2], 4000, SeededEntropy(4))
    assert_fits(counts_of(actions, 3), selection.law([1, 0, 2]))


@kinds
def test_a_single_action_is_always_taken(kind: type[Selection]) -> None:
    selection = kind(0.3)  # type: ignore[call-arg]
    assert [selection.sample([seed], SeededEntropy(seed)) for seed in range(50)] == [0] * 50
    assert runs_of(selection, [5], 300, SeededEntropy(1)).tolist() == [0] * 300


@kinds
def test_no_runs_are_no_actions(kind: type[Selection]) -> None:
    assert np.asarray(kind(0.3).sample(np.zeros((0, 3), dtype=int), SeededEntropy(1))).shape == (0,)  # type: ignore[call-arg]


@kinds
def test_the_order_of_actions_does_not_matter(kind: type[Selection]) -> None:
    totals = [0, UNITS // 3, UNITS, UNITS // 3]
    selection = kind(1.0)  # type: ignore[call-arg]
    forwards = counts_of(runs_of(selection, totals, 100_000, SeededEntropy(1)), 4)
    backwards = counts_of(runs_of(selection, totals[::-1], 100_000, SeededEntropy(2)), 4)
    assert_fits(forwards + backwards[::-1], selection.law(totals))


@kinds
def test_a_hundred_thousand_equal_actions(kind: type[Selection]) -> None:
    selection, totals = kind(1.0), np.full(100_000, 7 * UNITS)  # type: ignore[call-arg]
    entropy, draws = SeededEntropy(6), 60 if kind is NoisyMax else 200
    actions = [selection.sample(totals, entropy) for _ in range(draws)]
    assert len(set(actions)) > 0.9 * draws  # on average one pair in 5 repeats; 6 pairs: probability below 1e-6
    assert_fits(counts_of([action // 25_000 for action in np.asarray(actions).tolist()], 4), np.full(4, 0.25))


@kinds
def test_a_hundred_thousand_actions_and_a_clear_leader(kind: type[Selection]) -> None:
    totals = np.full(100_000, 100 * UNITS)
    totals[99_999] = 0
    for seed in range(5):  # anyone else: 1e5 · 51 · e^-100
        assert kind(1.0).sample(totals, SeededEntropy(seed)) == 99_999  # type: ignore[call-arg]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rate", [1e285, 1e30])
@pytest.mark.parametrize("kind", [Softmax, PermuteAndFlip])
def test_huge_rates_leave_only_the_leaders(kind: type[Selection], rate: float) -> None:
    actions = runs_of(kind(rate), [5, 4, 2**62, 4], 2000, SeededEntropy(1))  # type: ignore[call-arg]
    assert_fits(counts_of(actions, 4), [0, 0.5, 0, 0.5])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rate", [1e-285, 1e-200])
@pytest.mark.parametrize("kind", [Softmax, PermuteAndFlip])
def test_tiny_rates_leave_all_actions_alike(kind: type[Selection], rate: float) -> None:
    actions = runs_of(kind(rate), [0, 2**62, 17], 3000, SeededEntropy(1))  # type: ignore[call-arg]
    assert_fits(counts_of(actions, 3), [1 / 3] * 3)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [1e285, 1e200])
def test_huge_noise_leaves_all_actions_alike(scale: float) -> None:
    actions = runs_of(NoisyMax(scale), [0, 2**62, 17], 300, SeededEntropy(1))
    assert_fits(counts_of(actions, 3), [1 / 3] * 3)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [1e-285, 1e-200])
def test_tiny_noise_leaves_only_the_leaders(scale: float) -> None:
    actions = runs_of(NoisyMax(scale), [5, 4, 2**62, 4], 500, SeededEntropy(1))
    assert_fits(counts_of(actions, 4), [0, 0.5, 0, 0.5])


@kinds
def test_system_entropy_is_drawn_from_and_never_repeats(kind: type[Selection]) -> None:
    selection, totals, entropy = kind(1.0), [0, UNITS, 0], SystemEntropy()  # type: ignore[call-arg]
    first, second = (runs_of(selection, totals, 2000, entropy) for _ in range(2))
    assert set(first.tolist()) == {0, 1, 2}  # each has probability 0.12 or more: one stays out with 3 · 0.88^2000
    assert first.tolist() != second.tolist()  # equal by accident with probability below 2^-1000


BAD_TOTALS = [[0.0, 1.0], [True, False], ["a", "b"], [None, 1], 5, [[[1, 2]]], [], [[]], [[1, 2], [3]], [0, 10**30]]


@pytest.mark.parametrize("bad", BAD_TOTALS, ids=repr)
@kinds
def test_bad_totals_are_refused_in_one_sentence(kind: type[Selection], bad: Any) -> None:
    for use in (lambda: kind(1.0).law(bad), lambda: kind(1.0).sample(bad, ScriptedEntropy(""))):  # type: ignore[call-arg]
        with pytest.raises(ValueError, match=r".") as caught:
            use()
        assert "\n" not in str(caught.value)


@kinds
def test_totals_that_do_not_fit_are_never_wrapped_around(kind: type[Selection]) -> None:
    with pytest.raises(ValueError, match="total"):
        kind(1.0).sample(np.array([0, 2**64 - 1], dtype=np.uint64), SeededEntropy(1))  # type: ignore[call-arg]


@kinds
def test_gaps_that_do_not_fit_are_never_wrapped_around(kind: type[Selection]) -> None:
    assert kind(1.0).sample([-(2**63), 2**63 - 1], SeededEntropy(1)) == 0  # type: ignore[call-arg]


@kinds
@pytest.mark.parametrize("small", [np.int8, np.uint8, np.int32, np.uint64])
def test_totals_may_be_any_kind_of_whole_number(kind: type[Selection], small: type[Any]) -> None:
    narrow = np.array([100, 0, 127], dtype=small)
    assert kind(1.0).law(narrow).tolist() == kind(1.0).law([100, 0, 127]).tolist()  # type: ignore[call-arg]


BAD_SCALES = [True, False, np.True_, float("nan"), float("inf"), -1.0, 0, 0.0, -0.0, "1", None, 1j, 10**400]


@pytest.mark.parametrize("bad", BAD_SCALES, ids=lambda value: str(value)[:8])
@kinds
def test_bad_rates_are_refused_in_one_sentence(kind: type[Selection], bad: Any) -> None:
    with pytest.raises(ValueError, match=r"(rate|scale) is") as caught:
        kind(bad)  # type: ignore[call-arg]
    assert "\n" not in str(caught.value)


@kinds
def test_selections_are_values(kind: type[Selection]) -> None:
    assert kind(2) == kind(2.0) == kind(np.float64(2)) != kind(3.0)  # type: ignore[call-arg]
    assert eval(repr(kind(0.1)), {kind.__name__: kind}) == kind(0.1)  # type: ignore[call-arg]
    assert hash(kind(2)) == hash(kind(2.0))  # type: ignore[call-arg]
