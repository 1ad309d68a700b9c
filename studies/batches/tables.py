"""The tables of this study."""

from __future__ import annotations

from collections.abc import Sequence

from studies.batches.cases import Played
from studies.batches.hidden import DELTA, EPSILON, Hidden
from studies.batches.results import Results
from studies.batches.tight import Change
from tools.table import Table


def tables(results: Results) -> list[Table]:
    """Regret and choices, what is hidden, changes of leaders."""
    by_gap = _hidden("What is hidden by the gap of the data: estimates", results.gaps)
    by_stream = _hidden("What is hidden on streams: estimates", results.streams)
    by_stream.notes.append("The reversal is met where all totals of losses are equal again.")
    return [_regrets(results.played), _choices(results.played), by_gap, by_stream, _changes(results.changes)]


def _regrets(played: Sequence[Played]) -> Table:
    columns = ["losses", "K", "scale", "tolerance", "T", "runs", "walk", "batches", "difference", "bound of the walk"]
    table = Table("Regret on the same reports", columns)
    for one in played:
        asked = one.setting
        shown = [asked.stream, asked.n_actions, asked.scale, asked.tolerance, f"{asked.rounds:,}", asked.runs]
        table.rows.append([*shown, str(one.walk), str(one.batch), str(one.extra), f"{asked.bound:,.0f}"])
    return table


def _choices(played: Sequence[Played]) -> Table:
    columns = ["losses", "K", "scale", "tolerance", "rounds that differ", "tolerated", "at most", "mean batch"]
    table = Table("Rounds of a run with different choices", columns)
    for one in played:
        asked = one.setting
        counts = [f"{one.different.value:.2g} ± {1.96 * one.different.error:.2g}", one.tolerated.value, asked.allowed]
        table.rows.append([asked.stream, asked.n_actions, asked.scale, asked.tolerance, *counts, str(one.size)])
    table.notes.append(
        'Where no choice differed in any run, "0 ± 0" is what was seen. The mean batch is that around a round, over '
        "all rounds."
    )
    return table


def _hidden(title: str, rows: Sequence[Hidden]) -> Table:
    columns = ["losses", "round", "mean batch", f"delta at epsilon {EPSILON:g}", f"epsilon at delta {DELTA:g}"]
    table = Table(title, columns)
    for one in rows:
        delta = f"{one.delta.value:.2g} ± {1.96 * one.delta.error:.1g}"
        table.rows.append([one.losses, f"{one.t:,}", str(one.size), delta, one.epsilon])
    return table


def _changes(changes: Sequence[Change]) -> Table:
    columns = ["K", "steps", "theorem 1", "union", "seen", "walks"]
    table = Table("How often the leader changes", columns)
    for one in changes:
        seen = f"{one.seen:.2g} ± {1.96 * one.error:.1g}"
        table.rows.append([one.n_actions, one.steps, one.bound, one.union, seen, f"{one.walks:,}"])
    return table
