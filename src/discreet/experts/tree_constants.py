"""The constants of `TreeExperts`: how epsilon is split, how often to draw, and when a phase is over.

Privacy depends on none of this: the guarantee is read off what comes out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from discreet.experts.sparse_vector_constants import RISES, SHARES
from discreet.experts.switching import most_switches
from discreet.losses import UNITS
from discreet.selection.base import at_most


@dataclass(frozen=True)
class Constants:
    """How many times a batch is drawn anew, the rate of draws, the threshold and its room for noise, in losses.

    tree_epsilon: what all trees of one phase may reveal together.
    """

    switches: int
    rate: float
    threshold: float
    noise: float
    tree_epsilon: float


@dataclass(frozen=True)
class Given:
    """What constants are calculated from."""

    n_actions: int
    epsilon: float
    rounds: int
    failure: float
    batch: int
    switches: int | None = None
    threshold: float | None = None

    @property
    def levels(self) -> int:
        """Levels of a tree that lasts all rounds."""
        return self.rounds.bit_length()


@lru_cache(maxsize=1024)
def tight(given: Given) -> Constants:
    """The rise x and the split of epsilon with the least (1 + log K) · batch · (threshold + 1 / rate).

    For each x: as many draws as `most_switches` wants at half of the failure, or as many as it takes until all actions
    have been drawn, if those are fewer. For each share of epsilon for the trees: the noise that they add, at a quarter
    of the failure up and a quarter down; the rate that the rest pays for; the threshold x / rate + noise.

    >>> found = tight(Given(100, 1.0, 10_000, 0.05, batch=1))
    >>> found.switches, round(found.threshold), round(found.noise)
    (12, 594, 474)
    """
    options = [option for x in RISES for option in _options(given, x)]
    return min(options, key=lambda option: option[0])[1]


def _options(given: Given, x: float) -> list[tuple[float, Constants]]:
    """Constants for each split of epsilon, with what they cost."""
    rest = -(-given.n_actions // given.batch) - 1
    switches = given.switches or min(rest, most_switches(given.n_actions, x, given.failure / 2))
    far = most_noise((given.rounds + switches).bit_length(), given.failure / 4 / given.batch)
    log, options = 1 + math.log(given.n_actions), []
    for share in SHARES if switches else (1.0,):
        epsilon = Fraction(given.epsilon) * Fraction(share)
        noise = far * given.batch * given.levels / float(epsilon) + given.levels / UNITS
        rate = _rate(Fraction(given.epsilon) - epsilon, switches * given.batch, given.epsilon)
        least = noise + (x / rate if switches else 0.0)
        threshold = least if given.threshold is None else given.threshold
        cost = log * given.batch * (least + 1 / rate)
        options.append((cost, Constants(switches, rate, threshold, noise, at_most(epsilon))))
    return options


def _rate(epsilon: Fraction, draws: int, unused: float) -> float:
    """The rate at which so many draws reveal epsilon together; any where there are none."""
    return at_most(epsilon / (2 * draws)) if draws else unused


@lru_cache(maxsize=1024)
def most_noise(levels: int, failure: float) -> float:
    """How many scales of a node no noisy sum of one action is off upwards, but for this chance, over all phases.

    The sum after t rounds of a phase has as many nodes as t has binary digits 1. Among n numbers in a row, for each j,
    at least as many have j digits or more as among 0, ..., n - 1 (by induction, even and odd numbers apart). So all
    phases together have no more of the noisier sums than one of all rounds; C(levels, j) numbers have j digits. For
    continuous noise: the noise of a node is that of a discrete law up to one unit.

    >>> round(most_noise(14, 0.0125), 1)
    23.7
    """
    low, high = 0.0, 1.0
    while _chance(levels, high) > failure:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _chance(levels, middle) > failure else (low, middle)
    return high


def _chance(levels: int, distance: float) -> float:
    return sum(math.comb(levels, nodes) * tail(nodes, distance) for nodes in range(1, levels + 1))


def tail(nodes: int, distance: float) -> float:
    """The chance that so many Laplace numbers of scale 1 sum to more than a distance.

    Each is the difference of two exponential numbers. So of two streams of events the one has fewer than `nodes` when
    the other, which began `distance` later, has its last one: i of them in the head start, the others after.

    >>> tail(1, 2.0) == math.exp(-2.0) / 2
    True
    """
    early = accumulate(range(1, nodes), lambda chance, i: chance * distance / i, initial=math.exp(-distance))
    return math.fsum(chance * upto for chance, upto in zip(early, reversed(_races(nodes)), strict=True))


@lru_cache(maxsize=64)
def _races(nodes: int) -> tuple[float, ...]:
    """The chances that one of two equal streams has at most 0, ..., nodes - 1 events before the other has `nodes`."""
    return tuple(accumulate(math.comb(nodes + n - 1, n) * 0.5 ** (nodes + n) for n in range(nodes)))
