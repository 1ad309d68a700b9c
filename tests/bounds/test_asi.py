"""The lower bound of the realizable regime, against sums, and against what learners lose on its instance."""

from __future__ import annotations

import math

import pytest

from discreet import bounds, environments, experts, simulate
from discreet.experts import Learner


@pytest.mark.parametrize("n_actions", [2, 32, 1000])
@pytest.mark.parametrize("epsilon", [0.01, 0.3, 2.0, 50.0])
def test_the_sharp_bound_is_the_largest_sum(n_actions: int, epsilon: float) -> None:
    terms = [1 - math.exp(min(i * epsilon, 700)) / n_actions for i in range(2000)]
    largest = max(math.fsum(terms[:k]) for k in range(2001))
    assert bounds.asi_theorem_5_sharp(n_actions, epsilon) == pytest.approx(largest, rel=1e-9)


def test_it_is_far_above_the_printed_one() -> None:
    for n_actions in (32, 10**3, 10**6):
        for epsilon in (0.001, 0.1):
            printed, sharp = bounds.asi_theorem_5(n_actions, epsilon), bounds.asi_theorem_5_sharp(n_actions, epsilon)
            assert printed <= math.log(n_actions) / (32 * epsilon)
            assert sharp > 20 * printed


@pytest.mark.parametrize(
    "learner",
    [experts.PrivateLeader(64, 0.1), experts.PrefixSoftmax(64, 0.1), experts.NoisyLeader(64, 0.1, noise="gumbel")],
    ids=lambda learner: type(learner).__name__,
)
def test_no_private_learner_is_better_on_the_instance(learner: Learner) -> None:
    """The upper end of an interval that fails once in a million."""
    curve = simulate.regret(learner, environments.late_loss(64, 0.1, 1000), rounds=1000, runs=400)
    assert curve.interval(1 - 1e-6)[1][-1] >= bounds.asi_theorem_5(64, 0.1)


def test_without_privacy_it_does_not_hold() -> None:
    curve = simulate.regret(experts.FollowTheLeader(64), environments.late_loss(64, 0.1, 1000), rounds=1000, runs=100)
    assert curve.mean[-1] < bounds.asi_theorem_5(64, 0.1)


def test_conditions() -> None:
    with pytest.raises(ValueError, match="needs 32 actions or more; got 31"):
        bounds.asi_theorem_5(31, 0.1)
    with pytest.raises(ValueError, match=r"needs an epsilon of at most 1/10; got 0\.2"):
        bounds.asi_theorem_5(100, 0.2)
    with pytest.raises(ValueError, match="needs a finite epsilon above 0"):
        bounds.asi_theorem_5_sharp(100, math.inf)
