"""MetaLeader: the rule of algorithm 3, the law of its choice, and what it learns."""

from __future__ import annotations

import json

import numpy as np
import pytest

from discreet import experts
from discreet.local import MetaLeader, RandomWalkLeader, ReportLearner, RollingRegression
from discreet.local.decorrelation import decorrelated
from tests.chances import assert_fits, counts_of
from tests.experts.checks import losses, refuses
from tests.local.learners import PATTERNS


def test_scores_and_agreements_are_those_of_algorithm_3() -> None:
    learner = MetaLeader(3, 2.0, PATTERNS, seed=1)
    scores = learner._scores[0] * learner.unit
    sigma = 4.0 * np.eye(4)
    for row in np.random.default_rng(2).standard_normal((50, 3)) * 2.0:
        suggested = learner.suggestions()[0]
        assert learner.act() == suggested[learner.choice]
        x = np.eye(3)[suggested]
        scores, sigma = scores + x @ row, sigma + 4.0 * x @ x.T
        learner.update(row)
        assert learner._scores[0] * learner.unit == pytest.approx(scores, abs=1e-4)
        shared = sigma - sigma.mean()
        assert decorrelated(learner._agreements[0], 2.0) == pytest.approx(shared)


def test_learners_learn_what_they_would_alone() -> None:
    learner = MetaLeader(3, 2.0, [RollingRegression(4, 0.5), RollingRegression(9)], seed=1)
    alone = [RollingRegression(4, 0.5, 3, 2.0, seed=1), RollingRegression(9, 1.0, 3, 2.0, seed=1)]
    for row in np.random.default_rng(2).standard_normal((30, 3)):
        learner.update(row)
        for one in alone:
            one.update(row)
        assert learner.suggestions()[0].tolist() == [one.act() for one in alone]


class Constant(ReportLearner):
    """Always the same action: a rule of a user's own."""

    def __init__(self, action: int, n_actions: int = 2, scale: float = 1.0, mu=None, seed=None, runs=None) -> None:  # type: ignore[no-untyped-def]
        self.action = action
        self._begin_reports(n_actions, scale, mu, seed, runs)

    def _reset(self) -> None:
        self._action = np.full(self._width, self.action)

    def _play_chunk(self, rows):  # type: ignore[no-untyped-def]
        self._rounds += len(rows)
        return np.full((len(rows), self._width), self.action)


@pytest.mark.parametrize(
    ("actions", "scale", "rounds"),
    [((0, 1, 2), 0.1, 1), ((0, 1, 2), 0.5, 6), ((0, 0, 1), 1.5, 6), ((0, 1, 1, 1, 2), 1.5, 6)],
)
def test_over_reports_and_chance_the_choice_is_that_of_independent_noise(
    actions: tuple[int, ...], scale: float, rounds: int
) -> None:
    """Of learners that never change: score + y is N(totals, v) and a shift, v = max(2t, top); chi-square, 1e-6."""
    runs, row = 20_000, np.array([0.9, 0.1, 0.5])
    random = np.random.default_rng(5)
    learner = MetaLeader(3, scale, [Constant(action) for action in actions], seed=3, runs=runs)
    for _ in range(rounds):
        learner.update(row + scale * random.standard_normal((runs, 3)))
    same = np.equal.outer(actions, actions)
    sigma = scale**2 * (np.eye(len(actions)) + rounds * same)
    variance = max(2 * (rounds + 1), float(np.linalg.eigvalsh(sigma - sigma.mean())[-1]))
    wanted = rounds * row[list(actions)] + np.sqrt(variance) * random.standard_normal((2_000_000, len(actions)))
    law = counts_of(wanted.argmin(axis=1), len(actions)) / len(wanted)
    assert_fits(counts_of(learner.choice, len(actions)), law)


def test_a_round_is_learned_by_all_learners_or_by_none(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = MetaLeader(3, 1.0, [RandomWalkLeader(3, 1.0), RollingRegression(4)], seed=1)
    learner.play(losses(9))
    before = json.dumps(learner.state_dict())
    with monkeypatch.context() as patch:
        patch.setattr(RollingRegression, "_learn", lambda self, units: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            learner.update([0.1, 0.2, 0.3])
    assert json.dumps(learner.state_dict()) == before


def test_it_finds_the_learner_that_sees_the_trend() -> None:
    """Losses that swing every 20 rounds: rolling regression beats any action, and MetaLeader finds it."""
    random = np.random.default_rng(1)
    t = np.arange(3000)
    data = 0.5 + 0.5 * np.cos(np.pi * (t[:, None] / 20 + np.array([0, 1])))
    table = data + 0.3 * random.standard_normal(data.shape)
    learner = MetaLeader(2, 0.3, [Constant(0), Constant(1), RandomWalkLeader(2, 0.3), RollingRegression(6)], seed=1)
    actions = learner.play(table)
    mean = data[t, actions].mean()
    assert mean < 0.3 < 0.45 < data.mean(axis=0).min()


def test_without_noise_only_its_own_is_left() -> None:
    learner = MetaLeader(3, 0.0, [RandomWalkLeader(3, 1.0), RollingRegression(5)], seed=1)
    assert set(learner.play(losses(100)).tolist()) <= {0, 1, 2}
    assert (learner._directions == learner._directions).all()


def test_patterns_are_left_alone_and_may_be_of_other_sizes() -> None:
    pattern = RandomWalkLeader(7, 9.0, seed=4)
    learner = MetaLeader(3, 2.0, [pattern, MetaLeader(2, 1.0, [pattern, RollingRegression(3)])], seed=1)
    learner.play(losses(30))
    assert pattern.rounds == 0
    assert learner._members[0].get_params() == {
        **pattern.get_params(),
        "n_actions": 3,
        "scale": 2.0,
        "seed": learner._entropy,
        "runs": 1,
    }
    resumed = learner.clone()
    resumed.load_state_dict(learner.state_dict())
    assert resumed.play(losses(40)).tolist() == learner.play(losses(40)).tolist()


def test_what_is_no_list_of_learners_on_reports_is_refused() -> None:
    for bad in (None, [], (), "learners", [1], [RandomWalkLeader], [experts.Hedge(3)], RandomWalkLeader(3, 1.0)):
        assert "learners" in refuses(MetaLeader, 3, 1.0, bad)
