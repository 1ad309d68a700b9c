"""Lemma 6 of Wu & Wang by enumeration: the better action is the likelier one, and the j-th best has at most 1/j."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from discreet.environments import Bernoulli
from discreet.environments.laws import Law
from discreet.experts.noisy_leader import Noise
from studies.resampling.laws import NOISES, ROUNDING, Floats, block_law, selection
from tools.table import Table


@dataclass(frozen=True)
class Order:
    """How far the chances of actions, the best first, are from breaking the two claims; above 0 they are broken."""

    inversion: float  # largest P(a worse action) - P(a better one)
    excess: float  # largest j · P(j) - 1 for j = 2, 3, ...

    @classmethod
    def of(cls, chances: Floats, means: Floats) -> Order:
        """Of a law over actions with these means; equal means must have equal chances, for both orders are theirs."""
        best_first = np.argsort(means, kind="stable")
        p, mu = chances[best_first], means[best_first]
        worse = mu[:, None] >= mu[None]  # row no better than column
        np.fill_diagonal(worse, False)
        ranks = np.arange(2, len(p) + 1)
        return cls(float(np.where(worse, p[:, None] - p, -1).max()), float((ranks * p[1:]).max() - 1))

    @property
    def holds(self) -> bool:
        """Whether both claims hold, to rounding."""
        return self.inversion <= ROUNDING and self.excess <= len(NOISES) * ROUNDING


def instances(n_actions: int, random: int) -> Iterator[Floats]:
    """Means to try: equal, one gap, two levels, spread, with ties, up to the ends; and some drawn uniformly."""
    yield np.full(n_actions, 0.5)
    for gap in (0.01, 0.3, 1.0):
        yield np.linspace(0.5 - gap / 2, 0.5 + gap / 2, n_actions)
        yield np.repeat([0.5 - gap / 2, 0.5 + gap / 2], [1, n_actions - 1])
        yield np.repeat([0.5 - gap / 2, 0.5 + gap / 2], [n_actions - 1, 1])
    yield np.linspace(0.01, 0.05, n_actions)
    rng = np.random.default_rng(6)
    for _ in range(random):
        yield rng.random(n_actions)


def enumerate_lemma(sizes: dict[int, int], epsilons: list[float], random: int) -> Table:
    """All blocks of 1 .. sizes[K] rounds of K actions, for each noise: how close each claim comes to breaking."""
    columns = ["actions", "noise", "blocks of", "cases", "most P(worse) - P(better)", "most j P(j) - 1", "broken"]
    table = Table("Lemma 6 with resampling, by enumeration", columns)
    for n_actions, longest in sizes.items():
        for noise in NOISES:
            orders = [
                order
                for epsilon in epsilons
                for rounds in range(1, longest + 1)
                for order in _orders(n_actions, rounds, noise, epsilon, random)
            ]
            inversion, excess = max(o.inversion for o in orders), max(o.excess for o in orders)
            broken = sum(not order.holds for order in orders)
            table.rows.append([n_actions, noise, f"1 to {longest}", len(orders), inversion, excess, broken])
    table.notes.append(
        f"A case is an instance, a block length, and an epsilon among {', '.join(f'{e:g}' for e in epsilons)}. "
        f"Chances are right to about {ROUNDING:g}: what is below that is 0, which equal means reach."
    )
    return table


def _orders(n_actions: int, rounds: int, noise: Noise, epsilon: float, random: int) -> Iterator[Order]:
    """The order of the actions on each instance. The chances given totals do not depend on the means: found once."""
    everything = block_law(Bernoulli(np.full(n_actions, 0.5)), rounds, resample=True)
    given = selection(noise, epsilon).law(everything.totals)
    places = {tuple(row): place for place, row in enumerate(everything.totals.tolist())}
    for means in instances(n_actions, random):
        law = block_law(Bernoulli(means), rounds, resample=True)
        yield Order.of(law.chances @ given[_rows(law, places)], means)


def _rows(law: Law, places: dict[tuple[int, ...], int]) -> list[int]:
    return [places[tuple(row)] for row in law.totals.tolist()]
