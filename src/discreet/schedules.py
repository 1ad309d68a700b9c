"""When a block learner looks: which rounds belong to which block, and which part of a block counts.

A schedule is fixed before the first loss arrives and never depends on the losses. Rounds count from 0; block k is
the rounds ends[k-1] .. ends[k] - 1, and block 0 starts at round 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.losses import MAX_ROUNDS

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Schedule:
    """Blocks by their ends; with `random_prefix`, only a random prefix of each block counts.

    >>> growing(3).lengths[:5].tolist()
    [1, 3, 9, 27, 81]
    """

    ends: tuple[int, ...]
    random_prefix: bool = False
    lengths: Counts = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lengths", np.diff(self.ends, prepend=0).astype(np.int64))

    def draw_prefixes(self, runs: int, entropy: Entropy) -> Counts:
        """How many rounds of each block count, (runs, blocks); (1, blocks) where it is the whole block for all.

        They do not depend on the losses, so they are drawn at the start, for every block there can be: a table
        can then be summed once for all runs.
        """
        if not self.random_prefix:
            return self.lengths[None]
        skipped = self.lengths // 2  # the first half of a block never ends a prefix
        choices = np.tile(self.lengths - skipped, runs)
        return (1 + skipped) + entropy.below_each(choices).reshape(runs, -1)

    def prefix_counts(self, block: int) -> range:
        """The prefix lengths of a block that are possible, all of them equally likely."""
        length = int(self.lengths[block])
        return range(1 + length // 2 if self.random_prefix else length, length + 1)


def growing(growth: Fraction | int, lengths: tuple[int, ...] = (1,), random_prefix: bool = False) -> Schedule:
    """Blocks of the given lengths, and then each as long as the last one times `growth`, rounded up.

    >>> growing(Fraction(12, 5), lengths=(1, 6)).lengths[:5].tolist()
    [1, 6, 15, 36, 87]
    """
    if growth <= 1:
        raise ValueError(f"growth is {growth}; blocks grow by a factor above 1")
    if min(lengths) < 1:
        raise ValueError(f"lengths are {lengths}; every block has at least one round")
    planned, ends, length = iter(lengths), [0], 0
    while ends[-1] < MAX_ROUNDS:
        length = next(planned, math.ceil(length * growth))
        ends.append(min(ends[-1] + length, MAX_ROUNDS))
    return Schedule(tuple(ends[1:]), random_prefix)


def dyadic(random_prefix: bool = False) -> Schedule:
    """Blocks of 1, 2, 4, 8, ... rounds; prefixes are uniform on the second half of a block, 1 in the first block.

    >>> dyadic().lengths[:5].tolist()
    [1, 2, 4, 8, 16]
    >>> list(dyadic(random_prefix=True).prefix_counts(block=3))
    [5, 6, 7, 8]
    """
    return growing(2, random_prefix=random_prefix)
