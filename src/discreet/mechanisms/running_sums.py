"""The binary tree mechanism: private running sums in little memory."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.guarantees import Guarantee
from discreet.losses import UNITS
from discreet.mechanisms.noise import FURTHEST, Cells, Floats, Noise
from discreet.mechanisms.sums import Sums, count


class RunningSums(Sums):
    """The sum of all values so far, as a sum of a few noisy nodes of a binary tree over rounds.

    **Rule.** A node of level l covers 2^l rounds and gets noise once, when its last round is over. The sum after t
    rounds adds one node for each binary digit 1 of t. A tree of `levels` levels lasts 2^levels - 1 rounds. With
    `levels=None` there is no end but that of whole numbers (`capacity`): rounds 2^k to 2^(k+1) - 1 have a tree of their
    own with k + 1 levels and more noise, and the totals of finished trees stay as they were released. `reduced=True`
    gives every node noise and averages it with its two children, with weights 2^l / (2^(l+1) - 1) and the rest:
    variance 2^l / (2^(l+1) - 1) of a lone node's (Honaker 2015, from below), at the same guarantee.

    **Guarantee.** The `promise`: `GaussianDP(mu)` by Gaussian, `PureDP(epsilon)` by Laplace noise, both exact. A
    round lies in at most `levels` nodes (the first in exactly that many), each of which moves by d when it is
    replaced; d is 2 · norm for values of both signs. So mu = sqrt(levels) · d / scale, epsilon = levels · d / scale,
    by adaptive composition: each value may depend on the sums before it. A round lies in one tree, so `levels=None`
    costs nothing more.

    **Error.** After t rounds the variance of each entry is that of a node times the number of digits 1 in t, or their
    reduced variances (`variances`). **Cost.** One draw a round (two on average when reduced); O(levels) memory.

    >>> from discreet.entropy import SeededEntropy
    >>> from discreet.guarantees import GaussianDP
    >>> sums, entropy = RunningSums(10, GaussianDP(1.0)), SeededEntropy(1)
    >>> released = [sums.add(UNITS, entropy) for _ in range(1000)]
    >>> sums.guarantee, bool(abs(released[-1] / UNITS - 1000) < 80)
    (GaussianDP(mu=1.0), True)

    References: Dwork, Naor, Pitassi & Rothblum 2010; Chan, Shi & Song 2011; Honaker 2015.
    """

    _arrays = ("_held", "_estimates", "_done")

    def __init__(
        self,
        levels: int | None,
        promise: Guarantee,
        shape: tuple[int, ...] = (),
        norm: int = UNITS,
        signed: bool = True,
        reduced: bool = False,
    ) -> None:
        super().__init__(promise, shape, norm, signed)
        self.levels = None if levels is None else count("levels", levels, 1)
        if self.levels is not None and self.levels > 43:
            raise ValueError(f"levels is {levels}; at most 43, which is for 2^43 - 1 rounds")
        if self.levels is not None and self.norm << self.levels - 1 > FURTHEST:
            raise ValueError(f"{levels} levels of values up to {norm} cells do not fit: take a coarser grid")
        self.reduced = reduced
        self.noise = self._noise(Fraction(self.levels or 1))
        self.__dict__.update(self._empty(0))

    @property
    def capacity(self) -> int:
        """2^levels - 1 rounds; without levels as many as surely fit, whatever the values are."""
        levels: int = (FURTHEST // self.norm).bit_length() if self.levels is None else self.levels
        return (1 << levels) - 1

    def _empty(self, rounds: int) -> dict[str, NDArray[Any]]:
        shape = (self.levels or rounds.bit_length(), *self.shape)
        return {"_held": np.zeros(shape, np.int64), "_estimates": np.zeros(shape), "_done": np.zeros(self.shape)}

    def _filled(self, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
        return arrays | {"noise": self._noise(Fraction(len(arrays["_held"]) or 1))}

    def _after(self, cells: Cells, entropy: Entropy) -> dict[str, Any]:
        rounds, state = self.rounds + 1, {name: getattr(self, name) for name in (*self._arrays, "noise")}
        if self.levels is None and rounds & (rounds - 1) == 0:
            state = self._filled(self._empty(rounds) | {"_done": self.estimate})
        in_tree = self._in_tree(rounds)
        state["_held"], state["_estimates"] = joined(
            in_tree, cells, state["_held"], state["_estimates"], state["noise"], self.reduced, entropy
        )
        estimate = state["_done"] + state["_estimates"][digits(in_tree)].sum(axis=0)
        return state | {"rounds": rounds, "estimate": estimate}

    def _in_tree(self, rounds: int) -> int:
        """How many rounds the tree has in which the last of some rounds lies."""
        return rounds if self.levels else rounds + 1 - (1 << (rounds.bit_length() - 1))

    def variances(self, rounds: int) -> Floats:
        """The variance of each entry of the first estimates, in squared cells, rounding to cells left out."""
        if self.levels is not None:
            return self.noise.variance * node_counts(np.arange(1, rounds + 1), self.reduced)
        trees, done = [np.zeros(0)], 0.0
        for level in range(rounds.bit_length()):
            inside = node_counts(np.arange(1, 2**level + 1), self.reduced)
            trees.append(done + self._noise(Fraction(level + 1)).variance * inside)
            done = float(trees[-1][-1])
        return np.concatenate(trees)[:rounds]


def joined(
    leaves: int, cells: Cells, held: Cells, estimates: Floats, noise: Noise, reduced: bool, entropy: Entropy
) -> tuple[Cells, Floats]:
    """The tree after its leaf number `leaves`: what is held at each level, and the estimates of it, both new arrays.

    As in counting in binary: where a left node waits, the new one joins it, and goes up a level. A lone node that is
    joined at once is never released, so it gets no noise; one that is averaged with its parent does.
    """
    held, estimates, level, estimate = held.copy(), estimates.copy(), 0, None
    while True:
        waits = leaves - 1 >> level & 1
        if reduced or not waits:
            own = noise.sample(cells, entropy).astype(np.float64)
            estimate = own if estimate is None or not reduced else share(level) * own + (1 - share(level)) * estimate
        if not waits:
            held[level], estimates[level] = cells, estimate
            return held, estimates
        cells = held[level] + cells
        estimate = None if estimate is None else estimates[level] + estimate
        level += 1


def share(level: int) -> float:
    """The weight of a node of its own in its reduced estimate, which is also that estimate's share of the variance.

    >>> share(0), round(share(1), 4), round(share(2), 4)
    (1.0, 0.6667, 0.5714)
    """
    return 2.0**level / (2.0 ** (level + 1) - 1)


def digits(number: int) -> list[int]:
    """The places of the binary digits 1.

    >>> digits(10)
    [1, 3]
    """
    return [place for place in range(number.bit_length()) if number >> place & 1]


def finished(leaves: NDArray[np.int64]) -> NDArray[np.int64]:
    """The level of the node that each leaf finishes: that of its last binary digit 1.

    >>> finished(np.arange(1, 9)).tolist()
    [0, 1, 0, 2, 0, 1, 0, 3]
    """
    levels: NDArray[np.int64] = np.bitwise_count(leaves ^ (leaves - 1)).astype(np.int64) - 1
    return levels


def node_counts(leaves: NDArray[np.int64], reduced: bool) -> Floats:
    """The variance of the sum after so many leaves, in variances of a node.

    >>> node_counts(np.array([1, 2, 3]), reduced=False).tolist()
    [1.0, 1.0, 2.0]
    """
    total = np.zeros(len(leaves))
    for level in range(int(leaves.max(initial=0)).bit_length()):
        total += (leaves >> level & 1) * (share(level) if reduced else 1.0)
    return total
