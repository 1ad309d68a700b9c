"""Exact laws of totals against enumeration of every round."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from discreet.environments import Bernoulli, Correlated, TwoPoint, laws
from discreet.environments.laws import Law, mixture, two_valued
from discreet.losses import UNITS

Outcomes = dict[tuple[int, ...], float]


def enumerated(once: Law, n: int) -> Outcomes:
    """The law of n rounds, by going through every sequence of outcomes."""
    tally: Outcomes = defaultdict(float)
    for sequence in product(range(len(once.chances)), repeat=n):
        total = once.totals[list(sequence)].sum(axis=0)
        tally[tuple((total - total[0]).tolist())] += float(once.chances[list(sequence)].prod())
    return dict(tally)


def outcomes(law: Law) -> Outcomes:
    return {tuple(row): chance for row, chance in zip(law.totals.tolist(), law.chances.tolist(), strict=True)}


ONCE = [
    Bernoulli([0.2, 0.7]).round_law(),
    Bernoulli([0.2, 0.5, 0.9]).round_law(),
    TwoPoint([0.3, 0.0], [0.3, 0.4], [0.0, 0.8]).round_law(),
    TwoPoint([0.3, 0.0, 0.25], [0.5, 0.4, 0.75], [0.4, 0.8, 0.5]).round_law(),
    Correlated([0.3, 0.5, 0.6], strength=[0.9, -0.9, 0.0]).round_law(),
    Law(np.array([[0, 5]]), np.ones(1)),
]


@pytest.mark.parametrize("once", ONCE, ids=lambda once: f"{once.totals.shape}")
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
def test_rounds_added_up(once: Law, n: int) -> None:
    assert outcomes(once.times(n)) == pytest.approx(enumerated(once, n), rel=1e-12)


@pytest.mark.parametrize("once", ONCE, ids=lambda once: f"{once.totals.shape}")
@pytest.mark.parametrize("counts", [range(1, 2), range(1, 3), range(2, 6), range(3, 6)])
def test_a_uniform_number_of_rounds(once: Law, counts: range) -> None:
    wanted: Outcomes = defaultdict(float)
    for n in counts:
        for outcome, chance in enumerated(once, n).items():
            wanted[outcome] += chance / len(counts)
    assert outcomes(once.times_any(counts)) == pytest.approx(dict(wanted), rel=1e-12)


def test_weights_and_sums() -> None:
    coin = Bernoulli([0.5, 0.25]).round_law()
    both = outcomes(coin.scaled(4).plus(coin))
    wanted: Outcomes = defaultdict(float)
    for (_, a), (_, b) in product(outcomes(coin), repeat=2):
        wanted[0, 4 * a + b] += outcomes(coin)[0, a] * outcomes(coin)[0, b]
    assert both == pytest.approx(dict(wanted))


def test_large_sums_by_fourier_transform_agree_with_binomials() -> None:
    n, p = 400_000, 0.3
    law = Bernoulli([0.0, p]).round_law().times(n)
    assert (len(law.chances) / 2) ** 2 > laws.MUCH_WORK  # or the transform would not have been used
    k = law.totals[:, 1] // UNITS
    off = np.abs(law.chances - binom.pmf(k, n, p)).max()
    assert off < n * 2**-52 * law.chances.max()  # the rounding of one round's chance, n times over
    assert law.chances.sum() == pytest.approx(1, abs=1e-11)
    assert law.chances @ k == pytest.approx(n * p, rel=1e-11)


def test_the_transform_and_the_sum_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    once = Correlated([0.3, 0.5, 0.6], strength=[0.9, -0.9, 0.0]).round_law()
    direct = outcomes(once.times(12))
    monkeypatch.setattr(laws, "MUCH_WORK", 0)
    by_transform = outcomes(once.times(12))
    assert set(by_transform) <= set(direct)
    assert max(abs(chance - by_transform.get(outcome, 0.0)) for outcome, chance in direct.items()) < 1e-15


def test_what_cannot_be_written_down_is_refused() -> None:
    with pytest.raises(ValueError, match="2\\^40 outcomes, too many"):
        Bernoulli(np.full(40, 0.5)).round_law()
    ragged = TwoPoint([0.1, 0.0, 0.2], [0.35, 0.414159, 0.9], [0.5, 0.8, 0.3]).round_law()
    with pytest.raises(ValueError, match="too many to sum over; simulate instead"):
        ragged.times_any(range(500, 1000))


def test_a_mixture_and_one_round() -> None:
    none, one = np.zeros(2, np.int64), np.full(2, UNITS)
    up, down = (two_valued(none, one, np.array(chance)) for chance in ([1.0, 1.0], [0.0, 1.0]))
    assert outcomes(mixture([up, down], [0.25, 0.75])) == {(0, 0): 0.25, (0, UNITS): 0.75}
