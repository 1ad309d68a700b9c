"""Where floats end: what is reported stays true, at large and small epsilon, for far tails and coarse noise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from discreet import audit, experts
from tests.audit.mutants_at_work import ChunksOverlap, LongMemory


@pytest.mark.parametrize(("epsilon", "rounds"), [(12.0, 255), (380.0, 7)])
def test_lost_tails_are_not_taken_for_losses(epsilon: float, rounds: int) -> None:
    found = audit.worst_loss(experts.NoisyLeader(2, epsilon, noise="gumbel"), rounds, [0, 1])
    assert found.lower <= epsilon <= found.upper * (1 + 1e-12)


@pytest.mark.parametrize("epsilon", [100.0, 500.0])
def test_coarse_laplace_noise_lies_within_its_bounds(epsilon: float) -> None:
    """P(action 0) for one round, by the interval law, of losses (0, 1) against (1, 0)."""
    learner = experts.NoisyLeader(2, epsilon)
    laws = [audit.law(learner, table, intervals=True) for table in ([[0.0, 1.0]], [[1.0, 0.0]])]
    chances = [float((law[0, 0] + law[1, 0]).log()) for law in laws]
    found = audit.worst_loss(learner, 1, [0, 1])
    assert found.lower <= abs(chances[0] - chances[1]) <= found.upper


def test_what_a_subclass_does_is_not_covered_by_a_proof() -> None:
    overlap = audit.worst_loss(ChunksOverlap(2, 1.0, noise="gumbel"), 31, [0, 1])
    assert overlap.upper > 1.95  # what the law says of a bad table
    memory = audit.worst_loss(LongMemory(2, 1.0, noise="gumbel"), 31, [0, 1])
    assert memory.upper > 1.48
    assert not memory.exact


@pytest.mark.parametrize("epsilon", [1e-12, 1e-3, 200.0])
def test_extreme_claims_are_audited(epsilon: float) -> None:
    for learner in (experts.PrivateLeader(3, epsilon), experts.NoisyLeader(3, epsilon, noise="gumbel")):
        assert audit.check(learner, runs=1000).passed


@pytest.mark.parametrize(("p", "runs"), [(1e-3, 10_000), (5e-3, 10_000), (0.1, 2000)])
@pytest.mark.parametrize("stated", [1e-12, 1e-6, 1e-2])
def test_false_alarms_of_a_fit_summed_exactly(p: float, runs: int, stated: float) -> None:
    total = 0.0
    for ones in range(min(runs, 8 * int(runs * p) + 60)):
        sample = (np.arange(runs) < ones).astype(np.int64)
        found = audit.matches(lambda _, drawn=sample: drawn, [1 - p, p], runs, false_alarm=stated)
        total += 0.0 if found.fits else float(binom.pmf(ones, runs, p))
    assert total <= stated
    assert math.isfinite(total)
