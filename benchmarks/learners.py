"""Rounds a second of `act` and `update`, online, against a plain NumPy Hedge loop."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import seconds
from discreet.experts import NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.experts.blocks import BlockLearner
from tools.table import Table

#: At least so many of the Hedge loop's rounds a second.
LIMITS = {10: 0.5, 1000: 1.0}


def measure(quick: bool = False) -> Table:
    """Time a loop over rounds, checks of the losses included, at 10 and 1,000 actions."""
    title = "Learners: `act` + `update` against a plain NumPy Hedge loop; the ratio is that of rounds a second"
    table = Table(title, ["K", "learner", "microseconds a round", "Hedge loop", "ratio", "at least", "met"])
    rounds = 200 if quick else 4000
    for n_actions, limit in LIMITS.items():
        losses = np.random.default_rng(1).random((rounds, n_actions))
        base = seconds(lambda losses=losses: _hedge(losses), 1) / rounds
        for learner in (PrivateLeader(n_actions, 1.0), PrefixSoftmax(n_actions, 1.0), NoisyLeader(n_actions, 1.0)):
            time = seconds(lambda losses=losses, made=learner: _loop(made, losses), 1) / rounds
            met = "yes" if base / time >= limit else "NO"
            table.rows.append([n_actions, type(learner).__name__, time * 1e6, base * 1e6, base / time, limit, met])
    return table


def _hedge(losses: NDArray[np.float64]) -> float:
    """What one would write with NumPy: falling rate, weights less the smallest total, one draw a round."""
    rng = np.random.default_rng(1)
    totals, spent = np.zeros(losses.shape[1]), 0.0
    for t, row in enumerate(losses):
        weights = np.exp(-np.sqrt(8 * np.log(len(totals)) / (t + 1)) * (totals - totals.min()))
        action = np.searchsorted(np.cumsum(weights), rng.random() * weights.sum())
        spent += row[min(action, len(row) - 1)]
        totals += row
    return spent


def _loop(learner: BlockLearner, losses: NDArray[np.float64]) -> float:
    learner, spent = learner.clone(), 0.0
    for row in losses:
        spent += row[learner.act()]
        learner.update(row)
    return spent
