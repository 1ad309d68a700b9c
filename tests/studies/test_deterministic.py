"""The convexity bound and the lemmas against calculations of another kind."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

from discreet.bounds import softmax_cost, wu_wang_theorem_11_explicit
from discreet.environments import Deterministic
from discreet.experts import NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.selection import NoisyMax, PermuteAndFlip, Selection, Softmax
from discreet.simulate import exact_regret
from studies.deterministic.bound import lead, upper
from studies.deterministic.lemmas import dyadic_sum, one_level_sum

SELECTIONS = [Softmax(0.5), PermuteAndFlip(0.5), NoisyMax(2.0)]


def _distribution(selection: Selection, x: float) -> float:
    """P(noise <= x) for noise of scale 2."""
    if isinstance(selection, Softmax):
        return math.exp(-math.exp(-x / 2))
    if isinstance(selection, PermuteAndFlip):
        return -math.expm1(-max(x, 0.0) / 2)
    return 0.5 * math.exp(x / 2) if x < 0 else 1 - 0.5 * math.exp(-x / 2)


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("k", [2, 3, 20])
def test_lead_is_the_expected_largest_noise_less_one(selection: Selection, k: int) -> None:
    lost, _ = quad(lambda x: _distribution(selection, x) - _distribution(selection, x) ** k, -60, 200, limit=400)
    assert lead(selection, k) == pytest.approx(lost, rel=1e-7)


@pytest.mark.parametrize("selection", SELECTIONS)
def test_lead_is_what_the_law_loses_on_the_way_from_no_rounds_to_many(selection: Selection) -> None:
    """The integral of the expected gap over n, which is where the bound comes from."""
    gaps = np.array([0.0, 0.25, 0.5, 1.0])

    def expected_gap(n: float) -> float:
        return float(selection.law(np.rint(n * gaps * 2**20).astype(np.int64)) @ gaps)

    parts = [quad(expected_gap, low, high)[0] for low, high in ((0, 10), (10, 40), (40, 300))]
    assert sum(parts) == pytest.approx(lead(selection, 4), rel=1e-5)


def test_upper_bound_of_softmax_is_that_of_the_library() -> None:
    learner = NoisyLeader(50, 0.3, "gumbel")
    assert upper(learner) == pytest.approx(wu_wang_theorem_11_explicit(50, rate=0.15))


def test_upper_bounds_hold_on_random_gaps() -> None:
    rng = np.random.default_rng(5)
    for epsilon in (0.1, 1.0, 5.0):
        learners = [NoisyLeader(6, epsilon, noise) for noise in ("laplace", "exponential", "gumbel")]
        for learner in (*learners, PrefixSoftmax(6, epsilon), PrivateLeader(6, epsilon)):
            for gaps in np.exp2(rng.uniform(-6, 0, size=(4, 5))):
                assert exact_regret(learner, Deterministic(np.append(0.0, gaps)), 10**9) <= upper(learner)


def test_sum_of_one_level_is_the_sum_over_actions() -> None:
    sizes = np.exp2(np.linspace(0, 1, 257) - 20)
    largest = max(dyadic_sum(np.append(0.0, np.full(9, size))) for size in sizes[::16]) / math.log(10)
    assert one_level_sum(math.log(9)) == pytest.approx(largest, rel=1e-3)


def test_dyadic_sum_adds_all_terms_that_matter() -> None:
    a = np.array([0.0, 0.01, 0.3, 0.3])
    assert dyadic_sum(a) == pytest.approx(sum(softmax_cost(a, r) for r in range(1, 60)), rel=1e-12)
