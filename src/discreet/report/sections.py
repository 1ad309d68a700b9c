"""The parts of the page, in order."""

from __future__ import annotations

from discreet import __version__
from discreet.replay.result import Result
from discreet.report import figures
from discreet.report.data import Row, promises, released_row, rows
from discreet.report.markup import section, table, text
from discreet.report.words import NOT_PRIVATE, between, bound, headline, number, origin, privacy, runs, warning

_HEADINGS = (
    "Learner",
    "Mean regret",
    "95% interval of the mean",
    "95% of runs lie in",
    "Mean total loss",
    "Private?",
    "Found from",
)


def body(result: Result) -> str:
    """Everything on the page."""
    return "\n".join(
        (
            banner(result),
            "<main>",
            _headline(result),
            section("guarantee", "What is guaranteed", _guarantee(result)),
            section("learners", "How the learners did", learners(result)),
            section("regret", "Regret over the rounds", figures.regret_figure(result)),
            section("timeline", "Which action was played when", figures.timeline_figure(result)),
            section("totals", "Total loss of each action", figures.totals_figure(result)),
            section("bound", "What is proved", _bound(result)),
            section("reading", "How to read this", _reading()),
            "</main>",
            f"<footer><p>{text(origin(result, __version__))}</p><p><strong>{text(NOT_PRIVATE)}.</strong></p></footer>",
        )
    )


def banner(result: Result) -> str:
    """The first thing on the page: that it is not private."""
    first, _, rest = NOT_PRIVATE.partition(": ")
    return (
        f'<header class="alarm" role="note" aria-label="{text(first)}"><div>\n'
        f"<p><strong>{text(first)}</strong> {text(rest)}</p>\n<p>{text(warning(result))}</p>\n</div></header>"
    )


def _headline(result: Result) -> str:
    what, came = headline(result)
    lead = f'<p class="lead">{text(what)} <strong>{text(came)}</strong></p>'
    return f"<h1>Replay of <bdi>{text(result.log)}</bdi></h1>\n{lead}"


def _guarantee(result: Result) -> str:
    words = text(result.guarantee_words)
    words = words[:1].upper() + words[1:]
    what = "This holds for the released actions, not for this page." if promises(result) else ""
    return f"<p><code>{text(result.guarantee)}</code></p>\n<p>{words}</p>\n<p>{what}</p>"


def learners(result: Result) -> str:
    """The table, the chosen learner first, the released run last."""
    lines = [("chosen" if i == 0 else "", _cells(line, figures.key(i))) for i, line in enumerate(rows(result))]
    released = released_row(result)
    if released is not None:
        first, *others = _cells(released, "")
        name = f'<strong>The released run</strong><span class="small">of {first}</span>'
        lines.append(("released", [name, *others]))
    return table("Loss and regret at the end of the log", _HEADINGS, lines)


def _cells(line: Row, key: str) -> list[str]:
    kind = f'<span class="pill {"yes" if line.private else "no"}">{privacy(line)}</span>'
    ends = [between(line.interval), between(line.spread)]
    name = f"<bdi>{text(line.title)}</bdi>"
    first = f'<span class="named">{key}{name}</span>' if key else name
    return [first, number(line.regret), *ends, number(line.loss), kind, runs(line)]


def _bound(result: Result) -> str:
    most, on_what = bound(result)
    said = f'<p class="big">{text(most)}</p>\n<p>{text(on_what[:1].upper() + on_what[1:])}.</p>'
    if result.bound is None or not 0 < result.bound < float("inf"):
        return said
    return f"{said}\n<p>The mean regret on this log is {number(rows(result)[0].regret)}.</p>"


def _reading() -> str:
    terms = (
        ("Loss", "What one action costs in one round, from 0 (best) to 1 (worst). Lower is better."),
        (
            "Regret",
            "What the learner lost more than the one action that is best over all rounds so far, which nobody could "
            "know beforehand. 0 is as good as that action. It can fall below 0 where changing actions pays.",
        ),
        (
            "95% interval of the mean",
            "How well the mean is known. It narrows with more runs: more runs, more certainty about the average.",
        ),
        (
            "95% of runs lie in",
            "How much luck is in one run: of a hundred runs, about 95 end in this range. It is also the band in "
            "the first figure. It does not narrow with more runs. A release is one run.",
        ),
        ("Exact expectation", "The average over all chance, computed and not simulated, so it has no interval."),
        (
            "Private",
            "A private learner adds chance to its choices so that they hardly depend on any one round's losses. "
            "The guarantee above says how much. Learners that are not private are here to show the price of it.",
        ),
    )
    return "<dl>\n" + "\n".join(f"<dt>{text(term)}</dt><dd>{text(said)}</dd>" for term, said in terms) + "\n</dl>"
