"""`law` against independent calculation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.losses import UNITS
from discreet.selection import NoisyMax, PermuteAndFlip, Selection, Softmax
from tests.selection import references

KINDS = (Softmax, PermuteAndFlip, NoisyMax)
kinds = pytest.mark.parametrize("kind", KINDS)
Reference = Callable[[Sequence[int], float], list[Any]]
REPEATABLE = settings(derandomize=True, deadline=None, max_examples=60)


def assert_close(law: Any, exact: list[Any], relative: float = 1e-12) -> None:
    """Every entry, however small, is right to this relative error."""
    for mine, theirs in zip(law.tolist(), exact, strict=True):
        assert abs(mine - theirs) <= relative * theirs, f"{mine!r} is not {float(theirs)!r}"


TABLES: dict[str, tuple[list[float], float]] = {
    "two": ([0.0, 1.0], 1.0),
    "equal": ([3.0, 3.0, 3.0], 0.7),
    "three": ([7.25, 5.0, 6.5], 0.31),
    "far": ([0.0, 30.0, 100.0, 400.0, 690.0], 1.0),
    "far at another rate": ([0.0, 0.3, 70.0, 69.0], 10.0),
    "near at a small rate": ([0.0, 4.0, 1e5], 0.0013),
    "many": ([0.1, 5.0, 0.0, 2.0, 2.0, 9.5, 1.25, 0.1, 700.0, 3.0], 0.99),
}
tables = pytest.mark.parametrize(("losses", "rate"), TABLES.values(), ids=TABLES.keys())


def units(losses: Sequence[float]) -> list[int]:
    return [round(loss * UNITS) for loss in losses]


@tables
def test_softmax_is_the_normalized_exponential(losses: list[float], rate: float) -> None:
    assert_close(Softmax(rate).law(units(losses)), references.softmax(units(losses), rate))


@tables
def test_permute_and_flip_is_uniform_among_heads(losses: list[float], rate: float) -> None:
    assert_close(PermuteAndFlip(rate).law(units(losses)), references.permute_and_flip(units(losses), rate))


@tables
def test_permute_and_flip_is_noisy_max_with_exponential_noise(losses: list[float], rate: float) -> None:
    totals = units(losses)[:5]
    assert_close(PermuteAndFlip(rate).law(totals), references.noisy_max_exponential(totals, rate))


@tables
def test_noisy_max_is_that_of_continuous_noise_at_ordinary_scales(losses: list[float], rate: float) -> None:
    totals = units(losses)[:5]
    # The grid changes the law by about 1 / (12 scale^2), scale in units; 1e-12 is the stated accuracy.
    assert_close(NoisyMax(1 / rate).law(totals), references.noisy_max_laplace(totals, 1 / rate), 2e-12)


@pytest.mark.parametrize(
    ("gaps", "scale"),
    [
        ([0, 0], 1.0),
        ([0, 1], 1.0),
        ([0, 1, 3], 0.5),
        ([2, 0, 0, 5], 2.5),
        ([0, 0, 0, 0], 0.1),
        ([0, 400], 1.0),
        ([0, 1, 1350], 2.0),
        ([0, 7, 20, 9], 13.0),
    ],
)
def test_noisy_max_is_that_of_the_grid_at_scales_of_a_few_units(gaps: list[int], scale: float) -> None:
    assert_close(NoisyMax(scale / UNITS).law(gaps), references.noisy_max_discrete(gaps, scale / UNITS))


@pytest.mark.parametrize("scale", [1e-3, 0.2, 1.0, 5.0])
@pytest.mark.parametrize("n_actions", [2, 17, 60, 200])
def test_noisy_max_shares_ties_equally_at_scales_of_a_few_units(scale: float, n_actions: int) -> None:
    law = NoisyMax(scale / UNITS).law([0] * n_actions)
    assert law.tolist() == pytest.approx([1 / n_actions] * n_actions, rel=1e-9)


@pytest.mark.parametrize("scale", [300.0, 4095.0, 4097.0, 20_000.0])
def test_noisy_max_passes_smoothly_from_the_grid_to_continuous_noise(scale: float) -> None:
    # Two actions: the difference of two discrete Laplace numbers has a closed law. With q = e^(-1/scale),
    # P(difference = n) = (1-q)^2/(1+q)^2 · q^n · (n + (1+q^2)/(1-q^2)) for n >= 0.
    gap = round(3 * scale)
    q = math.exp(-1 / scale)
    front = ((1 - q) / (1 + q)) ** 2
    n = np.arange(gap, gap + int(60 * scale), dtype=float)
    masses = front * q**n * (n + (1 + q * q) / (1 - q * q))
    law = NoisyMax(scale / UNITS).law([0, gap])
    assert law[1] == pytest.approx(masses.sum() - masses[0] / 2, rel=1e-9 + 1 / scale**2)


@pytest.mark.parametrize("gap", [1.0, 30.0, 300.0, 690.0, 700.0])
def test_tiny_entries_are_as_accurate_as_large_ones(gap: float) -> None:
    totals = [units([gap])[0], 0, UNITS // 2]
    assert_close(Softmax(1.0).law(totals), references.softmax(totals, 1.0))
    assert_close(PermuteAndFlip(1.0).law(totals), references.permute_and_flip(totals, 1.0))
    assert_close(NoisyMax(1.0).law(totals), references.noisy_max_laplace(totals, 1.0), 2e-12)


@kinds
@REPEATABLE
@given(st.lists(st.integers(0, 40 * UNITS), min_size=1, max_size=12), st.floats(0.01, 30), st.randoms())
def test_laws_are_laws_whatever_the_totals(kind: type[Selection], totals: list[int], scale: float, random: Any) -> None:
    selection = kind(scale)  # type: ignore[call-arg]
    law = selection.law(totals)
    assert law.dtype == np.float64
    assert law.sum() == pytest.approx(1, rel=1e-11)
    assert law.min() >= 0
    # Smaller totals are likelier, equal ones equally likely.
    ordered = sorted(zip(totals, law.tolist(), strict=True))
    for (low, likelier), (high, rarer) in pairwise(ordered):
        assert likelier >= rarer * (1 - 1e-11)
        assert low < high or likelier == pytest.approx(rarer, rel=1e-11)
    # Permuting the actions permutes the law, and shifting all totals changes nothing.
    order = list(range(len(totals)))
    random.shuffle(order)
    assert selection.law([totals[i] for i in order]).tolist() == pytest.approx(law[order].tolist(), rel=1e-11)
    assert selection.law([total + 2**62 for total in totals]).tolist() == law.tolist()
    assert selection.law([total - 2**62 for total in totals]).tolist() == law.tolist()


@kinds
def test_a_table_has_a_law_for_each_row(kind: type[Selection]) -> None:
    selection = kind(0.7)  # type: ignore[call-arg]
    table = np.random.default_rng(1).integers(0, 9 * UNITS, (4, 3))
    laws = selection.law(table)
    assert laws.shape == (4, 3)
    assert laws.tolist() == [selection.law(row).tolist() for row in table]
    assert selection.law(np.zeros((0, 3), dtype=int)).shape == (0, 3)


@kinds
def test_a_single_action_is_certain(kind: type[Selection]) -> None:
    assert kind(0.3).law([5]).tolist() == pytest.approx([1.0], rel=1e-12)  # type: ignore[call-arg]


@kinds
def test_gaps_are_exact_where_floats_of_totals_are_not(kind: type[Selection]) -> None:
    top = 2**62
    assert kind(1e-6).law([top - 1, top, top + 3]).tolist() == kind(1e-6).law([0, 1, 4]).tolist()  # type: ignore[call-arg]
    rate = float(UNITS)  # one unit is a factor of e: floats of such totals are 512 units apart
    assert Softmax(rate).law([top - 1, top])[1] == pytest.approx(1 / (1 + math.e), rel=1e-12)
    assert PermuteAndFlip(rate).law([top, top - 1])[0] == pytest.approx(math.exp(-1) / 2, rel=1e-12)


@pytest.mark.parametrize("kind", [Softmax, PermuteAndFlip])
def test_a_hundred_thousand_actions_have_a_law(kind: type[Selection]) -> None:
    totals = np.full(100_000, 3 * UNITS)
    assert kind(1.0).law(totals).tolist() == pytest.approx([1e-5] * 100_000, rel=1e-9)  # type: ignore[call-arg]
    totals[777] = 0
    law = kind(1.0).law(totals)  # type: ignore[call-arg]
    assert law.sum() == pytest.approx(1, rel=1e-10)
    if kind is Softmax:
        assert law[777] == pytest.approx(1 / (1 + 99_999 * math.exp(-3)), rel=1e-10)
    else:  # the leader is heads, and of the others a binomial number: E 1/(1+N) = (1 - (1-p)^(n+1)) / ((n+1) p)
        p = math.exp(-3)
        assert law[777] == pytest.approx(-math.expm1(100_000 * math.log1p(-p)) / (100_000 * p), rel=1e-10)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rate", [1e285, 1e100])
@pytest.mark.parametrize("kind", [Softmax, PermuteAndFlip])
def test_huge_rates_leave_only_the_leaders(kind: type[Selection], rate: float) -> None:
    law = kind(rate).law([5, 4, 2**62, 4])  # type: ignore[call-arg]
    assert law.tolist() == pytest.approx([0, 0.5, 0, 0.5], rel=1e-12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rate", [1e-285, 1e-200])
@pytest.mark.parametrize("kind", [Softmax, PermuteAndFlip])
def test_tiny_rates_leave_all_actions_alike(kind: type[Selection], rate: float) -> None:
    assert kind(rate).law([0, 2**62, 17]).tolist() == pytest.approx([1 / 3] * 3, rel=1e-12)  # type: ignore[call-arg]


@pytest.mark.filterwarnings("error")
def test_huge_and_tiny_scales_of_noise() -> None:
    assert NoisyMax(1e250).law([0, 2**62, 17]).tolist() == pytest.approx([1 / 3] * 3, rel=1e-12)
    assert NoisyMax(1e-250).law([5, 4, 9, 4]).tolist() == pytest.approx([0, 0.5, 0, 0.5], rel=1e-12)
