"""A comparison on the terminal: a table for each epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING

from discreet.cli.learners import DELTA
from discreet.cli.telling import introduce, say

if TYPE_CHECKING:
    from rich.console import Console

    from discreet.cli.plans import Plan
    from discreet.cli.standings import Standing
    from discreet.cli.theory import Bound
    from discreet.experts import Learner

_HEADINGS = (
    "learner", "true\nepsilon", "mean\nregret", "95% interval\nof the mean", "5% to 95%\nof runs", "times\nthe best",
    "bound",
)  # fmt: skip
_TRUE = "what the learner promises on system entropy, some at a delta; these runs are seeded, for study only"
_NAME = 16  # characters of a learner's name on one line, at least


def show(epsilons: Sequence[float], tables: Sequence[Sequence[Standing]], plan: Plan, files: Sequence[Path]) -> None:
    """Print the tables, and what their columns are."""
    from rich.console import Console

    console = Console()
    introduce(console, plan)
    bounds = [standing.bound for table in tables for standing in table if standing.bound is not None]
    marks = dict(zip(dict.fromkeys(bound.by for bound in bounds), ascii_lowercase, strict=False))
    for level, table in zip(epsilons, tables, strict=True):
        _show_table(console, level, table, plan, marks)
    say(console, "True epsilon", _TRUE)
    say(console, "Times the best", "mean regret over the least one, ± its 95% interval, runs taken in pairs")
    for by, mark in marks.items():
        words = next(bound.words for bound in bounds if bound.by == by)
        say(console, f"Bound {mark}", f"on expected regret, {words} ({by})")
    for path in files:
        say(console, "Written", str(path))


def _show_table(console: Console, level: float, table: Sequence[Standing], plan: Plan, marks: dict[str, str]) -> None:
    from rich.text import Text

    from discreet.cli.theory import lower_bound
    from discreet.report.simulation import decimals, fitting

    places = decimals([float(standing.curve.mean[-1]) for standing in table])
    rows = [_row(standing, places, marks) for standing in table]
    console.print(Text(f"\nepsilon = {level:g}, at round {plan.rounds:,}", style="bold"))
    console.print(fitting(_HEADINGS, rows, console, first=_NAME))
    console.print()
    lower = lower_bound(plan.world.n_actions, level, plan)
    if lower is not None:
        least = f"{lower.shown()} {lower.words}, where true epsilon, with no delta, is at most {level:g} ({lower.by})"
        say(console, "Lower bound", f"expected regret is at least {least}")


def _row(standing: Standing, places: int, marks: dict[str, str]) -> list[str]:
    from discreet.report.simulation import span, written

    last = {name: float(column[-1]) for name, column in standing.curve.columns().items()}
    return [
        standing.curve.title,
        _epsilon(standing.learner),
        written(last["mean"], places),
        span(last["low"], last["high"], places) if standing.curve.runs > 1 else "–",
        span(last["q5"], last["q95"], places),
        _times(standing),
        _bound(standing.bound, marks),
    ]


def _epsilon(learner: Learner) -> str:
    from discreet.guarantees import GaussianDP, PureDP

    if isinstance(learner.claim, GaussianDP):
        return f"{learner.claim.epsilon(DELTA):.3g} at {DELTA:g}"
    return f"{float(learner.claim.epsilon):g}" if isinstance(learner.claim, PureDP) else "none"


def _times(standing: Standing) -> str:
    if standing.ratio is None:
        return "–"
    return f"{standing.ratio.value:.2f} ± {standing.ratio.error:.2f}" if standing.ratio.error else "1"


def _bound(bound: Bound | None, marks: dict[str, str]) -> str:
    return "–" if bound is None else f"{bound.shown()} {marks[bound.by]}"
