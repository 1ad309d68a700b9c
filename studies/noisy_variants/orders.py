"""Wu & Wang's tables 1 and 2 with measured columns: how regret grows with the number of actions and of rounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discreet.environments import Deterministic, Environment, TwoPoint, one_gap
from discreet.simulate import exact_regret
from studies.noisy_variants.learners import Estimate, all_learners, estimates, references, variants
from tools.table import Table

EPSILON = 0.05

LOWER = {"dependent": "log K / gap + log K / eps", "independent": "sqrt(T log K) + log K / eps"}
UPPER = {
    "dependent": {
        "laplace": "log K / gap + log K log T / eps (Hu et al.)",
        "resampled": "log K / gap + log² K / eps (theorem 3)",
        "PrefixSoftmax": "log K / gap + log K / eps (Cesari & Colomboni)",
    },
    "independent": {
        "laplace": "sqrt(T log K) + log K log T / eps (Hu et al.)",
        "resampled": "sqrt(T log K) + log² K / eps (corollary 5)",
    },
    "deterministic": {
        "laplace": "log² K / eps (corollary 10)",
        "exponential": "log K / eps (theorem 11)",
        "gumbel": "log K / eps (theorem 11)",
        "PrefixSoftmax": "log K / gap + log K / eps (Cesari & Colomboni)",
    },
}


def quoted(setting: str, name: str) -> str:
    """The upper bound that is proved for a learner in a setting."""
    return UPPER[setting].get("resampled" if "resampled" in name else name, "none quoted")


def gaps_at_scales(n_actions: int, scales: int) -> list[float]:
    """The best action at 0, the others shared out evenly over the gaps 1, 1/2, 1/4, ...

    A loss has 2^20 units: beyond 20 scales the smallest gaps would be rounded away.
    """
    levels = np.arange(n_actions - 1) * scales // (n_actions - 1)
    return [0.0, *(2.0**-levels).tolist()]


PROFILES: dict[str, Callable[[int], list[float]]] = {
    "one gap of 1/2": lambda k: [0.0, *[0.5] * (k - 1)],
    "theorem 7, gap 0.1": lambda k: [0.0, 0.1, 0.1, *[1.0] * (k - 3)],
    "gaps 1, 1/2, 1/4": lambda k: gaps_at_scales(k, 3),
}


@dataclass(frozen=True)
class Growth:
    """Regret of one learner over a growing number of actions."""

    setting: str
    instance: str
    learner: str
    actions: list[int]
    regrets: list[Estimate]

    @property
    def over_log(self) -> float:
        """How much faster than log K it grew: 1 if like log K, `square` if like its square."""
        return self.regrets[-1].mean / self.regrets[0].mean / self.square

    @property
    def error(self) -> float:
        """Half of a 95% interval of `over_log`."""
        parts = [regret.half / regret.mean for regret in (self.regrets[0], self.regrets[-1])]
        return self.over_log * math.hypot(*parts)

    @property
    def square(self) -> float:
        """What `over_log` is for log² K."""
        return math.log(self.actions[-1]) / math.log(self.actions[0])


def deterministic_growth(actions: list[int], rounds: int) -> list[Growth]:
    """Exact regret where losses never change."""
    found = []
    for instance, profile in PROFILES.items():
        for name in variants(2, 1.0, resample=(False,)) | references(2, 1.0):
            learners = [(variants(k, EPSILON, (False,)) | references(k, EPSILON))[name] for k in actions]
            worlds = [Deterministic(profile(k)) for k in actions]
            exact = [exact_regret(*pair, rounds) for pair in zip(learners, worlds, strict=True)]
            found.append(Growth("deterministic", instance, name, actions, [Estimate(value, 0.0) for value in exact]))
    return found


def stochastic(n_actions: int) -> dict[str, Environment]:
    """Losses of 0 and 1 with one gap, and losses of two values with gaps at three scales."""
    middle = 0.25 + np.array(gaps_at_scales(n_actions, 3)) / 2
    half = np.full(n_actions, 0.5)
    return {
        "0/1, one gap of 1/2": one_gap(n_actions, 0.5),
        "mean ± 0.2, gaps 1/2, 1/4, 1/8": TwoPoint(middle - 0.2, middle + 0.2, half),
    }


def stochastic_growth(actions: list[int], rounds: int, runs: int, jobs: int) -> list[Growth]:
    """Simulated regret where losses are drawn."""
    return [
        Growth(
            "dependent",
            instance,
            name,
            actions,
            [
                estimates(all_learners(k, EPSILON)[name], stochastic(k)[instance], [rounds], runs, 61, jobs)[-1]
                for k in actions
            ],
        )
        for instance in stochastic(4)
        for name in all_learners(2, 1.0)
    ]


def growth_table(title: str, growths: list[Growth], note: str) -> Table:
    """Quoted orders beside what was measured."""
    actions = growths[0].actions
    lower = LOWER.get(growths[0].setting, "log K / eps (theorem 7)")
    columns = ["losses", "learner", "upper bound", *(f"K = {k}" for k in actions), "growth / growth of log K"]
    table = Table(title, columns)
    for growth in growths:
        shown = [regret.mean * EPSILON / math.log(k) for k, regret in zip(actions, growth.regrets, strict=True)]
        table.rows.append(
            [growth.instance, growth.learner, quoted(growth.setting, growth.learner), *shown, growth.over_log]
        )
    table.notes.append(
        f"Lower bound: {lower}. Under K: regret · epsilon / log K, epsilon = {EPSILON}. Last: 1 for growth like log K, "
        f"{growths[0].square:.3g} for growth like log² K. {note}"
    )
    return table


@dataclass(frozen=True)
class Long:
    """Exact regret of one learner over long horizons, and over one with gaps at more and more scales."""

    learner: str
    horizons: dict[int, float]
    scales: dict[int, float]


def long_runs(n_actions: int, horizons: list[int], scales: list[int]) -> list[Long]:
    """Losses that never change: gaps 1, 1/2, ... at some scales; at many of them the last horizon counts."""
    learners = variants(n_actions, EPSILON, resample=(False,)) | references(n_actions, EPSILON)
    del learners["PrefixSoftmax"]  # its prefixes of so many rounds are too many to sum over
    return [
        Long(
            name,
            {t: exact_regret(learner, Deterministic(gaps_at_scales(n_actions, scales[0])), t) for t in horizons},
            {s: exact_regret(learner, Deterministic(gaps_at_scales(n_actions, s)), horizons[-1]) for s in scales},
        )
        for name, learner in learners.items()
    ]


def long_table(found: list[Long], n_actions: int) -> Table:
    """Does regret grow with log T, or with the number of scales, from which log T comes?"""
    horizons = [f"{t:.0e} rounds" for t in found[0].horizons]
    columns = ["learner", *horizons, *(f"{s} scales" for s in found[0].scales)]
    table = Table(f"Growth with T, losses that never change, {n_actions} actions", columns)
    for row in found:
        values = [*row.horizons.values(), *row.scales.values()]
        table.rows.append([row.learner, *(value * EPSILON / math.log(n_actions) for value in values)])
    table.notes.append(
        f"Exact regret · epsilon / log K, epsilon = {EPSILON}. First for gaps at {min(found[0].scales)} scales "
        "(1, 1/2, ...) and growing T; then at the largest T for gaps at more and more scales, as many actions at each."
    )
    return table
