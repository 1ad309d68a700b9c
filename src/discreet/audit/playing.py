"""A learner as a sampler: what it releases on a table, run after run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import ArrayLike, NDArray

from discreet.experts import Learner
from discreet.experts.blocks import BlockLearner
from discreet.local import GaussianReport, ReportLearner

Actions = NDArray[np.int64]


def sampler(learner: Learner, seed: int | None = 1, alone: bool = False) -> Callable[[ArrayLike, int], Actions]:
    """A function `sampler(losses, runs)` that plays a table of losses and gives what is released, one row a run.

    A row has the actions that `audit.law` has: one for each block that the table touches or completes, or one for each
    round and the next. Each call draws from a seed of its own, spawned from `seed`; None is system entropy.
    alone: every run by a learner of its own, as a release is made: by `act` and `update`, round by round. Slower, and
    the only way to see a mistake that learners with many runs do not make.

    Of a learner on reports it is what is released when losses become reports at its `mu` first (`reported`).

    >>> from discreet import experts
    >>> sampler(experts.PrivateLeader(3, epsilon=1.0))([[0.0, 1.0, 1.0]], 5).shape
    (5, 2)
    """
    if isinstance(learner, ReportLearner):
        return reported(learner, seed)
    seeds = None if seed is None else SeedSequence(seed)

    def made(runs: int | None, own: SeedSequence | None) -> Learner:
        return type(learner)(**(learner.get_params() | {"runs": runs, "seed": own}))

    def play_alone(losses: ArrayLike, runs: int) -> Actions:
        own = [None] * runs if seeds is None else seeds.spawn(runs)
        return np.array([_released(made(None, one), np.asarray(losses)) for one in own])

    def play(losses: ArrayLike, runs: int) -> Actions:
        own = None if seeds is None else seeds.spawn(1)[0]
        many = made(runs, own)
        actions = many.play(losses)
        after = np.asarray(many.act())[None]
        return np.concatenate([actions, after])[_drawn(many, len(actions))].T

    return play_alone if alone else play


def reported(learner: ReportLearner, seed: int | None = 1) -> Callable[[ArrayLike, int], Actions]:
    """A sampler of what is released when losses become reports and reports actions, before and after every round.

    Reports are those of `GaussianReport` at the learner's `mu` and `scale`: for losses of which no two rounds differ by
    more than mu · scale.
    """
    if learner.mu is None or learner.scale == 0:
        raise ValueError(f"{learner!r} is not told what its reports promise: give it mu, and a scale above 0")
    report = GaussianReport(learner.n_actions, learner.mu, sensitivity=learner.mu * learner.scale)
    seeds = None if seed is None else SeedSequence(seed)

    def play(losses: ArrayLike, runs: int) -> Actions:
        noise, own = (None, None) if seeds is None else seeds.spawn(2)
        reports = seeded(report, noise)
        many = type(learner)(**(learner.get_params() | {"runs": runs, "seed": own}))
        actions = [many.act()]
        for row in np.asarray(losses, dtype=np.float64):
            many.update(reports.privatize(np.broadcast_to(row, (runs, len(row)))))
            actions.append(many.act())
        return np.stack(actions, axis=1)

    return play


def seeded(report: GaussianReport, seed: Any) -> GaussianReport:
    """The same reports, drawn from a seed, or where it is None from the system."""
    return type(report)(**(report.get_params() | {"seed": seed}))


def _released(learner: Learner, losses: NDArray[np.float64]) -> list[int]:
    """What one learner releases, round by round."""
    actions = []
    for row in losses:
        actions.append(learner.act())
        learner.update(row)
    actions.append(learner.act())
    return [actions[place] for place in _drawn(learner, len(losses))]


def _drawn(learner: Learner, rounds: int) -> list[int]:
    """The rounds, the one after the last included, of which the action was newly drawn."""
    if not isinstance(learner, BlockLearner):
        return list(range(rounds + 1))
    return [0, *(end for end in learner.schedule.ends if end <= rounds)]
