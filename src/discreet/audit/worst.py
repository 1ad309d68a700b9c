"""The worst privacy loss of a learner over all neighboring tables of a grid."""

from __future__ import annotations

import math
from abc import ABC
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.audit.branches import Floats, completed, recorded, ways
from discreet.audit.released import FAINTEST, released_logs
from discreet.audit.search import searched
from discreet.audit.tables import Tables, as_losses, cells, count_totals, every_table, every_total
from discreet.audit.trees import Laws, every_law
from discreet.experts import Learner
from discreet.experts.blocks import BlockLearner
from discreet.experts.parameters import whole
from discreet.experts.watching import WatchingLearner
from discreet.losses import UNITS, Units
from discreet.selection import NoisyMax
from discreet.selection.base import at_least

#: Tables that are gone through for one block, at most.
MOST_TABLES = 1 << 18
#: Tables of which the law is written down, for learners without blocks.
MOST_LAWS = 1 << 12
#: Rounds of the longest table that is played to see which selections a block enters.
_WATCHED = 1 << 12
#: More than any error of a float law, as a logarithm, but for coarse Laplace noise: see `_slack`.
SLACK = 1e-10

#: Chances of a few rounds that are far from where floats end.
_FAINT = 1e-100

Neighbors = Literal["replace", "rise"]


@dataclass(frozen=True)
class WorstPair:
    """Two neighboring tables, and the actions after them that tell them apart best; other losses are 0."""

    losses: NDArray[np.float64]
    neighbor: NDArray[np.float64]
    first_round: int
    actions: tuple[int, ...]


@dataclass(frozen=True)
class WorstLoss:
    """The largest log of a ratio of probabilities lies between `lower` and `upper`; `witness` reaches `lower`."""

    lower: float
    upper: float
    witness: WorstPair
    how: str

    @property
    def exact(self) -> bool:
        """Whether the two differ by no more than rounding."""
        return self.upper - self.lower <= 20 * SLACK


def worst_loss(learner: Learner, rounds: int, grid: ArrayLike, neighbors: Neighbors = "replace") -> WorstLoss:
    """The largest log-ratio of probabilities of a released sequence, over all neighboring tables with losses in a grid.

    rounds: how long the tables are. neighbors: "replace" replaces one round's whole loss vector, every loss up or down;
    "rise" lets losses only rise (or, the other way round, only fall), which is less than privacy here promises.

    A learner's own code plays every table. Blocks that no table of another block can move are taken one by one; their
    rounds are gone through table by table, or total by total where the learner sees totals only and tables are too
    many. Where those are too many as well, bad tables are searched for: `lower` is theirs, and `upper` is what the
    proof says, the level of the selection times the weights; infinity for a subclass from elsewhere, whose rule no
    proof here is about. Outcomes less likely than e^-700 are left to the proof too.

    >>> from discreet import experts
    >>> found = worst_loss(experts.PrefixSoftmax(2, epsilon=1.0, capped=False), rounds=3, grid=[0, 0.5, 1])
    >>> round(found.lower, 4), found.exact, found.how
    (0.6201, True, 'every table')
    """
    if isinstance(learner, WatchingLearner) and neighbors == "replace":
        return worst_of_laws(learner, laws_of(learner, whole("rounds", rounds, least=1), grid))
    if not isinstance(learner, BlockLearner):
        raise ValueError(f"the worst loss of {learner!r} cannot be computed; only statistical audits fit it")
    if neighbors not in ("replace", "rise"):
        raise ValueError(f"neighbors is {neighbors!r}; it must be 'replace' or 'rise'")
    rounds, rows = whole("rounds", rounds, least=1), cells(grid, learner.n_actions)
    found = [_of_block(learner, block, rounds, rows, neighbors) for block in range(completed(learner, rounds))]
    if not found:
        raise ValueError(f"{rounds} rounds complete no block: the first one ends after {learner.schedule.ends[0]}")
    worst = max(found, key=lambda one: one.lower)
    hows = list(dict.fromkeys(one.how for one in found))
    return WorstLoss(worst.lower, max(one.upper for one in found), worst.witness, ", ".join(hows))


def laws_of(learner: WatchingLearner, rounds: int, grid: ArrayLike) -> Laws:
    """The laws on all tables of so many rounds, where they are not too many."""
    rows = cells(grid, learner.n_actions)
    if len(rows) ** rounds > MOST_LAWS:
        raise ValueError(f"{rounds} rounds have {len(rows) ** rounds} tables, more than {MOST_LAWS}; take fewer rounds")
    return every_law(learner, rounds, rows)


def worst_of_laws(learner: WatchingLearner, laws: Laws) -> WorstLoss:
    """The worst loss over all tables whose laws these are; no two adversaries that react make it larger (`trees`)."""
    tables, chances, rounds = laws.tables, laws.chances, laws.rounds
    logs = np.log(np.maximum(chances, math.exp(FAINTEST)))
    loss, pair, sequence = max((_widest(logs, tables, axis, "replace") for axis in tables.replaced), key=itemgetter(0))
    actions = np.unravel_index(sequence, (learner.n_actions,) * (rounds + 1))
    one, other = (as_losses(tables.units[place]) for place in pair)
    witness = WorstPair(one, other, 0, tuple(int(action) for action in actions))
    slack = SLACK * (rounds + 1)
    proved = at_least(learner.revealed) if _ours(learner) else math.inf
    # Exact zeros are courses that cannot be taken; where no other chance is faint, none of them was lost to rounding.
    upper = loss + slack if chances[chances > 0].min() > _FAINT else max(loss, proved)
    return WorstLoss(max(0.0, loss - slack), upper, witness, "every table")


def _of_block(learner: BlockLearner, block: int, rounds: int, rows: Units, neighbors: Neighbors) -> WorstLoss:
    """The worst loss when a round of one block is replaced."""
    reach = _reach(learner, rounds)
    blocks = range(max(0, block - reach), min(block + reach + 1, completed(learner, rounds)))
    lengths = learner.schedule.lengths[blocks.start : blocks.stop].tolist()
    first = learner.schedule.ends[blocks.start] - lengths[0]
    tables, how = _tables(learner, rows, lengths, block - blocks.start, block)
    if len(tables.units[0]) < sum(lengths):  # the search moves one block only
        first = learner.schedule.ends[block] - int(learner.schedule.lengths[block])
    logs = released_logs(learner, tables.units, first, rounds)
    loss, pair, sequence = max(
        (_widest(logs, tables, axis, neighbors) for axis in tables.replaced), key=lambda widest: widest[0]
    )
    all_seen = tables.every and logs.min() > FAINTEST
    names = np.unravel_index(sequence, (learner.n_actions,) * round(np.log(logs.shape[1]) / np.log(learner.n_actions)))
    one, other = (as_losses(tables.units[place]) for place in pair)
    witness = WorstPair(one, other, first, tuple(int(name) for name in names))
    slack = _slack(learner) * len(witness.actions)
    upper = loss + slack if all_seen else max(loss, _proved(learner))
    return WorstLoss(max(0.0, loss - slack), upper, witness, how)


def _slack(learner: BlockLearner) -> float:
    """More than the error of the log of one float law: that of Laplace noise is about 1 / (12 scale^2), in units."""
    scale = learner.selection.scale * UNITS if isinstance(learner.selection, NoisyMax) else math.inf
    return SLACK + 0.25 / scale**2


def _proved(learner: BlockLearner) -> float:
    """What the proof says of the rules of this package, and of no others."""
    return at_least(learner.selection.level * sum(learner.weights)) if _ours(learner) else math.inf


def _reach(learner: BlockLearner, rounds: int) -> int:
    """How many selections after the first one see a block: as the weights say, or more if tables show it."""
    blocks, claimed = completed(learner, rounds), len(learner.weights) - 1
    ends, lengths = np.array(learner.schedule.ends[:blocks]), learner.schedule.lengths[:blocks]
    if ends[-1] > _WATCHED:
        return claimed
    units = np.random.default_rng(5).choice([0, UNITS], size=(ends[-1], 1, learner.n_actions))
    units = np.repeat(units, 2 * blocks + 1, axis=1)
    for block in range(blocks):  # the first and the last round of each block, turned round; the last run is as it was
        units[ends[block] - lengths[block], 2 * block] ^= UNITS
        units[ends[block] - 1, 2 * block + 1] ^= UNITS
    hidden = ways(learner, units[:, 0], range(0)).times(2 * blocks + 1)
    hidden.prefixes[:, :blocks] = lengths
    moved = np.array([(seen != seen[-1]).any(axis=1) for seen in recorded(learner, units, hidden)])
    selections, runs = moved.nonzero()
    return max(claimed, int((selections - runs // 2).max(initial=0)))


def _tables(learner: BlockLearner, rows: Units, lengths: list[int], place: int, block: int) -> tuple[Tables, str]:
    """The most telling choice of tables that is not too large."""
    start = sum(lengths[:place])
    if len(rows) ** sum(lengths) <= MOST_TABLES:
        return every_table(rows, sum(lengths), list(range(start, start + lengths[place]))), "every table"
    if count_totals(rows, lengths, place) <= MOST_TABLES and not learner.schedule.random_prefix:
        return every_total(rows, lengths, place, _sees_totals_only(learner)), "every total"
    return searched(learner, rows, block), "a search"


def _sees_totals_only(learner: BlockLearner) -> bool:
    """Whether the learner is of a rule here whose totals are sums of whole blocks."""
    return _ours(learner) and not learner.needs_rounds and not learner.schedule.random_prefix


def _ours(learner: Learner) -> bool:
    """Whether the rule is one of this package, that the proofs are about; not one that a subclass has changed."""
    return all(kind.__module__.startswith("discreet.") for kind in type(learner).__mro__ if kind not in (ABC, object))


def _widest(logs: Floats, tables: Tables, axis: int, neighbors: Neighbors) -> tuple[float, tuple[int, int], int]:
    """The largest difference along an axis: it, the two tables, and the sequence of actions."""
    shaped = np.moveaxis(logs.reshape(*tables.shape, -1), axis, 0)
    places = np.moveaxis(np.arange(len(logs)).reshape(tables.shape), axis, 0)
    if neighbors == "replace":
        high, low = shaped.argmax(axis=0), shaped.argmin(axis=0)
        widths = shaped.max(axis=0) - shaped.min(axis=0)
        where = np.unravel_index(widths.argmax(), widths.shape)
        pair = int(places[(high[where], *where[:-1])]), int(places[(low[where], *where[:-1])])
        return float(widths[where]), pair, int(where[-1])
    best = (-1.0, (0, 0), 0)
    for one, other in _rising(tables, places, tables.replaced[axis]):
        widths = np.abs(shaped[one] - shaped[other])
        where = np.unravel_index(widths.argmax(), widths.shape)
        if widths[where] > best[0]:
            pair = int(places[(one, *where[:-1])]), int(places[(other, *where[:-1])])
            best = float(widths[where]), pair, int(where[-1])
    return best


def _rising(tables: Tables, places: NDArray[np.int64], replaced: int) -> list[tuple[int, int]]:
    """Pairs along an axis of which no loss of the first exceeds that of the second."""
    rows = tables.units[places.reshape(len(places), -1)[:, 0], replaced]
    return [(i, j) for i in range(len(rows)) for j in range(len(rows)) if i != j and (rows[i] <= rows[j]).all()]
