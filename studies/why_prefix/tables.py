"""The tables of study 2."""

from __future__ import annotations

import numpy as np

from discreet.bounds import cesari_colomboni_lemma_4
from studies.why_prefix.costs import Cost
from studies.why_prefix.errors import doubling
from studies.why_prefix.terms import LEFT, Terms
from tools.table import Table


def term_table(found: list[Terms]) -> Table:
    """What the lemmas speak of, one row an instance."""
    columns = ["instance", "epsilon", "small gaps", "bound (5)", "large gaps", "bound (6)", "sum of F_m", "lemma 5"]
    columns += ["F_0 + 2 F_1 + 4 (F_2 + ...)", "regret", "lemma 4", "theorem 1"]
    notes = [f"The sums leave out at most {max(one.left_out for one in found):.1g} of the {LEFT:g} losses allowed."]
    return Table("Lemmas 4 and 5", columns, [_term_row(one) for one in found], notes)


def _term_row(one: Terms) -> list[float | str]:
    sums, errors = (one.small, one.large), 1.96 * np.sqrt(one.sums.variances.sum(axis=0))
    small, large = (f"{value:.2f} ± {error:.2f}" for value, error in zip(sums, errors.tolist(), strict=True))
    total = f"{one.sums.total:.1f} ± {1.96 * one.sums.of_total**0.5:.1f}"
    by_terms = f"{one.sums.regret:.1f} ± {1.96 * one.sums.regret_error:.1f}"
    regret = f"{one.regret:.1f} ± {1.96 * one.regret_error:.1f}"
    where: list[float | str] = [one.instance.name, one.instance.epsilon]
    terms: list[float | str] = [small, one.bound_small, large, one.bound_large, total, one.lemma_5]
    return [*where, *terms, by_terms, regret, one.lemma_4, cesari_colomboni_lemma_4(one.lemma_5)]


def doubling_table(one: Terms) -> Table:
    """The sums of one instance by doublings."""
    rows = []
    for k, (small, large) in enumerate(one.sums.sums.tolist()):
        rows.append([doubling(k).start, doubling(k).stop - 1, small, large, (4 if k else 2) * (small + large)])
    columns = ["m from", "to", "F_m of small gaps, summed", "of large gaps", "regret of the block chosen from these"]
    return Table(f"By doublings of m: {one.instance.name}, epsilon {one.instance.epsilon:g}", columns, rows)


def cost_table(cases: list[Cost]) -> Table:
    """Regret of the three learners, and the two ratios."""
    columns = ["K", "gap", "epsilon", "PrefixSoftmax", "not capped", "whole block", "prefix / whole", "capped / not"]
    rows = [
        [case.n_actions, case.gap, case.epsilon, *case.regrets, *map(str, (case.prefix, case.cap))] for case in cases
    ]
    notes = ["Mean regret after 10^12 rounds in `one_gap(K, gap)`; up to epsilon = 1/4 the cap does nothing."]
    return Table("What the prefix and the cap cost", columns, rows, notes)


def resonance_table(teeth: list[tuple[float, float]]) -> Table:
    """The ratio by epsilon where the expected gap rises."""
    rows = [[epsilon, ratio] for epsilon, ratio in teeth]
    return Table("Prefix over whole block where F_m rises", ["epsilon", "ratio"], rows, ["Exact, two actions, no cap."])
