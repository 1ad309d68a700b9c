"""The law of what is released, for many tables of losses at once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from discreet.audit.branches import MOST_RUNS, Floats, Ways, completed, laws, recorded, ways
from discreet.experts import resampling
from discreet.experts.blocks import BlockLearner
from discreet.losses import Units

#: Floats lose their digits a little below e^-708. So a smaller probability is taken for this one: a loss that is
#: computed from it is too small, never too large.
FAINTEST = -700.0
_CELLS = 1 << 24  # losses held at a time


def released_logs(learner: BlockLearner, tables: Units, first: int, rounds: int) -> Floats:
    """Logs of the joint law of the actions that some rounds can move: (tables, sequences of actions).

    tables: (tables, n, K), the losses of rounds first .. first + n - 1; all other losses are 0. The actions are those
    drawn after each block that these rounds touch and after the next one, as far as `rounds` complete them. No log is
    below `FAINTEST`.
    """
    blocks = range(completed(learner, first), completed(learner, first + tables.shape[1]))
    last = min(blocks.stop + 1, completed(learner, rounds))
    scope = np.arange(learner.schedule.ends[last - 1])
    where = slice(first, first + tables.shape[1])
    parts = []
    for chunk, hidden in _chunks(learner, tables, first, blocks, len(scope)):
        count = len(hidden.chances) // len(chunk)
        units = np.zeros((len(scope), len(hidden.chances), learner.n_actions), dtype=np.int64)
        units[where] = np.repeat(chunk, count, axis=0).transpose(1, 0, 2)
        totals = recorded(learner, units, hidden)[blocks.start : last]
        joint = hidden.chances[:, None]
        for asked in totals:
            of_selection = laws(learner.selection, asked)
            joint = (joint[:, :, None] * of_selection[:, None, :]).reshape(len(joint), -1)
        parts.append(joint.reshape(len(chunk), count, -1).sum(axis=1))
    return np.asarray(np.log(np.maximum(np.concatenate(parts), math.exp(FAINTEST))))


def _chunks(
    learner: BlockLearner, tables: Units, first: int, blocks: range, rounds: int
) -> Iterator[tuple[Units, Ways]]:
    """Tables a few at a time, with every hidden way of each: runs are table by table, way by way."""
    zeros = np.zeros((learner.schedule.ends[blocks.stop - 1], learner.n_actions), dtype=np.int64)
    hidden = ways(learner, zeros, blocks)
    count = len(hidden.chances)
    step = max(1, min(MOST_RUNS, _CELLS // (rounds * learner.n_actions)) // count)
    for start in range(0, len(tables), step):
        chunk = tables[start : start + step]
        repeated = hidden.times(len(chunk))
        if hidden.resampled:
            chances = np.concatenate([_chances(learner, table, first, blocks) for table in chunk])
            repeated = replace(repeated, chances=chances)
        yield chunk, repeated


def _chances(learner: BlockLearner, table: Units, first: int, blocks: range) -> Floats:
    """How likely each way of resampling a table is, in the order of `ways`."""
    chances = np.ones(1)
    for block in blocks:
        end = learner.schedule.ends[block] - first
        rows = table[end - int(learner.schedule.lengths[block]) : end]
        chances = np.outer(chances, resampling.law(rows)[1]).ravel()
    return chances
