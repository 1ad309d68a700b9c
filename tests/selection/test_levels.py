"""The level of a selection bounds every change of probability, and is nearly reached."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray

from discreet.guarantees import PureDP
from discreet.losses import UNITS
from discreet.selection import NoisyMax, PermuteAndFlip, Softmax

Law = Callable[[NDArray[np.int64]], NDArray[np.float64]]


def worst(law: Law, bases: list[NDArray[np.float64]]) -> float:
    """The largest log ratio over neighbors: every total moves by -1, 0 or 1 loss, each on its own."""
    largest = 0.0
    for base in bases:
        moves = np.array(list(product([-1, 0, 1], repeat=len(base))))
        totals = np.rint((base + moves + 1000) * UNITS).astype(np.int64)
        logs = np.log(law(totals))
        middle = np.log(law(np.rint((base[None] + 1000) * UNITS).astype(np.int64)))
        largest = max(largest, float(np.abs(logs - middle).max()))
    return largest


def bases(n_actions: int, rate: float) -> list[NDArray[np.float64]]:
    """Ties, small gaps, gaps of several losses, and gaps of several 1/rate."""
    random = np.random.default_rng(n_actions)
    spread = [random.random(n_actions) * width for width in (0.5, 2.0, 5 / rate)]
    ties = np.zeros(n_actions)
    one_behind, one_ahead = ties.copy(), np.full(n_actions, 15 / rate)
    one_behind[-1], one_ahead[0] = 15 / rate + 2, 0
    return [ties, one_behind, one_ahead, *spread]


rates = pytest.mark.parametrize("rate", [0.05, 0.5, 2.0])
sizes = pytest.mark.parametrize("n_actions", [2, 3, 5])


@sizes
@rates
def test_softmax_stays_within_its_level_and_comes_close(n_actions: int, rate: float) -> None:
    selection = Softmax(rate)
    found = worst(selection.law, bases(n_actions, rate))
    assert 0.9 * selection.level <= found <= selection.level + 1e-9


@sizes
@rates
def test_permute_and_flip_stays_within_its_level_and_comes_close(n_actions: int, rate: float) -> None:
    selection = PermuteAndFlip(rate)
    found = worst(selection.law, bases(n_actions, rate))
    assert 0.9 * selection.level <= found <= selection.level + 1e-9


@sizes
@rates
def test_noisy_max_stays_within_its_level_and_comes_close(n_actions: int, rate: float) -> None:
    selection = NoisyMax(1 / rate)
    far = [np.array([0.0] * (n_actions - 1) + [60 / rate])]
    found = worst(selection.law, bases(n_actions, rate) + far)
    assert 0.9 * selection.level <= found <= selection.level + 1e-9


def test_noise_of_a_few_units_stays_within_its_level() -> None:
    """On the grid itself, where one loss is a few units here: gaps and moves of whole units."""
    scale, loss = 3.0, 2
    selection = NoisyMax(scale / UNITS)
    found = 0.0
    for base in product([0, 1, 5, 30], repeat=3):
        middle = np.log(selection.law(list(base)))
        for moves in product([-loss, 0, 1, loss], repeat=3):
            logs = np.log(selection.law([total + move for total, move in zip(base, moves, strict=True)]))
            found = max(found, float(np.abs(logs - middle).max()))
    assert 0.9 * 2 * loss / scale <= found <= 2 * loss / scale + 1e-9


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.0])
def test_exponential_noise_of_mean_one_over_epsilon_reaches_twice_epsilon(epsilon: float) -> None:
    found = worst(PermuteAndFlip(epsilon).law, [np.array([0.0, 15 / epsilon + 2])])
    assert found == pytest.approx(2 * epsilon, rel=1e-6)
    assert PermuteAndFlip(epsilon).level == 2 * Fraction(epsilon)


def argmin_of_noisy_losses(rate: float) -> Law:
    """Another mechanism, by direct integration: exponential noise added to totals, the smallest wins."""
    nodes, weights = leggauss(40)

    def row(totals: NDArray[np.int64]) -> NDArray[np.float64]:
        behind = rate * (totals - totals.min()) / UNITS
        # All scores, in units of 1/rate, start at their gap; the least falls before the smallest of them + 40.
        ends = np.unique(np.concatenate([behind, np.arange(0.0, behind.max() + 40, 0.5)]))
        widths = np.diff(ends)
        y = (ends[:-1, None] + widths[:, None] * (nodes + 1) / 2).ravel()
        dy = (widths[:, None] * weights / 2).ravel()
        beyond = np.exp(-np.maximum(y[:, None] - behind, 0.0))  # each score lies beyond y
        here = (y[:, None] >= behind) * beyond
        return np.asarray(dy @ (here * beyond.prod(axis=1, keepdims=True) / beyond))

    return lambda table: np.array([row(totals) for totals in np.atleast_2d(table)])


@pytest.mark.parametrize("n_actions", [3, 5])
def test_one_sided_noise_on_losses_with_argmin_would_be_found_out(n_actions: int) -> None:
    law = argmin_of_noisy_losses(1.0)
    assert law(np.array([0, UNITS])).ravel().tolist() == pytest.approx([1 - np.exp(-1) / 2, np.exp(-1) / 2], rel=1e-9)
    assert law(np.array([[0] * n_actions])).sum() == pytest.approx(1, rel=1e-9)
    found = worst(law, [np.full(n_actions, 0.0), np.array([3.0] + [0.0] * (n_actions - 1))])
    assert found > 1.2 * 2.0  # more than permute-and-flip's whole level
    assert found >= 0.9 * (n_actions - 1) * 2.0 or n_actions > 3


@pytest.mark.parametrize("value", [0.1, 1 / 3, 0.7, 1e-284, 1.1e280, 1e-285, 3.0])
def test_levels_are_exact_and_guarantees_never_below_them(value: float) -> None:
    cases: list[tuple[Any, Fraction]] = [
        (Softmax(value), 2 * Fraction(value)),
        (PermuteAndFlip(value), 2 * Fraction(value)),
    ]
    if value > 1e-284:
        cases.append((NoisyMax(value), 2 / Fraction(value)))
    for selection, level in cases:
        assert selection.level == level
        if level < Fraction(1e308):
            assert isinstance(selection.guarantee, PureDP)
            promised = Fraction(float(selection.guarantee.epsilon))
            assert level <= promised <= level * (1 + Fraction(1, 2**51)) + Fraction(1e-285)
