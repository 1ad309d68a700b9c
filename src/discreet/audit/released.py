"""The law of what is released, for many tables of losses at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from discreet.audit.branches import MOST_RUNS, Floats, Ways, completed, laws, recorded, ways
from discreet.experts import resampling
from discreet.experts.blocks import BlockLearner
from discreet.losses import Units

_CELLS = 1 << 24  # losses held at a time


def released_logs(learner: BlockLearner, tables: Units, first: int, rounds: int) -> Floats:
    """Logs of the joint law of the actions that some rounds can move: (tables, sequences of actions).

    tables: (tables, n, K), the losses of rounds first .. first + n - 1; all other losses are 0. The actions are those
    drawn after each block that these rounds touch and after the next one, as far as `rounds` complete them.
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
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.concatenate(parts)))


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
        prefixes = np.tile(hidden.prefixes, (len(chunk), 1))
        resampled = {block: np.tile(totals, (len(chunk), 1)) for block, totals in hidden.resampled.items()}
        chances = np.tile(hidden.chances, len(chunk))
        if resampled:
            chances = np.concatenate([_chances(learner, table, first, blocks) for table in chunk])
        yield chunk, Ways(prefixes, chances, resampled)


def _chances(learner: BlockLearner, table: Units, first: int, blocks: range) -> Floats:
    """How likely each way of resampling a table is, in the order of `ways`."""
    chances = np.ones(1)
    for block in blocks:
        end = learner.schedule.ends[block] - first
        rows = table[end - int(learner.schedule.lengths[block]) : end]
        chances = np.outer(chances, resampling.law(rows)[1]).ravel()
    return chances
