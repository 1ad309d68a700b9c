"""The sums of F_m that study 2 takes, against independent calculation."""

from __future__ import annotations

import math
from math import comb, exp, log

import numpy as np
import pytest

from discreet.environments import Bernoulli, Deterministic, one_gap
from discreet.experts import NoisyLeader, PrefixSoftmax
from discreet.simulate import exact_regret
from studies.why_prefix.costs import Ratio, resonance
from studies.why_prefix.errors import doubling, exact, sampled, sampled_at_ends, settled, tail
from tests.chances import MILLION_SIGMA

#: Gaps of 0.25 and 0.6: one below 4 · 0.1, one above.
THREE = Bernoulli([0.2, 0.45, 0.8])


def expected_gap(low: float, high: float, rate: float, m: int) -> float:
    """F_m for two actions: a sum over two binomial numbers."""
    found = 0.0
    for a in range(m + 1):
        for b in range(m + 1):
            chance = comb(m, a) * low**a * (1 - low) ** (m - a) * comb(m, b) * high**b * (1 - high) ** (m - b)
            found += chance * (high - low) / (1 + exp(rate * (b - a)))
    return found


def test_doublings_hold_every_prefix_length_once() -> None:
    assert [m for k in range(6) for m in doubling(k)] == list(range(1, 33))


@pytest.mark.parametrize(("rate", "column"), [(0.1, 0), (0.05, 1)])
def test_exact_sums_are_sums_over_two_binomials(rate: float, column: int) -> None:
    found = exact(Bernoulli([0.3, 0.6]), rate, last=4)
    sums = [math.fsum(expected_gap(0.3, 0.6, rate, m) for m in doubling(k)) for k in range(5)]
    assert found.sums[:, column].tolist() == pytest.approx(sums, rel=1e-12)
    assert not found.sums[:, 1 - column].any()
    assert found.uniform == pytest.approx(0.15)


def test_sampled_sums_are_the_exact_ones_but_for_chance() -> None:
    # 6 doublings and 2 columns, and the total: 13 tests at one false alarm in a million each.
    found, drawn = exact(THREE, 0.1, last=5), sampled(THREE, 0.1, last=5, runs=2_000, seed=1)
    assert found.sums.min() > 0
    assert np.abs((drawn.sums - found.sums) / np.sqrt(drawn.variances)).max() < MILLION_SIGMA
    assert abs(drawn.total - found.total) < MILLION_SIGMA * drawn.of_total**0.5


def test_the_sums_say_what_the_learner_loses_up_to_the_end_of_a_block() -> None:
    learner = PrefixSoftmax(3, epsilon=0.2)
    for last in (0, 1, 4):
        lost = exact_regret(learner, THREE, 2 ** (last + 2) - 1)
        assert exact(THREE, learner.selection.error_rate, last).regret == pytest.approx(lost, rel=1e-12)


def test_block_ends_say_what_softmax_over_whole_blocks_loses() -> None:
    mean, error = sampled_at_ends(THREE, 0.1, last=5, runs=4_000, seed=2)
    lost = exact_regret(NoisyLeader(3, epsilon=0.2, noise="gumbel"), THREE, 2**7 - 1)
    assert abs(mean - lost) < MILLION_SIGMA * error
    assert error < 0.02 * lost


def test_what_is_left_out_is_bounded() -> None:
    world = one_gap(2, 0.5)
    further = exact(world, 0.1, last=8).sums.sum(axis=1)
    for after in range(8):
        assert tail(world, 0.1, after) >= further[after + 1 :].sum()
        assert tail(world, 0.1, after) > tail(world, 0.1, after + 1)
    k = settled(world, 0.1, left=0.01)
    assert tail(world, 0.1, k) <= 0.01 < tail(world, 0.1, k - 1)


def test_losses_that_never_vary_and_one_gap_add_up_to_the_entropy_over_the_rate() -> None:
    # The sum over m >= 1 of a falling function lies below its integral from 0, log K / rate, by at most its value at 0.
    total = exact(Deterministic([0.0] + [0.5] * 15), 0.1, last=10).total
    assert log(16) / 0.1 - 0.5 * 15 / 16 < total < log(16) / 0.1


def test_the_expected_gap_rises_to_each_power_of_two_and_falls_behind_it() -> None:
    world = resonance(tooth=3.5, chance=0.2)
    gap = world.means[1] - world.means[0]
    found = exact(world, rate=1_000.0, last=4).sums.sum(axis=1) / gap
    # A rate of 1000 takes the leader, and with p = 0.2 / 3.5 one lucky round in four makes the worse one lead, or two
    # in eight.
    p = 0.2 / 3.5
    assert gap > 0
    assert found[:3].sum() == pytest.approx(sum(1 - (1 - p) ** m for m in range(1, 5)), rel=1e-9)
    assert found[3] == pytest.approx(sum(1 - (1 - p) ** m - m * p * (1 - p) ** (m - 1) for m in range(5, 9)), rel=1e-9)


def test_the_error_of_a_ratio_is_that_of_its_logarithm() -> None:
    rng = np.random.default_rng(3)
    above, below = rng.normal(6, 0.05, 100_000), rng.normal(2, 0.02, 100_000)
    ratio = Ratio.of((6.0, 0.05), (2.0, 0.02))
    assert ratio.value == 3.0
    assert ratio.error == pytest.approx((above / below).std(), rel=0.02)
    assert str(ratio) == "3.00 ± 0.08"
