"""Checks of reports, and of learners on them: how the noise is drawn, and what the actions give away after all."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.audit import online
from discreet.audit.betting import test
from discreet.audit.findings import Finding
from discreet.audit.goodness import matches
from discreet.audit.playing import reported, seeded
from discreet.guarantees import GaussianDP, Guarantee, NoGuarantee
from discreet.guarantees.rounding import root_up, up
from discreet.local import GaussianReport, ReportLearner

Floats = NDArray[np.float64]
#: Rounds after the one that is replaced, two by two; rounds in which learners are looked at.
_MORE, _ROUNDS = 3, 20
_FALSE_ALARM = 1e-6
#: What is looked at of a learner on reports at work. It may draw from a seed: noise was added before.
LOOKS = {
    "act twice": online.draws_once,
    "one rule": online.acts_as_it_plays,
    "resume": online.keeps_its_choice,
}

#: Reports that are compared entry by entry: exact noise repeats itself in all of them with no chance to speak of.
_RUNS = 60
#: Edges of the cells in which noise is counted, in scales; the outer cells have no end.
_EDGES = np.linspace(-3.0, 3.0, 25)


def of_reports(report: GaussianReport, promised: Guarantee, runs: int, seed: int) -> Iterator[Finding]:
    """What can be checked of reports: their noise, its law, its freshness, and what they promise."""
    revealed = report.noise.reveals(report.sensitivity)
    worse = isinstance(promised, GaussianDP) and revealed.mu > promised.mu
    said = f"noise of scale {report.noise.scale:g} at a sensitivity of {report.sensitivity:g}: mu is {revealed.mu:g}"
    yield Finding("noise", not worse, said)
    found = matches(_cells(report, seed), _law(), runs, false_alarm=_FALSE_ALARM)
    yield Finding("law", found.fits, f"{runs} numbers against the normal law: p = {found.p_value:.2g}")
    for name, look in (("fresh noise", repeats), ("grid", leaves_the_grid), ("promise", promises_otherwise)):
        seen = look(report)
        yield Finding(name, seen is None, seen or "as it should be")


def of_learner(learner: ReportLearner, promised: Guarantee, runs: int, seed: int) -> Iterator[Finding]:
    """What can be checked of a learner on reports: what it releases of losses that were reported, and how it draws."""
    few = for_two(learner)
    if few.mu is not None and not isinstance(promised, NoGuarantee):
        verdict = test(reported(few, seed), _pairs(), promised, runs, _FALSE_ALARM)
        yield Finding("statistics", not verdict.rejected, str(verdict))
    for name, look in LOOKS.items():
        seen = look(few, _ROUNDS)
        yield Finding(name, seen is None, seen or "as it should be")


def _pairs() -> list[tuple[Floats, Floats]]:
    """Neighboring tables of two actions, whose first round is turned round: that alone, and with rounds after it."""
    table = np.tile([[0.0, 1.0], [1.0, 0.0]], (_MORE, 1))
    neighbor = np.concatenate([1 - table[:1], table[1:]])
    return [(table[:1], neighbor[:1]), (table, neighbor)]


def _law() -> Floats:
    from scipy.special import ndtr

    chances: Floats = np.diff(ndtr(np.concatenate([[-np.inf], _EDGES, [np.inf]])))
    return chances


def _cells(report: GaussianReport, seed: int) -> Callable[[int], ArrayLike]:
    """Noise of reports, by the cell in which it lies, one number a run."""

    def draw(runs: int) -> ArrayLike:
        rounds = -(-runs // report.n_actions)
        losses = np.random.default_rng(seed).random((rounds, report.n_actions))
        noise = seeded(report, seed).privatize(losses) - losses
        return np.searchsorted(_EDGES, noise.ravel()[:runs] / report.noise.scale)

    return draw


def _private(report: GaussianReport) -> GaussianReport:
    return type(report)(**(report.get_params() | {"seed": None}))


def repeats(report: GaussianReport) -> str | None:
    """Noise that stands twice: in two rounds, actions, calls or copies. None if there is none, else what was seen."""
    one, losses = _private(report), np.full((_RUNS, report.n_actions), 0.5)
    first = one.privatize(losses)
    if any(np.unique(first, axis=axis).shape != first.shape for axis in (0, 1)):
        return "two actions or two rounds had the same noise"
    others = {"a second call": one, "a second report": _private(report), "a copy": copy.deepcopy(one)}
    others |= {"a shallow copy": copy.copy(one), "a pickle": pickle.loads(pickle.dumps(one)), "a clone": one.clone()}
    seen = {"the first call": first, "the call after it": one.privatize(losses)}
    for who, other in others.items():
        drawn = other.privatize(losses)
        for whom, earlier in seen.items():
            if (drawn == earlier).all():
                return f"{who} had the same noise as {whom}"
        seen[who] = drawn
    return None


def leaves_the_grid(report: GaussianReport) -> str | None:
    """A report between the points of its grid: what floats add up to tells where the noise was added."""
    losses = np.random.default_rng(1).random((_RUNS, report.n_actions))
    places = _private(report).privatize(losses) / report.unit
    return None if (places == np.rint(places)).all() else "a report lies between the points of the grid"


def promises_otherwise(report: GaussianReport) -> str | None:
    """A guarantee that is not the claim, or one in spite of a seed."""
    if _private(report).guarantee != report.claim:
        return f"it promises {_private(report).guarantee!r}, not {report.claim!r}"
    promise = seeded(report, 1).guarantee
    return None if isinstance(promise, NoGuarantee) else f"with a seed it promises {promise!r}"


def for_two(learner: ReportLearner) -> Any:
    """The same learner for two actions, with reports of losses that may turn round altogether."""
    scale = learner.scale if learner.mu is None else up(Fraction(root_up(Fraction(2))) / Fraction(learner.mu))
    shared = {"n_actions": 2, "scale": scale, "seed": None, "runs": None}
    return type(learner)(**(learner.get_params() | shared))
