"""The three figures of the page with what is said below them."""

from __future__ import annotations

import numpy as np

from discreet.replay.result import Result
from discreet.report import regret, timeline, totals
from discreet.report.data import played
from discreet.report.markup import figure, folded, table, text
from discreet.report.theme import line_color, line_dashes
from discreet.report.words import count, number

FORMS = ("wide", "narrow")
_NUMBERS = "The numbers behind this figure"


def regret_figure(result: Result) -> str:
    """Regret over the rounds, with a legend and the numbers."""
    drawings = {form: regret.draw(result, form) for form in FORMS}
    band = " The shaded band holds 95% of its runs." if result.curves[0].runs > 1 else ""
    first = text(result.curves[0].title)
    caption = (
        f"Where a line is flat, the learner loses no more than the best action. "
        f"The thick line, 1, is {first}, the chosen learner.{band}"
    )
    if regret.top(result) is not None:
        caption += " Lines marked ↑ leave the figure at the top."
    entries = "".join(f"<li>{key(place)} {text(curve.title)}</li>" for place, curve in enumerate(result.curves))
    return figure(drawings, caption, f'<ol class="legend narrow">{entries}</ol>' + _regret_numbers(result))


def key(place: int) -> str:
    """A sample of a line, with its number."""
    dashes = line_dashes(place)
    stroke = f"stroke:var(--{line_color(place)});stroke-width:{2 if place else 3.5};stroke-dasharray:{dashes or 'none'}"
    sample = f'<svg viewBox="0 0 32 10" aria-hidden="true"><path d="M0 5H32" style="{stroke}"></path></svg>'
    return f'<span class="key">{sample}<b>{place + 1}</b></span>'


def _regret_numbers(result: Result) -> str:
    """The means at a handful of rounds."""
    rounds = result.curves[0].rounds
    wanted = 10.0 ** np.arange(1, 11)
    at = np.unique(np.append(np.searchsorted(rounds, wanted[wanted < rounds[-1]]), len(rounds) - 1))
    lines = [("", [text(c.title), *(number(value) for value in c.mean[at])]) for c in result.curves]
    headings = ["Learner", *(f"round {n:,}" for n in rounds[at])]
    return folded(_NUMBERS, table("Mean regret up to some rounds", headings, lines))


def timeline_figure(result: Result) -> str:
    """Which action was played when."""
    drawings = {form: timeline.draw(result, form) for form in FORMS}
    which = "the released run" if result.timeline.released else "one simulated run of the chosen learner"
    caption = f"What {which} played, most-played first. ★ marks the best action, in the color of its own."
    if timeline.in_shares(result):
        caption += " There were many changes: a bar is as high as the share of its rounds in which it was played."
    missing = timeline.left_out(result)
    counts = played(result)
    lines = [
        ("", [text(result.actions[action]), f"{counts[action]:,}", f"{counts[action] / result.rounds:.1%}"])
        for action in timeline.shown(result)
    ]
    numbers = table("Rounds in which each action was played", ["Action", "rounds", "share"], lines)
    return figure(drawings, caption + (f" {missing}." if missing else ""), folded(_NUMBERS, numbers))


def totals_figure(result: Result) -> str:
    """The total loss of each action."""
    drawings = {form: totals.draw(result, form) for form in FORMS}
    mine = float(result.curves[0].loss.mean())
    better = int((result.totals < mine).sum())
    caption = (
        f"The dashed line is the mean total loss of the learner; {count(better, 'action')} of "
        f"{len(result.actions):,} did better. ★ and the diamond mark the best action."
    )
    missing = totals.left_out(result)
    best = result.totals.min()
    lines = [
        ("", [text(result.actions[action]), number(result.totals[action]), number(result.totals[action] - best)])
        for action in totals.shown(result)
    ]
    headings = ["Action", "total loss", "more than the best"]
    numbers = folded(_NUMBERS, table("Total loss of each action", headings, lines))
    return figure(drawings, caption + (f" {missing}." if missing else ""), numbers)
