"""Binary trees of many runs at once, each run with phases of its own: noisy sums of losses since a phase began."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.guarantees import PureDP
from discreet.losses import UNITS, Units
from discreet.mechanisms import RunningSums
from discreet.mechanisms.noise import Noise
from discreet.mechanisms.running_sums import finished
from discreet.selection.base import at_most

#: What is released of a node is held within this, so that a sum of nodes fits into int64.
MOST = 2**56

Places = NDArray[np.int64]


@dataclass(frozen=True)
class Grown:
    """The trees of runs: rounds in them (runs,); at each level, the node's sum and its release (runs, batch, levels).

    Levels without a node hold zeros.
    """

    leaves: Places
    held: Units
    nodes: Units

    @property
    def sums(self) -> Units:
        """The noisy sums (runs, batch)."""
        total: Units = self.nodes.sum(axis=2)
        return total

    def without(self, runs: Places) -> Grown:
        """The same with new trees for these runs."""
        if not runs.size:
            return self
        leaves, held, nodes = self.leaves.copy(), self.held.copy(), self.nodes.copy()
        for array in (leaves, held, nodes):
            array[runs] = 0
        return Grown(leaves, held, nodes)


@dataclass(frozen=True)
class PhaseTrees:
    """The trees of one phase: one for each action of a batch, of so many levels, together epsilon-private.

    The rule and the noise of `RunningSums`, for runs whose phases began in different rounds. Where a tree is full,
    which takes 2^levels - 1 rounds, a new one begins at zero.

    **Guarantee.** `level`, which is epsilon at most: a round lies in `levels` nodes of each tree at most, and moves
    each by one loss at most, up or down.
    """

    levels: int
    batch: int
    epsilon: float

    @cached_property
    def noise(self) -> Noise:
        """That of a node, in units: each tree has an equal part of epsilon."""
        part = at_most(Fraction(self.epsilon) / self.batch)
        return RunningSums(self.levels, PureDP(part), (1,), signed=False).noise

    @property
    def level(self) -> Fraction:
        """What the trees of one phase reveal of a round in it."""
        return self.batch * self.levels * UNITS / self.noise.in_cells

    def empty(self, runs: int) -> Grown:
        """The trees before the first round of a phase."""
        nothing = np.zeros((runs, self.batch, self.levels), dtype=np.int64)
        return Grown(np.zeros(runs, dtype=np.int64), nothing, nothing.copy())

    def grown(self, trees: Grown, values: Units, entropy: Entropy) -> Grown:
        """The trees after one more round with these losses (runs, batch); one node of each is finished and gets noise.

        The round numbered t finishes the node of the level of the last digit 1 of t, which takes in all lower ones.
        """
        kept = trees.leaves % (2**self.levels - 1)
        full = (kept < trees.leaves)[:, None, None]
        level = finished(kept + 1)
        places = np.arange(self.levels)
        joined = (places < level[:, None])[:, None]
        sums = values + np.where(joined, trees.held, 0).sum(axis=2)
        released = np.clip(self.noise.sample(sums, entropy), -MOST, MOST)
        here = (places == level[:, None])[:, None]
        held, nodes = (np.where(joined | full, 0, old) for old in (trees.held, trees.nodes))
        return Grown(kept + 1, np.where(here, sums[:, :, None], held), np.where(here, released[:, :, None], nodes))
