"""The walk comes to the law that it is meant for, in dimensions where the law can be computed or drawn exactly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.convex.affine import stacked, values
from discreet.convex.ball_draws import BallDraws
from discreet.convex.chord import Chord, under
from discreet.convex.walk import BallWalk
from discreet.convex.walk_theory import log_distance_of, steps_demanded
from discreet.entropy import SeededEntropy
from discreet.losses import UNITS
from tests.chances import assert_fits, assert_same_law
from tests.convex.test_ball_draws import grid, some_losses

LOSSES = some_losses(2, 60)
RATE, FLOOR, STEPS, DRAWS = 2.0, 31 * UNITS // 2, 20, 2000
EDGES = np.linspace(-1, 1, 15)[1:-1]


def some_chord(floor: float = 16.5) -> Chord:
    slopes, offsets = stacked(LOSSES)
    return Chord(slopes @ np.array([0.1, -0.2]) + offsets, slopes @ np.array([0.6, 0.8]), 2.0, floor)


def chord_law(line: Chord, low: float, high: float, bins: int) -> NDArray[np.float64]:
    places = low + (np.arange(200 * bins) + 0.5) / (200 * bins) * (high - low)
    weights = np.exp([-line.tangent(place)[1] for place in places])
    law: NDArray[np.float64] = weights.reshape(bins, -1).sum(axis=1) / weights.sum()
    return law


def along(line: Chord, low: float, high: float, n: int = 4000) -> list[float]:
    entropy = SeededEntropy(4)
    return [line.drawn(low, high, entropy) for _ in range(n)]


@pytest.mark.parametrize(("low", "high"), [(-0.8, 0.9), (0.2, 0.9), (-0.9, -0.5), (-0.8, 0.9001)])
def test_places_on_a_chord_follow_the_density_by_quadrature(low: float, high: float) -> None:
    """False alarm: one in a million each."""
    line = some_chord()
    counts = np.histogram(along(line, low, high), bins=12, range=(low, high))[0]
    assert_fits(counts, chord_law(line, low, high, 12))


@pytest.mark.parametrize(("heights", "rises"), [([[0.5]], [[0.0]]), ([[-5.0]], [[1.0]]), ([[900.0]], [[900.0]])])
def test_flat_and_steep_chords(heights: Any, rises: Any) -> None:
    """A constant, zero, and a density that falls by e^-1800 over the chord."""
    line = Chord(np.array(heights), np.array(rises), 1.0, 0.0)
    law = chord_law(line, -1.0, 1.0, 10)
    assert_fits(np.histogram(along(line, -1.0, 1.0), bins=10, range=(-1, 1))[0], law)


class KeepsEverything(Chord):
    """Planted: the first place that the tangents propose is kept."""

    def drawn(self, low: float, high: float, entropy: Any) -> float:
        return under([self.tangent(place) for place in (low, (low + high) / 2, high)], entropy)[0]


def test_a_chord_without_rejection_is_caught() -> None:
    line = some_chord()
    wrong = KeepsEverything(line.heights, line.rises, line.rate, line.floor)
    counts = np.histogram(along(wrong, -0.8, 0.9), bins=12, range=(-0.8, 0.9))[0]
    with pytest.raises(AssertionError):
        assert_fits(counts, chord_law(line, -0.8, 0.9, 12))


def walked(walk: BallWalk, seed: int = 3) -> NDArray[np.int64]:
    entropy = SeededEntropy(seed)
    return np.array([walk.sample(LOSSES, entropy) for _ in range(DRAWS)])


def cells(points: NDArray[np.int64], bits: int) -> NDArray[np.int64]:
    """How many points lie in each of 14 slices of one coordinate, and of the other."""
    parts = points / (1 << bits)
    return np.concatenate([np.bincount(np.digitize(parts[:, side], EDGES), minlength=14) for side in (0, 1)])


def law_of_slices() -> NDArray[np.float64]:
    """The same of the law, on a grid of 256 steps across."""
    points = grid(2, 7)
    scores = np.maximum(values(LOSSES, points, 7), FLOOR) / UNITS
    weights = np.exp(-RATE * (scores - scores.min()))
    parts = points / (1 << 7)
    sides = [np.bincount(np.digitize(parts[:, side], EDGES), weights, minlength=14) for side in (0, 1)]
    law: NDArray[np.float64] = np.concatenate(sides) / weights.sum()
    return law


def assert_walks_to_the_law(points: NDArray[np.int64]) -> None:
    """Both coordinates; each false alarm one in a million."""
    seen, law = cells(points, 20), law_of_slices()
    assert_fits(seen[:14], law[:14])
    assert_fits(seen[14:], law[14:])


def test_in_two_dimensions_it_comes_to_the_law() -> None:
    points = walked(BallWalk(2, 20, RATE, FLOOR, STEPS))
    assert_walks_to_the_law(points)
    assert ((points**2).sum(axis=1) <= 4**20).all()


def test_it_agrees_with_exact_draws() -> None:
    """In three dimensions, with losses of their own: slices of each coordinate, one false alarm in a million each."""
    losses, entropy = some_losses(3, 40), SeededEntropy(8)
    walk, exact = BallWalk(3, 20, 1.0, 0, 30), BallDraws(3, 20, 1.0, 0)
    base = exact.base(losses)
    near = np.array([walk.sample(losses, entropy) for _ in range(800)]) / (1 << 20)
    true = np.array([exact.above(base, losses, entropy) for _ in range(800)]) / (1 << 20)
    for side in range(3):
        counts = [np.histogram(points[:, side], bins=8, range=(-1, 1))[0] for points in (near, true)]
        assert_same_law(*counts)


class HalfTheRate(BallWalk):
    """Planted: losses count half."""

    def sample(self, losses: Any, entropy: Any) -> Any:
        return BallWalk(self.dimension, self.bits, self.rate / 2, self.floor, self.steps).sample(losses, entropy)


class ForwardOnly(BallWalk):
    """Planted: a step goes from the point to one end of the chord."""

    def _walked(self, point: Any, ways: Any, slopes: Any, offsets: Any, entropy: Any) -> Any:
        for way in ways:
            far = -float(point @ way) + math.sqrt(float(point @ way) ** 2 + 1 - float(point @ point))
            line = Chord(slopes @ point + offsets, slopes @ way, self.rate, self.floor / UNITS)
            point = point + line.drawn(0.0, far, entropy) * way
        return point


class NoFloor(BallWalk):
    """Planted: totals below the floor count as they are."""

    def sample(self, losses: Any, entropy: Any) -> Any:
        return BallWalk(self.dimension, self.bits, self.rate, 0, self.steps).sample(losses, entropy)


@pytest.mark.parametrize("planted", [HalfTheRate, ForwardOnly, NoFloor])
def test_planted_mistakes_are_caught(planted: type[BallWalk]) -> None:
    with pytest.raises(AssertionError):
        assert_walks_to_the_law(walked(planted(2, 20, RATE, FLOOR, STEPS)))


def test_too_few_steps_are_caught() -> None:
    """One step from a uniform point is not yet the law."""
    with pytest.raises(AssertionError):
        assert_walks_to_the_law(walked(BallWalk(2, 20, RATE, FLOOR, 1)))


def test_points_begin_uniformly_in_many_dimensions() -> None:
    walk, entropy = BallWalk(30, 20, 1.0, 0, 1), SeededEntropy(2)
    points = np.array([walk.first(entropy) for _ in range(3000)]) / (1 << 20)
    inside = (points**2).sum(axis=1) ** 15
    assert_fits(np.histogram(inside, bins=10, range=(0, 1))[0], np.full(10, 0.1))
    assert_fits(np.bincount(points[:, 7] > 0), np.full(2, 0.5))


def test_rounding_does_not_leave_the_ball() -> None:
    walk, rng = BallWalk(3, 2, 1.0, 0, 1), np.random.default_rng(1)
    for _ in range(300):
        way = rng.standard_normal(3)
        near = walk._on_grid(way / np.linalg.norm(way))
        assert (near**2).sum() <= 16


def test_the_steps_that_theory_demands_by_hand() -> None:
    """10^10 · 20^2 · (7 · 0.1 · 1000 / 160)^2 · (100 + log 10^9); and delta = (1 + e) · 7 · d."""
    expected = 1e10 * 400 * 4.375**2 * (100 + 9 * math.log(10))
    assert steps_demanded(20, 0.1, 1000.0, math.log(1e-9)) == pytest.approx(expected)
    assert math.exp(log_distance_of(1e-6, 1.0, 7)) * 7 * (1 + math.e) == pytest.approx(1e-6)


@pytest.mark.parametrize(("dimension", "rate"), [(1, 3.0), (2, 0.8), (3, 2.0)])
def test_the_level_set_of_the_theory_has_its_probability(dimension: int, rate: float) -> None:
    """Scores up to 8 n / (7 rate) above the least have probability 1/8 or more; and their mean is n / rate at most."""
    points = grid(dimension, {1: 10, 2: 6, 3: 4}[dimension])
    totals = values(some_losses(dimension, 60), points, {1: 10, 2: 6, 3: 4}[dimension]) / UNITS
    above = totals - totals.min()
    law = np.exp(-rate * above) / np.exp(-rate * above).sum()
    assert law[above <= 8 * dimension / (7 * rate)].sum() >= 1 / 8
    assert float(law @ above) <= dimension / rate * 1.1
