"""What is said of a replay of reports, for the page, the table and the JSON."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from discreet.experts.titles import title
from discreet.guarantees import Guarantee, NoGuarantee
from discreet.local import AdaptiveBatchLeader, MetaLeader, ReportLearner, RollingRegression
from discreet.replay.estimates import LEVEL, Estimates, Play
from discreet.report.data import finite
from discreet.report.words import count, number, plain

#: The false-alarm chance and the delta at which promises are set side by side.
ALPHA, DELTA = 0.05, 1e-5
#: Actions that are listed, at most.
MOST = 20


def named(learner: ReportLearner) -> str:
    """The learner's name with what sets it apart."""
    mark = ""
    if isinstance(learner, AdaptiveBatchLeader):
        mark = f" (tolerance {learner.tolerance:g})"
    if isinstance(learner, RollingRegression):
        mark = f" (window {learner.window})"
    if isinstance(learner, MetaLeader):
        mark = f" ({len(learner.learners)} learners)"
    return title(learner) + mark


def mean(estimates: Estimates, total: float) -> str:
    """An estimated mean loss, to two digits of its standard error.

    The error of a total of reports is that of the noise, whatever the losses are.
    """
    places = min(12, max(1, 1 - math.floor(math.log10(estimates.error))))
    return f"{total / estimates.rounds:z.{places}f} ± {estimates.error:.{places}f}"


def headline(estimates: Estimates) -> tuple[str, str]:
    """What was replayed, and what came of it."""
    play = estimates.plays[0]
    promise = estimates.reports.promise
    gains = " They were made from gains; a loss is 1 less the gain." if promise is not None and promise.gains else ""
    what = (
        f"{count(estimates.rounds, 'round')} of reports for {count(len(estimates.actions), 'action')} "
        f"{'was' if estimates.rounds == 1 else 'were'} replayed with {named(play.learner)}, which "
        f"{_changed(play.switches)}.{gains}"
    )
    estimate, low, high = estimates.regret(play)
    came = (
        f"The mean loss of the actions played is estimated to be {mean(estimates, play.total)}, that of the action "
        f"that looks best, “{plain(estimates.actions[estimates.best])}”, "
        f"{mean(estimates, estimates.totals[estimates.best])}. Regret is estimated to be {number(estimate)}; the true "
        f"one lies between {number(low)} and {number(high)}, with {LEVEL:.0%} certainty."
    )
    return what, came


def _changed(switches: int) -> str:
    """How often an action was changed.

    >>> [_changed(switches) for switches in (0, 1, 2000)]
    ['never changed its action', 'changed its action once', 'changed its action 2,000 times']
    """
    if not switches:
        return "never changed its action"
    return f"changed its action {'once' if switches == 1 else f'{switches:,} times'}"


def shown_why(estimates: Estimates) -> str:
    """Why all of this may be shown."""
    made = "All of this is made from the reports alone, so it reveals no more of the losses than they do"
    if isinstance(estimates.reports.guarantee, NoGuarantee):
        return f"{made}. What that is, this file does not say."
    return f"{made}: it may be shown to whoever may see them, which is anyone."


def explained(estimates: Estimates) -> list[tuple[str, str]]:
    """How to read the estimates: terms, and what is meant."""
    luck = estimates.reports.scale * math.sqrt(2 * estimates.rounds * math.log(len(estimates.actions)))
    return [
        (
            "Estimated loss",
            f"The sum of the reports of the actions played: unbiased, since an action is chosen before the reports of "
            f"its round are seen. ± is the standard error, scale/√rounds with a scale of {estimates.reports.scale:g}.",
        ),
        (
            "Estimated regret",
            f"Estimated total loss less the smallest estimated total of a fixed action. The smallest of "
            f"{len(estimates.actions):,} noisy totals is too small, because its noise helped it to be the smallest: by "
            f"up to {number(luck)} on average. So this estimate is too high on average.",
        ),
        (
            f"{LEVEL:.0%} interval",
            "Allows for that choice: it holds the true regret against the action that is truly best, whichever it "
            "is. Rounds in which two play the same action add no error to their difference.",
        ),
        (
            "Assumed here",
            "Losses lie between 0 and 1 and did not react to the noise of their reports, and the scale of the noise is "
            "true.",
        ),
    ]


def promises(estimates: Estimates) -> list[tuple[str, str]]:
    """What is promised, to whom: the value, and its words."""
    reports = estimates.reports
    local = reports.guarantee
    said = [("Of the reports, and of all that is made from them", f"{local!r}: {local.words()}")]
    if not isinstance(local, NoGuarantee):
        said.append(("Assumed of the reports", " ".join(reports.assumed())))
    return [*said, ("Of the actions alone", _central(estimates, local))]


def _central(estimates: Estimates, local: Guarantee) -> str:
    if isinstance(local, NoGuarantee):
        return local.words()
    learner = estimates.plays[0].learner
    same = f"{local!r} too, whatever the losses react to."
    if not isinstance(learner, AdaptiveBatchLeader):
        return f"{same} {named(learner)} adds nothing to what the reports promise."
    rows = amplified(estimates)
    if not rows:
        return f"{same} A seed makes its draws predictable, so batches hide nothing more."
    points = "; ".join(f"of round {row['round']:,} at least {row['missed']:.1%}, and {_epsilons(row)}" for row in rows)
    return (
        f"{same} Batches hide more from whoever sees nothing but the actions of one release, where the losses do not "
        f"react to it and lie between 0 and 1. A test for what the losses were, with {ALPHA:.0%} false alarms, misses "
        f"{points}. From the reports it misses at least {local.trade_off(ALPHA):.1%}, and epsilon is "
        f"{local.epsilon(DELTA):.3g}. Early rounds are in short batches: in round 1 the two are the same."
    )


def _epsilons(row: dict[str, Any]) -> str:
    return f"epsilon at delta {DELTA:g} is {row['epsilon']:.3g}"


def amplified(estimates: Estimates) -> list[dict[str, Any]]:
    """What the actions alone reveal of some rounds, where that is less than what the reports do."""
    rows = []
    for t in sorted({max(1, estimates.rounds // part) for part in (10, 2, 1)}):
        promised = estimates.amplified(t)
        if promised is not None:
            rows.append({"round": t, "missed": promised.trade_off(ALPHA), "epsilon": promised.epsilon(DELTA)})
    return rows


def left_out(estimates: Estimates) -> str:
    """The learners that did not play to the end, and why; empty where all did."""
    short = [play for play in estimates.plays if play.rounds < estimates.rounds]
    if not short:
        return ""
    names = " and ".join(named(play.learner) for play in short)
    return f"{names}: too slow for a comparison over so many rounds; --learner replays it all the same."


def finished(estimates: Estimates) -> list[Play]:
    """The learners that played all rounds, the chosen one first."""
    return [play for play in estimates.plays if play.rounds == estimates.rounds]


def listed(estimates: Estimates) -> list[int]:
    """The actions that are listed, the smallest estimate first."""
    order: list[int] = np.argsort(estimates.totals, kind="stable")[:MOST].tolist()
    return order


def as_dict(estimates: Estimates) -> dict[str, Any]:
    """All numbers as JSON-able data."""
    reports = estimates.reports
    promise, (low, high) = reports.promise, estimates.band()
    return {
        "owner_view": False,
        "made_from": "reports",
        "reports": reports.log.path.name,
        "rounds": estimates.rounds,
        "noise_scale": reports.scale,
        "mu": reports.mu,
        "gains": promise is not None and promise.gains,
        "guarantee": reports.guarantee.describe(),
        "assumed": [] if isinstance(reports.guarantee, NoGuarantee) else reports.assumed(),
        "actions_alone": {"alpha": ALPHA, "delta": DELTA, "amplified": amplified(estimates)},
        "standard_error": finite(estimates.error),
        "best": {"action": estimates.actions[estimates.best], "index": estimates.best},
        "learners": [_learner(estimates, play) for play in estimates.plays],
        "actions": [
            {"action": name, "mean_loss": finite(total / estimates.rounds), "played": played}
            for name, total, played in zip(
                estimates.actions, estimates.totals.tolist(), estimates.plays[0].counts.tolist(), strict=True
            )
        ],
        "curve": {
            "rounds": estimates.marks.tolist(),
            "lead": estimates.lead.tolist(),
            "low": low.tolist(),
            "high": high.tolist(),
        },
    }


def _learner(estimates: Estimates, play: Play) -> dict[str, Any]:
    whole = play.rounds == estimates.rounds
    estimate, low, high = estimates.regret(play) if whole else (None, None, None)
    return {
        "name": type(play.learner).__name__,
        "parameters": repr(play.learner),
        "rounds": play.rounds,
        "mean_loss": finite(play.total / estimates.rounds) if whole else None,
        "regret": finite(estimate),
        "interval_95": [finite(low), finite(high)] if whole else None,
        "switches": play.switches if whole else None,
    }
