"""What resampling does to regret: exactly for two actions, by simulation for many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.environments import Bernoulli, Deterministic, Environment, TwoPoint
from discreet.experts import NoisyLeader
from discreet.experts.noisy_leader import Noise
from discreet.simulate import exact_regret, regret
from studies.resampling.example import MENDED, PRINTED
from studies.resampling.laws import NOISES
from tools.table import Table

EPSILONS = [0.25, 1.0, 4.0, 16.0, 64.0]

INSTANCES: dict[str, Environment] = {
    "0/1 losses, gap 1/8": Bernoulli([3 / 8, 1 / 2]),
    "never change, gap 1/8": Deterministic([3 / 8, 1 / 2]),
    "within 1/16 of the mean, gap 1/8": TwoPoint([5 / 16, 7 / 16], [7 / 16, 9 / 16], [0.5, 0.5]),
    "the example as printed": PRINTED,
    "the example turned round": MENDED,
    "0.3; 0.29, rarely 1": TwoPoint([0.3, 0.29], [0.3, 1.0], [0.0, 0.05]),
    "1/256; 0, rarely 1": TwoPoint([1 / 256, 0.0], [1 / 256, 1.0], [0.0, 1 / 16]),
}


@dataclass(frozen=True)
class Pair:
    """Regret without and with resampling."""

    without: float
    resampled: float

    @property
    def ratio(self) -> float:
        """Above 1 resampling costs, below it gains."""
        return self.resampled / self.without


def exact(environment: Environment, noise: Noise, epsilon: float, rounds: int) -> Pair:
    """Expected regret over some rounds."""
    assert environment.n_actions is not None
    plain, resampled = (
        exact_regret(NoisyLeader(environment.n_actions, epsilon, noise=noise, resample=b), environment, rounds)
        for b in (False, True)
    )
    return Pair(plain, resampled)


Pairs = dict[tuple[str, Noise], list[Pair]]


def all_pairs(epsilons: list[float], rounds: int, noises: tuple[Noise, ...] = NOISES) -> Pairs:
    """Every instance with every noise, at each epsilon."""
    return {
        (name, noise): [exact(environment, noise, epsilon, rounds) for epsilon in epsilons]
        for name, environment in INSTANCES.items()
        for noise in noises
    }


def exact_table(pairs: Pairs, epsilons: list[float], rounds: int) -> Table:
    """Regret without and with resampling, for every instance and noise."""
    shown = [f"{way}, epsilon {epsilon:g}" for epsilon in epsilons for way in ("without", "with")]
    table = Table(f"Expected regret over {rounds:,} rounds, two actions", ["losses", "noise", *shown])
    for (name, noise), row in pairs.items():
        table.rows.append([name, noise, *(value for pair in row for value in (pair.without, pair.resampled))])
    table.notes.append("Exact: summed over the law of the totals; `with` and `without` resampling.")
    return table


@dataclass(frozen=True)
class Search:
    """The instances on which resampling gained and cost most, among those tried at one horizon."""

    rounds: int
    epsilon: float
    tried: int
    gains: tuple[float, Environment]
    costs: tuple[float, Environment]


def search(epsilons: list[float], tries: int, every: int, horizons: list[int]) -> list[Search]:
    """Two actions with two values each, drawn at random and from a family of rare losses: where does it gain most?"""
    candidates = [*_random(tries), *_rare()[::every]]
    found = []
    for rounds in horizons:
        for epsilon in epsilons:
            scored = [(exact(world, "exponential", epsilon, rounds).ratio, world) for world in candidates]
            order = sorted(scored, key=lambda pair: pair[0])
            found.append(Search(rounds, epsilon, len(scored), order[0], order[-1]))
    return found


def _random(tries: int) -> list[Environment]:
    """Values in eighths, so that totals have few outcomes; in half of them one action always loses the same."""
    rng, worlds = np.random.default_rng(4), list[Environment]()
    while len(worlds) < tries:
        values = np.sort(rng.integers(0, 9, (2, 2)) / 8, axis=0)
        if len(worlds) % 2:
            values[:, 0] = values[0, 0]
        world = TwoPoint(values[0], values[1], rng.integers(1, 20, 2) / 20)
        if np.ptp(world.means) >= 0.02:
            worlds.append(world)
    return worlds


def _rare() -> list[Environment]:
    """Action 1 always loses a little; action 2 mostly nothing, else 1."""
    steady, rare = 2.0 ** -np.arange(2, 11), 2.0 ** -np.arange(1, 7)
    return [TwoPoint([c, 0], [c, 1], [0, m]) for c in steady.tolist() for m in rare.tolist() if m > c]


def search_table(found: list[Search]) -> Table:
    """What the search found."""
    columns = ["rounds", "epsilon", "instances", "least with / without", "at", "most with / without", "at losses"]
    table = Table("Where resampling gains and costs most, two actions", columns)
    for s in found:
        least, most = ((ratio, _shown(world)) for ratio, world in (s.gains, s.costs))
        table.rows.append([s.rounds, s.epsilon, s.tried, *least, *most])
    table.notes.append("Exact regret, exponential noise. A search is no proof: better instances may exist.")
    return table


def _shown(world: Environment) -> str:
    assert isinstance(world, TwoPoint)
    rows = zip(world.low.tolist(), world.high.tolist(), world.chance.tolist(), strict=True)
    return "; ".join(
        f"{low:.4g}" if low == high else f"{low:.4g} or {high:.4g} w.p. {chance:.4g}" for low, high, chance in rows
    )


def many(n_actions: int) -> dict[str, Environment]:
    """The same kinds of losses with one best action and all others alike."""

    def alike(first: float, others: float) -> list[float]:
        return [first, *[others] * (n_actions - 1)]

    return {
        "0/1 losses, gap 1/8": Bernoulli(alike(3 / 8, 1 / 2)),
        "never change, gap 1/8": Deterministic(alike(3 / 8, 1 / 2)),
        "never change, gap 1/64": Deterministic(alike(31 / 64, 1 / 2)),
        "within 1/16 of the mean, gap 1/8": TwoPoint(alike(5 / 16, 7 / 16), alike(7 / 16, 9 / 16), alike(0.5, 0.5)),
        "the example turned round": TwoPoint(alike(0.3, 0.2), alike(0.3, 0.8), alike(0.0, 0.2)),
        "1/256; 0, rarely 1": TwoPoint(alike(1 / 256, 0.0), alike(1 / 256, 1.0), alike(0.0, 1 / 16)),
    }


def many_table(n_actions: int, epsilons: list[float], rounds: int, runs: int, jobs: int) -> Table:
    """Simulated regret, means with 95% intervals."""
    columns = ["losses", "epsilon", "without", "± without", "with", "± with", "with / without"]
    table = Table(f"Regret over {rounds:,} rounds, {n_actions} actions, exponential noise", columns)
    for name, environment in many(n_actions).items():
        for epsilon in epsilons:
            cells = []
            for resample in (False, True):
                learner = NoisyLeader(n_actions, epsilon, noise="exponential", resample=resample)
                # Seeds apart: the two are compared as independent samples.
                curve = regret(learner, environment, rounds, runs, seed=41 + resample, jobs=jobs, horizons=[rounds])
                cells += [float(curve.mean[-1]), float(curve.mean[-1] - curve.interval()[0][-1])]
            table.rows.append([name, epsilon, *cells, cells[2] / cells[0]])
    table.notes.append(f"{runs:,} runs each; ± is half of a 95% interval for the mean.")
    return table
