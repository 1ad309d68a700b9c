"""The bound for leaders of noisy sums, against regret that can be calculated, and its proof's steps."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtr

from discreet import bounds

Floats = NDArray[np.float64]


def exact_regret(table: Floats, deviation: float) -> float:
    """Expected regret for two actions: the first is played with the chance that its noisy sum is smaller."""
    before = np.cumsum(table, axis=0) - table
    first = ndtr((before[:, 1] - before[:, 0]) / (math.sqrt(2) * deviation))
    suffered = first * table[:, 0] + (1 - first) * table[:, 1]
    return float(suffered.sum() - table.sum(axis=0).min())


def tables(rounds: int) -> dict[str, Floats]:
    random = np.random.default_rng(4)
    bits = (random.random(rounds) < 0.5).astype(float)
    return {
        "in turn": np.tile([[1.0, 0.0], [0.0, 1.0]], (rounds // 2, 1)),
        "random": np.stack([bits, 1 - bits], axis=1),
        "uniform": random.random((rounds, 2)),
        "one better": np.tile([[0.0, 1.0]], (rounds, 1)),
        "turning": np.repeat([[0.0, 1.0], [1.0, 0.0]], [rounds // 3, rounds - rounds // 3], axis=0),
    }


@pytest.mark.parametrize("deviation", [0.1, 1.0, 8.0, 40.0, 1000.0])
@pytest.mark.parametrize("rounds", [10, 1000, 10_000])
def test_no_regret_is_above_it(rounds: int, deviation: float) -> None:
    most = max(exact_regret(table, deviation) for table in tables(rounds).values())
    assert most <= bounds.agarwal_singh(2, rounds, deviation)


def test_a_tenth_instead_of_a_quarter_would_be_too_little() -> None:
    rounds, deviation = 10_000, 8.0
    found = exact_regret(tables(rounds)["in turn"], deviation)
    width = math.sqrt(2 * math.log(2))
    assert found > width * (deviation + rounds / (10 * deviation))
    assert found > 0.4 * bounds.agarwal_singh(2, rounds, deviation)


@pytest.mark.parametrize("n_actions", [2, 3, 30])
def test_the_trace_is_as_the_proof_says(n_actions: int) -> None:
    """How fast the chances fall, each in its own loss, by finite differences on the same million draws."""
    rng = np.random.default_rng(6)
    sums, step, deviation = rng.random(n_actions), 0.05, 2.0
    noisy = sums + deviation * rng.standard_normal((200_000, n_actions))
    ordered = np.sort(noisy, axis=1)
    gap = ordered[:, 1] - ordered[:, 0]  # the leader's lead: all chances fall by P(gap <= step) in all
    trace = float((gap <= step).mean()) / step
    assert trace <= math.sqrt(2 * math.log(n_actions + 1)) / deviation
    assert trace >= 0.3 * math.sqrt(2 * math.log(n_actions)) / deviation


def test_rounding_is_paid_for() -> None:
    plain, rounded = bounds.agarwal_singh(5, 100, 4.0), bounds.agarwal_singh(5, 100, 4.0, rounding=0.01)
    assert rounded - plain == pytest.approx(100 * 0.01 * math.sqrt(2 * math.log(6)) / 4.0)


def test_the_least_is_at_half_the_root_of_the_rounds() -> None:
    least = bounds.agarwal_singh(7, 400, 10.0)
    assert least == pytest.approx(math.sqrt(2 * 400 * math.log(7)))
    assert all(bounds.agarwal_singh(7, 400, deviation) > least for deviation in (9.9, 10.1, 20.0))


def test_conditions() -> None:
    with pytest.raises(ValueError, match="needs 2 actions or more; got 1"):
        bounds.agarwal_singh(1, 10, 1.0)
    with pytest.raises(ValueError, match="needs a whole number of rounds, 1 or more; got 0"):
        bounds.agarwal_singh(2, 0, 1.0)
    for bad in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(ValueError, match="needs a finite deviation above 0"):
            bounds.agarwal_singh(2, 10, bad)
    with pytest.raises(ValueError, match="needs a rounding from 0 to 1; got 2"):
        bounds.agarwal_singh(2, 10, 1.0, rounding=2)
