"""Bad input: one sentence, and nothing is changed."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tests.experts.checks.playing import K, Make, losses, refuses


def bad_numbers_of_actions_are_refused(make: Make) -> None:
    """At least two, a whole number."""
    for bad in (0, 1, -3, 2.0, True, None, "3", np.float64(3), [3]):
        assert "n_actions" in refuses(make, n_actions=bad)
    assert make(n_actions=np.int64(2), seed=1) == make(n_actions=2, seed=1)


def bad_numbers_of_runs_are_refused(make: Make) -> None:
    """At least one, a whole number, or None."""
    for bad in (0, -1, 2.0, True, "3", np.float64(3)):
        assert "runs" in refuses(make, runs=bad)


def bad_seeds_are_refused(make: Make) -> None:
    """A whole number, not negative, or None."""
    for bad in (-1, 1.0, True, "1", float("nan"), [1]):
        assert "seed" in refuses(make, seed=bad)


def bad_losses_change_nothing(make: Make) -> None:
    """In `update`, and in `play` with a bad row in the middle: one sentence that names the place."""
    for runs in (None, 3):
        learner = make(seed=4, runs=runs)
        learner.play(losses(11))
        before = json.dumps(learner.state_dict())
        action = np.asarray(learner.act()).tolist()
        for bad in (np.nan, np.inf, -np.inf, -1e-9, 1 + 1e-9):
            assert "action 1 " in refuses(learner.update, [0.5, bad, 0.5])
            table = losses(40)
            table[23, 2] = bad
            assert "round 34, action 2 " in refuses(learner.play, table)
        shapes: list[Any] = [[0.1, 0.2], [0.1] * 4, 0.5, [], None, ["a", "b", "c"], [True] * 3, [[0.1, 0.2, 0.3]] * 2]
        for shape in [*shapes, np.zeros((2, 2, 3)), [[0.1, 0.2, 0.3], [0.1]]]:
            refuses(learner.update, shape)
        for shape in [*shapes[:-1], [0.1, 0.2, 0.3], [[0.1, 0.2]], np.zeros((4, 3, 3)), np.zeros((4, 4))]:
            refuses(learner.play, shape)
        assert json.dumps(learner.state_dict()) == before
        assert np.asarray(learner.act()).tolist() == action


def a_bad_loss_of_one_run_is_not_called_a_round(make: Make) -> None:
    """The row of (runs, K) is a run: the sentence must not name a round that does not exist."""
    learner = make(seed=4, runs=3)
    rows = np.full((3, K), 0.5)
    rows[2, 1] = np.nan
    sentence = refuses(learner.update, rows)
    assert "action 1" in sentence
    assert "round 2" not in sentence
