"""Samplers with seeds, whose privacy is known exactly, for the tools that judge any sampler."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from discreet.audit.samples import Sampler
from discreet.losses import UNITS
from discreet.selection import PermuteAndFlip
from tests.chances import FALSE_ALARM

Table = NDArray[np.float64]


def noisy_max(rate: float, seed: int) -> Sampler:
    """Report-noisy-max with exponential noise of mean 1/rate on the negated totals of a table, by its exact law."""
    chance = np.random.default_rng(seed)

    def sampler(losses: Table, runs: int) -> NDArray[np.int64]:
        law = _law(rate, tuple(losses.sum(axis=0).tolist()))
        return chance.choice(len(law), size=runs, p=law)

    return sampler


@lru_cache
def _law(rate: float, totals: tuple[float, ...]) -> NDArray[np.float64]:
    raw = PermuteAndFlip(rate).law((np.array(totals) * UNITS).astype(np.int64))
    law: NDArray[np.float64] = raw / raw.sum()
    return law


def response(epsilon: float, seed: int) -> Sampler:
    """Randomized response of exactly this epsilon, for losses 0 or 1."""
    chance = np.random.default_rng(seed)
    truth = 1 / (1 + math.exp(-epsilon))
    return lambda losses, runs: np.where(chance.random(runs) < truth, losses, 1 - losses)


def normal(seed: int) -> Sampler:
    """The losses, which may be a number or a row, plus standard normal noise."""
    chance = np.random.default_rng(seed)
    return lambda losses, runs: chance.normal(np.broadcast_to(losses, (runs, *np.shape(losses))))


def counted(sampler: Sampler) -> tuple[Sampler, list[int]]:
    """The sampler, and a list that fills with how many runs it was asked for."""
    asked: list[int] = []

    def counting(losses: Any, runs: int) -> Any:
        asked.append(runs)
        return sampler(losses, runs)

    return counting, asked


def worst_pair(n_actions: int = 5) -> tuple[Table, Table]:
    """One round: the loss of the first action rises from 0 to 1, all others fall from 1 to 0."""
    first = np.eye(n_actions)[:1]
    return 1 - first, first


def usual_pairs(n_actions: int = 5) -> list[tuple[Table, Table]]:
    """All pairs among six patterns for the last of two rounds, after a round of nothing and one of a loss for one."""
    up = np.arange(n_actions)
    patterns = [up < 0, up >= 0, up > 0, up < 1, up % 2, up >= n_actions // 2]
    before = [np.zeros(n_actions), (up < 1).astype(float)]
    rounds = [np.asarray(pattern, dtype=float) for pattern in patterns]
    return [
        (np.array([past, a]), np.array([past, b])) for past in before for i, a in enumerate(rounds) for b in rounds[:i]
    ]


def assert_at_most(failures: int, tries: int, chance: float) -> None:
    """So many failures are no surprise if each happens with this chance at most; a false alarm in a million."""
    assert failures == 0 or bdtrc(failures - 1, tries, chance) > FALSE_ALARM, f"{failures} of {tries}"
