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
from discreet.mechanisms import LaplaceNoise, RunningSums
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
    def noise(self) -> LaplaceNoise:
        """That of a node, in units: each tree has an equal part of epsilon."""
        part = at_most(Fraction(self.epsilon) / self.batch)
        noise = RunningSums(self.levels, PureDP(part), (1,), signed=False).noise
        return LaplaceNoise(noise.scale, noise.grid)

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
        begun = self._begun(trees)
        finished = finished_nodes(begun, values[None])
        released = np.clip(self.noise.sample(finished.sums[0], entropy), -MOST, MOST)
        return finished.after(1, released[None])

    def foreseen(self, trees: Grown, values: Units, entropy: Entropy) -> tuple[Finished, Units]:
        """What the coming rounds (rounds, runs, batch) finish and release, for as many as can be told without drawing.

        The noise is that which `grown` will draw, round by round.
        """
        begun = self._begun(trees)
        rounds = min(len(values), 2**self.levels - 1 - int(begun.leaves.max()))
        noise = self.noise.ahead(rounds, values[0].size, entropy).reshape(-1, *values.shape[1:])
        finished = finished_nodes(begun, values[: len(noise)])
        return finished, np.clip(finished.sums + noise, -MOST, MOST)

    def _begun(self, trees: Grown) -> Grown:
        """The same trees, those that are full begun anew."""
        return trees.without((trees.leaves == 2**self.levels - 1).nonzero()[0])


@dataclass(frozen=True)
class Finished:
    """The nodes that coming rounds finish, one a round: their levels (rounds, runs), and sums (rounds, runs, batch)."""

    before: Grown
    level: Places
    sums: Units

    def after(self, rounds: int, released: Units) -> Grown:
        """The trees after so many of the rounds: at each level the node that was finished last, if one is there."""
        runs, levels = len(self.before.leaves), self.before.held.shape[2]
        leaves = self.before.leaves + rounds
        last = leaves[:, None] >> np.arange(levels) << np.arange(levels)
        there = (leaves[:, None] >> np.arange(levels) & 1 == 1)[:, None]
        place = last - self.before.leaves[:, None] - 1
        new, index = (place >= 0)[:, None], (np.maximum(place, 0), np.arange(runs)[:, None])
        held, nodes = (
            np.where(there, np.where(new, np.moveaxis(made[index], 1, 2), old), 0)
            for made, old in ((self.sums, self.before.held), (released, self.before.nodes))
        )
        return Grown(leaves, held, nodes)

    def noisy_sums(self, released: Units) -> Units:
        """The noisy sums after each of the rounds: the node that it finished, and the sums up to where that begins."""
        older = np.cumsum(self.before.nodes[..., ::-1], axis=2)[..., ::-1] - self.before.nodes
        total = np.empty_like(released)
        begins = np.arange(len(self.level))[:, None] - (np.int64(1) << self.level)
        for level in np.unique(self.level)[::-1].tolist():
            row, run = (self.level == level).nonzero()
            first = begins[row, run]
            earlier = np.where((first >= 0)[:, None], total[np.maximum(first, 0), run], older[run, :, level])
            total[row, run] = released[row, run] + earlier
        return total


def finished_nodes(trees: Grown, values: Units) -> Finished:
    """The nodes that these rounds (rounds, runs, batch) finish in trees that they do not fill."""
    rounds, runs = values.shape[:2]
    after = trees.leaves + np.arange(1, rounds + 1)[:, None]
    level = np.bitwise_count(after ^ (after - 1)).astype(np.int64) - 1
    begins = np.arange(1, rounds + 1)[:, None] - (np.int64(1) << level)  # rounds from now on; before now if negative
    sums = np.concatenate([np.zeros((1, *values.shape[1:]), dtype=np.int64), np.cumsum(values, axis=0)])
    lower = np.cumsum(trees.held, axis=2) - trees.held
    earlier = np.where(
        (begins < 0)[..., None], lower[np.arange(runs), :, level], -sums[np.maximum(begins, 0), np.arange(runs)]
    )
    return Finished(trees, level, sums[1:] + earlier)
