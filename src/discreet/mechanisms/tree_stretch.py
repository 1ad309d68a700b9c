"""Many rounds of a binary tree in one go."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.mechanisms.noise import Cells
from discreet.mechanisms.running_sums import finished

Places = NDArray[np.int64]


@dataclass(frozen=True)
class Stretch:
    """So many leaves of a tree after the first `leaves`, whose sums are kept level by level.

    The rule of `RunningSums`: leaf t finishes one node, that of its last binary digit 1, at level l. It covers the
    last 2^l leaves, so the sum of all t is that of the first t - 2^l, and this node. What a tree keeps for later are
    its sums as they stood after its first (leaves >> l) << l leaves, one for each level l: arrays (levels, ...).
    """

    leaves: int
    rounds: int
    levels: int

    @cached_property
    def ends(self) -> Places:
        """The numbers of the leaves, from 1 on."""
        return self.leaves + np.arange(1, self.rounds + 1)

    @cached_property
    def level(self) -> Places:
        """The level of the node that each of them finishes."""
        return finished(self.ends)

    @cached_property
    def _before(self) -> Places:
        """Where the sum stands that each node is added to: among those kept, or among those of this stretch."""
        return self._where(self.ends - (1 << self.level), self.level)

    def _where(self, ends: Places, levels: Places) -> Places:
        return np.where(ends > self.leaves, self.levels + ends - self.leaves - 1, levels)

    def nodes(self, kept: Cells, rows: Cells) -> tuple[Cells, Cells]:
        """From the values of each leaf (rounds, ...): the nodes that they finish, and what is kept afterwards."""
        sums = self._table(kept)
        np.cumsum(rows, axis=0, out=sums[self.levels :])
        sums[self.levels :] += kept[0]
        return sums[self.levels :] - sums[self._before], self._kept(sums)

    def sums(self, kept: Cells, nodes: Cells) -> tuple[Cells, Cells]:
        """From the nodes that were finished, noisy or not: the sum after each leaf, and what is kept afterwards.

        A node is added to a sum that ends with one of a higher level, so levels go down. Sums that have left int64
        come in again at the other end, which reveals nothing.
        """
        sums = self._table(kept)
        for level in np.unique(self.level)[::-1].tolist():
            places = (self.level == level).nonzero()[0]
            sums[self.levels + places] = sums[self._before[places]] + nodes[places]
        return sums[self.levels :], self._kept(sums)

    def _table(self, kept: Cells) -> Cells:
        """The sums that are kept, and room for those of this stretch."""
        return np.concatenate([kept, np.empty((self.rounds, *kept.shape[1:]), dtype=np.int64)])

    def _kept(self, sums: Cells) -> Cells:
        levels, end = np.arange(self.levels), self.leaves + self.rounds
        return sums[self._where(end >> levels << levels, levels)]
