"""Losses that react to what was released: the law against an adversary, and the worst loss between two of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from discreet.audit.branches import completed
from discreet.audit.law import check_size, sequence_law
from discreet.experts import Learner
from discreet.experts.blocks import BlockLearner
from discreet.experts.watching import WatchingLearner
from discreet.losses import Units, to_units

#: Every action's loss in a round, given the actions played up to and in that round.
Adversary = Callable[[tuple[int, ...]], ArrayLike]


def law_against(learner: Learner, adversary: Adversary, rounds: int) -> dict[tuple[int, ...], float]:
    """The probability of every sequence of actions when the losses of a round may hang on the actions so far.

    The actions are those of blocks, or for a watching learner those of all rounds and of the next one. A learner's
    draws see losses and what it has drawn before, never what made the losses. So along one sequence of actions it
    meets one table, and the probability of the sequence is the one it has on that table: for every sequence, another
    table.

    **Why pure privacy holds against adversaries.** Two adversaries who differ in one round show, along any one
    sequence, two tables that differ in that round; so the ratio of its probabilities is one between neighboring tables
    and stays within e^epsilon. Sums over sequences keep that bound. (With a delta this argument fails: there, the
    excess of different sequences can be collected from different tables. `trees.largest_delta` finds how much.)

    >>> from discreet import experts
    >>> learner = experts.NoisyLeader(2, epsilon=1.0, noise="gumbel")
    >>> spiteful = lambda actions: [float(action == actions[-1]) for action in range(2)]
    >>> {actions: round(chance, 4) for actions, chance in law_against(learner, spiteful, rounds=1).items()}
    {(0, 0): 0.1888, (0, 1): 0.3112, (1, 0): 0.3112, (1, 1): 0.1888}
    """
    if not isinstance(learner, BlockLearner | WatchingLearner):
        raise ValueError(f"the law of {learner!r} against adversaries cannot be written down")
    actions_drawn = 1 + (completed(learner, rounds) if isinstance(learner, BlockLearner) else rounds)
    check_size(learner, actions_drawn)
    sequences = product(range(learner.n_actions), repeat=actions_drawn)
    return {
        actions: float(sequence_law(learner, _along(learner, adversary, actions, rounds))[actions])
        for actions in sequences
    }


def loss_against(learner: Learner, one: Adversary, other: Adversary, rounds: int) -> float:
    """The largest log-ratio between the laws against two adversaries."""
    laws = [np.array(list(law_against(learner, adversary, rounds).values())) for adversary in (one, other)]
    return float(np.abs(np.log(laws[0]) - np.log(laws[1])).max())


def _along(learner: Learner, adversary: Adversary, actions: tuple[int, ...], rounds: int) -> Units:
    """The table that an adversary shows along a sequence of actions, of blocks or of rounds."""
    lengths = learner.schedule.lengths[: len(actions)] if isinstance(learner, BlockLearner) else np.array([1])
    played = np.repeat(actions, np.minimum(lengths, rounds))[:rounds].tolist()
    rows = [np.asarray(adversary(tuple(played[: place + 1])), dtype=np.float64) for place in range(rounds)]
    return to_units(np.array(rows).reshape(rounds, -1), learner.n_actions, first_round=0)
