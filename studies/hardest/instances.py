"""Instances among which the hardest is looked for: gaps, and how much the losses vary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from discreet.environments import Bernoulli, Deterministic, Environment, TwoPoint
from studies.deterministic.lemmas import Floats

Kind = Literal["never change", "0 or 1", "best never changes"]

#: Gaps below this would need more rounds than the study plays.
LEAST_GAP = 0.02


@dataclass(frozen=True)
class Candidate:
    """Gaps of all actions but the best, sorted, and the best mean; the best action stands first."""

    family: str
    gaps: tuple[float, ...]
    kind: Kind
    base: float = 0.0

    @property
    def n_actions(self) -> int:
        """How many actions there are."""
        return 1 + len(self.gaps)

    def environment(self) -> Environment:
        """The losses: independent, 0 or 1 where they vary."""
        means = np.minimum(self.base + np.append(0.0, self.gaps), 1.0)
        if self.kind == "never change":
            return Deterministic(means)
        if self.kind == "0 or 1":
            return Bernoulli(means)
        high, chance = np.ones(len(means)), means.copy()
        high[0], chance[0] = means[0], 1.0
        return TwoPoint(np.zeros(len(means)), high, chance)

    def rate(self, epsilon: float) -> float:
        """log(K)/gap + log(K)/epsilon."""
        return float(np.log(self.n_actions) * (1 / self.gaps[0] + 1 / epsilon))

    def moved(self, width: float, rng: np.random.Generator) -> Candidate:
        """Another one nearby: all gaps by one factor, each by its own, or half of them alike; the base moves too."""
        size = len(self.gaps)
        step = (np.ones(size), rng.normal(size=size), np.arange(size) < rng.integers(1, size + 1))[rng.integers(3)]
        gaps = np.clip(np.array(self.gaps) * np.exp(width * rng.normal() * step), LEAST_GAP, 1.0)
        room = 1.0 - float(gaps.max())
        base = float(np.clip(self.base + width * rng.normal() / 4, 0.0, room)) if self.kind != "never change" else 0.0
        return Candidate(self.family, tuple(np.sort(gaps).tolist()), self.kind, base)


def families(k: int, kind: Kind, rng: np.random.Generator, random: int) -> list[Candidate]:
    """Where the search starts: the families by name, and random gaps; means in the middle of [0, 1]."""
    others = k - 1
    found: list[tuple[str, Floats]] = [("one gap", np.full(others, gap)) for gap in np.geomspace(0.03, 1, 8)]
    for least in (0.03, 0.1, 0.3):
        steps = np.arange(others) / max(1, others - 1)
        found.append(("staircase", least + (1 - least) * steps))
        found.append(("geometric", least ** (1 - steps)))
        # As many actions on each level as on all lower ones together, so that every scale has its own crowd.
        levels = np.floor(np.log2(np.arange(others) + 1))
        found.append(("doubling crowds", np.minimum(least * 2**levels, 1.0)))
        found.append(("hard for privacy", np.where(np.arange(others) < 2, least, 1.0)))
        found += [("two groups", np.where(np.arange(others) < few, least, 1.0)) for few in (1, int(np.sqrt(k)))]
    found += [("random", np.sort(np.exp(rng.uniform(np.log(LEAST_GAP), 0, size=others)))) for _ in range(random)]
    return [Candidate(family, tuple(gaps.tolist()), kind, _middle(gaps, kind)) for family, gaps in found]


def _middle(gaps: Floats, kind: Kind) -> float:
    return 0.0 if kind == "never change" else (1.0 - float(gaps.max())) / 2
