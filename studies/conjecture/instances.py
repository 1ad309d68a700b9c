"""Instances for Wu & Wang's conjecture, and how large its constant c1 must be for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.environments import Environment, TwoPoint
from discreet.experts import NoisyLeader
from discreet.experts.noisy_leader import Noise
from discreet.losses import UNITS

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Instance:
    """One selection: n rounds, and groups of actions at gaps above epsilon; the best action stands alone.

    loads: n · gap · epsilon / 2 of each group, what the exponent of a softmax would be; the gaps follow from it.
    high: the losses of a group are its mean over `high` of the time `high` and else 0; None where they never change.
    """

    loads: tuple[float, ...]
    counts: tuple[int, ...]
    epsilon: float
    n: int
    base: float = 0.0
    high: float | None = None

    @property
    def n_actions(self) -> int:
        """The actions of all groups, and the best."""
        return 1 + sum(self.counts)

    @property
    def group_gaps(self) -> Floats:
        """The gap of each group."""
        return np.array(self.loads) * 2 / (self.n * self.epsilon)

    @property
    def allowed(self) -> bool:
        """Whether every gap lies above epsilon, and means below `high`."""
        top = 1.0 if self.high is None else self.high
        return bool(self.group_gaps.min() > self.epsilon and self.base + self.group_gaps.max() <= top)

    def means(self) -> Floats:
        """The mean of every action, the best one first."""
        return self.base + np.repeat(np.append(0.0, self.group_gaps), (1, *self.counts))

    def environment(self) -> Environment:
        """Losses of two values, independent; for losses that vary."""
        high = 1.0 if self.high is None else self.high
        k = self.n_actions
        return TwoPoint(np.zeros(k), np.full(k, high), np.minimum(self.means() / high, 1.0))


def chances(instance: Instance, noise: Noise, runs: int = 1, seed: int = 0) -> Floats:
    """The chance of one action of each group, per run: (runs, groups); one exact row where losses never change.

    The noise is not drawn but summed over, and the actions of a group are averaged.
    """
    selection = NoisyLeader(instance.n_actions, instance.epsilon, noise).selection
    if instance.high is None:
        totals = np.rint(instance.n * instance.means() * UNITS).astype(np.int64)[None]
    else:
        stream = instance.environment().stream(instance.n_actions, instance.n, runs, np.random.default_rng(seed))
        totals = stream.totals(0, np.array([instance.n]))
    laws = selection.law(totals)[:, 1:]
    starts = np.cumsum((0, *instance.counts[:-1]))
    return np.asarray(np.add.reduceat(laws, starts, axis=1) / instance.counts)


def claimed(instance: Instance, c2: float) -> Floats:
    """The right side of the conjecture for each group, without c1, as a logarithm.

    2^(r+1) is 4 n, so the exponent 2^(r+1) · gap · epsilon / c2 is 8/c2 times the load.
    """
    exponents = 8 / c2 * np.array(instance.loads)
    return np.asarray(-exponents - np.log1p((np.array(instance.counts) * np.exp(-exponents)).sum()))


def needed(instance: Instance, noise: Noise, c2: float) -> float:
    """The logarithm of the c1 that an instance needs where losses never change."""
    with np.errstate(divide="ignore"):
        return float((np.log(chances(instance, noise)[0]) - claimed(instance, c2)).max())


def counterexample(k: int, c2: float) -> float:
    """The c1 that losses that never change need at least, for Gumbel noise and c2 >= 8.

    One action is nearly as good as the best, K - 2 have one gap far above. With w the weight exp(-8/c2 · load) that
    the conjecture gives to each of those, they have weight w^(c2/8) in the softmax; the near-best action has chance
    1 / (2 + (K - 2) w^(c2/8)), and the conjecture allows c1 / (2 + (K - 2) w). The largest ratio over w grows like
    K^(1 - 8/c2).
    """
    weights = np.exp(-np.linspace(0, 3 * np.log(k) + 5, 20_001))
    return float(((2 + (k - 2) * weights) / (2 + (k - 2) * weights ** (c2 / 8))).max())


def pair_needs(n: int, gap: float, epsilon: float, noise: Noise, c2: float) -> float:
    """The logarithm of the c1 that two actions need, whose losses are 0 or 1 with means 1/2 -+ gap/2; exactly.

    Resampling changes nothing here. The law of the difference of two binomials is a sum of positive terms, so that
    chances far below 10^-16 keep their digits.
    """
    from scipy.stats import binom

    ups = np.arange(n + 1)
    law = np.convolve(binom.pmf(ups, n, 0.5 + gap / 2), binom.pmf(ups, n, 0.5 - gap / 2)[::-1])
    behind = np.arange(-n, n + 1)
    totals = np.stack([np.zeros_like(behind), behind], axis=1) * UNITS
    chance = law @ NoisyLeader(2, epsilon, noise).selection.law(totals)[:, 1]
    instance = Instance((n * gap * epsilon / 2,), (1,), epsilon, n)
    return float(np.log(chance) - claimed(instance, c2)[0])


def lemma_16(instance: Instance) -> Floats:
    """What the proof of lemma 16 shows for Gumbel noise: exp(-n · gap · epsilon / 2 / 2) + exp(-n · gap^2 / 4).

    The first term has epsilon/4 where the paper has epsilon/2, as Gumbel noise of scale 2/epsilon has rate epsilon/2.
    """
    gaps = instance.group_gaps
    return np.asarray(np.exp(-np.array(instance.loads) / 2) + np.exp(-instance.n * gaps**2 / 4))
