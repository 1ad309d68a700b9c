"""Checks of reports: how much noise they have, by which law, how fresh, and what is promised."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.audit.claims import distance_of, overstates
from discreet.audit.findings import Finding
from discreet.audit.goodness import matches
from discreet.audit.playing import seeded
from discreet.guarantees import Guarantee, NoGuarantee
from discreet.local import GaussianReport
from discreet.mechanisms import GaussianNoise

Floats = NDArray[np.float64]

#: Rounds of a table in which noise is compared with itself: some, and more than are drawn in one go.
_RUNS, _MANY = 2000, (1 << 18) + 1000
#: Edges of the cells in which noise is counted, in scales; the outer cells have no end.
_EDGES = np.linspace(-3.0, 3.0, 25)
#: Losses whose noise is looked at one by one: the ends, what lies next to them, and between.
_LOSSES = (0.0, 2.0**-60, 0.3, 0.5, 1 - 2.0**-53, 1.0)
#: So many standard errors between noise and itself are too many (1 in 10^9).
_TOO_MANY = 6.1
_FALSE_ALARM = 1e-6


def of_reports(report: GaussianReport, promised: Guarantee, runs: int, seed: int) -> Iterator[Finding]:
    """What can be checked of reports: their noise, its law, its freshness, and what they promise."""
    yield Finding("noise", *kept(promised, report.noise, report.n_actions))
    yield Finding("law", *_follows(report, runs, seed))
    for name, look in (("fresh noise", repeats), ("grid", leaves_the_grid), ("promise", promises_otherwise)):
        seen = look(report)
        yield Finding(name, seen is None, seen or "as it should be")


def _follows(report: GaussianReport, runs: int, seed: int) -> tuple[bool, str]:
    """Whether the noise of each of some losses, in tables and in single rounds, follows the law."""
    ways = [(loss, alone) for loss in _LOSSES for alone in (False, True)]
    each, false_alarm = runs // len(_LOSSES), _FALSE_ALARM / len(ways)
    worst, said = 1.0, ""
    for place, (loss, alone) in enumerate(ways):
        draw = _cells(report, loss, alone, seed + place)
        found = matches(draw, _law(), min(each, 1000) if alone else each, false_alarm=false_alarm)
        if not found.fits:
            return False, f"noise of a loss of {loss!r}{' in a single round' * alone} does not: {found}"
        worst, said = min(worst, found.p_value), f"{runs} numbers against the normal law: p = {worst:.2g} at worst"
    return True, said


def kept(promised: Guarantee, noise: GaussianNoise, n_actions: int) -> tuple[bool, str]:
    """Whether noise of this scale keeps a promise about losses in [0, 1]; and what it does reveal.

    The scale may be short of what is needed by the rounding of floats: learners are told it by hand.
    """
    distance = Fraction(distance_of(promised, n_actions)) * (1 - Fraction(1, 1 << 49))
    revealed = noise.reveals(distance)
    said = f"noise of scale {noise.scale:g} where losses move by {float(distance):g}: mu is {revealed.mu:g}"
    return not overstates(promised, revealed), said


def _law() -> Floats:
    """The chance of each cell with either lowest bit of a report: a grid that is fine has both equally often."""
    from scipy.special import ndtr

    chances = np.diff(ndtr(np.concatenate([[-np.inf], _EDGES, [np.inf]])))
    return np.repeat(chances / 2, 2)


def _cells(report: GaussianReport, loss: float, alone: bool, seed: int) -> Callable[[int], ArrayLike]:
    """Reports of one loss, by the cell in which their noise lies and their lowest bit, one number a run."""

    def draw(runs: int) -> ArrayLike:
        made, losses = seeded(report, seed), np.full((-(-runs // report.n_actions), report.n_actions), loss)
        reports = np.array([made.privatize(row) for row in losses]) if alone else made.privatize(losses)
        flat = reports.ravel()[:runs]
        bits = np.rint(flat / report.unit).astype(np.int64) & 1
        return 2 * np.searchsorted(_EDGES, (flat - loss) / report.noise.scale) + bits

    return draw


def repeats(report: GaussianReport) -> str | None:
    """Noise that stands twice: in two rounds, actions, calls or copies. None if there is none, else what was seen."""
    one, losses = seeded(report, None), np.full((_RUNS, report.n_actions), 0.5)
    first = one.privatize(losses)
    rounds = -(-_MANY // report.n_actions)
    many = one.privatize(np.full((rounds, report.n_actions), 0.5))
    if any(np.unique(table, axis=0).shape != table.shape for table in (first, first.T, many)):
        return "two actions or two rounds had the same noise"
    if _leans(first - 0.5) or _leans(first.T - 0.5):
        return "the noise of a round or action can be told from that of the one before"
    others = {"a second call": one, "a second report": seeded(report, None), "a copy": copy.deepcopy(one)}
    others |= {"a shallow copy": copy.copy(one), "a pickle": pickle.loads(pickle.dumps(one)), "a clone": one.clone()}
    seen = {"the first call": first, "the call after it": one.privatize(losses)}
    for who, other in others.items():
        drawn = other.privatize(losses)
        for whom, earlier in seen.items():
            if (drawn == earlier).all():
                return f"{who} had the same noise as {whom}"
        seen[who] = drawn
    return None


def _leans(noise: Floats) -> bool:
    """Whether one row of noise goes with or against the next, or the next but one: nowhere does it if it is fresh."""
    for lag in (1, 2):
        one, two = noise[:-lag], noise[lag:]
        if one.size and abs((one * two).sum()) > _TOO_MANY * np.sqrt((one**2 * two**2).sum()):
            return True
    return False


def leaves_the_grid(report: GaussianReport) -> str | None:
    """A report between the points of its grid: what floats add up to tells where the noise was added."""
    losses = np.random.default_rng(1).random((_RUNS, report.n_actions))
    places = seeded(report, None).privatize(losses) / report.unit
    return None if (places == np.rint(places)).all() else "a report lies between the points of the grid"


def promises_otherwise(report: GaussianReport) -> str | None:
    """A guarantee that is not the claim, or one in spite of a seed."""
    if seeded(report, None).guarantee != report.claim:
        return f"it promises {seeded(report, None).guarantee!r}, not {report.claim!r}"
    promise = seeded(report, 1).guarantee
    return None if isinstance(promise, NoGuarantee) else f"with a seed it promises {promise!r}"
