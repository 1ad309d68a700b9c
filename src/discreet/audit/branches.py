"""A block learner with its hidden chance written out: every prefix and every resampled loss, each with its chance.

The learner's own code plays, many runs at once: one run for each table of losses and each way in which the hidden
chance may fall. Its selection is replaced by one that writes down the totals it is asked to choose from. So whatever
the code does with the losses, right or wrong, is what is judged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.experts import resampling
from discreet.experts.blocks import BlockLearner
from discreet.losses import UNITS, Units
from discreet.schedules import Counts
from discreet.selection import Selection

Floats = NDArray[np.float64]

#: Runs of a learner at once, and hidden ways for one table, at most.
MOST_RUNS, MOST_WAYS = 1 << 16, 1 << 20


class Recorded(Selection):
    """A selection that writes down what it is asked to choose from, and always chooses action 0."""

    def __init__(self, inner: Selection) -> None:
        self.inner = inner
        self.seen: list[Units] = []

    @property
    def level(self) -> Fraction:
        """That of the selection it stands for."""
        return self.inner.level

    @property
    def error_rate(self) -> float:
        """That of the selection it stands for."""
        return self.inner.error_rate

    def _sample_rows(self, totals: Units, entropy: Entropy) -> NDArray[np.int64]:
        self.seen.append(totals.copy())
        return np.zeros(len(totals), dtype=np.int64)

    def _law_rows(self, totals: Units) -> Floats:
        return self.inner.law(totals)


@dataclass(frozen=True)
class Ways:
    """How the hidden chance of some blocks may fall: one row a way."""

    prefixes: Counts  # (ways, blocks of the schedule)
    chances: NDArray[Any]  # (ways,)
    resampled: dict[int, Units] = field(default_factory=dict)  # block -> totals (ways, K)

    def times(self, count: int) -> Ways:
        """Every way so many times, one after the other."""
        resampled = {block: np.tile(totals, (count, 1)) for block, totals in self.resampled.items()}
        return Ways(np.tile(self.prefixes, (count, 1)), np.tile(self.chances, count), resampled)


def completed(learner: BlockLearner, rounds: int) -> int:
    """How many blocks so many rounds complete."""
    return int(np.searchsorted(learner.schedule.ends, rounds, side="right"))


def ways(learner: BlockLearner, units: Units, blocks: range, exact: bool = False) -> Ways:
    """All ways in which the hidden chance of these blocks may fall, for a table of losses (rounds, K).

    The chances are floats, or fractions where they must be exact.
    """
    options = [_options(learner, units, block, exact) for block in blocks]
    count = int(np.prod([len(chances) for _, chances in options], dtype=float)) if options else 1
    if count > MOST_WAYS:
        raise ValueError(f"the hidden chance may fall in {count} ways, too many to go through; take fewer rounds")
    places = np.array(list(product(*(range(len(chances)) for _, chances in options))), dtype=np.int64)
    chances = np.ones(len(places), dtype=object if exact else float)
    prefixes = np.tile(learner.schedule.lengths, (len(places), 1))
    resampled = {}
    for column, (block, (option, chance)) in enumerate(zip(blocks, options, strict=True)):
        chances = chances * chance[places[:, column]]
        if learner.needs_rounds:
            resampled[block] = option[places[:, column]]
        else:
            prefixes[:, block] = option[places[:, column]]
    return Ways(prefixes, chances, resampled)


def _options(learner: BlockLearner, units: Units, block: int, exact: bool) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """What may happen in a block: resampled totals or prefix lengths, with their chances."""
    end = learner.schedule.ends[block]
    rows = units[end - int(learner.schedule.lengths[block]) : end]
    if learner.needs_rounds:
        return resampling.law(rows, exact)
    counts = learner.schedule.prefix_counts(block)
    return np.array(counts), np.full(len(counts), Fraction(1, len(counts)) if exact else 1 / len(counts))


def recorded(learner: BlockLearner, units: Units, hidden: Ways) -> list[Units]:
    """What each selection is asked to choose from: totals (runs, K), a run for each way, in order of selection.

    units: (rounds, K), or (rounds, runs, K) with losses of its own for each way. Where losses were resampled, the
    learner is shown losses of 0 and 1 with those totals, which its own resampling leaves as they are.
    """
    made = type(learner)(**(learner.get_params() | {"runs": len(hidden.chances), "seed": 0}))
    made.selection = seen = Recorded(learner.selection)
    made._prefixes = hidden.prefixes
    shown = _resampled(learner, len(units), hidden) if hidden.resampled else units
    made.play_units(shown)
    return seen.seen


def _resampled(learner: BlockLearner, rounds: int, hidden: Ways) -> Units:
    """Losses of 0 and 1 with the totals that resampling gave, the ones first: (rounds, ways, K)."""
    shown = np.zeros((rounds, len(hidden.chances), learner.n_actions), dtype=np.int64)
    for block, totals in hidden.resampled.items():
        end, length = int(learner.schedule.ends[block]), int(learner.schedule.lengths[block])
        shown[end - length : end] = UNITS * (np.arange(length)[:, None, None] < totals // UNITS)
    return shown


def laws(selection: Selection, totals: Units) -> Floats:
    """The law for each row of totals (..., K), worked out once for rows that differ by a constant only."""
    distinct, which = distinct_gaps(totals)
    return selection.law(distinct)[which].reshape(totals.shape)


def distinct_gaps(totals: Units) -> tuple[Units, NDArray[np.int64]]:
    """The different rows of gaps among totals (..., K), and which row each is."""
    above = (totals - totals.min(axis=-1, keepdims=True)).reshape(-1, totals.shape[-1])
    distinct, which = np.unique(above, axis=0, return_inverse=True)
    return distinct, which.ravel()
