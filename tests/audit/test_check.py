"""The report on a learner: honest learners pass, false claims do not."""

from __future__ import annotations

from typing import Any

import pytest

from discreet import audit, convex, experts
from discreet.experts import Learner
from discreet.guarantees import NoGuarantee, PureDP
from tests.experts.learners import CASES, LEADER_CASES, TREE_CASES, WATCHING_CASES, Case

ALL = {
    "worst loss",
    "adversaries",
    "statistics",
    "law",
    "act twice",
    "one rule",
    "resume",
    "own chance",
    "promise",
    "release",
    "influence",
    "reach",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_learner_passes(case: Case) -> None:
    """Each statistical check fails an honest learner once in a million."""
    report = audit.check(case.make(), runs=8000)
    assert not report.failures
    if isinstance(report.claim, NoGuarantee):
        assert not report.worst
    else:
        assert {finding.check for finding in report.findings} == ALL - _left_out(case)


def _left_out(case: Case) -> set[str]:
    """What is not computed: worst losses are for pure claims, laws and adversaries for those with few courses."""
    if case in TREE_CASES:
        return {"worst loss", "law", "release", "adversaries"}
    if case in LEADER_CASES:
        return {"worst loss", "law", "release", "reach", "adversaries"}
    if case not in WATCHING_CASES:
        return {"adversaries"}
    return {"influence", "worst loss"} if case.delta else {"influence"}


@pytest.mark.parametrize("learner", [experts.PrivateLeader(5, 1.0), experts.NoisyLeader(5, 1.0, noise="exponential")])
def test_a_claim_that_is_a_little_too_small_is_found_exactly(learner: Learner) -> None:
    report = audit.check(learner, claim=PureDP(0.999), runs=2000)
    assert {finding.check for finding in report.failures} == {"worst loss"}
    assert audit.check(learner, claim=PureDP(1.0), runs=2000).passed


def test_what_samples_certify_lies_below_what_is_true() -> None:
    for case in CASES[:8]:
        report = audit.check(case.make(n_actions=2), runs=8000)
        assert report.bound is not None
        assert report.bound.epsilon <= max(found.upper for found in report.worst.values())


@pytest.mark.parametrize("one", [3, None, experts.PrivateLeader, convex.PotentialBall(2, 1.0, 1.0, 1.0, 100)], ids=repr)
def test_what_cannot_be_audited_is_refused_in_one_sentence(one: Any) -> None:
    with pytest.raises(ValueError, match=r"cannot be audited here: learners of discreet.experts and discreet.local"):
        audit.check(one)
