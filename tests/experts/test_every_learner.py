"""Every learner, every check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from discreet import experts
from discreet.experts import Learner
from discreet.guarantees import NoGuarantee
from tests.experts import checks
from tests.experts.learners import BLOCK_CASES, CASES, Case

cases = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
blocks = pytest.mark.parametrize("case", BLOCK_CASES, ids=[case.name for case in BLOCK_CASES])

BAD_EPSILONS = [0, -1, 0.0, -1e-9, float("nan"), float("inf"), float("-inf"), True, "1", None, 1j]


@cases
@pytest.mark.parametrize("check", checks.CHECKS, ids=[check.__name__ for check in checks.CHECKS])
def test_a_learner_passes_a_check(check: Callable[[checks.Make], None], case: Case) -> None:
    check(case.make)


def test_no_learner_and_no_check_is_left_out() -> None:
    public = {getattr(experts, name) for name in experts.__all__}
    assert {case.kind for case in CASES} == public - {Learner}
    written = {
        value
        for name, value in vars(checks).items()
        if callable(value) and getattr(value, "__annotations__", {}).get("make") == "Make"
    }
    assert written == set(checks.CHECKS)


@cases
def test_claims_are_what_the_docstrings_say(case: Case) -> None:
    if case.claims is None and case.mu is None:
        assert isinstance(case.make().guarantee, NoGuarantee)
        assert "not private" in str(case.make().guarantee)
    else:
        assert case.make().guarantee == case.claim


@blocks
@pytest.mark.parametrize("bad", BAD_EPSILONS, ids=lambda bad: str(bad)[:8])
def test_a_bad_epsilon_is_refused_in_one_sentence(case: Case, bad: Any) -> None:
    assert "epsilon" in checks.refuses(case.make, epsilon=bad)


@blocks
def test_a_whole_epsilon_is_fine(case: Case) -> None:
    learner = case.make(epsilon=1, seed=3)
    assert type(learner.epsilon) is float
    assert learner == case.make(epsilon=1.0, seed=3)


@blocks
@pytest.mark.parametrize("epsilon", [1e-280, 1e-100, 1e-12, 1e9, 1e100, 1e280])
def test_a_learner_plays_at_any_epsilon(case: Case, epsilon: float) -> None:
    learner = case.make(epsilon=epsilon, seed=1)
    actions = learner.play(checks.losses(70))
    assert 0 <= actions.min() <= actions.max() < 3


@pytest.mark.parametrize("epsilon", [5e-324, 1e-310, 1.7e308])
@pytest.mark.parametrize("noise", ["laplace", "exponential", "gumbel"])
def test_an_epsilon_at_the_end_of_the_floats_works_or_is_refused_in_one_sentence(noise: Any, epsilon: float) -> None:
    sentence = ""
    try:
        learner = experts.NoisyLeader(3, epsilon, noise=noise, seed=1)
    except ValueError as error:
        sentence = str(error)
    else:
        learner.play(checks.losses(70))
    assert not sentence or "epsilon" in sentence
