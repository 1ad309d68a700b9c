"""The tables of this study."""

from __future__ import annotations

from typing import Any

from studies.hospitals.cases import LEAST_NOISE, LEAST_REGRET, MEMBERS, META, TREES, WALK, Played, sensitivities
from studies.hospitals.paper import TABLE_2, WEEKS
from studies.hospitals.results import Results, level
from tools.table import Table


def tables(results: Results) -> list[Table]:
    """Table 2, the same beside the paper's, all learners, the same noise for all, the data."""
    return [_gains(results), _beside(results), _members(results), _constant(results), _data(results)]


def _gains(results: Results) -> Table:
    columns = ["state", "mu", META, *TREES, "best linear learner", "which", "best single hospital", WALK, "by lot"]
    table = Table("Table 2: mean gains", columns)
    for one in results.played:
        best = one.best_linear
        shown = [results.around(one.totals(name)) for name in (META, *TREES, best)]
        rest = [best, f"{one.data.best_single:.2f}", results.around(one.totals(WALK)), results.around(one.by_lot())]
        table.rows.append([one.data.state, level(one.mu), *shown, *rest])
    table.notes.append(
        f"± is {results.sigmas:.2f} standard errors, by the central limit theorem: Bonferroni's correction over the "
        f"{4 * len(results.played)} numbers of the paper's table (four learners), so that all of those intervals hold "
        "together with probability 95 %. (The paper does not say over how many it corrects.) The best linear learner "
        "is the one whose mean turned out largest, which flatters it a little. By lot: a learner of the thirteen is "
        "drawn anew each week."
    )
    return table


def _beside(results: Results) -> Table:
    columns = ["state", "mu", "gain per week", "paper", "of the best linear learner", "paper"]
    columns += ["of the tree with least noise", "paper", "of the tree with least regret", "paper"]
    table = Table("MetaLeader, here and in the paper", [_unlike(columns, place) for place in range(len(columns))])
    for one in results.played:
        theirs = TABLE_2.get((one.data.state, one.mu))
        if theirs is None:
            continue
        mine = (one.mean(META), one.mean(LEAST_NOISE), one.mean(LEAST_REGRET), one.mean(one.best_linear))
        row: list[Any] = [one.data.state, level(one.mu), f"{mine[0] / len(one.data.weeks):.3f}"]
        row.append(f"{theirs[0] / WEEKS:.3f}")
        for place in (3, 1, 2):
            row += [f"{mine[0] / mine[place]:.2f}", f"{theirs[0] / theirs[place]:.2f}"]
        table.rows.append(row)
    return table


def _unlike(columns: list[str], place: int) -> str:
    """A column's title; those that say "paper" say of what, so that no two are alike."""
    return f"paper: {columns[place - 1]}" if columns[place] == "paper" else columns[place]


def _members(results: Results) -> Table:
    columns = ["learner", *(f"{one.data.state}, {level(one.mu)}" for one in results.played)]
    table = Table("Mean gains of the thirteen learners, by state and mu", columns)
    for name in MEMBERS:
        table.rows.append([name, *(_marked(one, name) for one in results.played)])
    table.notes.append("\\* the best rolling regression of the column.")
    return table


def _marked(one: Played, name: str) -> str:
    return f"{one.mean(name):.2f}{'*' if name == one.best_linear else ''}"


def _constant(results: Results) -> Table:
    table = Table("Reports with the noise of the worst week in every week", ["state", "mu", META, *TREES])
    for one in results.constant:
        shown = [results.around(one.totals(name)) for name in (META, *TREES)]
        table.rows.append([one.data.state, level(one.mu), *shown])
    table.notes.append("The noise that a tree of one sensitivity has. The trees are those of table 2.")
    return table


def _data(results: Results) -> Table:
    columns = ["state", "hospitals", "weeks", "first", "last", "fewest beds of a week", "sensitivity of a week"]
    columns += ["no number", "no beds", "marked as suppressed", "above 1"]
    table = Table("The data", columns)
    for one in results.states:
        beds, moved = one.fewest_beds, sensitivities(one)
        row: list[Any] = [one.state, len(one.hospitals), len(one.weeks), str(one.weeks[0]), str(one.weeks[-1])]
        row += [f"{beds.min():.1f} to {beds.max():.1f}", f"{moved.min():.3f} to {moved.max():.3f}"]
        table.rows.append([*row, one.unknown, one.no_beds, one.suppressed, one.above_one])
    table.notes.append(
        "The last four columns count pairs of a week and a hospital. The paper has 24, 146 and 293 hospitals over 148 "
        "weeks, and 4.3 to 14.6 fewest beds."
    )
    return table
