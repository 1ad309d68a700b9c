"""Interval laws: against sums over the grid of units, and against the laws in floats."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import add

import numpy as np
import pytest

from discreet.audit.enclosures import enclosed_law, interval
from discreet.losses import UNITS
from discreet.selection import NoisyMax, PermuteAndFlip, Selection, Softmax
from tests.audit.mutants import NoiseOnLosses


@pytest.mark.parametrize("n_actions", [2, 3, 5])
@pytest.mark.parametrize(
    "selection", [Softmax(0.7), PermuteAndFlip(0.7), NoisyMax(1.3), NoisyMax(3e-6), NoisyMax(4e-4)], ids=repr
)
def test_intervals_are_narrow_add_up_to_one_and_agree_with_floats(selection: Selection, n_actions: int) -> None:
    spread = 5 / selection.error_rate
    gaps = np.random.default_rng(n_actions).integers(0, round(spread * UNITS) + 1, size=n_actions)
    gaps[0] = 0
    law = enclosed_law(selection, gaps.tolist())
    assert reduce(add, law).contains(1)
    assert max(float(chance.rad()) for chance in law) < 1e-90
    assert selection.law(gaps).tolist() == pytest.approx([float(chance.mid()) for chance in law], rel=1e-11)


def test_discrete_laplace_noise_by_adding_up_the_grid() -> None:
    scale, gaps = 2 / UNITS, [0, 1, 3]
    r = math.exp(-1 / 2)
    mass = {n: (1 - r) / (1 + r) * r ** abs(n) for n in range(-60, 61)}
    wanted = [0.0, 0.0, 0.0]
    for noises in product(mass, repeat=2):
        scores = [noises[0] - gaps[0], noises[1] - gaps[1]]
        both = mass[noises[0]] * mass[noises[1]]
        for third, chance in mass.items():
            three = [*scores, third - gaps[2]]
            best = [j for j in range(3) if three[j] == max(three)]
            for j in best:
                wanted[j] += both * chance / len(best)
    law = enclosed_law(NoisyMax(scale), gaps)
    assert [float(chance.mid()) for chance in law] == pytest.approx(wanted, rel=1e-9)


def test_fractions_and_floats_are_taken_exactly() -> None:
    assert interval(Fraction(1, 3)).contains(interval(1) / 3)
    assert interval(0.1) == interval(Fraction(0.1))


def test_a_selection_without_intervals_says_so() -> None:
    with pytest.raises(ValueError, match="no intervals for the law of NoiseOnLosses"):
        enclosed_law(NoiseOnLosses(1.0), [0, 1])
