"""What the random prefix and the cap on the rate cost, and where the prefix helps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import floor

import numpy as np

from discreet.environments import Deterministic, Environment, TwoPoint, one_gap
from discreet.experts import Learner, NoisyLeader, PrefixSoftmax
from discreet.simulate import exact_regret, regret
from studies.why_prefix.errors import Floats, sampled, sampled_at_ends, settled

SEED = 3_200
ROUNDS = 10**12
#: Runs for each number of actions.
RUNS = {2: 30_000, 32: 8_000, 512: 1_500}


@dataclass(frozen=True)
class Ratio:
    """A ratio of two means of independent samples, with its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, above: tuple[float, float], below: tuple[float, float]) -> Ratio:
        """Two means with their standard errors."""
        value = above[0] / below[0]
        return cls(value, value * float(np.hypot(above[1] / above[0], below[1] / below[0])))

    def __str__(self) -> str:
        return f"{self.value:.2f} ± {1.96 * self.error:.2f}"


@dataclass(frozen=True)
class Cost:
    """One case: the regret of the three learners, and what prefix and cap cost."""

    n_actions: int
    gap: float
    epsilon: float
    regrets: tuple[float, float, float]  # capped, not capped, whole block
    prefix: Ratio  # random prefix over whole block, at the rate epsilon / 2
    cap: Ratio  # rate at most 1/8 over rate epsilon / 2, with random prefix


def costs(quick: bool, jobs: int) -> list[Cost]:
    """Simulate the three learners in one-gap instances, each with a seed of its own."""
    runs = {2: 400, 32: 200} if quick else RUNS
    grid = list(product(runs, (0.5, 0.1) if quick else (0.5, 0.1, 0.02), (0.25, 4.0) if quick else (0.05, 0.25, 1, 4)))
    return [_cost(*case, runs[case[0]], SEED + 3 * place, jobs) for place, case in enumerate(grid)]


def _cost(n_actions: int, gap: float, epsilon: float, runs: int, seed: int, jobs: int) -> Cost:
    learners = PrefixSoftmax(n_actions, epsilon), _prefix(n_actions, epsilon), _whole(n_actions, epsilon)
    world = one_gap(n_actions, gap)
    capped, free, whole = (_mean(learner, world, runs, seed + i, jobs) for i, learner in enumerate(learners))
    means = (capped[0], free[0], whole[0])
    return Cost(n_actions, gap, epsilon, means, Ratio.of(free, whole), Ratio.of(capped, free))


def _prefix(n_actions: int, epsilon: float) -> Learner:
    return PrefixSoftmax(n_actions, epsilon, capped=False)


def _whole(n_actions: int, epsilon: float) -> Learner:
    """The same softmax, at the same rate, over the whole last block."""
    return NoisyLeader(n_actions, epsilon, noise="gumbel")


def _mean(learner: Learner, world: Environment, runs: int, seed: int, jobs: int) -> tuple[float, float]:
    curve = regret(learner, world, ROUNDS, runs, seed, jobs, horizons=[ROUNDS])
    return float(curve.mean[-1]), float(curve.regret[:, -1].std(ddof=1) / runs**0.5)


def phases(n_actions: int, steps: int) -> tuple[Floats, Floats]:
    """Gaps over a doubling, and the ratio of prefix to whole block for losses that never vary, exactly."""
    gaps = 0.25 * 2.0 ** (np.arange(steps) / steps)
    ratios = [_exact_ratio(Deterministic([0.0] + [gap] * (n_actions - 1)), 0.1, 2**14 - 1) for gap in gaps.tolist()]
    return gaps, np.array(ratios)


def _exact_ratio(world: Environment, epsilon: float, rounds: int) -> float:
    width = world.n_actions
    assert width is not None
    prefix, whole = (exact_regret(make(width, epsilon), world, rounds) for make in (_prefix, _whole))
    return prefix / whole


def resonance(tooth: float = 15.5, chance: float = 0.1) -> TwoPoint:
    """Two actions for which the expected gap F_m rises up to m = 2^k, and falls right after.

    The better action loses c in every round. The other loses c + d, but nothing with a small chance p, and c is
    `tooth` times d. In up to tooth + 1 rounds one lucky round is enough for it to look better, and then two are needed,
    and so on; so the chance to err climbs like 1 - (1-p)^m and drops just behind each power of two. p is
    chance / tooth.
    """
    step = floor(256 / (2 * tooth + 2)) / 256  # c and d are whole multiples, so that totals have few values
    fixed, more = 2 * tooth * step, 2 * step
    return TwoPoint([fixed, 0.0], [fixed, fixed + more], [0.0, 1 - chance / tooth])


def resonances(epsilons: tuple[float, ...]) -> list[tuple[float, float]]:
    """The exact ratio of prefix to whole block on `resonance`, by epsilon, with no cap on the rate."""
    return [(epsilon, _exact_ratio(resonance(), epsilon, 2**12 - 1)) for epsilon in epsilons]


@dataclass(frozen=True)
class Search:
    """The smallest ratio of prefix to whole block among random instances, sampled again with fresh seeds."""

    tried: int
    first: float
    again: Ratio
    gaps: tuple[float, ...]
    sizes: tuple[int, ...]


def search(tries: int, runs: int, again: int) -> Search:
    """Random instances at the capped rate of 1/8: groups of actions at gaps far apart, some that vary and some not."""
    rng = np.random.default_rng(SEED)
    drawn = [_random(rng) for _ in range(tries)]
    found = [_sampled_ratio(world, runs, SEED + 10 * place).value for place, (world, _, _) in enumerate(drawn)]
    best = int(np.argmin(found))
    world, gaps, sizes = drawn[best]
    return Search(tries, found[best], _sampled_ratio(world, again, SEED + 10 * tries), gaps, sizes)


def _random(rng: np.random.Generator) -> tuple[Environment, tuple[float, ...], tuple[int, ...]]:
    """Two or three groups above the best action, each of up to 128 actions; losses of a group vary fully or never."""
    groups = int(rng.integers(2, 4))
    gaps = np.concatenate([[0.0], 2.0 ** -rng.uniform(1, 6, groups)])
    sizes = np.concatenate([[1], (2.0 ** rng.uniform(0, 7, groups)).astype(int)])
    means = np.repeat(0.3 + gaps, sizes)
    varies = np.repeat(rng.integers(2, size=groups + 1) == 1, sizes)
    world = TwoPoint(np.where(varies, 0.0, means), np.where(varies, 1.0, means), np.where(varies, means, 0.0))
    return world, tuple(gaps.tolist()), tuple(sizes.tolist())


def _sampled_ratio(world: Environment, runs: int, seed: int) -> Ratio:
    last = settled(world, 1 / 8, 0.01)
    prefix = sampled(world, 1 / 8, last, runs, seed)
    return Ratio.of((prefix.regret, prefix.regret_error), sampled_at_ends(world, 1 / 8, last, runs, seed + 1))
