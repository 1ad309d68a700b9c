"""Expected regret without sampling: a sum over the law of what a learner plays."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from discreet.bounds.block_leader import selection_gap
from discreet.environments import Environment
from discreet.environments.laws import Law
from discreet.environments.sequence import Maker
from discreet.experts import Learner
from discreet.experts.blocks import BlockLearner
from discreet.experts.parameters import whole
from discreet.experts.totals import TotalsLearner
from discreet.losses import UNITS
from discreet.simulate.samples import Floats
from discreet.simulate.worlds import world_for

#: Of what has been added up, so much may be left out at the end.
_LEFT_OUT = 1e-13
#: Outcomes of a score that are left out have at most this probability together.
_UNLIKELY = 1e-16
_CELLS = 1 << 21  # entries of a law held at a time


def exact_regret(learner: Learner, environment: Environment | Maker, rounds: int) -> float:
    """The expected regret of a learner over some rounds: the number that `regret` estimates, with no sampling error.

    Pseudo-regret where losses are drawn; for losses that are the same in every run (`Deterministic`, `Sequence`) it
    is realized regret too. Block learners are summed over the law of each selection, which needs totals with few
    outcomes: losses that never change with any number of actions, or a few actions with few values each. The last
    blocks, where the learner's bound leaves less than 10^-13 of the sum, are left out. Learners that are not private
    are summed round by round where losses are the same in every run.

    Every learner here treats actions alike; so an environment that moves its actions is taken where it stands.

    >>> from discreet import environments, experts
    >>> round(exact_regret(experts.PrefixSoftmax(4, epsilon=1.0), environments.one_gap(4, 0.5), rounds=100), 4)
    27.4742
    """
    rounds = whole("rounds", rounds, least=1)
    world = world_for(learner, environment).still()
    if isinstance(learner, BlockLearner):
        return sum(_stretches(learner, world, rounds)) - _least(world, rounds)
    if isinstance(learner, TotalsLearner) and world.fixed:
        return _by_rounds(learner, world, rounds)
    raise ValueError(f"the expected regret of {learner!r} in {world!r} cannot be summed; simulate instead")


def _seen(learner: BlockLearner, world: Environment) -> Environment:
    """What the learner's totals are made of: losses, or the zeros and ones that it makes of them."""
    seen = world.resampled() if learner.needs_rounds else world
    if seen is None:
        raise ValueError(f"the law of what {learner!r} makes of {world!r} cannot be written down; simulate instead")
    return seen


def _stretches(learner: BlockLearner, world: Environment, rounds: int) -> Iterator[float]:
    """The expected cost of each block, until what is left cannot matter."""
    seen, ends = _seen(learner, world), learner.schedule.ends
    tails, found, start = _tails(learner, seen, rounds), 0.0, 0
    for block, end in enumerate(ends):
        if start >= rounds or tails[block] <= _LEFT_OUT * found:
            return
        cost = _expected(learner, seen, block, _costs(world, start, min(end, rounds) - start))
        found, start = found + abs(cost), end
        yield cost


def _costs(world: Environment, start: int, n: int) -> Floats:
    """What each action loses in n rounds, above the best where that is known, else above action 0."""
    if world.means is not None:
        return np.asarray(n * (world.means - world.means.min()))
    return np.asarray(world.total_law(start, range(n, n + 1)).totals[0] / UNITS)


def _least(world: Environment, rounds: int) -> float:
    """The loss of the best fixed action, as `_costs` counts."""
    return 0.0 if world.means is not None else float(_costs(world, 0, rounds).min())


def _expected(learner: BlockLearner, seen: Environment, block: int, costs: Floats) -> float:
    """The expected cost of the action of a block."""
    if block == 0:
        return float(costs.mean())
    total = 0.0
    for score, chance in _scores(learner, seen, block - 1):
        step = max(1, _CELLS // learner.n_actions)
        kept = np.flatnonzero(score.chances > _UNLIKELY / len(score.chances))
        for part in np.array_split(kept, -(-len(kept) // step)):
            total += chance * float(score.chances[part] @ (learner.selection.law(score.totals[part]) @ costs))
    return total


def _scores(learner: BlockLearner, seen: Environment, newest: int) -> Iterator[tuple[Law, float]]:
    """The law of the score after a block, in parts, each with its share."""
    if seen.fixed and len(learner.weights) == 1:
        counts = learner.schedule.prefix_counts(newest)
        step = max(1, _CELLS // learner.n_actions)
        for first in range(counts.start, counts.stop, step):
            part = range(first, min(first + step, counts.stop))
            law = _block_law(learner, seen, newest, part)
            yield law.scaled(learner.weights[0]), len(part) / len(counts)
        return
    score: Law | None = None
    for weight, block in zip(learner.weights, range(newest, -1, -1), strict=False):
        law = _block_law(learner, seen, block, learner.schedule.prefix_counts(block)).scaled(weight)
        score = law if score is None else score.plus(law)
    assert score is not None
    yield score, 1.0


def _block_law(learner: BlockLearner, seen: Environment, block: int, counts: range) -> Law:
    start = learner.schedule.ends[block] - int(learner.schedule.lengths[block])
    return seen.total_law(start, counts)


def _tails(learner: BlockLearner, seen: Environment, rounds: int) -> list[float]:
    """At most what each block and those after it cost together; infinite where nothing is known."""
    schedule, rate = learner.schedule, learner.selection.error_rate
    if seen.means is None:
        return [math.inf] * len(schedule.ends)
    gaps, bounds = np.sort(seen.means - seen.means.min())[::-1], [math.inf]
    for block in range(1, len(schedule.ends)):
        before = [schedule.prefix_counts(b).start for b in range(block - 1, -1, -1)][: len(learner.weights)]
        played = max(0, min(schedule.ends[block], rounds) - schedule.ends[block - 1])
        bounds.append(played * _selection_gap(gaps, before, learner.weights, rate, seen.fixed) if played else 0.0)
    return list(accumulate(bounds[::-1]))[::-1]


def _selection_gap(gaps: Floats, counts: list[int], weights: tuple[int, ...], rate: float, fixed: bool) -> float:
    """The expected gap of one selection, at most this; sharper where losses do not vary."""
    if not fixed:
        return selection_gap(gaps, counts, weights, rate)
    signal = sum(weight * n for weight, n in zip(weights, counts, strict=False))
    return float(gaps @ np.exp(-rate * signal * gaps))


def _by_rounds(learner: TotalsLearner, world: Environment, rounds: int) -> float:
    """The expected regret of a learner that draws anew each round, where losses are the same in every run."""
    made = type(learner)(**(learner.get_params() | {"runs": None, "seed": 0}))
    stream = world.stream(learner.n_actions, rounds, 1, np.random.default_rng(0))
    step, suffered = max(1, _CELLS // learner.n_actions), 0.0
    for start in range(0, rounds, step):
        suffered += float(made.expected_units(stream.rounds(start, min(step, rounds - start))[:, 0]).sum())
    return (suffered - int(stream.totals(0, np.array([rounds])).min())) / UNITS
