"""The rule of thumb of appendix A.11 beside runs: a guess, never a guarantee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log, pi, sqrt

import numpy as np

from discreet.local import BatchLaw, heuristic_ratio
from studies.amplification.curves import Ints, Model
from studies.batches.watch import law_of

Rule = Callable[[Model, int, float], float]

CHANCES = (0.05, 0.1, 0.2, 0.3, 0.5)


@dataclass(frozen=True)
class Guess:
    """By what factor mu falls, but for a chance: as mended here, as printed, and as runs had it."""

    model: Model
    t: int
    chance: float
    mended: float
    printed: float
    seen: float
    below: float  # share of runs with less than the mended factor
    below_printed: float


def guesses(model: Model, t: int, sizes: Ints) -> list[Guess]:
    """For several chances."""
    ratios, found = np.sqrt(sizes), []
    for chance in CHANCES:
        rules = mended(model, t, chance), as_printed(model, t, chance)
        seen = float(np.quantile(ratios, chance, method="inverted_cdf"))
        below = [float((ratios < ratio * (1 - 1e-12)).mean()) for ratio in rules]
        found.append(Guess(model, t, chance, *rules, seen, *below))
    return found


def as_printed(model: Model, t: int, chance: float) -> float:
    """Equation 15, with equation 19's n/2: of the size of a batch where it says ratio (docs/learners/local.md).

    >>> round(as_printed(Model(2, 1.0, 1.0), 10_000, 0.1), 1)
    10.3
    """
    n, tolerance = model.n_actions, model.tolerance
    needed = sqrt(2 * log(2 * n - 2)) + sqrt(2 * log(1 / tolerance) + log(t / log(n)))
    return max(1.0, (2 * chance / n) ** 2 * pi * t / needed**2)


def mended(model: Model, t: int, chance: float) -> float:
    """`heuristic_ratio`."""
    return heuristic_ratio(t, model.n_actions, model.tolerance, chance)


def guessed_law(model: Model, t: int, rule: Rule = mended) -> BatchLaw:
    """The law of a batch if every chance were as a rule has it, in a thousand equal parts."""
    chances = (np.arange(1000) + 0.5) / 1000
    return law_of(np.array([int(rule(model, t, chance) ** 2) for chance in chances.tolist()]))
