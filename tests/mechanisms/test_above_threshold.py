"""The threshold test: its law, its draws, and what it reveals."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from discreet.entropy import ScriptedEntropy, SeededEntropy
from discreet.exact import geometric
from discreet.guarantees import PureDP
from discreet.losses import UNITS
from discreet.mechanisms import AboveThreshold, SumAboveThreshold
from tests.chances import assert_fits

#: Scales of 4 and 8 units: small enough to add everything up.
TINY = AboveThreshold(epsilon=2.0**19, threshold=3 / UNITS)
LEVELS = (-60, -8, -1, 0, 1, 8, 60, 100)


def by_hand(test: AboveThreshold, queries: list[int]) -> list[float]:
    """The law by adding up every noise of the threshold and every noise of a query, one by one."""
    scales = test.threshold_scale * UNITS, test.query_scale * UNITS
    reach = range(-400, 401)
    mass = [{n: math.tanh(0.5 / scale) * math.exp(-abs(n) / scale) for n in reach} for scale in scales]
    law = [0.0] * (len(queries) + 1)
    for z, chance in mass[0].items():
        for place, query in enumerate(queries):
            above = math.fsum(p for n, p in mass[1].items() if query + n >= round(test.threshold * UNITS) + z)
            law[place] += chance * above
            chance *= 1 - above
        law[-1] += chance
    return law


def worst(test: AboveThreshold, n: int, levels: tuple[int, ...] = LEVELS) -> tuple[float, tuple[int, ...]]:
    """The largest log-ratio over queries on some levels that each move by one loss, and the queries."""
    found = (0.0, (0,) * n)
    for queries in product(levels, repeat=n):
        here = np.log(test.law(np.array(queries) * UNITS))
        for moves in product((-1, 1), repeat=n):
            there = np.log(test.law((np.array(queries) + moves) * UNITS))
            found = max(found, (float(np.abs(here - there).max()), queries))
    return found


@pytest.mark.parametrize("queries", [[], [0], [5], [-30, 9], [3, 3, 3], [40, -20, 0, 7]])
def test_the_law_is_the_sum_over_all_noises(queries: list[int]) -> None:
    assert TINY.law(np.array(queries, dtype=np.int64)).tolist() == pytest.approx(by_hand(TINY, queries), rel=1e-9)


@pytest.mark.parametrize("queries", [[0], [-9, 14], [30, 30, -20]])
def test_sum_and_integral_agree_where_they_meet(queries: list[int]) -> None:
    """At scales around 4096 units the two ways differ by about 10^-7, as the docstring says."""
    laws = [AboveThreshold(256 * (1 + part), 1 / 256).law(np.array(queries) * 1000) for part in (-1e-9, 1e-9)]
    assert laws[0].tolist() == pytest.approx(laws[1].tolist(), rel=4e-7)
    assert laws[0].tolist() != laws[1].tolist()


@pytest.mark.parametrize(("n", "loss"), [(1, 0.25), (2, 0.50), (3, 0.75)])
def test_worst_losses_at_epsilon_1(n: int, loss: float) -> None:
    """Laplace 2 and 4, queries that move by a loss. The worst are far out: all but the last high, the last low."""
    found, queries = worst(AboveThreshold(1.0, 0.0), n, levels=LEVELS if n < 3 else (-60, -1, 0, 8, 100))
    assert found == pytest.approx(loss, abs=1e-9)
    assert n == 1 or (min(queries[:-1]) > 0 > queries[-1])


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_the_level_bounds_every_loss(share: float) -> None:
    test = AboveThreshold(1.0, 5.0, share=share)
    assert worst(test, 2)[0] <= test.level <= 1
    assert 1 - test.level < 1e-15
    assert test.guarantee == PureDP(1.0)


class Monotone(AboveThreshold):
    """The planted mistake: the noise that would do if queries could only rise."""

    @property
    def query_scale(self) -> float:
        return super().query_scale / 2


def test_noise_for_monotone_queries_is_caught() -> None:
    assert worst(Monotone(1.0, 0.0), 3, levels=(-60, 0, 100))[0] > 1.2


def worst_of_sums(test: AboveThreshold, levels: tuple[int, ...]) -> float:
    """The largest log-ratio where all of three queries from some place on move alike, by some part of a loss."""
    found = 0.0
    for queries in product(levels, repeat=3):
        here = np.log(test.law(np.array(queries) * UNITS))
        for first, quarters in product(range(3), (-4, -1, 1, 4)):
            moved = np.array(queries) * UNITS + (np.arange(3) >= first) * (quarters * UNITS // 4)
            found = max(found, float(np.abs(here - np.log(test.law(moved))).max()))
    return found


def test_sums_need_half_of_the_noise() -> None:
    """Exactly, and all of epsilon is used; noise that is less by a twentieth, or other queries, reveal more."""
    test, levels = SumAboveThreshold(1.0, 0.0), (-60, -8, -1, 0, 1, 8, 60)
    assert test.level == 1
    assert 1 - 1e-9 < worst_of_sums(test, levels) <= 1 + 1e-12
    assert worst_of_sums(SumAboveThreshold(1.05, 0.0), levels) > 1.04
    assert worst(test, 3, levels=(-60, 0, 100))[0] > 2


@pytest.mark.parametrize("test", [TINY, AboveThreshold(1.0, 10.0), AboveThreshold(3.0, -2.0, 2.0, 0.3)])
def test_draws_follow_the_law(test: AboveThreshold) -> None:
    """200,000 tests against the law (chi-square, one false alarm in a million)."""
    reach = test.query_scale * UNITS
    queries = (np.array([0.0, 0.5, -0.5, 2.0, 1.0]) * reach).astype(np.int64) + round(test.threshold * UNITS) - 2
    drawn = test.sample(np.tile(queries, (200_000, 1)), SeededEntropy(3))
    assert_fits(np.bincount(drawn, minlength=6), test.law(queries))


def test_asking_many_rounds_at_once_is_asking_them_one_by_one() -> None:
    test = AboveThreshold(1.0, 20.0)
    queries = np.random.default_rng(1).integers(0, 16 * UNITS, (400, 3)).cumsum(axis=0) // 40
    for seed in range(20):
        one, many = SeededEntropy(seed), SeededEntropy(seed)
        thresholds = test.thresholds(3, one)
        assert thresholds.tolist() == test.thresholds(3, many).tolist()
        at, above = 0, np.zeros(3, dtype=np.bool_)
        while not above.any():
            rounds, above = test.first_above(queries[at:], thresholds, many)
            at += rounds
        for row in range(at):
            _, single = test.first_above(queries[row : row + 1], thresholds, one)
            assert single.tolist() == (above if row == at - 1 else np.zeros(3, dtype=np.bool_)).tolist()
        assert one.state_dict() == many.state_dict()


@pytest.mark.parametrize("test", [TINY, AboveThreshold(1.0, 0.0), AboveThreshold(1e-8, 0.0)])
def test_no_word_beyond_the_furthest_makes_up_for_the_way(test: AboveThreshold) -> None:
    """The least bits after such a word, so the largest noise, and exact logarithms; nearer words would do."""
    scale = Fraction(test.query_scale) * UNITS
    ways = [int(scale * Fraction(times)) + 1 for times in (0.001, 0.1, 1, 7, 20, 40)] + [1, 2, 5]
    for way, at in product(ways, (0, -(2**59), 2**50)):
        word = int(test._furthest(np.array([at]), np.array([at + way]))[0])
        if word < 2**64 - 1:
            assert geometric(word + 1, 64, scale, ScriptedEntropy("0" * 9999)) < way
        if not at and way > scale:
            assert geometric(int(0.9 * word), 64, scale, ScriptedEntropy("0" * 9999)) >= way - 4
    assert test._furthest(np.array([5]), np.array([5]))[0] == 2**64 - 1  # what is not behind may always be above
    assert test._furthest(np.array([2**61]), np.array([-(2**61)]))[0] == 2**64 - 1


def test_events_that_floats_cannot_reach_happen() -> None:
    """A query that lies 1000 scales behind is above where the bits say so: U goes on with zeros for long."""
    test, nothing = AboveThreshold(1.0, 4000.0), np.zeros((1, 1), dtype=np.int64)
    thresholds = np.array([4000 * UNITS])
    usual = ScriptedEntropy("1" * 9999)
    lifted = ScriptedEntropy("0" * 64 + "1" * 64 + "0" * 1500 + "1" * 50_000)
    assert not test.first_above(nothing, thresholds, usual)[1].any()
    assert test.first_above(nothing, thresholds, lifted)[1].all()


def test_close_calls_are_decided_exactly() -> None:
    """Queries within a few units of the noisy threshold, at scales of 4 and 8 units, where floats often cannot tell."""
    queries = np.tile(np.array([3, 2, 4, 3], dtype=np.int64), (100_000, 1))
    assert_fits(np.bincount(TINY.sample(queries, SeededEntropy(8)), minlength=5), by_hand(TINY, [3, 2, 4, 3]))


def test_a_halted_test_says_no_and_costs_nothing() -> None:
    entropy = SeededEntropy(2)
    watch = AboveThreshold(1.0, 0.0).watch(entropy, runs=2)
    assert watch.ask(1000 * UNITS).tolist() == [True, True]
    before = entropy.state_dict()
    assert watch.ask(1000 * UNITS).tolist() == [False, False]
    assert watch.halted.tolist() == [True, True]
    assert entropy.state_dict() == before


@pytest.mark.parametrize(
    ("named", "word"),
    [
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": "1"}, "epsilon"),
        ({"epsilon": 1e-12}, "epsilon"),
        ({"epsilon": 1e20}, "epsilon"),
        ({"threshold": math.nan}, "threshold"),
        ({"threshold": 1e300}, "threshold"),
        ({"sensitivity": -1}, "sensitivity"),
        ({"share": 1}, "share"),
        ({"share": 0}, "share"),
    ],
)
def test_bad_parameters_are_refused(named: dict[str, Any], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        AboveThreshold(**({"epsilon": 1.0, "threshold": 1.0} | named))


def test_queries_are_whole_units() -> None:
    watch = AboveThreshold(1.0, 0.0).watch(SeededEntropy(1))
    with pytest.raises(ValueError, match="whole numbers"):
        watch.ask(0.5)
