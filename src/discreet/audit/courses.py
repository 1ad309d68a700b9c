"""What one course of a learner with trees reveals of one round: every release as it was, on a table and a neighbor."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy, SeededEntropy
from discreet.experts.tree import TreeExperts
from discreet.guarantees import PureDP
from discreet.losses import UNITS, Units


class _Course:
    """Releases in order: made and kept the first time, given again the second time, whatever they are made of."""

    def __init__(self, mechanism: Any) -> None:
        self._mechanism, self._kept, self._at = mechanism, list[tuple[Units, Any]](), 0
        self.again, self.moves = False, list[NDArray[np.int64]]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._mechanism, name)

    def sample(self, values: Units, entropy: Entropy) -> Any:
        """What the mechanism gives, or gave."""
        if not self.again:
            self._kept.append((values.copy(), self._mechanism.sample(values, entropy)))
            return self._kept[-1][1]
        before, released = self._kept[self._at]
        self._at += 1
        self.moves.append(np.abs(values - before))
        return released


def course_reveals(learner: TreeExperts, units: Units, neighbor: Units, seed: int) -> Fraction:
    """The sum of what all nodes and draws of one course reveal of where two tables (rounds, K) differ.

    A node that moves by m units reveals m / scale at most, a draw whose totals move by m losses m times its level.
    """
    trees: Any = _Course(learner.trees.noise)
    draws: Any = _Course(learner.selection)
    for again, table in ((False, units), (True, neighbor)):
        trees.again = draws.again = again
        made: Any = type(learner)(**(learner.get_params() | {"seed": None, "runs": None}))
        made._entropy, made.selection, made.limit = SeededEntropy(seed), draws, 0
        object.__setattr__(made.trees, "noise", trees)
        made._reset()
        for row in table:  # one release after the other, as online
            made._learn(row[None])
    nodes = Fraction(int(sum(move.sum() for move in trees.moves))) / Fraction(trees.in_cells)
    furthest = Fraction(int(sum(move.max() for move in draws.moves)), UNITS)
    return nodes + furthest * Fraction(draws.level)


def reveals_little(learner: TreeExperts, rounds: int, promised: PureDP, tries: int = 40) -> str | None:
    """Courses reveal of one round, all of whose losses are turned round, no more than is promised. Else what was seen.

    Thresholds are put to zero, so that phases end; losses are 0 and 1.
    """
    made, rng = learner.clone().set_params(rounds=rounds), np.random.default_rng(5)
    for seed in range(tries):
        units = rng.choice([0, UNITS], size=(rounds, made.n_actions))
        place, neighbor = int(rng.integers(2 ** rng.integers(rounds.bit_length()))), units.copy()
        neighbor[place] ^= UNITS
        seen = course_reveals(made, units, neighbor, seed)
        if seen > Fraction(promised.epsilon):
            return f"a course reveals {float(seen):g} of round {place} of {rounds}, more than {promised.epsilon:g}"
    return None
