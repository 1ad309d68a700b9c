"""The tables of this study."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.guarantees import GaussianDP
from studies.amplification.curves import DELTA, SHOWN, Round
from studies.amplification.heuristic import Guess
from tools.table import Table


def tables(rounds: Sequence[Round], pairs: Sequence[Round], guesses: Sequence[Guess]) -> list[Table]:
    """Trade-offs, deltas, sizes, the rule of thumb."""
    both = [*rounds, *pairs]
    return [_betas(both), _deltas(both), _sizes(both), _guesses(guesses)]


def _betas(rounds: Sequence[Round]) -> Table:
    columns = ["n", "round", "alpha", "no batches", "analytic", "empirical", "power, analytic / empirical"]
    table = Table("False negatives at false-positive rate alpha", columns)
    for one in rounds:
        proved = one.proved_beta(np.array(SHOWN)).tolist()
        for alpha, beta in zip(SHOWN, proved, strict=True):
            seen, without = one.seen_beta(alpha), float(GaussianDP(one.model.mu).trade_off(alpha))
            shown = [f"{without:.5f}", f"{beta:.5f}", f"{seen.value:.5f} ± {1.96 * seen.error:.5f}"]
            table.rows.append([one.model.n_actions, f"{one.t:,}", alpha, *shown, (1 - beta) / (1 - seen.value)])
    return table


def _deltas(rounds: Sequence[Round]) -> Table:
    columns = ["n", "round", "epsilon", "no batches", "analytic", "empirical", "analytic / empirical"]
    table = Table("Delta at epsilon", columns)
    for one in rounds:
        for epsilon in (0.0, 0.5, 1.0, 2.0, 3.0, 4.0):
            proved, seen = one.proved_delta(epsilon), one.seen_delta(epsilon)
            shown = [GaussianDP(one.model.mu).delta(epsilon), proved, f"{seen.value:.3g} ± {1.96 * seen.error:.1g}"]
            table.rows.append([one.model.n_actions, f"{one.t:,}", epsilon, *shown, proved / seen.value])
    return table


def _sizes(rounds: Sequence[Round]) -> Table:
    epsilon = f"epsilon at delta {DELTA:g}"
    columns = ["n", "round", "runs", "size 1: analytic", "size 1: empirical", f"{epsilon}: analytic", "empirical"]
    table = Table("The batch around a round", [*columns, "mean size in runs", "largest"])
    for one in rounds:
        alone, seen = 1 - one.least.survival(2), float((one.sizes == 1).mean())
        epsilons = [law.trade_off(one.model.mu).epsilon(DELTA) for law in (one.least, one.law)]
        mean, largest = float(one.sizes.mean()), f"{one.sizes.max():,}"
        table.rows.append([one.model.n_actions, f"{one.t:,}", len(one.sizes), alone, seen, *epsilons, mean, largest])
    table.notes.append("Analytic chances of a batch of one round are upper bounds.")
    return table


def _guesses(guesses: Sequence[Guess]) -> Table:
    columns = ["n", "round", "chance", "runs", "mended", "runs below", "as printed", "runs below it"]
    table = Table("By what factor mu falls but for a chance: the rule of thumb of A.11, not a guarantee", columns)
    for one in guesses:
        shown = [one.seen, one.mended, one.below, one.printed, one.below_printed]
        table.rows.append([one.model.n_actions, f"{one.t:,}", one.chance, *shown])
    return table
