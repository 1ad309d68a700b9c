"""The tables of this study."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from studies.smooth.cases import Played
from studies.smooth.results import power, rows
from tools.table import Table


def tables(swept: Sequence[Played], noises: Sequence[Played]) -> list[Table]:
    """Powers, all regrets, noises."""
    return [_powers(swept), _regrets(swept), _noises(noises)]


def _powers(swept: Sequence[Played]) -> Table:
    columns = ["losses", "d", "epsilon", "regularization", "power of T", "regret at the most rounds / standing still"]
    table = Table("Powers of T", columns)
    for row in rows(swept):
        slope, error = power(row)
        last, asked = row[-1], row[-1].setting
        shown = [f"{slope:.2f} ± {1.96 * error:.2f}", last.mean / last.still]
        table.rows.append([last.design, asked.dimension, asked.epsilon, asked.regularization, *shown])
    return table


def _regrets(swept: Sequence[Played]) -> Table:
    columns = ["losses", "d", "epsilon", "regularization", "T", "lambda", "regret", "standing still", "bound"]
    table = Table("Regret of DP-FTRL with a tree", columns)
    for one in (one for row in rows(swept) for one in row):
        asked = one.setting
        shown: list[Any] = [one.design, asked.dimension, asked.epsilon, asked.regularization, f"{asked.rounds:,}"]
        bound = "" if one.bound is None else f"{one.bound:,.0f}"
        table.rows.append([*shown, f"{one.regularization:,.0f}", str(one), f"{one.still:.1f}", bound])
    table.notes.append(
        f"The bound is that of theorem 4's proof with its constants and the noise that is there, 4 lambda + 16 V / "
        f"lambda²; it is for smooth losses with an exact solution. Gradients clipped: {sum(o.clipped for o in swept)}."
    )
    return table


def _noises(noises: Sequence[Played]) -> Table:
    asked = noises[0].setting
    columns = ["regularization", "losses", "tree", "reduced", "toeplitz", "toeplitz / tree", "lambda of each"]
    title = f"Noises: d = {asked.dimension}, epsilon {asked.epsilon:g}, T = {asked.rounds:,}"
    table = Table(title, columns)
    for key in dict.fromkeys((one.setting.regularization, one.design) for one in noises):
        mine = [one for one in noises if (one.setting.regularization, one.design) == key]
        ratio = mine[-1].mean / mine[0].mean
        lambdas = ", ".join(f"{one.regularization:,.0f}" for one in mine)
        table.rows.append([*key, *map(str, mine), ratio, lambdas])
    return table
