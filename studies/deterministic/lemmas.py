"""Wu & Wang's lemmas 12 and 13: the function that is like a softmax, its slope, and its sum over powers of two."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.bounds import softmax_cost

Floats = NDArray[np.float64]


def slope(a: Floats, x: float, step: float = 1e-3) -> float:
    """f'(x) by central differences of fourth order, which knows nothing of the lemma."""
    near, far = (softmax_cost(a, x + n * step) - softmax_cost(a, x - n * step) for n in (1, 2))
    return (8 * near - far) / (12 * step)


def dyadic_sum(a: Floats) -> float:
    """The sum of f(r) over r = 1, 2, ...; a holds 0 once and else numbers above 0."""
    last = math.log2((60 + math.log(len(a))) / np.partition(a, 1)[1])
    return sum(softmax_cost(a, r) for r in range(1, max(2, math.ceil(last) + 1)))


def steepest(draws: int, seed: int) -> tuple[float, float]:
    """The largest f' / (log 2 · f) over random a >= 0, and the largest f' - log 2 · f over a of both signs.

    The second is divided by the size of what is subtracted, so that it is a relative error.
    """
    rng = np.random.default_rng(seed)
    ratio = excess = -math.inf
    for _ in range(draws):
        a, x = rng.exponential(size=rng.integers(2, 50)) ** rng.uniform(0.2, 5), rng.uniform(-3, 6)
        ratio = max(ratio, slope(a, x) / (math.log(2) * softmax_cost(a, x)))
        signed = a * rng.choice([-1.0, 1.0], size=len(a))
        bound = math.log(2) * softmax_cost(signed, x)
        excess = max(excess, (slope(signed, x) - bound) / (abs(bound) + 2**x * float(np.ptp(signed))))
    return ratio, excess


def largest_sum(n_actions: int, draws: int, seed: int) -> float:
    """The largest sum over log K that random levels of a give."""
    rng = np.random.default_rng(seed)
    largest = max(dyadic_sum(np.append(0.0, _levels(n_actions - 1, rng))) for _ in range(draws))
    return largest / math.log(n_actions)


def one_level_sum(log_others: float) -> float:
    """The largest sum over log K where all a but one are equal: f(r) = n / (1 + e^n / (K - 1)) with n = 2^r a.

    log_others: the logarithm of K - 1, so that K can be of any size. The sizes of a go over an octave.
    """
    n = np.exp2(np.linspace(0, 1, 257)[:, None] + np.arange(-40, math.ceil(math.log2(log_others + 1)) + 8))
    sums = (n / (1 + np.exp(np.minimum(n - log_others, 700)))).sum(axis=1)
    return float(sums.max()) / (log_others + math.log1p(math.exp(-log_others)))


def _levels(count: int, rng: np.random.Generator) -> Floats:
    """Numbers above 0 in a few groups, or all different."""
    groups = int(rng.integers(1, 5)) if rng.random() < 0.7 else count
    values = np.exp2(rng.uniform(-12, -2) + rng.uniform(0, rng.uniform(0, 6), size=groups))
    shares = rng.dirichlet(np.full(groups, 0.3)) if groups < count else np.full(groups, 1 / groups)
    return np.asarray(rng.choice(values, size=count, p=shares))
