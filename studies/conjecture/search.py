"""A search for instances on which the conjecture needs a large constant: random ones, then steps uphill."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.experts.noisy_leader import Noise
from studies.conjecture.instances import Floats, Instance, chances, claimed, lemma_16, needed

#: Where c2 is below 8 the constant grows with the load, without end; so far the search goes.
MOST_LOAD = 40.0


def instance(
    loads: Floats,
    counts: tuple[int, ...],
    top: float = 1.0,
    base: float = 0.0,
    high: float | None = None,
    spare: int = 0,
) -> Instance:
    """The instance with these loads in the shortest block, a power of two, in which all gaps lie above epsilon.

    top: the largest gap. spare: how many times more the block is doubled.
    """
    heavy = float(loads.max())
    length = 2 ** (int(np.log2(2 * heavy**2 / (float(loads.min()) * top**2))) + 1 + spare)
    n = max(1, length)
    return Instance(tuple(loads.tolist()), counts, 2 * heavy / (n * top), n, base, high)


def random_loads(k: int, rng: np.random.Generator) -> tuple[Floats, tuple[int, ...]]:
    """One to three groups of K - 1 actions, the first of them often a single action."""
    groups = min(int(rng.integers(1, 4)), k - 1)
    loads = np.exp(rng.uniform(np.log(0.01), np.log(3 * np.log(k) + 5), size=groups))
    cuts = np.sort(rng.choice(np.arange(1, k - 1), size=groups - 1, replace=False)) if groups > 1 else np.array([], int)
    if groups > 1 and rng.random() < 0.5:
        cuts[0] = 1
    counts = np.diff(np.concatenate([[0], np.unique(cuts), [k - 1]]))
    return loads[: len(counts)], tuple(counts.tolist())


def hardest(k: int, noise: Noise, c2: float, draws: int, steps: int, seed: int) -> tuple[float, Instance]:
    """The largest c1 found among losses that never change, as a logarithm, and its instance."""
    rng = np.random.default_rng(seed)
    starts = [random_loads(k, rng) for _ in range(draws)]
    best = max((needed(instance(*start), noise, c2), place) for place, start in enumerate(starts))
    value, (loads, counts) = best[0], starts[best[1]]
    for width in np.geomspace(1, 0.02, steps):
        moved = np.clip(loads * np.exp(width * rng.normal(size=len(loads))), 1e-4, MOST_LOAD + 3 * np.log(k))
        trial = needed(instance(moved, counts), noise, c2)
        if trial > value:
            value, loads = trial, moved
    return value, instance(loads, counts)


@dataclass(frozen=True)
class Sampled:
    """What a search over varying losses found: c1 from fresh draws, its interval, and how close lemma 16 is."""

    c1: float
    low: float
    high: float
    instance: Instance
    lemma: float


def hardest_sampled(k: int, noise: Noise, c2: float, draws: int, runs: int, seed: int) -> Sampled:
    """The largest c1 found among independent losses that vary, computed again from 20 times as many fresh draws."""
    rng = np.random.default_rng(seed)
    tried = [_varying(k, rng) for _ in range(draws)]
    best = max((ratio(one, noise, c2, runs, seed)[0], place) for place, one in enumerate(tried))
    winner = tried[best[1]]
    c1, error, lemma = ratio(winner, noise, c2, 20 * runs, seed + 1)
    return Sampled(c1, c1 - 1.96 * error, c1 + 1.96 * error, winner, lemma)


def ratio(one: Instance, noise: Noise, c2: float, runs: int, seed: int) -> tuple[float, float, float]:
    """The c1 of an instance by simulation, its standard error, and the largest chance over lemma 16's bound."""
    sample = chances(one, noise, runs, seed)
    mean, error = sample.mean(axis=0), sample.std(axis=0) / np.sqrt(len(sample))
    scale = np.exp(-claimed(one, c2))
    worst = int((mean * scale).argmax())
    return (
        float(mean[worst] * scale[worst]),
        float(error[worst] * scale[worst]),
        float((mean / np.minimum(lemma_16(one), 1)).max()),
    )


def _varying(k: int, rng: np.random.Generator) -> Instance:
    """A random instance with losses of 0 and `high`."""
    while True:
        loads, counts = random_loads(k, rng)
        high = float(rng.choice([1.0, rng.uniform(0.2, 1.0)]))
        top = high * rng.uniform(0.1, 1.0)
        one = instance(loads, counts, top, float(rng.uniform(0, high - top)), high, int(rng.integers(0, 3)))
        if one.n < 2**40 and one.allowed:
            return one
