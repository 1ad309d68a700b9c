"""The tables of this study."""

from __future__ import annotations

from collections.abc import Sequence

from studies.meta_bound.cases import Played
from studies.meta_bound.results import Results
from tools.table import Table


def tables(results: Results) -> list[Table]:
    """Regret and bound of all cases, and where the eigenvalue is largest."""
    learned = [*results.fixed(), *results.reacting()]
    rivals = [*results.rivals(5.0), *results.rivals(1.0)]
    return [_regrets("Regret against the best learner", learned), _regrets("Two rivals", rivals), _worst(results)]


def _regrets(title: str, played: Sequence[Played]) -> Table:
    columns = ["learners", "losses", "m", "scale", "T", "runs", "regret", "the best learner's loss", "bound"]
    table = Table(title, [*columns, "regret / bound", "eigenvalue / (scale² T)"])
    for one in played:
        case = one.case
        shown = [case.kind, case.losses, case.m, case.scale, f"{case.rounds:,}", case.runs, str(one.regret)]
        table.rows.append([*shown, str(one.lost), f"{one.bound.value:,.0f}", one.part, one.eigenvalue.value])
    table.notes.append("Bound and eigenvalue are means over runs; they differ only where learners react to reports.")
    return table


def _worst(results: Results) -> Table:
    table = Table("The largest eigenvalue of all ways to agree", ["m", "eigenvalue / (scale² T)", "m / 2", "groups"])
    for m, (value, cliques) in results.worst.items():
        table.rows.append([m, value, m / 2, " + ".join(map(str, cliques))])
    return table
