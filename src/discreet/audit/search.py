"""Bad tables for blocks too long to go through: what they show is a bound from below."""

from __future__ import annotations

import numpy as np

from discreet.audit.branches import Floats
from discreet.audit.tables import Tables
from discreet.experts.blocks import BlockLearner
from discreet.losses import UNITS, Units

_TRIES = 256


def searched(learner: BlockLearner, rows: Units, block: int) -> Tables:
    """Tables of a block, and every replacement of one of its rounds, that tell neighbors apart well."""
    if learner.schedule.random_prefix:
        return worst_walk(learner, rows, block)
    rng = np.random.default_rng(block)
    length = int(learner.schedule.lengths[block])
    leaning = rng.beta(0.3, 0.3, size=(_TRIES, 1, learner.n_actions, 1))  # most actions nearly always low or high
    values = np.unique(rows)
    drawn = rng.random((_TRIES, length - 1, learner.n_actions, 1)) < leaning
    base = np.where(drawn[..., 0], values[-1], values[0])
    units = np.concatenate([np.tile(rows[:, None, :], (_TRIES, 1, 1)), np.repeat(base, len(rows), axis=0)], axis=1)
    return Tables(units, (_TRIES, len(rows)), {1: 0}, every=False)


def worst_walk(learner: BlockLearner, rows: Units, block: int) -> Tables:
    """Two tables of a block of which a random prefix counts, by Dinkelbach's method.

    All actions but action 0 lose alike, so a table is a walk: how far action 0 lies behind after each round. The first
    round is replaced, from action 0 lowest to action 0 highest. For a walk d the chances of action 0 are the means of
    f(d_m) and f(d_m + shift) over prefixes m, f(d) = 1 / (1 + (K - 1) e^(rate · d)); dynamic programming over the
    places of the walk finds the largest sum of f(d_m) - ratio · f(d_m + shift), and the ratio grows until that is 0.
    """
    low, high = int(rows.min()), int(rows.max())
    span, counts = (high - low) / UNITS, learner.schedule.prefix_counts(block)
    length = counts.stop - 1
    places: Floats = np.arange(-length, length + 1) * np.float64(span)
    rate = learner.selection.error_rate
    before, after = (_chance(places, shift, rate, learner.n_actions) for shift in (0.0, 2 * span))
    ratio = 1.0
    for _ in range(60):
        walk = _best_walk(before - ratio * after, length, counts.start)
        at = walk[counts.start - 1 :] + length
        better = float(before[at].sum() / after[at].sum())
        if better <= ratio * (1 + 1e-12):
            break
        ratio = better
    steps = np.diff(walk, prepend=0)
    return _as_tables(steps, low, high, learner.n_actions)


def _chance(places: Floats, shift: float, rate: float, n_actions: int) -> Floats:
    """f of a walk at each place, shifted."""
    return np.asarray(1 / (1 + (n_actions - 1) * np.exp(np.minimum(rate * (places + shift), 700.0))))


def _best_walk(gain: Floats, length: int, first: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The walk from -1 on, with steps of -1, 0 or 1, that gains most from step `first` to the last one."""
    value, steps = np.zeros_like(gain), np.zeros((length, len(gain)), dtype=np.int64)
    for place in range(length - 1, 0, -1):
        here = value + gain if place + 1 >= first else value
        moves = np.stack([np.append(-np.inf, here[:-1]), here, np.append(here[1:], -np.inf)])
        steps[place] = moves.argmax(axis=0) - 1
        value = moves.max(axis=0)
    walk = np.full(length, -1, dtype=np.int64)
    for place in range(1, length):
        walk[place] = walk[place - 1] + steps[place, walk[place - 1] + length]
    return walk


def _as_tables(steps: np.ndarray[tuple[int], np.dtype[np.int64]], low: int, high: int, n_actions: int) -> Tables:
    """The walk as losses of action 0 and of all others, and the same with the first round the other way round."""
    table = np.full((2, len(steps), n_actions), low, dtype=np.int64)
    table[:, steps > 0, 0] = high
    table[:, steps < 0, 1:] = high
    table[1, 0, 0], table[1, 0, 1:] = high, low
    return Tables(table, (2,), {0: 0}, every=False)
