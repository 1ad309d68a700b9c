"""What lemma 6 needs: cases in which one of its conditions is missing, and what becomes of its claims."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from discreet.environments import Bernoulli, Correlated
from discreet.environments.laws import Law, mixture, two_valued
from discreet.losses import UNITS
from studies.resampling.example import MENDED
from studies.resampling.laws import (
    ROUNDING,
    Floats,
    after_block,
    block_law,
    resampled_apart,
    resampled_together,
    selection,
)
from studies.resampling.order import Order
from tools.table import Table


@dataclass(frozen=True)
class Case:
    """One round's law of what is added up, with the means of the actions."""

    name: str
    once: Law
    means: Floats

    def chances(self, rounds: int, epsilon: float | None) -> Floats:
        """The chance of each action after a block, with Gumbel noise, or none where epsilon is None."""
        how = None if epsilon is None else selection("gumbel", epsilon)
        return after_block(how, self.once.times(rounds), rounds)

    def order(self, rounds: int, epsilon: float | None) -> Order:
        """How the claims fare."""
        return Order.of(self.chances(rounds, epsilon), self.means)


# Actions 1 and 3 lose in the same rounds, action 2 in the others.
_LONELY = Correlated([0.5, 0.51, 0.52], strength=[1.0, -1.0, 1.0])
_LONELY_LAST = Correlated([0.4, 0.45, 0.5], strength=[0.8, 0.8, -0.8])
# Actions 1 and 3 always lose 1/2; action 2 loses 0 or 1, a little more on average.
_HALVES, _CHANCES = [[0.5, 0.0, 0.5], [0.5, 1.0, 0.5]], [0.48, 0.52]
_HALF_MEANS = np.array([0.5, 0.52, 0.5])

CASES = (
    Case("all conditions hold: independent 0/1 losses", Bernoulli([0.5, 0.51, 0.52]).round_law(), _LONELY.means),
    Case("no resampling: the example turned round", block_law(MENDED, 1, resample=False), MENDED.means),
    Case("dependent actions: 1 and 3 lose together, 2 apart", _LONELY.round_law(), _LONELY.means),
    Case("dependent actions: 1 and 2 lose together, 3 apart", _LONELY_LAST.round_law(), _LONELY_LAST.means),
    Case("one random number for all actions", resampled_together(_HALVES, _CHANCES), _HALF_MEANS),
    Case("the same losses, a number for each action", resampled_apart(_HALVES, _CHANCES), _HALF_MEANS),
)


def conditions_table(blocks: list[int], epsilons: list[float | None]) -> Table:
    """The chances of the actions in each case, after blocks of some lengths."""
    columns = ["case", "means", "rounds", "noise", "P(1), P(2), ...", "better is likelier", "P(j) <= 1/j"]
    table = Table("Lemma 6 with a condition missing", columns)
    for case in CASES:
        for rounds, epsilon in product(blocks, epsilons):
            noise = "none" if epsilon is None else f"Gumbel, epsilon {epsilon:g}"
            shown = [case.name, _listed(case.means), rounds, noise, _listed(case.chances(rounds, epsilon), 4)]
            order = case.order(rounds, epsilon)
            table.rows.append([*shown, *("no" if by > ROUNDING else "yes" for by in (order.inversion, order.excess))])
    table.notes.append("Exact. Actions are numbered as their means are listed; `none` is no noise at all.")
    return table


def _listed(numbers: Floats, digits: int = 3) -> str:
    return ", ".join(f"{number:.{digits}g}" for number in numbers.tolist())


def pairs(cases: int, longest: int) -> float:
    """The largest P(worse) - P(better) of two actions over random dependent laws of 0/1 losses, noise or none.

    It should never be above 0: the difference of the totals is a sum of steps -1, 0, 1 of which +1 is no less likely
    than -1, so it is k at least as often as -k.
    """
    rng = np.random.default_rng(2)
    worst = -1.0
    for _ in range(cases):
        joint = rng.dirichlet([0.5] * 4)
        none, one = np.zeros(2, np.int64), np.full(2, UNITS)
        corners = [two_valued(none, one, np.array(corner)) for corner in product((0.0, 1.0), repeat=2)]
        case = Case("", mixture(corners, joint.tolist()), np.array([joint[2] + joint[3], joint[1] + joint[3]]))
        orders = [case.order(rounds, epsilon) for rounds in range(1, longest + 1) for epsilon in (None, 1.0, 10.0)]
        worst = max(worst, *(order.inversion for order in orders))
    return worst


def covariance(resample: bool) -> tuple[float, float]:
    """Covariance and correlation of two losses that move together, 0.2 and 0.3 or 0.6 and 0.9, as seen."""
    outcomes, chances = np.array([[0.2, 0.3], [0.6, 0.9]]), np.array([0.5, 0.5])
    means, products = chances @ outcomes, float(chances @ outcomes.prod(axis=1))
    # A resampled loss is 0 or 1: its square is itself; given the losses the draws are independent.
    squares = means if resample else chances @ outcomes**2
    both = products - float(means.prod())
    return both, both / float(np.sqrt((squares - means**2).prod()))
