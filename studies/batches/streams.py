"""Losses fixed in advance, easy and hard: one row a round."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def zeros(rounds: int, n_actions: int) -> Floats:
    """All the same, always: by theorem 2 the gap is smallest here."""
    return np.zeros((rounds, n_actions))


def one_gap(rounds: int, n_actions: int) -> Floats:
    """One action is better than all others by 1/10."""
    table = np.full((rounds, n_actions), 0.1)
    table[:, 0] = 0.0
    return table


def near_ties(rounds: int, n_actions: int) -> Floats:
    """Actions a little apart: the worst is worse than the best by 1/sqrt(T) a round."""
    return np.tile(0.5 + np.arange(n_actions) / (n_actions - 1) / np.sqrt(rounds), (rounds, 1))


def fair_coins(rounds: int, n_actions: int) -> Floats:
    """Each loss is 0 or 1 by a fair coin, the same coins in all runs."""
    return np.random.default_rng([31, rounds, n_actions]).integers(0, 2, (rounds, n_actions)).astype(float)


def swing(rounds: int, n_actions: int) -> Floats:
    """Losses go up and down like a cosine, four times, each action a little later than the last."""
    phases = 4 * np.arange(rounds)[:, None] / rounds + np.arange(n_actions) / n_actions
    table: Floats = 0.5 + 0.5 * np.cos(2 * pi * phases)
    return table


def reversal(rounds: int, n_actions: int) -> Floats:
    """One action wins all for a quarter of the time, then loses all: gaps shrink as fast as losses let them."""
    first = np.arange(rounds) < rounds // 4
    table = np.repeat(first[:, None].astype(float), n_actions, axis=1)
    table[:, 0] = ~first
    return table


def see_saw(rounds: int, n_actions: int) -> Floats:
    """After half a loss for one action, it and all others lose 1 in turns: made for leaders that have no noise."""
    odd = np.arange(rounds) % 2 == 1
    table = np.repeat(odd[:, None].astype(float), n_actions, axis=1)
    table[:, 0] = ~odd
    table[0, 0] = 0.5
    return table


STREAMS: dict[str, Callable[[int, int], Floats]] = {
    "zeros": zeros,
    "one gap": one_gap,
    "near ties": near_ties,
    "fair coins": fair_coins,
    "swing": swing,
    "reversal": reversal,
    "see-saw": see_saw,
}
