"""The tables of this study."""

from __future__ import annotations

from typing import Any

from discreet.bounds import asi_theorem_5, asi_theorem_5_sharp
from studies.realizable.cases import LEARNERS, SEQUENCES, Case
from studies.realizable.grown import grown_table
from studies.realizable.nearly import general
from studies.realizable.results import Results
from tools.table import Table


def tables(results: Results) -> list[Table]:
    """Exponents, regrets over each of three, nearly perfect actions, switches, tails, lower bounds."""
    over = [_over(results, what) for what in ("rounds", "actions", "epsilon")]
    rest = [_far(results.far), grown_table(results.grown), _near(results)]
    rest += [_switches(results), _tails(results), _hard(results)]
    return [_powers(results), *over, *rest]


def _powers(results: Results) -> Table:
    columns = ["sequence", "learner", "power of T", "regret at the end / at the start", "power of log K"]
    table = Table("Table 1, measured", [*columns, "power of epsilon"])
    for sequence in SEQUENCES:
        for learner in LEARNERS:
            powers = [_around(*results.power(what, learner, sequence)) for what in ("rounds", "actions", "epsilon")]
            growth = _around(*results.growth(learner, sequence))
            table.rows.append([sequence, learner, powers[0], growth, *powers[1:]])
    ends = results.settled(next(iter(LEARNERS)), next(iter(SEQUENCES)))
    table.notes.append(
        f"Powers of T and the ratio: K = {ends[0].n_actions}, epsilon {ends[0].epsilon:g}, T from {ends[0].rounds:,} "
        f"to {ends[-1].rounds:,}. Table 1 has T to the power 0, log K to 1.5 (2 for pure privacy, theorem 1), epsilon "
        "to -1 for losses with a perfect action; T to between 1/3 and 1/2 for others. The noise of `TreeLeader` grows "
        "as sqrt(K), not as a power of log K."
    )
    return table


def _over(results: Results, what: str) -> Table:
    cases = results.cases[what]
    values = list(dict.fromkeys(_value(what, case) for case in cases))
    shown = {"rounds": "T", "actions": "K", "epsilon": "epsilon"}[what]
    columns = ["sequence", "learner", *(f"{shown} = {value:,}" for value in values)]
    table = Table(f"Regret over {what}", columns)
    for sequence in SEQUENCES:
        for learner in LEARNERS:
            table.rows.append([sequence, learner, *map(str, results.row(what, learner, sequence))])
    bounds: list[Any] = ["lower bound, on its own instance", "any private learner"]
    first = results.row(what, next(iter(LEARNERS)), next(iter(SEQUENCES)))
    table.rows.append([*bounds, *(f"{asi_theorem_5_sharp(case.n_actions, case.epsilon):.1f}" for case in first)])
    if what == "epsilon" and first[0].epsilon <= 0.1:
        table.notes.append(
            f"Theorem 5 itself asks for 32 actions or more: at K = 32, epsilon 0.1 it is {asi_theorem_5(32, 0.1):.2f}."
        )
    one = cases[0]
    fixed = {"rounds": f"T = {one.rounds:,}", "actions": f"K = {one.n_actions}", "epsilon": f"epsilon {one.epsilon:g}"}
    del fixed[what]
    table.notes.append(f"At {', '.join(fixed.values())}.")
    return table


def _value(what: str, case: Case) -> int | float:
    return {"rounds": case.rounds, "actions": case.n_actions, "epsilon": case.epsilon}[what]


def _far(cases: list[Case]) -> Table:
    columns = ["K", "T", "learner", "regret"]
    rows: list[list[Any]] = [[case.n_actions, f"{case.rounds:,}", case.learner, str(case)] for case in cases]
    return Table("One step further: halving, epsilon 1", columns, rows)


def _near(results: Results) -> Table:
    names = list(results.near[0].regrets)
    table = Table("Nearly perfect: K = 10, epsilon 1", ["world", "T", "L*", *names])
    for one in results.near:
        shown = [_around(*one.regrets[name], digits=0) for name in names]
        table.rows.append([one.world, f"{one.rounds:,}", one.best_loss, *shown])
    rounds = results.near[0].rounds
    table.notes.append(
        f"Table 1's order for losses of any kind, all constants 1, is {general(10, rounds):.0f} at these sizes: a "
        "yardstick, not a learner."
    )
    return table


def _switches(results: Results) -> Table:
    columns = ["sequence", "K", "constants", "draws: mean", "most", "allowed", "6 ceil(log K) + 24 log(1/beta)"]
    columns += ["runs", "all used up"]
    rows: list[list[Any]] = []
    for one in results.switches:
        seen = [float(one.total.mean()), int(one.total.max()), one.allowed, one.printed, len(one.total)]
        rows.append([one.sequence, one.n_actions, one.constants, *seen, f"{one.exhausted:.2%}"])
    notes = ["beta = 0.05, epsilon 1. The tight number is what fails with probability beta/2 at most (`switching.py`)."]
    return Table("Draws of algorithm 1", columns, rows, notes)


def _tails(results: Results) -> Table:
    columns = ["k", "largest share with Z_i = k + 1, tight", "paper", "lemma 3.1: (2/3)^k"]
    most = max((len(one.tail()) for one in results.switches), default=0)
    rows: list[list[Any]] = []
    for k in range(1, max(1, most) + 1):
        shares = [
            max(
                (share for one in results.switches if one.constants == kind for j, share, _ in one.tail() if j == k),
                default=0.0,
            )
            for kind in ("tight", "paper")
        ]
        rows.append([k, *(f"{share:.4f}" for share in shares), f"{(2 / 3) ** k:.4f}"])
    return Table("Draws during one halving of the potential", columns, rows, ["The largest over i, K and sequences."])


def _hard(results: Results) -> Table:
    columns = ["bound", "K", "epsilon", "rounds with losses", "lower bound", *LEARNERS]
    table = Table("Lower bounds on their own instances", columns)
    for one in results.hard:
        shown = [_around(*one.regrets[name]) if name in one.regrets else "" for name in LEARNERS]
        table.rows.append([one.bound, one.n_actions, one.epsilon, one.last, one.least, *shown])
    return table


def _around(value: float, error: float, digits: int = 2) -> str:
    return f"{value:,.{digits}f} ± {1.96 * error:,.{digits}f}"
