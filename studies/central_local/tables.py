"""The tables of this study."""

from __future__ import annotations

from math import exp

from studies.central_local.cases import BATCH, EPSILONS, PURE, TREE, WALK
from studies.central_local.equivalent import (
    READINGS,
    epsilon_by_delta,
    epsilon_by_guess,
    mu_by_delta,
    mu_by_guess,
)
from studies.central_local.results import Results
from tools.table import Table


def tables(results: Results) -> list[Table]:
    """What is as much, regret by each reading, the price, the teams."""
    return [_equivalents(), *(_regrets(results, reading) for reading in READINGS), _price(results), _teams(results)]


def _equivalents() -> Table:
    columns = ["epsilon", "right guesses", "mu: best guess", "its epsilon at delta 10^-6"]
    table = Table("What is as much as epsilon", [*columns, "mu: delta 10^-6", "its epsilon by best guess"])
    for epsilon in EPSILONS:
        guess, tail = mu_by_guess(epsilon), mu_by_delta(epsilon)
        right = f"{1 / (1 + exp(-epsilon)):.2%}"
        table.rows.append([epsilon, right, guess, epsilon_by_delta(guess), tail, epsilon_by_guess(tail)])
    table.notes.append(
        "By best guess the Gaussian promise is the weaker one of the two, by delta 10^-6 the stronger one but for "
        "events of that chance."
    )
    return table


def _regrets(results: Results, reading: str) -> Table:
    columns = ["epsilon", "mu", *(f"{name} (central, epsilon)" for name in PURE), f"{TREE} (central, mu)"]
    columns += [f"{WALK} (local, mu)", f"{BATCH} (local, mu)", "local / central, mu", "mean loss, local"]
    table = Table(f"Regret by equal {reading}", columns)
    rounds = len(results.data.losses)
    for row in results.rows(reading):
        walk = row.local.walk
        shown = [str(one) for one in (*row.pure, row.tree, walk, row.local.batch)]
        mean = (results.data.best + walk.mean) / rounds
        table.rows.append([row.epsilon, row.mu, *shown, f"{walk.mean / row.tree.mean:.1f}", f"{mean:.4f}"])
    table.notes.append(
        f"In losses, of {rounds:,} rounds; ± is 1.96 standard errors. The epsilon-private learners choose once a "
        "block, a few times in all, so their regret depends on where blocks end on this one record, and need not fall "
        "with epsilon."
    )
    return table


def _price(results: Results) -> Table:
    columns = ["epsilon", f"regret of {PURE[0]}", "mu of the local model with that regret", "its epsilon by best guess"]
    table = Table("What the local model would have to give up", [*columns, "its epsilon at delta 10^-6"])
    for row in results.rows(next(iter(READINGS))):
        mu = results.mu_for(row.pure[0].mean)
        shown = ["beyond what was played"] * 3 if mu is None else [mu, epsilon_by_guess(mu), epsilon_by_delta(mu)]
        table.rows.append([row.epsilon, str(row.pure[0]), *shown])
    table.notes.append(f"{WALK}, by a line through the logarithms of the regrets that were played.")
    return table


def _teams(results: Results) -> Table:
    means = results.data.losses.mean(axis=0)
    table = Table("The teams", ["team", "mean loss", "regret of following it"])
    for place in means.argsort().tolist():
        regret = means[place] * len(results.data.losses) - results.data.best
        table.rows.append([results.data.teams[place], f"{means[place]:.4f}", f"{regret:.1f}"])
    lot = results.data.by_lot
    table.rows.append(["a team drawn by lot each round", f"{means.mean():.4f}", f"{lot:.1f}"])
    return table
