"""A replay of reports on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.replay.estimates import Estimates
from discreet.report import estimates as said
from discreet.report.simulation import fitting
from discreet.report.words import number, plain

if TYPE_CHECKING:
    from rich.console import Console

_LEARNERS = ("learner", "estimated\nmean loss", "estimated\nregret", "95% interval", "changes of\naction")
_ACTIONS = ("action", "estimated\nmean loss", "rounds\nplayed")


def print_estimates(estimates: Estimates, console: Console) -> None:
    """Print what reports tell of learners and actions."""
    from rich.text import Text

    console.print(Text(said.shown_why(estimates)), "")
    console.print(Text(" ".join(said.headline(estimates))), "")
    console.print(fitting(_LEARNERS, _learner_rows(estimates), console, first=18), "")
    console.print(fitting(_ACTIONS, _action_rows(estimates), console, first=12))
    more = len(estimates.actions) - said.MOST
    if more > 0:
        console.print(Text(f"and {more:,} more"))
    if said.left_out(estimates):
        console.print(Text(said.left_out(estimates)))
    console.print("")
    for term, words in [*said.promises(estimates), *said.explained(estimates)]:
        console.print(Text.assemble((f"{term}: ", "bold"), words))


def _learner_rows(estimates: Estimates) -> list[list[str]]:
    rows = []
    for play in said.finished(estimates):
        estimate, low, high = estimates.regret(play)
        interval = f"{number(low)} to {number(high)}"
        name, loss = said.named(play.learner), said.mean(estimates, play.total)
        rows.append([name, loss, number(estimate), interval, f"{play.switches:,}"])
    return rows


def _action_rows(estimates: Estimates) -> list[list[str]]:
    counts = estimates.plays[0].counts
    return [
        [plain(estimates.actions[j]), said.mean(estimates, estimates.totals[j]), f"{counts[j]:,}"]
        for j in said.listed(estimates)
    ]
