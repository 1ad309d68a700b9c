"""Batches and curves of the study of amplification, against independent calculation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.local import AdaptiveBatchLeader
from discreet.local.batch_law import BatchLaw
from discreet.local.delays import Delays
from discreet.local.grid import to_grid
from studies.amplification.curves import Model, Round
from studies.amplification.findings import _above, _below, _law, _same
from studies.amplification.heuristic import as_printed, guessed_law, guesses
from studies.batches.streams import one_gap
from studies.batches.watch import Watch, containing, law_of
from studies.reports import reports

SMALL = Model(5, 1.5, 3.0, 0.1)


def by_hand(rounds: int, scale: float, seed: int) -> list[int]:
    """The size of the batch around each round of one run, from totals and `Delays` alone."""
    learner, delays = AdaptiveBatchLeader(3, scale, 0.1, seed=seed, runs=1), Delays(3, scale, 0.1)
    totals, sizes, at = learner._totals[0].copy(), [1], 0
    for t, rows in enumerate(reports(one_gap(rounds, 3), scale, 1, seed + 1), start=1):
        totals += to_grid(rows, 3, scale)[0]
        at -= 1
        if at < 0:
            first, second = np.sort(totals)[:2]
            at = delays.longest(float(second - first) * learner.unit, t)
            size = at + 1
        sizes.append(size)
    return sizes[:rounds]


def test_sizes_are_those_of_the_batches() -> None:
    rounds = 3000
    learner = AdaptiveBatchLeader(3, 2.0, 0.1, seed=5, runs=1)
    watch, sizes, starts = Watch(learner), [], []
    for rows in reports(one_gap(rounds, 3), 2.0, 1, 6):
        sizes.append(int(watch.sizes[0]))
        starts.append(bool(watch.started[0]))
        watch.update(rows)
    assert sizes == by_hand(rounds, 2.0, 5)
    assert max(sizes) > 30
    begins = np.flatnonzero(starts)
    assert [sizes[place] for place in begins[:-1]] == np.diff(begins).tolist()
    found = containing(one_gap(rounds, 3), 2.0, 0.1, 1, 5, (7, 2900))
    assert [found[7].tolist(), found[2900].tolist()] == [[sizes[6]], [sizes[2899]]]


def some_round(sizes: list[int], least: BatchLaw | None = None) -> Round:
    return Round(SMALL, 100, least or SMALL.least(100), np.array(sizes))


def test_empirical_curves_are_those_of_the_law() -> None:
    one = some_round([1, 1, 2, 5, 5, 9, 30, 30, 30, 400])
    curve = one.law.trade_off(SMALL.mu)
    for alpha in (1e-6, 1e-3, 0.05, 0.4, 0.9):
        assert one.seen_beta(alpha).value == pytest.approx(float(curve.trade_off(alpha)), abs=1e-5)
    for epsilon in (0.0, 0.3, 2.0, 6.0):
        assert one.seen_delta(epsilon).value == pytest.approx(one.law.delta(SMALL.mu, epsilon), rel=1e-9)


def test_errors_are_those_of_repeated_samples() -> None:
    """Over 400 samples of 300 sizes; the spread of a spread is 1/28 of it, so a fifth is 5 of these or more."""
    random, chances = np.random.default_rng(3), np.array([0.2, 0.3, 0.3, 0.2])
    samples = [some_round(random.choice([1, 3, 10, 50], 300, p=chances).tolist()) for _ in range(400)]
    for seen in (
        [one.seen_beta(0.01) for one in samples],
        [one.seen_beta(0.5) for one in samples],
        [one.seen_delta(0.5) for one in samples],
    ):
        spread = np.std([one.value for one in seen])
        assert np.mean([one.error for one in seen]) == pytest.approx(spread, rel=0.2)


def test_a_promise_of_too_much_is_seen() -> None:
    rounds = (400,)
    sizes = SMALL.sampled(rounds, runs=400, seed=1)[400]
    least = SMALL.least(400)
    honest = Round(SMALL, 400, least, sizes)
    assert all(check([honest]).agrees for check in (_below, _above, _law))
    boastful = BatchLaw(tuple(4 * size for size in least.sizes), least.weights)
    assert not any(check([Round(SMALL, 400, boastful, sizes)]).agrees for check in (_below, _above, _law))


def test_other_sizes_are_told_apart() -> None:
    sizes = SMALL.sampled((400,), runs=400, seed=1)[400]
    assert _same(sizes, SMALL.sampled((400,), runs=400, seed=9)[400]).agrees
    assert not _same(sizes, sizes + 1).agrees


def test_the_rule_of_thumb_is_taken_at_its_word() -> None:
    two = Model(2, 1.0, 1.0)
    needed = math.sqrt(2 * math.log(2)) + math.sqrt(2 * math.log(100) + math.log(1e6 / math.log(2)))
    assert as_printed(two, 10**6, 0.2) == pytest.approx(0.04 * math.pi * 1e6 / needed**2)
    law = guessed_law(two, 10**6)
    for one in guesses(two, 10**6, np.array([10**6])):
        assert law.survival(int(one.mended**2) + 1) == pytest.approx(1 - one.chance, abs=0.02)
        assert (one.seen, one.below, one.below_printed) == (1000.0, float(one.mended > 1000), float(one.printed > 1000))
    assert law_of(np.array([3, 1, 3, 3])) == BatchLaw((1, 3), (0.25, 0.75))
