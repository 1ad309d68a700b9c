"""Floats and chance: no outcome is lost, no sum depends on its order, no round weighs more than one loss."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import audit
from discreet.entropy import ScriptedEntropy
from discreet.losses import UNITS, to_units
from discreet.selection import NoisyMax, PermuteAndFlip, Selection, Softmax
from tests.audit.mutants import CutOff, FloatSoftmax

EXACT = [Softmax(0.5), PermuteAndFlip(0.5), NoisyMax(4.0), Softmax(40.0), PermuteAndFlip(1e-3), NoisyMax(0.05)]


@pytest.mark.parametrize("selection", EXACT, ids=repr)
@pytest.mark.parametrize("gap", [40.0, 700.0, 1000.0])
def test_every_action_can_be_taken_however_far_behind(selection: Selection, gap: float) -> None:
    assert audit.reached(selection, gap=gap) == {0, 1, 2}


@pytest.mark.parametrize("selection", [FloatSoftmax(0.5), CutOff(0.5)], ids=repr)
def test_the_same_fails_on_deliberate_float_and_cut_off_versions(selection: Selection) -> None:
    assert audit.reached(selection, gap=40.0, tries=500) == {0}


@pytest.mark.parametrize("selection", [Softmax(1.0), PermuteAndFlip(1.0)], ids=repr)
@pytest.mark.parametrize("bits", [2, 3])
def test_generators_of_a_few_bits_leave_nothing_out(selection: Selection, bits: int) -> None:
    """An action of probability e^-60 is taken when the first bits are zeros: it is an atom, not a rounding error."""
    assert outcomes(selection, bits, words=2) == {0, 1, 2}


def outcomes(selection: Selection, bits: int, words: int) -> set[int]:
    """What is drawn for all first words with so few random bits, zeros after them; thirds of a word count as bits."""
    totals = np.array([0, UNITS, 60 * UNITS])
    values = [value << (64 - bits) for value in range(2**bits)] + [part * (2**64 // 3) for part in (1, 2)]
    found = set()
    for chosen in product(values, repeat=words):
        script = "".join(f"{value:064b}" for value in chosen) + "0" * 64 * 40
        found.add(int(np.asarray(selection.sample(totals, ScriptedEntropy(script)))))
    return found


@pytest.mark.parametrize("bits", [2, 3])
def test_a_float_version_leaves_an_atom_out(bits: int) -> None:
    assert 2 not in outcomes(FloatSoftmax(1.0), bits, words=2)


def test_ten_million_losses_add_up_to_one_number_in_any_order() -> None:
    rng = np.random.default_rng(8)
    losses = rng.random(10**7)
    units = to_units(losses[:, None], 1)
    total = int(units.sum())
    for step in (10**7, 999_983, 4096):
        assert sum(int(units[start : start + step].sum()) for start in range(0, len(units), step)) == total
    rng.shuffle(losses)
    assert int(to_units(losses[:, None], 1).sum()) == total
    assert int(to_units(losses[::-1, None], 1).sum()) == total
    floats = {float(np.add.reduce(losses)), float(np.add.reduce(losses[::-1])), float(np.cumsum(losses)[-1])}
    assert len(floats) > 1  # what whole units are for


@settings(max_examples=200, derandomize=True)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_replacing_a_round_moves_a_total_by_one_loss_at_most(rounds: list[tuple[float, ...]]) -> None:
    table = np.array(rounds)
    other = table[:, :2].copy()
    other[len(table) // 2] = table[len(table) // 2, 2:]
    moved = to_units(table[:, :2], 2).sum(axis=0) - to_units(other, 2).sum(axis=0)
    assert np.abs(moved).max() <= UNITS
