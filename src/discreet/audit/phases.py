"""The law of a watching learner: every course of halts, draws and checks, added up by the actions that show.

The learner's own code says what its tests look at and which stage follows a draw; the chances are those of its test,
its selections and its checks. A phase is known by the stage it is in, the draws made in that stage, and the round it
began; for each there is an array with one axis for each action released so far.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.experts.watching import WatchingLearner
from discreet.losses import Units

Floats = NDArray[np.float64]
#: Stage, draws made in it, and the first round.
Phase = tuple[int, int, int]


def phase_law(learner: WatchingLearner, units: Units) -> Floats:
    """The joint law of the actions of all rounds of a table and of the next one, one axis each."""
    n_actions = learner.n_actions
    totals = np.concatenate([np.zeros((1, n_actions), dtype=np.int64), np.cumsum(units, axis=0)])
    phases: dict[Phase, Floats] = {(0, 0, 0): np.full(n_actions, 1 / n_actions)}
    hazards = {start: _hazards(learner, totals[start], units[start:]) for start in range(len(units))}
    for place in range(len(units)):
        after: dict[Phase, Floats] = defaultdict(lambda: np.zeros(1))
        for (stage, drawn, start), joint in phases.items():
            over = stage == len(learner.stages)
            halts = np.zeros(n_actions) if over else hazards[start][stage][place - start]
            after[stage, drawn, start] = after[stage, drawn, start] + _kept(joint * (1 - halts))
            if halts.any():
                for phase, chances in _drawn(learner, stage, drawn, totals[place + 1]):
                    begun = (*phase, place + 1)
                    after[begun] = after[begun] + (joint * halts)[..., None] * chances
        phases = after
    return np.asarray(sum(phases.values()))


def _kept(joint: Floats) -> Floats:
    """The same action once more."""
    return np.asarray(joint[..., None] * np.eye(joint.shape[-1]))


def _drawn(learner: WatchingLearner, stage: int, drawn: int, totals: Units) -> list[tuple[tuple[int, int], Floats]]:
    """What may follow a draw: the stage and the draws made in it, with the chance of each action together with that."""
    rule = learner.stages[stage]
    law = rule.selection.law(rule.scores(totals))
    passed = rule.check.law(totals) if rule.check else np.zeros(learner.n_actions)
    found = []
    for passes, chance in ((False, 1 - passed), (True, passed)):
        after = learner.left(stage, np.array([drawn + 1]), np.array([passes]))
        found.append(((int(after[0][0]), int(after[1][0])), law * chance))
    return found


def _hazards(learner: Any, totals: Units, units: Units) -> list[Floats]:
    """For each stage, the chance to halt after each of the coming rounds given that no earlier one did: (rounds, K)."""
    queries = learner.queries_from(totals, units)
    return [
        np.stack([_hazard(learner.test.law(column - stage.threshold)) for column in queries.T], axis=1)
        for stage in learner.stages
    ]


def _hazard(law: Floats) -> Floats:
    """From the law of where a test halts, sums from the far end: no difference of near numbers."""
    left = np.cumsum(law[::-1])[::-1][:-1]
    return np.divide(law[:-1], left, out=np.zeros_like(left), where=left > 0)
