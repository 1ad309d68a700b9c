"""The lower bound of totals holds whatever weights it is made of, and comes near."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.convex.affine import Affine, read, values
from discreet.convex.least import certified, least_total
from discreet.losses import UNITS
from tests.convex.test_ball_draws import grid, some_losses


def mixed_losses(dimension: int, rounds: int) -> list[Affine]:
    """Losses of one to four pieces, of any height."""
    rng, losses = np.random.default_rng(dimension), []
    for _ in range(rounds):
        slopes = rng.standard_normal((rng.integers(1, 5), dimension))
        slopes *= rng.random() / 2 / np.linalg.norm(slopes, axis=1).max()
        losses.append(read(slopes, rng.uniform(-0.5, 0.5, len(slopes)), 1.0, 1.0, 1.0, dimension))
    return losses


@pytest.mark.parametrize(("dimension", "bits"), [(1, 8), (2, 5), (3, 3)])
def test_no_total_is_below_it_and_the_least_is_near(dimension: int, bits: int) -> None:
    points = grid(dimension, bits)
    for losses in (some_losses(dimension, 60), mixed_losses(dimension, 60), mixed_losses(dimension, 1)):
        least = int(values(losses, points, bits).min())
        for near in (0.5, 5.0):
            found = least_total(losses, 0, near)
            assert found <= least
            assert found >= least - (near + 60 / 2**bits) * UNITS  # a step of the grid costs up to half a loss a round


def test_any_weights_certify() -> None:
    """Weights at random, too large ones and negative ones included: never above the least total."""
    rng, losses = np.random.default_rng(1), mixed_losses(2, 40)
    least = int(values(losses, grid(2, 6), 6).min())
    shape = (max(len(loss.offsets) for loss in losses), len(losses))
    bounds = [certified(losses, rng.uniform(-0.2, 0.6, shape)) for _ in range(300)]
    assert max(bounds) <= least
    for value in (2.0, np.nan, np.inf, -np.inf, -1.0, 1e300):
        assert certified(losses, np.full(shape, value)) <= 0
    assert certified(losses, np.zeros(shape)) <= 0


def test_it_stops_where_the_floor_is_higher_anyway() -> None:
    losses = [read([[1.0], [-1.0]], [-0.5, 0.5], 1.0, 1.0, 2.0, 1)] * 100
    assert least_total(losses, 10 * UNITS, 1.0) <= 0
    assert least_total([], 0, 1.0) == 0
    assert least_total([read([0.0], 0.0, 1.0, 1.0, 1.0, 1)] * 3, 0, 1.0) <= 0
