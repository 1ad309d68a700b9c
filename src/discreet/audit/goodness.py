"""Whether a sampler draws from an exact law: chi-square for the whole, binomial tails for every single outcome."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, bdtrc, chdtrc

from discreet.audit.samples import Counts, Floats, Outcomes, Sampler, checked, inside, keys, whole

#: Outcomes that are expected less often than this, and less than so often for each nat of log(1/false_alarm), are
#: pooled for the chi-square.
LEAST_EXPECTED, FOR_A_NAT = 10.0, 4.0
Law = Mapping[Any, float] | ArrayLike


@dataclass(frozen=True)
class Match:
    """Whether the outcomes fit the law, the chance of so bad a fit, and the outcome that fits worst."""

    fits: bool
    p_value: float
    worst: int | tuple[int, ...]
    seen: int
    expected: float
    runs: int
    false_alarm: float

    def __str__(self) -> str:
        """The finding in plain words."""
        found = "the outcomes fit the law" if self.fits else "the outcomes do not fit the law"
        where = f"outcome {self.worst} was seen {self.seen} times in {self.runs} and expected {self.expected:.6g} times"
        return f"{found} (p = {self.p_value:.3g}, false alarm {self.false_alarm:g}); at worst, {where}"


def matches(
    sampler: Sampler | Callable[[int], ArrayLike],
    law: Law,
    runs: int,
    losses: object = None,
    false_alarm: float = 1e-6,
) -> Match:
    """Compare what a sampler draws with an exact law of whole-number outcomes.

    The law is a dictionary from outcome to probability (an action, or a tuple of actions) or an array whose entry at
    i, or at (i, j, ...), is the probability of that outcome. With losses, `sampler(losses, runs)` is asked, without
    them `sampler(runs)`.

    Two tests look at the same counts, each at half of the false alarm. The chi-square, rare outcomes pooled into one
    cell, sees small deviations spread over many outcomes. It is a limit law, whose far tail is too thin where counts
    are skewed; its p-value is raised by what the skew of the smallest cell may add. Exact binomial tails of every
    outcome, multiplied by their number, see a single one that is too rare or too frequent, however small its
    probability. An outcome that the law rules out decides at once: its probability of being seen is zero.

    >>> rng = np.random.default_rng(1)
    >>> coins = lambda runs: rng.binomial(2, 0.5, runs)
    >>> matches(coins, [0.25, 0.5, 0.25], runs=10_000).fits
    True
    >>> found = matches(coins, {0: 0.3, 1: 0.45, 2: 0.25}, runs=10_000)
    >>> found.fits, found.worst, found.p_value < 1e-20
    (False, 0, True)
    """
    runs, false_alarm = whole("runs", runs, least=1), inside("false_alarm", false_alarm)
    listed, chances = _listed(law)
    ask: Callable[..., ArrayLike] = sampler
    drawn = checked(ask(runs) if losses is None else ask(losses, runs), runs)
    if drawn.dtype.kind != "i" or drawn.shape[1:] != listed.shape[1:]:
        raise ValueError(f"the law lists outcomes like {_shown(listed[0])}, the sampler drew {_shown(drawn[0])}")
    outcomes, counts, chances = _aligned(listed, chances, drawn)
    tails = _tails(counts, runs, chances)
    worst = int(np.lexsort([chances, tails])[0])  # of equally bad ones the least likely
    least = max(LEAST_EXPECTED, FOR_A_NAT * math.log(1 / false_alarm))
    p_value = min(1.0, 2 * min(len(tails) * float(tails[worst]), _chi_square(counts, runs * chances, least)))
    seen, expected = int(counts[worst]), float(runs * chances[worst])
    return Match(p_value > false_alarm, p_value, _shown(outcomes[worst]), seen, expected, runs, false_alarm)


def _listed(law: Law) -> tuple[Outcomes, Floats]:
    """The outcomes of a law and their probabilities."""
    if isinstance(law, Mapping):
        listed, chances = np.array(list(law)), np.array(list(law.values()), dtype=np.float64)
    else:
        table = np.asarray(law, dtype=np.float64)
        chances, listed = table.ravel(), np.argwhere(np.ones(table.shape, dtype=np.bool_))
        listed = listed[:, 0] if table.ndim == 1 else listed
    if not len(chances) or listed.dtype.kind not in "iu" or listed.ndim > 2:
        raise ValueError("the law must be probabilities of whole numbers, or of tuples of them of one length")
    if not (chances >= 0).all() or abs(chances.sum() - 1) > 1e-9:
        raise ValueError(
            f"the probabilities of the law sum to {chances.sum():.12g}; they must be 0 or more and sum to 1"
        )
    return listed.astype(np.int64), chances


def _aligned(listed: Outcomes, chances: Floats, drawn: Outcomes) -> tuple[Outcomes, Counts, Floats]:
    """Every outcome that was listed or drawn, how often it was drawn, and its probability, 0 if it is not listed."""
    pooled = np.concatenate([listed, drawn])
    _, first, cell = np.unique(keys(pooled), return_index=True, return_inverse=True)
    counts: Counts = np.bincount(cell[len(listed) :], minlength=len(first)).astype(np.int64)
    probabilities: Floats = np.bincount(cell[: len(listed)], weights=chances, minlength=len(first)).astype(np.float64)
    return pooled[first], counts, probabilities


def _tails(counts: Counts, runs: int, chances: Floats) -> Floats:
    """For each outcome, twice the chance of a count so far out on its side."""
    most = np.minimum(chances, 1.0)
    above = np.where(counts > 0, bdtrc(np.maximum(counts - 1, 0), runs, most), 1.0)
    tails: Floats = np.minimum(1.0, 2 * np.minimum(bdtr(counts, runs, most), above))
    return tails


def _chi_square(counts: Counts, expected: Floats, least: float) -> float:
    """The chance of a chi-square so large, with room for the skew; 1 where there is nothing to compare."""
    rare = expected < least
    seen, wanted = counts[~rare].astype(np.float64), expected[~rare]
    if expected[rare].sum() >= least:
        seen, wanted = np.append(seen, counts[rare].sum()), np.append(wanted, expected[rare].sum())
    if len(wanted) < 2:
        return 1.0
    # What was left out is rare: the cells kept hold all but that, and are compared given how many fell into them.
    wanted = wanted * (seen.sum() / wanted.sum())
    return _skewed(float(chdtrc(len(wanted) - 1, ((seen - wanted) ** 2 / wanted).sum())), float(wanted.min()))


def _skewed(p_value: float, least: float) -> float:
    """The p-value of a normal limit, raised by the first term of what a count with this mean deviates from it.

    With z the deviation that the p-value stands for, the tail of a Poisson count is larger by e^(z^3 / (6 sqrt(mean)))
    (Cramér), as long as z is small beside sqrt(mean); beyond that the p-value is no longer believed to fall.
    """
    z = min(math.sqrt(-2 * math.log(max(p_value, 1e-300))), 1.5 * math.sqrt(least))
    return min(1.0, max(p_value, math.exp(-(z**2) / 2 + z**3 / (6 * math.sqrt(least)))))


def _shown(outcome: Any) -> int | tuple[int, ...]:
    plain = outcome.tolist()
    return tuple(plain) if isinstance(plain, list) else plain
