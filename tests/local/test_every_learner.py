"""Every learner on reports, every check that makes sense for reports."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from discreet import local
from discreet.guarantees import GaussianDP, NoGuarantee
from discreet.local import ReportLearner
from discreet.local.grid import ROOM
from tests.experts import checks
from tests.experts.checks import losses, refuses
from tests.local.learners import CASES, Case

cases = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
#: Replaced below: reports lie anywhere, and a seed takes nothing from what was promised before.
REPLACED = {
    checks.a_forged_state_changes_nothing,
    checks.representations_evaluate,
    checks.bad_losses_change_nothing,
    checks.a_bad_loss_of_one_run_is_not_called_a_round,
    checks.a_seed_promises_nothing,
}
#: What many runs of a learner that keeps no totals, or is slow over 10,000 runs, are not asked.
OF_WALKS = {
    checks.equal_losses_leave_all_actions_equally_likely,
    checks.permuting_the_actions_permutes_the_law,
    checks.runs_are_independent,
    checks.runs_learn_from_their_own_losses,
    checks.an_easy_stream_is_learnt,
}
SHARED = [check for check in checks.CHECKS if check not in REPLACED]


@cases
@pytest.mark.parametrize("check", SHARED, ids=[check.__name__ for check in SHARED])
def test_a_learner_passes_a_check(check: Callable[[checks.Make], None], case: Case) -> None:
    if case.walks or check not in OF_WALKS:
        check(case.make)


def test_no_learner_is_left_out() -> None:
    public = {value for value in map(local.__dict__.get, local.__all__) if isinstance(value, type)}
    assert {case.kind for case in CASES} == {kind for kind in public if issubclass(kind, ReportLearner)} - {
        ReportLearner
    }


@cases
def test_representations_evaluate(case: Case) -> None:
    for changes in ({}, {"seed": 3, "mu": 0.5}, {"runs": 5, "seed": 0}):
        learner = case.make(**changes)
        again = eval(repr(learner), dict(vars(local)))
        assert again == learner
        assert again.get_params() == learner.get_params()
        assert "\n" not in repr(learner)


@cases
@pytest.mark.parametrize("seed", [None, 1])
def test_the_guarantee_is_that_of_the_reports_seeded_or_not(case: Case, seed: int | None) -> None:
    """Losses of three actions move by sqrt(3) at most; with less noise than that at mu the promise is about some."""
    scale = case.make().scale
    within = 0.5 * scale if 0.5 * scale < 3**0.5 else None
    assert (within is None) == (scale == 5.0)
    assert case.make(seed=seed, mu=0.5).guarantee == GaussianDP(0.5, within)
    assert case.make(seed=seed, mu=0.5).local_guarantee == GaussianDP(0.5, within)
    assert case.make(seed=seed, mu=0.5, runs=4).guarantee == GaussianDP(1.0, within)  # 4 reports of the same losses
    told = case.make(seed=seed).guarantee
    assert isinstance(told, NoGuarantee)
    assert "mu" in str(told)


@cases
def test_bad_scales_and_levels_are_refused(case: Case) -> None:
    for bad in (-1, -1e-9, float("nan"), float("inf"), True, "1", None, 1j):
        assert "scale" in refuses(case.make, scale=bad)
    for bad in (0, -1, 0.0, float("nan"), float("inf"), True, "1", 1j):
        assert "mu" in refuses(case.make, mu=bad)


@cases
def test_reports_may_lie_anywhere_but_not_beyond_all_noise(case: Case) -> None:
    for runs in (None, 3):
        learner = case.make(seed=4, runs=runs)
        learner.play(losses(11) * 20 - 10)
        before, action = json.dumps(learner.state_dict()), np.asarray(learner.act()).tolist()
        for bad in (np.nan, np.inf, -np.inf, 1e9, -1e9):
            assert "action 1 " in refuses(learner.update, [0.5, bad, 0.5])
            table = losses(40)
            table[23, 2] = bad
            assert "round 34, action 2 " in refuses(learner.play, table)
        shapes: list[Any] = [[0.1, 0.2], [0.1] * 4, 0.5, [], None, ["a", "b", "c"], [True] * 3, [[0.1, 0.2, 0.3]] * 2]
        for shape in [*shapes, np.zeros((2, 2, 3)), [[0.1, 0.2, 0.3], [0.1]]]:
            refuses(learner.update, shape)
        for shape in [*shapes[:-1], [0.1, 0.2, 0.3], [[0.1, 0.2]], np.zeros((4, 3, 3)), np.zeros((4, 4))]:
            refuses(learner.play, shape)
        assert "reports" in refuses(learner.play_units, np.zeros((2, 3), dtype=np.int64))
        assert json.dumps(learner.state_dict()) == before
        assert np.asarray(learner.act()).tolist() == action


@cases
def test_a_bad_report_of_one_run_is_not_called_a_round(case: Case) -> None:
    rows = np.full((3, 3), 0.5)
    rows[2, 1] = np.nan
    sentence = refuses(case.make(seed=4, runs=3).update, rows)
    assert "run 2, action 1" in sentence
    assert "round" not in sentence


@cases
def test_a_forged_state_changes_nothing(case: Case) -> None:
    for runs in (None, 2):
        learner = case.make(seed=1, runs=runs)
        learner.play(losses(21))
        before = json.dumps(learner.state_dict())
        for name, value in _forgeries(json.loads(before)):
            refuses(learner.load_state_dict, learner.state_dict() | {name: value})
            assert json.dumps(learner.state_dict()) == before, (name, value)
        nonsense: tuple[Any, ...] = (None, [], "state", 3, {})
        for bad in nonsense:
            assert "state" in refuses(learner.load_state_dict, bad)
        learner.load_state_dict(json.loads(before))
        assert json.dumps(learner.state_dict()) == before


def _forgeries(state: dict[str, Any]) -> list[tuple[str, Any]]:
    """One part at a time that cannot be there."""
    bad: dict[str, tuple[Any, ...]] = {
        "rounds": (-1, 1.0, True, None, "3", 2**63),
        "entropy": (None, {}, [], {"position": -1}, {"position": 1.5}),
        "action": (-1, 3, 0.0, None, "0", 2**64),
        "totals": (1.5, 2 * ROOM, -2 * ROOM, None),
        "delay": (-1, 1.5, 2**50),
        "window": (1.5, 2 * ROOM),
        "sums": (1.5, -2 * ROOM),
        "aged": (1.5, 2 * ROOM),
        "choice": (-1, 4, 0.0),
        "scores": (0.5, 2 * ROOM),
        "agreements": (-1, 20, 22, 0.5),
        "directions": (float("nan"), 3.0, "1"),
    }
    forged = [
        (name, _with_first(state[name], x)) for name, xs in bad.items() if isinstance(state.get(name), list) for x in xs
    ]
    forged += [(name, x) for name in ("rounds", "entropy") for x in bad[name]]
    if "members" in state:
        members: tuple[Any, ...] = (None, [], state["members"][:-1], [{}] * 4, state["members"][::-1])
        forged += [("members", x) for x in members]
    return forged


def _with_first(nested: Any, value: object) -> Any:
    return [_with_first(nested[0], value), *nested[1:]] if isinstance(nested, list) else value


@cases
@pytest.mark.parametrize("scale", [1e-280, 1e-12, 1e-3, 1e6, 1e280])
def test_a_learner_plays_at_any_scale(case: Case, scale: float) -> None:
    actions = case.make(scale=scale, seed=1).play(np.random.default_rng(1).standard_normal((30, 3)) * min(scale, 1.0))
    assert 0 <= actions.min() <= actions.max() < 3


@cases
def test_totals_that_may_not_fit_are_refused(case: Case) -> None:
    if case.walks:
        learner = case.make(scale=1e-3, seed=1)
        row = np.full((1, 3), 4096 << 30)
        learner._totals = learner._totals + (ROOM - (4000 << 30))
        assert "2^62" in refuses(learner._play, row)
