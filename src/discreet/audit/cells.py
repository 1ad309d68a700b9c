"""Outcomes sorted into few cells, learned from past samples, so that every later question is one of counting."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.audit.classifiers import Classifier, QuadraticLogistic
from discreet.audit.samples import Counts, Floats, Outcomes, keys

#: An outcome seen less often than this among the samples that shape the cells has no cell of its own.
LEAST = 5
#: At most so many intervals of equal content, and at most so many values that repeat and get a cell of their own.
MOST = 64
_SHOWN = 8


class Cells(ABC):
    """A partition of all outcomes, those never seen included."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many cells there are."""

    @abstractmethod
    def of(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """The cell of each outcome."""

    @abstractmethod
    def name(self, chosen: NDArray[np.bool_]) -> str:
        """The union of some cells in words."""

    def count(self, outcomes: Outcomes) -> Counts:
        """How many outcomes fall into each cell."""
        return np.bincount(self.of(outcomes), minlength=self.size)


@dataclass(frozen=True)
class Listed(Cells):
    """One cell for each of the outcomes listed, which are sorted by their keys, and one for all others."""

    outcomes: Outcomes

    @property
    def size(self) -> int:
        """The listed outcomes and the rest."""
        return len(self.outcomes) + 1

    def of(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """The place in the list."""
        if not len(self.outcomes):
            return np.zeros(len(outcomes), dtype=np.intp)
        known, asked = keys(self.outcomes), keys(outcomes)
        place = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        return np.where(known[place] == asked, place, len(known))

    def name(self, chosen: NDArray[np.bool_]) -> str:
        """The set, or what it leaves out."""
        others = bool(chosen[-1])
        listed = self.outcomes[chosen[:-1] != others]
        shown = [str(tuple(x)) if isinstance(x, list) else str(x) for x in listed[:_SHOWN].tolist()]
        more = [f"{len(listed) - _SHOWN} more"] if len(listed) > _SHOWN else []
        return f"{'any but ' if others else ''}{{{', '.join(shown + more)}}}"


@dataclass(frozen=True)
class Intervals(Cells):
    """Cell i holds the values in (edge i - 1, edge i]; the values are the outcomes or a score of them."""

    edges: Floats
    score: Callable[[Outcomes], Floats] | None = None

    @property
    def size(self) -> int:
        """One more than the edges."""
        return len(self.edges) + 1

    def of(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """The interval of each value."""
        values = outcomes if self.score is None else self.score(outcomes)
        return np.searchsorted(self.edges, values, side="left")

    def name(self, chosen: NDArray[np.bool_]) -> str:
        """The intervals, neighbors joined."""
        what = "outcome" if self.score is None else "score"
        turns = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]])))
        pieces = [self._piece(what, first, last) for first, last in turns.reshape(-1, 2).tolist()]
        return " or ".join(pieces[:_SHOWN]) + (" or ..." if len(pieces) > _SHOWN else "")

    def _piece(self, what: str, first: int, last: int) -> str:
        below = f"{self.edges[first - 1]:.6g} < " if first else ""
        above = f" <= {self.edges[last - 1]:.6g}" if last < self.size else ""
        return f"{below}{what}{above}"


def learned(left: Outcomes, right: Outcomes, classifier: Classifier | None = None) -> Cells:
    """Cells for outcomes like these: a list where they repeat, intervals where they do not.

    Several continuous numbers are first turned into one score by a classifier that tells left from right.

    >>> learned(np.repeat([0, 2], 9), np.repeat([2, 1], [17, 1])).of(np.array([0, 1, 2, 3])).tolist()
    [0, 2, 1, 2]
    """
    pooled = np.concatenate([left, right])
    if classifier is None:
        distinct, first, counts = np.unique(keys(pooled), return_index=True, return_counts=True)
        if 10 * len(distinct) <= len(pooled) or (pooled.ndim == 2 and pooled.dtype.kind == "i"):
            return Listed(pooled[first[counts >= LEAST]])
        if pooled.ndim == 1:
            return Intervals(_edges(pooled))
    return _scored(pooled, len(left), QuadraticLogistic() if classifier is None else deepcopy(classifier))


def _scored(pooled: Outcomes, n_left: int, classifier: Classifier) -> Intervals:
    features = pooled if pooled.ndim == 2 else pooled[:, None]
    classifier.fit(features, np.repeat([0, 1], [n_left, len(pooled) - n_left]))

    def score(outcomes: Outcomes) -> Floats:
        rows = outcomes if outcomes.ndim == 2 else outcomes[:, None]
        return np.asarray(classifier.predict_proba(rows), dtype=np.float64)[:, 1]

    return Intervals(_edges(score(pooled)), score)


def _edges(values: Outcomes) -> Floats:
    """Edges that cut the sample into equal parts, and out the values that repeat."""
    ordered = np.sort(values.astype(np.float64))
    parts = max(1, min(MOST, len(ordered) // (2 * LEAST)))
    edges = ordered[np.arange(1, parts) * len(ordered) // parts]
    distinct, counts = np.unique(ordered, return_counts=True)
    often = np.argsort(-counts, kind="stable")[:MOST]
    atoms = distinct[often[counts[often] >= LEAST]]
    cuts: Floats = np.unique(np.concatenate([edges, atoms, np.nextafter(atoms, -np.inf)]))
    return cuts[np.isfinite(cuts)]
