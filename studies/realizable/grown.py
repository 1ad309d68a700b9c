"""`TreeLeader` where privacy hardly limits it: what is left of its regret is what losses of any kind cost."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.environments import halving
from studies.realizable.cases import ANY, EVEN, TREE, Case, mean_regret, tree_leader
from tools.table import Table

SEQUENCE = "halving"


@dataclass(frozen=True)
class Grown:
    """A case on `halving`, and the standard deviation of the noise in the noisiest sum."""

    case: Case
    deviation: float

    @property
    def ratio(self) -> float:
        """Regret for each loss of noise."""
        return self.case.mean / self.deviation


def grown(asked: tuple[int, float, tuple[tuple[int, int], ...]], jobs: int) -> list[Grown]:
    """Both noises. Asked: K, epsilon, and rounds with runs."""
    k, epsilon, sizes = asked
    found = []
    for name, make in ANY.items():
        for rounds, runs in sizes:
            world = halving(k, rounds).still()
            mean = mean_regret(make(k, epsilon, rounds), world, rounds, runs, jobs, seed=71)
            case = Case(name, SEQUENCE, k, epsilon, rounds, *mean)
            found.append(Grown(case, deviation(name, k, epsilon, rounds)))
    return found


def deviation(name: str, k: int, epsilon: float, rounds: int) -> float:
    """The standard deviation of the noise in the noisiest sum, in losses."""
    return tree_leader(k, epsilon, rounds, "least" if name == TREE else "least-regret").deviation


def grown_table(found: list[Grown]) -> Table:
    """Rounds, noise, regret."""
    first = found[0].case
    table = Table(
        f"Losses of any kind: {SEQUENCE}, K = {first.n_actions}, epsilon {first.epsilon:g}",
        ["T", "learner", "noise of a sum", "regret", "regret / noise"],
    )
    for one in found:
        shown = [f"{one.deviation:.1f}", str(one.case), f"{one.ratio:.2f}"]
        table.rows.append([f"{one.case.rounds:,}", one.case.learner, *shown])
    table.notes.append(
        f"The noise of a sum is that of the noisiest; with `{EVEN}` all have it: sqrt(T)/2 or what privacy demands, "
        "the larger."
    )
    return table
