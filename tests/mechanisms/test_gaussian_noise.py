"""Rounded normal noise has the law of real normal numbers, out to tails that no float reaches."""

from __future__ import annotations

from fractions import Fraction
from itertools import repeat
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.special import ndtri

from discreet.entropy import ScriptedEntropy, SeededEntropy, SystemEntropy
from discreet.exact import nearest, two_tails
from discreet.guarantees import GaussianDP
from discreet.losses import UNITS
from discreet.mechanisms import GaussianNoise, LaplaceNoise, gaussian_noise, noise
from tests.chances import MILLION_SIGMA, assert_fits, assert_same_law
from tests.mechanisms import references

WORD = "{:064b}".format


def near_borders(scale: float, rest: float = 0.0) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Words whose size lies within a few parts in 2^63 of the border of two cells, all over the law."""
    borders = np.unique(np.geomspace(1, 9 * scale, 40).astype(int))
    exact = [two_tails((int(k) - Fraction(1, 2) - Fraction(rest)) / Fraction(scale), 63)[0] for k in borders]
    words = [u + step for u in exact for step in (-2, -1, 0, 1, 2) if 0 < u + step < 2**63]
    return np.array(words, dtype=np.uint64)


@pytest.mark.parametrize("rest", [0.0, 0.375])
@pytest.mark.parametrize("scale", [1.7, 1e3, 3e7])
def test_floats_never_contradict_exact_arithmetic(scale: float, rest: float) -> None:
    """Words that lie as near a border as words can: floats either leave them open or agree."""
    words = near_borders(scale, rest)
    low, high = GaussianNoise(scale, grid=1.0)._cells(words, np.array([rest]))
    for u, least, most in zip(words.tolist(), low, high, strict=True):
        assert least <= nearest(u, 63, Fraction(scale), Fraction(rest), SeededEntropy(1)) <= most


def test_without_its_error_bound_the_filter_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted mistake: the same words, floats trusted."""
    words = near_borders(3e7)
    middle = np.floor(3e7 * -ndtri((words.astype(float) + 0.5) * 2.0**-64) + 0.5)
    exact = [nearest(u, 63, Fraction(3e7), Fraction(0), SeededEntropy(1)) for u in words.tolist()]
    assert (middle != exact).sum() > 20


def test_the_quantile_is_as_accurate_as_the_filter_takes_it_to_be() -> None:
    """A fixed grid of probabilities, the ends of scipy's pieces among them, against 40 digits."""
    inside = [2.0**-k for k in range(1, 64)] + np.linspace(1e-4, 0.5, 300).tolist() + [np.exp(-2.0), np.exp(-32.0)]
    beside = [np.nextafter(p, side) for p in (np.exp(-2.0), np.exp(-32.0), 0.5) for side in (0.0, 1.0)]
    worst = 0.0
    with mpmath.workdps(40):
        for p in (p for p in inside + beside if p < 0.5):
            exact = references.size_at(2 * mpmath.mpf(p))
            worst = max(worst, float(abs(-mpmath.mpf(float(ndtri(p))) - exact) / (1 + exact)))
    assert worst < noise.FLOAT_ERROR / 16


@pytest.mark.parametrize("zeros", [64, 200, 1443])
@pytest.mark.parametrize("sign", "01")
def test_tails_that_no_float_reaches_are_reached(zeros: int, sign: str) -> None:
    """e^-1000 and beyond: naive noise would be infinite or nothing here."""
    script = sign + "0" * zeros + "1" * 5000
    (cell,) = GaussianNoise(1000.0, grid=1.0).sample([7], ScriptedEntropy(script))
    with mpmath.workprec(6000):
        size = references.size_at(mpmath.mpf(2) ** -zeros)
    expected = int(mpmath.floor(1000 * size + 0.5))
    assert abs(cell - 7) in (expected - 1, expected, expected + 1)
    assert (cell > 7) == (sign == "0")
    with mpmath.workdps(30):
        assert references.cell_mass(7, int(cell), Fraction(1000)) > 0


def test_the_smallest_words_of_either_sign_go_to_exact_arithmetic() -> None:
    script = "".join(WORD(word) for word in (0, 2**63, 1, 2**63 + 1, 2**63 - 1, 2**64 - 1)) + "1" * 64 * 12
    cells = GaussianNoise(10.0, grid=1.0).sample(np.zeros(6, dtype=int), ScriptedEntropy(script))
    assert cells.tolist()[4:] == [0, 0]
    assert cells[0] == -cells[1] > 85
    assert cells[2] == -cells[3] > 85


def test_a_single_number_goes_to_exact_arithmetic_too() -> None:
    for value in (3, 3.25):
        drawn = GaussianNoise(10.0, grid=1.0).sample(value, ScriptedEntropy("0" * 100 + "1" * 500))
        assert drawn.shape == ()
        assert drawn == round(value + 10 * float(references.size_at(mpmath.mpf(2) ** -99)))
    assert LaplaceNoise(10.0, grid=1.0).sample(3, ScriptedEntropy("0" * 64 + "1" * 500)) > 400


def test_an_endless_tail_is_held_within_64_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaussian_noise, "nearest", lambda *_: 2**70)
    cells = GaussianNoise(1.0).sample([5, -5], ScriptedEntropy(WORD(0) + WORD(2**63)))
    assert cells.tolist() == [2**63 - 1, -(2**63) + 1]


@pytest.mark.parametrize(("scale", "value"), [(0.2, 0), (0.7, 0.5), (2.3, 3), (2.3, -7.2), (40.0, 0.25)])
def test_draws_have_the_law(scale: float, value: float) -> None:
    """A million draws; chi-square at one false alarm in a million."""
    rule = GaussianNoise(scale, grid=1.0)
    cells = np.arange(-300, 301)
    drawn = rule.sample(np.full(1_000_000, value), SeededEntropy(11))
    assert_fits(np.bincount(drawn + 300, minlength=601), rule.law(value, cells))


def test_a_wrong_law_is_seen() -> None:
    """Planted: noise truncated to whole numbers, and noise a hundredth too small."""
    rule, cells = GaussianNoise(2.3, grid=1.0), np.arange(-300, 301)
    normal = np.random.default_rng(3).standard_normal(1_000_000)
    for wrong in (np.trunc(2.3 * normal), np.rint(0.99 * 2.3 * normal)):
        with pytest.raises(AssertionError):
            assert_fits(np.bincount(wrong.astype(int) + 300, minlength=601), rule.law(0, cells))


@pytest.mark.parametrize("scale", [0.05, 0.9, 1.0, 1.5, 33.0, 3e7])
@pytest.mark.parametrize("value", [0.0, 0.3, -4.0])
def test_the_law_is_right_to_twelve_digits(scale: float, value: float) -> None:
    cells = np.unique(np.round(np.array([0, 0.3, 1, 2.5, 6, 20, 35]) * scale).astype(int))
    law = GaussianNoise(scale, grid=1.0).law(value, cells)
    with mpmath.workdps(400):
        for cell, mass in zip(cells.tolist(), law, strict=True):
            exact = references.cell_mass(value, cell, Fraction(scale))
            assert mass == pytest.approx(float(exact), rel=2e-12, abs=1e-300)


@pytest.mark.parametrize(("scale", "move"), [(0.3, 1), (3.0, 1), (3.0, 7), (20.0, 5)])
def test_the_rounded_law_reveals_no_more_than_it_says(scale: float, move: int) -> None:
    """delta(epsilon) of the two rounded laws, added up over all cells, stays below that of Gaussian DP."""
    rule = GaussianNoise(scale, grid=1.0)
    cells = np.arange(-int(40 * scale) - 9, int(40 * scale) + 19)
    one, other = rule.law(0, cells), rule.law(move, cells)
    promise = rule.reveals(move)
    for epsilon in (0.0, 0.1, 0.5, 1.0, 2.0, 5.0):
        seen = np.maximum(0, one - np.exp(epsilon) * other).sum()
        assert seen <= promise.delta(epsilon) + 1e-13
        if scale >= 3:  # and is not far below where cells are small
            assert seen >= GaussianDP(0.97 * promise.mu).delta(epsilon) * 0.9


def test_moments_at_the_scale_of_use() -> None:
    drawn = GaussianNoise(30.0).sample(np.zeros(1_000_000, dtype=int), SystemEntropy()) / (30 * UNITS)
    assert abs(drawn.mean()) < MILLION_SIGMA / 1e3
    assert abs((drawn**2).mean() - 1) < MILLION_SIGMA * 2**0.5 / 1e3


def test_opendp_draws_nearly_the_same() -> None:
    """Its law is the discrete Gaussian, which at a scale of 50 cells differs less than 4,000 draws can tell."""
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
    theirs = np.array(dp.m.make_gaussian(*space, scale=50.0)([0] * 4000))
    ours = GaussianNoise(50.0, grid=1.0).sample(np.zeros(4000, dtype=int), SystemEntropy())
    bins = np.linspace(-150, 150, 25)
    assert_same_law(*(np.bincount(np.digitize(drawn, bins), minlength=26) for drawn in (theirs, ours)))


def test_the_exact_way_alone_gives_the_same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """With floats that decide nothing, the same words give the same cells."""
    rule, values = GaussianNoise(5.0, grid=1.0), np.linspace(-3, 3, 200)
    filtered = rule.sample(values, SeededEntropy(9))
    monkeypatch.setattr(GaussianNoise, "_cells", lambda *_: (np.zeros(200), np.full(200, 1e6)))
    assert rule.sample(values, SeededEntropy(9)).tolist() == filtered.tolist()


def test_shapes_and_kinds_of_values() -> None:
    rule = GaussianNoise(1.0)
    for values in (3, [3, 4], np.ones((2, 0)), np.ones((2, 3), dtype=np.int32), np.float64(0.5)):
        drawn = rule.sample(values, SeededEntropy(1))
        assert isinstance(drawn, np.ndarray)
        assert drawn.shape == np.shape(values)
        assert drawn.dtype == np.int64


@pytest.mark.parametrize("bad", [0, -1.0, float("nan"), float("inf"), True, "1", None, 1e301, 1e-301])
def test_a_bad_scale_or_grid_is_refused_in_one_sentence(bad: Any) -> None:
    for arguments in ({"scale": bad}, {"scale": 1.0, "grid": bad}):
        with pytest.raises(ValueError, match=r"scale is|grid is") as caught:
            GaussianNoise(**arguments)
        assert "\n" not in str(caught.value)


def test_a_grid_that_is_no_power_of_two_or_far_from_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="power of two"):
        GaussianNoise(1.0, grid=0.1)
    for scale in (2.0**51, 2.0**-51):
        with pytest.raises(ValueError, match="cells of the grid"):
            GaussianNoise(scale, grid=1.0)


@pytest.mark.parametrize("bad", [[float("nan")], [float("inf")], ["a"], [1e300], [2**62 + 1024], [True]])
def test_values_that_cannot_be_counted_are_refused(bad: Any) -> None:
    entropy = ScriptedEntropy(repeat(0))
    with pytest.raises(ValueError, match="values"):
        GaussianNoise(1.0).sample(bad, entropy)
