"""Sets of outcomes that tell two neighbors apart, best first: prefixes by estimated likelihood ratio."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.audit.cells import Cells
from discreet.audit.samples import Counts, Outcomes


@dataclass(frozen=True, eq=False)
class Event:
    """A set of outcomes that can be asked: `event(outcomes)` for an array, `outcome in event` for one.

    >>> from discreet.audit.cells import Listed
    >>> event = Event(Listed(np.array([[0, 0], [0, 1]])), np.array([False, True, False]))
    >>> event, (0, 1) in event, event(np.array([[0, 0], [0, 1], [7, 7]])).tolist()
    (Event({(0, 1)}), True, [False, True, False])
    """

    cells: Cells
    chosen: NDArray[np.bool_]

    def __call__(self, outcomes: ArrayLike) -> NDArray[np.bool_]:
        """Whether each outcome, the first axis of the array, lies in the set."""
        asked: NDArray[np.bool_] = self.chosen[self.cells.of(np.asarray(outcomes))]
        return asked

    def __contains__(self, outcome: ArrayLike) -> bool:
        """Whether this one outcome lies in the set."""
        return bool(self(np.asarray(outcome)[None])[0])

    def count(self, outcomes: Outcomes) -> int:
        """How many of the outcomes lie in the set."""
        return int(np.count_nonzero(self(outcomes)))

    def __repr__(self) -> str:
        """The outcomes, as far as they can be shown."""
        return f"Event({self.cells.name(self.chosen)})"


@dataclass(frozen=True)
class Prefixes:
    """The events worth asking about, and how often they were hit: rows are the two directions.

    In row 0 outcomes are sorted from those likelier on the left to those likelier on the right, in row 1 the other
    way round; column m is the event of the first m + 1 cells. `hits` counts the side on which the event is likelier,
    `strays` the other. By the lemma of Neyman and Pearson no other events tell better, had the order no error.
    """

    cells: Cells
    order: Counts
    hits: Counts
    strays: Counts

    def event(self, row: int, column: int) -> Event:
        """One of the events."""
        chosen = np.zeros(self.cells.size, dtype=np.bool_)
        chosen[self.order[row, : column + 1]] = True
        return Event(self.cells, chosen)


def prefixes(cells: Cells, left: Outcomes, right: Outcomes) -> Prefixes:
    """Sort cells by likelihood ratio, half a count added to each so that unseen cells are not infinitely telling.

    Neither the empty event nor that of all outcomes is among them: a partition of one cell has no events at all.

    >>> from discreet.audit.cells import Listed
    >>> found = prefixes(Listed(np.arange(2)), np.array([0, 0, 1]), np.array([1, 1, 0]))
    >>> found.hits.tolist(), found.strays.tolist(), found.event(0, 0)
    ([[2, 2], [2, 2]], [[1, 1], [1, 1]], Event({0}))
    """
    counts = np.array([cells.count(left), cells.count(right)])
    ratio = (counts[0] + 0.5) / (counts[1] + 0.5) * (len(right) / len(left))
    order = np.argsort([-ratio, ratio], axis=1, kind="stable")
    hits = np.cumsum([counts[0][order[0]], counts[1][order[1]]], axis=1)[:, :-1]
    strays = np.cumsum([counts[1][order[0]], counts[0][order[1]]], axis=1)[:, :-1]
    return Prefixes(cells, order, hits, strays)
