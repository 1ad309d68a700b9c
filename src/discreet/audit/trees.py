"""Trees of adversaries: the most that losses which react to the actions so far can draw out of a learner, exactly.

An adversary sees the action of every round before it sets that round's losses. Two of them are neighbors when they
differ in the losses of one round, whatever the actions up to then. Along one sequence of actions two neighbors show
two neighboring tables, and the sequence has on each the probability that the learner's law gives it there: its draws
see losses and its own earlier draws, but not what made the losses. So

- the largest ratio of probabilities of one sequence is that between tables fixed in advance: for a pure guarantee
  adversaries that react can do nothing that tables cannot;
- a delta adds up over sequences, and each may have tables of its own: here reacting does help, and `largest_delta`
  says by how much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.audit.law import sequence_law
from discreet.audit.tables import Tables, every_table
from discreet.experts import Learner
from discreet.guarantees import ApproxDP, PureDP
from discreet.losses import Units

Floats = NDArray[np.float64]
#: Shares of a claimed epsilon at which it is judged, and more than what floats add to a delta.
_SHARES, _ROUNDING = (0.0, 0.25, 0.5, 1.0), 1e-9


@dataclass(frozen=True)
class Laws:
    """The laws of a learner on all tables of so many rounds with rows of losses from a grid.

    chances: one row a table, in the order of `tables`; one column a sequence, of the actions of all rounds and of the
    one after.
    """

    tables: Tables
    chances: Floats
    n_actions: int

    @property
    def rounds(self) -> int:
        """How long the tables are."""
        return len(self.tables.shape)


def every_law(learner: Learner, rounds: int, rows: Units) -> Laws:
    """Play all tables."""
    tables = every_table(rows, rounds, list(range(rounds)))
    chances = np.stack([sequence_law(learner, table).ravel() for table in tables.units])
    return Laws(tables, chances, learner.n_actions)


def largest_delta(laws: Laws, epsilon: float, reacting: bool = True) -> float:
    """The least delta with which (epsilon, delta) holds between all neighboring adversaries; or all fixed tables.

    The excess of each sequence over e^epsilon times its probability under the neighbor is added up over the action of
    a round, and maximized over its losses, from the last round to the first: the best that a tree can do.

    >>> from discreet import experts
    >>> from discreet.audit.tables import cells
    >>> learner = experts.SparseVectorExperts(2, epsilon=4.0, rounds=9, switches=3, threshold=0.0)
    >>> laws = every_law(learner, 3, cells([0, 1], 2))
    >>> [round(largest_delta(laws, 0.5, reacting), 4) for reacting in (False, True)], largest_delta(laws, 4.0)
    ([0.2934, 0.3222], 0.0)
    """
    return max(_with_round_replaced(laws, place, epsilon, reacting) for place in range(laws.rounds))


def judged(laws: Laws, promised: PureDP | ApproxDP) -> tuple[bool, str]:
    """Whether a promise holds against all trees, at its epsilon and at smaller ones; and the closest call in words."""
    levels = [share * float(promised.epsilon) for share in _SHARES]
    found = [(largest_delta(laws, level), promised.delta(level), level) for level in levels]
    delta, allowed, level = max(found, key=lambda one: one[0] - one[1])
    holds = delta <= allowed + _ROUNDING
    said = (
        f"at epsilon {level:g} losses that react take a delta of {delta:.4g}, {'within' if holds else 'above'} "
        f"{allowed:.4g}; fixed ones {largest_delta(laws, level, False):.4g}"
    )
    return holds, said


def _with_round_replaced(laws: Laws, place: int, epsilon: float, reacting: bool) -> float:
    """The same where the two differ in this round: axes of rows, that of its replacement next to it, then actions."""
    rounds = laws.rounds
    chances = laws.chances.reshape(*laws.tables.shape, *(laws.n_actions,) * (rounds + 1))
    one, other = np.expand_dims(chances, place + 1), np.expand_dims(chances, place)
    excess = np.maximum(one - math.exp(epsilon) * other, 0.0)
    if not reacting:
        return float(excess.sum(axis=tuple(range(rounds + 1, 2 * rounds + 2))).max())
    value = excess.sum(axis=-1)
    for round_ in reversed(range(rounds)):
        first = round_ + (round_ > place)
        axes = (place, place + 1) if round_ == place else (first,)
        value = value.max(axis=axes).sum(axis=-1)
    return float(value)
