"""Discrete Laplace noise has its law exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from discreet.entropy import ScriptedEntropy, SeededEntropy
from discreet.exact import geometric
from discreet.guarantees import PureDP
from discreet.mechanisms import LaplaceNoise
from tests.chances import assert_fits


@pytest.mark.parametrize("scale", [0.1, 0.8, 3.0, 25.0])
def test_draws_have_the_law(scale: float) -> None:
    rule, cells = LaplaceNoise(scale, grid=1.0), np.arange(-600, 601)
    drawn = rule.sample(np.full(500_000, 4), SeededEntropy(2))
    assert_fits(np.bincount(drawn + 600, minlength=1201), rule.law(4, cells))


def test_the_law_is_that_of_the_definition() -> None:
    with mpmath.workdps(40):
        for scale in (0.3, 2.0, 1e6):
            q = mpmath.exp(-1 / mpmath.mpf(scale))
            law = LaplaceNoise(scale, grid=1.0).law(10, [10, 11, 5, 300])
            exact = [(1 - q) / (1 + q) * q**n for n in (0, 1, 5, 290)]
            assert law.tolist() == pytest.approx([float(mass) for mass in exact], rel=1e-11, abs=1e-300)


def test_the_variance_is_that_of_the_law() -> None:
    cells = np.arange(-4000, 4001)
    for scale in (0.2, 1.0, 50.0):
        rule = LaplaceNoise(scale, grid=1.0)
        assert rule.variance == pytest.approx((rule.law(0, cells) * cells.astype(float) ** 2).sum(), rel=1e-9)


def test_neighboring_laws_differ_by_what_is_said() -> None:
    rule, cells = LaplaceNoise(3.0, grid=1.0), np.arange(-50, 50)
    ratio = np.abs(np.log(rule.law(0, cells) / rule.law(2, cells))).max()
    assert ratio == pytest.approx(rule.reveals(2).epsilon, rel=1e-12)
    assert rule.reveals(2) == PureDP(rule.reveals(2).epsilon)


@pytest.mark.parametrize("scale", [1.7, 1e3, 3e7])
def test_floats_never_contradict_exact_arithmetic(scale: float) -> None:
    with mpmath.workdps(60):
        borders = [int(mpmath.floor(mpmath.exp(-k / mpmath.mpf(scale)) * 2**64)) for k in (1, 2, 5, 900, 40_000_000)]
    words = [u + step for u in borders for step in (-1, 0, 1) if 0 < u + step < 2**64]
    low, high = LaplaceNoise(scale, grid=1.0)._cells(np.array(words, dtype=np.uint64))
    for u, least, most in zip(words, low, high, strict=True):
        assert least <= geometric(u, 64, Fraction(scale), SeededEntropy(1)) <= most


def test_deep_tails_are_reached() -> None:
    ones = "1" * 64  # U near 1: nothing is taken away
    (cell,) = LaplaceNoise(10.0, grid=1.0).sample([0], ScriptedEntropy("0" * 64 + ones + "0" * 1376 + "1" * 640))
    assert cell == int(10 * 1440 * np.log(2))


@pytest.mark.parametrize("bad", [[0.5], [float("nan")], ["a"], [2**62 + 1]])
def test_values_that_are_not_whole_cells_are_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match="values"):
        LaplaceNoise(1.0).sample(bad, SeededEntropy(1))


def test_the_exact_way_alone_gives_the_same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """With floats that decide nothing, the same words give the same cells."""
    rule, values = LaplaceNoise(5.0, grid=1.0), np.arange(300).reshape(3, 100)
    filtered = rule.sample(values, SeededEntropy(9))
    monkeypatch.setattr(LaplaceNoise, "_cells", lambda _, drawn: (np.zeros(drawn.shape), np.ones(drawn.shape)))
    assert rule.sample(values, SeededEntropy(9)).tolist() == filtered.tolist()
