"""The law of the batch around a round as it is: by simulation, and by rule of thumb."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.entropy import SeededEntropy
from discreet.experts.parameters import whole
from discreet.local.amplification import allowed_tolerance
from discreet.local.batch_law import BatchLaw
from discreet.local.delays import Delays
from discreet.local.noise import normals
from discreet.selection.base import positive


def simulated_batch_law(
    t: int, n_actions: int, scale: float, tolerance: float, runs: int = 1000, seed: int = 0, losses: ArrayLike = 0.0
) -> BatchLaw:
    """The sizes of the batch around round t that `runs` runs of `AdaptiveBatchLeader` have, on the same losses each
    round (all 0 unless said): **an estimate, not a promise**.

    From batch to batch: the reports of a batch of b rounds are added at once, as one draw of N(b losses, scale^2 b).

    >>> law = simulated_batch_law(100, n_actions=2, scale=5.0, tolerance=0.01)
    >>> 0.5 < law.survival(2) < 1
    True
    """
    t, runs = whole("t", t, least=1), whole("runs", runs, least=1)
    delays = Delays(whole("n_actions", n_actions, least=2), positive("scale", scale), allowed_tolerance(tolerance))
    row, entropy = np.broadcast_to(np.asarray(losses, dtype=float), n_actions), SeededEntropy(seed)
    sizes, seen = np.ones(runs, dtype=np.int64), np.ones(runs, dtype=np.int64)
    totals = row + scale * math.sqrt(2) * normals((runs, n_actions), entropy)
    while (going := np.flatnonzero(seen < t)).size:
        first_two = np.partition(totals[going], 1, axis=1)
        sizes[going] = 1 + delays.each(first_two[:, 1] - first_two[:, 0], seen[going])
        b = sizes[going, None]
        totals[going] += row * b + scale * np.sqrt(b) * normals((len(going), n_actions), entropy)
        seen[going] += sizes[going]
    return _law_of(sizes)


def _law_of(sizes: NDArray[np.int64]) -> BatchLaw:
    """Each size with its share."""
    different, counts = np.unique(sizes, return_counts=True)
    return BatchLaw(tuple(different.tolist()), tuple((counts / len(sizes)).tolist()))


def heuristic_ratio(t: int, n_actions: int, tolerance: float, chance: float) -> float:
    """By what factor batches lower mu for the report of round t, but for the given chance: **a rule of thumb**.

    Appendix A.11 with its slips put right; never a guarantee. For equal losses, large t and small batches, a batch of
    at most B rounds has about the chance

        (n/2) sqrt(B/(pi t)) (sqrt(2 log(2n - 2)) + sqrt(4 log(1/tolerance) + 2 log(t/log n))),

    and this is the B at which that is `chance`; the ratio is sqrt(B), at least 1. It grows like sqrt(t/log t): the
    paper's r is the square, the size of the batch, and lacks a factor of sqrt(2) in the second term. For n > 2 the
    factor n/2 is far from sharp.

    >>> round(heuristic_ratio(10_000, n_actions=2, tolerance=0.01, chance=0.1), 2)
    2.43
    """
    t, n_actions = whole("t", t, least=1), whole("n_actions", n_actions, least=2)
    tolerance, chance = allowed_tolerance(tolerance), positive("chance", chance)
    overtaken = 4 * math.log(1 / tolerance) + 2 * math.log(t / math.log(n_actions))
    needed = math.sqrt(2 * math.log(2 * n_actions - 2)) + math.sqrt(max(0.0, overtaken))
    return max(1.0, 2 * chance / n_actions * math.sqrt(math.pi * t) / needed)
