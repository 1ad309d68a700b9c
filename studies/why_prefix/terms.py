"""Lemmas 4 and 5 of Cesari & Colomboni, term by term, on a few instances."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from discreet.bounds import cesari_colomboni_lemma_4, cesari_colomboni_lemma_5
from discreet.environments import Bernoulli, Correlated, Deterministic, Environment, hard_for_privacy, one_gap, spread
from discreet.experts import PrefixSoftmax
from discreet.simulate import exact_regret, regret
from studies.why_prefix.errors import Doublings, exact, gaps_of, sampled, settled, tail

SEED = 3_100
#: What may be left out of the sum of F_m, in losses.
LEFT = 1e-3


@dataclass(frozen=True)
class Instance:
    """An environment and a rate, by a name."""

    name: str
    environment: Environment
    epsilon: float


def instances(quick: bool) -> list[Instance]:
    """Gaps all small, all large, and both; losses that vary, that do not, and that depend on each other."""
    ladder = np.concatenate([[0.1], 0.1 + np.repeat(0.02 * 2.0 ** np.arange(6), 5)])
    opposed = Correlated(ladder, strength=np.where(np.arange(len(ladder)) % 2, -0.9, 0.9))
    chosen = [
        Instance("one gap of 0.5, K = 32", one_gap(32, 0.5), 0.05),
        Instance("gaps 0.02 to 0.64, K = 31", Bernoulli(ladder), 0.05),
        Instance("the same, opposed shocks", opposed, 0.05),
        Instance("one gap of 0.02, K = 128", one_gap(128, 0.02), 0.25),
        Instance("means spread over 0.3 to 0.9, K = 32", spread(32), 0.2),
        Instance("theorem 7's instance, gap 0.02, K = 128", hard_for_privacy(128, 0.02).still(), 0.05),
        Instance("equal losses but one, gap 0.5, K = 128", Deterministic([0.0] + [0.5] * 127), 0.05),
    ]
    return chosen[:2] if quick else chosen


@dataclass(frozen=True)
class Terms:
    """What the lemmas speak of, for one instance."""

    instance: Instance
    rate: float
    last: int  # the sum is over m up to 2^last
    sums: Doublings
    left_out: float
    regret: float
    regret_error: float

    @property
    def n_actions(self) -> int:
        """K."""
        return len(gaps_of(self.instance.environment))

    @property
    def small(self) -> float:
        """The sum over the actions with gaps up to 4 · rate."""
        return float(self.sums.sums[:, 0].sum())

    @property
    def large(self) -> float:
        """The sum over the others."""
        return float(self.sums.sums[:, 1].sum())

    @property
    def bound_small(self) -> float:
        """Display (5) of the proof of lemma 5; 0 where there are no small gaps."""
        gaps = gaps_of(self.instance.environment)
        small = (gaps > 0) & (gaps <= 4 * self.rate)
        return 200 * log(len(gaps)) / float(gaps[gaps > 0].min()) if small.any() else 0.0

    @property
    def bound_large(self) -> float:
        """Display (6); 0 where there are no large gaps."""
        gaps = gaps_of(self.instance.environment)
        return 4 * log(len(gaps)) / self.rate if (gaps > 4 * self.rate).any() else 0.0

    @property
    def lemma_4(self) -> float:
        """Lemma 4 for the sum found, with what was left out of it."""
        return cesari_colomboni_lemma_4(self.sums.total + self.left_out)

    @property
    def lemma_5(self) -> float:
        """Lemma 5."""
        gaps = gaps_of(self.instance.environment)
        return cesari_colomboni_lemma_5(len(gaps), float(gaps[gaps > 0].min()), self.rate)

    @property
    def score(self) -> float:
        """How many standard errors the regret lies from what the sums of F_m say that it is."""
        return (self.regret - self.sums.regret) / float(np.hypot(self.regret_error, self.sums.regret_error))


def terms(instance: Instance, place: int, runs: int, regret_runs: int, jobs: int) -> Terms:
    """The sums of F_m by sampling, and the regret of the learner by an independent simulation."""
    learner = PrefixSoftmax(len(gaps_of(instance.environment)), instance.epsilon)
    rate = learner.selection.error_rate
    last = settled(instance.environment, rate, LEFT)
    sums = sampled(instance.environment, rate, last, runs, SEED + place)
    rounds = 2 ** (last + 2) - 1
    curve = regret(learner, instance.environment, rounds, regret_runs, SEED + 50 + place, jobs, horizons=[rounds])
    error = float(curve.regret[:, -1].std(ddof=1) / regret_runs**0.5)
    left = tail(instance.environment, rate, last)
    return Terms(instance, rate, last, sums, left, float(curve.mean[-1]), error)


@dataclass(frozen=True)
class Identity:
    """The regret at the ends of blocks, summed exactly in two ways, and the sampled sum beside the exact one."""

    furthest: float  # the largest relative distance of the two ways, over all ends
    ends: int
    score: float  # standard errors between the sampled and the exact sum of F_m


def identity(last: int, runs: int) -> Identity:
    """Two actions, gap 0.1: the sum of F_m, one m after the other, against `exact_regret`, which knows no F_m."""
    learner, world = PrefixSoftmax(2, 0.2), one_gap(2, 0.1)
    rate = learner.selection.error_rate
    found = exact(world, rate, last)
    sums, apart = found.sums, []
    for end in range(last + 1):
        upto = Doublings(sums[: end + 1], sums[: end + 1] * 0, 0.0, found.uniform).regret
        apart.append(abs(upto / exact_regret(learner, world, 2 ** (end + 2) - 1) - 1))
    drawn = sampled(world, rate, last, runs, SEED + 99)
    return Identity(max(apart), len(apart), (drawn.total - found.total) / drawn.of_total**0.5)
