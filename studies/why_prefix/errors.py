"""The numbers F_m of Cesari & Colomboni's proof: the expected gap of a softmax over the totals of m rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.bounds.block_leader import selection_gap
from discreet.environments import Environment
from discreet.selection import Softmax

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

#: Parts into which a doubling of m is cut; in each, every run draws an m of its own.
PARTS = 16


@dataclass(frozen=True)
class Doublings:
    """Sums of F_m over m = 1 and then over each doubling, 2^(k-1) < m <= 2^k; small gaps and large ones apart.

    A gap is small up to 4 · rate, as in the proof of lemma 5. `variances` are those of the entries of `sums`.
    """

    sums: Floats  # (doublings, 2)
    variances: Floats  # (doublings, 2), of the entries
    of_total: float  # variance of the sum of all entries
    uniform: float  # the expected gap of a uniform choice: F_0

    @property
    def total(self) -> float:
        """The sum of F_m over all m of these doublings."""
        return float(self.sums.sum())

    @property
    def regret(self) -> float:
        """What `PrefixSoftmax` loses up to the end of the last block that is chosen from these prefixes.

        The first action is uniform; the second block is 2 rounds, chosen from m = 1; the block after that of 2^k
        rounds is 2^(k+1) rounds, chosen from an m uniform on 2^(k-1) numbers: 4 times their sum of F_m.
        """
        return self.uniform + 2 * float(self.sums[0].sum()) + 4 * float(self.sums[1:].sum())

    @property
    def regret_error(self) -> float:
        """The standard error of `regret`; that of m = 1 is counted 4 times, not 2, which is on the safe side."""
        return 4 * float(np.sqrt(self.of_total))


def doubling(k: int) -> range:
    """The prefix lengths of the block of 2^k rounds: 1, then 2^(k-1) + 1 to 2^k.

    >>> [list(doubling(k)) for k in range(4)]
    [[1], [2], [3, 4], [5, 6, 7, 8]]
    """
    return range(2**k // 2 + 1, 2**k + 1)


def gaps_of(environment: Environment) -> Floats:
    """How far each action's mean lies above the best."""
    means = environment.means
    assert means is not None
    return np.asarray(means - means.min())


def tail(environment: Environment, rate: float, after: int) -> float:
    """The sum of F_m over all m beyond 2^after, at most this.

    Within a doubling no F_m is above what Hoeffding's inequality gives for its smallest m; the sum stops where the
    next doubling would add less than rounding.
    """
    gaps, found, k = np.sort(gaps_of(environment))[::-1], 0.0, after + 1
    while True:
        added = len(doubling(k)) * selection_gap(gaps, [doubling(k).start], [1], rate)
        found, k = found + added, k + 1
        if added <= 1e-16 * found:
            return found


def settled(environment: Environment, rate: float, left: float) -> int:
    """The first k beyond which all F_m together are at most `left`."""
    k = 1
    while tail(environment, rate, k) > left:
        k += 1
    return k


def sampled(environment: Environment, rate: float, last: int, runs: int, seed: int) -> Doublings:
    """The sums up to m = 2^last, from totals drawn for m drawn: unbiased, no F_m is interpolated.

    Each doubling is cut into `PARTS` equal parts (or its single numbers, if they are fewer). In each part every run
    draws an m uniformly and fresh totals of m rounds, and takes the expected gap by `Softmax(rate).law`.
    """
    gaps, rng = gaps_of(environment), np.random.default_rng([seed, 1])
    rounds = 2 ** (last + 1) * PARTS
    stream = environment.stream(len(gaps), rounds, runs, np.random.default_rng([seed, 2]))
    split = np.where(_small(gaps, rate), gaps, 0.0), np.where(_small(gaps, rate), 0.0, gaps)
    sums, variances, of_total, start = np.zeros((last + 1, 2)), np.zeros((last + 1, 2)), 0.0, 0
    for k, part in _parts(last):
        laws = Softmax(rate).law(stream.totals(start, rng.integers(part.start, part.stop, runs)))
        values = len(part) * (laws @ np.stack(split, axis=1))
        sums[k] += values.mean(axis=0)
        variances[k] += values.var(axis=0, ddof=1) / runs
        of_total += values.sum(axis=1).var(ddof=1) / runs
        start += part.stop
    return Doublings(sums, variances, of_total, float(gaps.mean()))


def sampled_at_ends(environment: Environment, rate: float, last: int, runs: int, seed: int) -> tuple[float, float]:
    """What softmax over whole dyadic blocks loses up to the same round, with its standard error.

    The block of 2^(k+1) rounds is chosen from m = 2^k, so it costs 2^(k+1) · F_m.
    """
    gaps, mean, variance, start = gaps_of(environment), 0.0, 0.0, 0
    stream = environment.stream(len(gaps), 2 ** (last + 1), runs, np.random.default_rng([seed, 2]))
    for m in 2 ** np.arange(last + 1):
        values = 2 * m * (Softmax(rate).law(stream.totals(start, np.full(runs, m))) @ gaps)
        mean, variance, start = mean + values.mean(), variance + values.var(ddof=1) / runs, start + int(m)
    return float(gaps.mean() + mean), float(variance**0.5)


def exact(environment: Environment, rate: float, last: int) -> Doublings:
    """The sums up to m = 2^last over the exact law of the totals, one m after the other."""
    gaps = gaps_of(environment)
    sums = np.zeros((last + 1, 2))
    for k in range(last + 1):
        for m in doubling(k):
            law = environment.total_law(0, range(m, m + 1))
            chosen = law.chances @ Softmax(rate).law(law.totals)
            small = _small(gaps, rate)
            sums[k] += chosen[small] @ gaps[small], chosen[~small] @ gaps[~small]
    return Doublings(sums, np.zeros_like(sums), 0.0, float(gaps.mean()))


def _small(gaps: Floats, rate: float) -> NDArray[np.bool_]:
    return np.asarray(gaps <= 4 * rate)


def _parts(last: int) -> Iterator[tuple[int, range]]:
    """Each doubling in equal parts, with its number."""
    for k in range(last + 1):
        numbers = doubling(k)
        size = max(1, len(numbers) // PARTS)
        for first in range(numbers.start, numbers.stop, size):
            yield k, range(first, first + size)
