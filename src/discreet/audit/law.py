"""The exact law of everything that a learner releases on a small table of losses."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.audit.branches import Floats, Ways, completed, laws, recorded, ways
from discreet.audit.phases import phase_law
from discreet.experts import Learner
from discreet.experts.blocks import BlockLearner
from discreet.experts.totals import TotalsLearner
from discreet.experts.watching import WatchingLearner
from discreet.losses import Units, to_units

#: Sequences of actions that a law may list.
MOST_SEQUENCES = 1 << 24


def law(learner: Learner, losses: ArrayLike, intervals: bool = False) -> dict[tuple[int, ...], Any]:
    """The probability of every sequence of actions that a learner may release on a table of losses (rounds, K).

    A sequence has one action for each block that the table touches or completes: an action is drawn when the block
    before it is over. Other learners have one action for each round, and the one after the last.

    intervals: probabilities as intervals that are proved to hold them (`flint.arb`, which needs python-flint), not as
    floats; for block learners.

    >>> from discreet import experts
    >>> released = law(experts.NoisyLeader(2, epsilon=1.0, noise="gumbel"), [[0.0, 1.0]])
    >>> {actions: round(chance, 4) for actions, chance in released.items()}
    {(0, 0): 0.3112, (0, 1): 0.1888, (1, 0): 0.3112, (1, 1): 0.1888}
    """
    units = as_table(learner, losses)
    table = enclosed_sequence_law(learner, units) if intervals else sequence_law(learner, units)
    sequences = product(range(learner.n_actions), repeat=table.ndim)
    return dict(zip(sequences, table.ravel().tolist(), strict=True))


def sequence_law(learner: Learner, units: Units) -> Floats:
    """The same as an array with one axis for each action."""
    uniform = np.full(learner.n_actions, 1 / learner.n_actions)
    if isinstance(learner, BlockLearner):
        asked = _asked(learner, units)
        return _joint(uniform, [(chances, laws(learner.selection, totals)) for chances, totals in asked])
    if isinstance(learner, TotalsLearner):
        check_size(learner, len(units) + 1)
        return _joint(uniform, _laws_by_round(learner, units))
    if isinstance(learner, WatchingLearner):
        check_size(learner, len(units) + 1)
        return phase_law(learner, units)
    raise ValueError(f"the law of {learner!r} cannot be written down; only statistical audits fit it")


def enclosed_sequence_law(learner: Learner, units: Units) -> NDArray[np.object_]:
    """The same in intervals."""
    from discreet.audit.enclosures import enclosed_laws, interval

    if not isinstance(learner, BlockLearner):
        raise ValueError(f"there are no intervals for the law of {learner!r}")
    uniform = np.full(learner.n_actions, interval(1) / learner.n_actions, dtype=object)
    selections = [
        (np.array([interval(chance) for chance in chances], dtype=object), enclosed_laws(learner.selection, totals))
        for chances, totals in _asked(learner, units, exact=True)
    ]
    return _joint(uniform, selections)


def _asked(learner: BlockLearner, units: Units, exact: bool = False) -> list[tuple[NDArray[Any], Units]]:
    """What selections are asked to choose from: the chances of hidden ways, and the totals (ways, selections, K).

    Where no hidden chance enters two selections, each comes with ways of its own; else all come together.
    """
    blocks = range(completed(learner, len(units)))
    check_size(learner, len(blocks) + 1)
    apart = [_alone(learner, units, block, exact) for block in blocks]
    if all(alone is not None for alone in apart):
        return [alone for alone in apart if alone is not None]
    hidden = ways(learner, units, blocks, exact)
    return [(hidden.chances, np.stack(recorded(learner, units, hidden), axis=1))]


def _alone(learner: BlockLearner, units: Units, block: int, exact: bool) -> tuple[NDArray[Any], Units] | None:
    """The ways of one block alone; None if its hidden chance enters another selection than that after it."""
    hidden = _others_fixed(learner, units, block, exact)
    totals = recorded(learner, units, hidden)
    others = [seen for place, seen in enumerate(totals) if place != block]
    if any((seen != seen[0]).any() for seen in others):
        return None
    return hidden.chances, totals[block][:, None]


def _others_fixed(learner: BlockLearner, units: Units, block: int, exact: bool) -> Ways:
    """All ways of one block; the others fall in some way that is the same throughout."""
    hidden = ways(learner, units, range(block, block + 1), exact)
    if not hidden.resampled:
        return hidden
    nothing = np.zeros((len(hidden.chances), learner.n_actions), dtype=np.int64)
    others = {other: nothing for other in range(completed(learner, len(units))) if other != block}
    return Ways(hidden.prefixes, hidden.chances, others | hidden.resampled)


def _laws_by_round(learner: TotalsLearner, units: Units) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """The law of each round's action and of the one after the last, which hang on totals alone."""
    before = np.concatenate([np.zeros((1, learner.n_actions), dtype=np.int64), np.cumsum(units, axis=0)])
    rounds = learner._laws(before, np.arange(len(before)))
    return [(np.ones(1), row[None, None]) for row in rounds[1:]]


def _joint(first: NDArray[Any], selections: list[tuple[NDArray[Any], NDArray[Any]]]) -> NDArray[Any]:
    """The joint law of all actions: the first, and those of selections given as chances of ways, and laws in each."""
    joint = first
    for chances, of_ways in selections:
        parts = chances[:, None]
        for place in range(of_ways.shape[1]):
            parts = (parts[:, :, None] * of_ways[:, place, None, :]).reshape(len(chances), -1)
        joint = np.multiply.outer(joint, parts.sum(axis=0).reshape((len(first),) * of_ways.shape[1]))
    return joint


def as_table(learner: Learner, losses: ArrayLike) -> Units:
    """A table of losses as units, (rounds, K); no rounds at all are allowed."""
    table = np.asarray(losses)
    if table.size == 0:
        return np.zeros((0, learner.n_actions), dtype=np.int64)
    units = to_units(table, learner.n_actions, first_round=0)
    if units.ndim != 2:
        raise ValueError(f"a table has shape (rounds, {learner.n_actions}); got {units.shape}")
    return units


def check_size(learner: Learner, actions: int) -> None:
    """Refuse laws that are too large to be listed."""
    if learner.n_actions**actions > MOST_SEQUENCES:
        raise ValueError(
            f"{learner.n_actions} actions in {actions} blocks have {learner.n_actions**actions} sequences, "
            "too many to list; take fewer rounds"
        )
