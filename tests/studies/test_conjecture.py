"""Instances of the conjecture against its formula written out, and exact chances against the library's laws."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.environments import Bernoulli
from discreet.experts.noisy_leader import Noise
from discreet.selection import Softmax
from studies.conjecture.instances import Instance, chances, claimed, counterexample, needed, pair_needs
from studies.conjecture.search import instance


def _right_side(r: int, gaps: list[float], epsilon: float, c2: float) -> list[float]:
    """Remark 14 as it is printed, without c1."""
    terms = [math.exp(-(2 ** (r + 1)) * gap * epsilon / c2) for gap in gaps]
    return [term / (1 + sum(term for term, gap in zip(terms, gaps, strict=True) if gap > epsilon)) for term in terms]


def test_the_claim_is_remark_14() -> None:
    one = Instance(loads=(1.6, 3.2), counts=(1, 3), epsilon=0.1, n=64)  # block r = 7, gaps 0.5 and 1
    assert one.group_gaps.tolist() == pytest.approx([0.5, 1.0])
    assert one.allowed
    expected = _right_side(7, [0.5, 1.0, 1.0, 1.0], 0.1, c2=12.0)
    assert np.exp(claimed(one, 12.0)).tolist() == pytest.approx([expected[0], expected[1]])


def test_chances_are_those_of_each_group() -> None:
    one = Instance(loads=(1.6, 3.2), counts=(1, 3), epsilon=0.1, n=64)
    law = np.exp(-np.array([0.0, 1.6, 3.2, 3.2, 3.2]))
    assert chances(one, "gumbel")[0].tolist() == pytest.approx((law / law.sum())[[1, 2]].tolist())


def test_sampled_chances_agree_with_the_exact_law() -> None:
    one = Instance(loads=(0.5,), counts=(2,), epsilon=0.25, n=16, base=0.25, high=1.0)
    law = Bernoulli(one.means()).total_law(0, range(16, 17))
    exact = float(law.chances @ Softmax(0.125).law(law.totals)[:, 1])
    sample = chances(one, "gumbel", runs=4000, seed=3)[:, 0]
    assert abs(sample.mean() - exact) < 4.8916 * sample.std() / math.sqrt(len(sample))


@pytest.mark.parametrize("noise", ["gumbel", "exponential", "laplace"])
def test_at_c2_8_and_without_variation_gumbel_noise_needs_one(noise: Noise) -> None:
    one = Instance(loads=(1.6, 3.2), counts=(1, 3), epsilon=0.1, n=64)
    value = needed(one, noise, 8.0)
    assert (abs(value) < 1e-6) == (noise == "gumbel")


@pytest.mark.parametrize("c2", [10.0, 16.0, 64.0])
def test_the_counterexample_is_reached_and_grows(c2: float) -> None:
    crowd = 8.0 / c2 * np.linspace(0.1, 60, 400)  # exponents of the crowd in the conjecture
    loads = np.stack([np.full(400, 1e-3), c2 / 8 * crowd], axis=1)
    found = max(needed(instance(pair, (1, 1022)), "gumbel", c2) for pair in loads)
    assert math.exp(found) == pytest.approx(counterexample(1024, c2), rel=0.02)
    slope = math.log(counterexample(10**8, c2) / counterexample(10**7, c2)) / math.log(10)
    assert slope == pytest.approx(1 - 8 / c2, abs=0.02)


def test_pairs_are_exact() -> None:
    n, gap, epsilon = 32, 0.4, 0.3
    law = Bernoulli([0.3, 0.7]).total_law(0, range(n, n + 1))
    chance = float(law.chances @ Softmax(epsilon / 2).law(law.totals)[:, 1])
    allowed = _right_side(6, [gap], epsilon, c2=9.0)[0]
    assert pair_needs(n, gap, epsilon, "gumbel", 9.0) == pytest.approx(math.log(chance / allowed))


def test_instances_that_are_made_are_allowed() -> None:
    for loads in ([0.01, 5.0], [3.0], [1.0, 2.0, 30.0]):
        made = instance(np.array(loads), (2,) * len(loads))
        assert made.allowed
        assert made.n & (made.n - 1) == 0
