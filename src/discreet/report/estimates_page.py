"""A replay of reports as one HTML page. It is made from reports alone and may be shown."""

from __future__ import annotations

from collections.abc import Sequence

from discreet import __version__
from discreet.replay.estimates import Estimates
from discreet.report import estimates as said
from discreet.report import lead, timeline
from discreet.report.html import page
from discreet.report.markup import figure, section, table, text
from discreet.report.words import number

_FORMS = ("wide", "narrow")


def render_estimates(estimates: Estimates) -> str:
    """The page: no script, nothing loaded from elsewhere."""
    return page(f"Replay of {estimates.reports.log.path.name}", _body(estimates))


def _body(estimates: Estimates) -> str:
    what, came = said.headline(estimates)
    name = text(estimates.reports.log.path.name)
    return "\n".join(
        (
            "<main>",
            f"<h1>Replay of <bdi>{name}</bdi></h1>",
            f'<p class="lead">{text(what)} <strong>{text(came)}</strong></p>',
            f"<p>{text(said.shown_why(estimates))}</p>",
            section("guarantee", "What is guaranteed", _terms(said.promises(estimates))),
            section("learners", "How the learners did", _learners(estimates)),
            section("lead", "Behind the action that looks best", _lead(estimates)),
            section("timeline", "Which action was played when", _timeline(estimates)),
            section("actions", "Each action", _actions(estimates)),
            section("reading", "How to read this", _terms(said.explained(estimates))),
            "</main>",
            f"<footer><p>Made by discreet {text(__version__)} from reports alone.</p></footer>",
        )
    )


def _terms(terms: Sequence[tuple[str, str]]) -> str:
    return "<dl>\n" + "\n".join(f"<dt>{text(term)}</dt><dd>{text(words)}</dd>" for term, words in terms) + "\n</dl>"


def _learners(estimates: Estimates) -> str:
    lines = []
    for place, play in enumerate(said.finished(estimates)):
        estimate, low, high = estimates.regret(play)
        cells = [said.mean(estimates, play.total), number(estimate), f"{number(low)} to {number(high)}"]
        lines.append(("chosen" if place == 0 else "", [text(said.named(play.learner)), *cells, f"{play.switches:,}"]))
    headings = ["Learner", "Estimated mean loss", "Estimated regret", "95% interval", "Changes of action"]
    left_out = said.left_out(estimates)
    return table("What reports tell of the learners", headings, lines) + (f"\n<p>{text(left_out)}</p>" * bool(left_out))


def _lead(estimates: Estimates) -> str:
    return figure({form: lead.draw(estimates, form) for form in _FORMS}, text(lead.caption(estimates)))


def _timeline(estimates: Estimates) -> str:
    words = "What the learner played, most-played first. ★ marks the action that looks best, in the color of its own."
    if timeline.in_shares(estimates):
        words += " There were many changes: a bar is as high as the share of its rounds in which it was played."
    missing = timeline.left_out(estimates)
    drawings = {form: timeline.draw(estimates, form) for form in _FORMS}
    return figure(drawings, text(words + (f" {missing}." if missing else "")))


def _actions(estimates: Estimates) -> str:
    counts = estimates.plays[0].counts
    lines = [
        ("", [text(estimates.actions[j]), said.mean(estimates, estimates.totals[j]), f"{counts[j]:,}"])
        for j in said.listed(estimates)
    ]
    more = len(estimates.actions) - len(lines)
    headings = ["Action", "Estimated mean loss", "Rounds played"]
    return table("What reports tell of each action", headings, lines) + f"\n<p>and {more:,} more</p>" * (more > 0)
