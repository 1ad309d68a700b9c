"""Points of the ball are drawn by the law that the proof is about, from losses that are whole numbers on a grid."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from discreet.convex.affine import Affine, read, values
from discreet.convex.ball_constants import Given, _most_draws, calculated, log_tries
from discreet.convex.ball_draws import NEAR, BallDraws
from discreet.entropy import Entropy, ScriptedEntropy, SeededEntropy
from discreet.experts.switching import most_switches
from discreet.losses import UNITS
from discreet.selection import Softmax
from tests.chances import assert_fits

DRAWS = 3000


def grid(dimension: int, bits: int) -> np.ndarray:
    side = range(-(1 << bits), (1 << bits) + 1)
    cube = np.array(list(itertools.product(side, repeat=dimension)))
    inside: np.ndarray = cube[(cube**2).sum(axis=1) <= 4**bits]
    return inside


def some_losses(dimension: int, rounds: int, seed: int = 1) -> list[Affine]:
    """Absolute errors and hinge losses of any kind, in [0, 1]."""
    rng, losses = np.random.default_rng(seed), []
    for _ in range(rounds):
        a = rng.standard_normal(dimension)
        a *= rng.random() / np.linalg.norm(a) / 2
        b = rng.uniform(-0.5, 0.5)
        losses.append(read(np.array([a, -a]), [-b, b], 1.0, 1.0, 1.0, dimension))
    return losses


def counted(draws: BallDraws, losses: list[Affine], points: np.ndarray, entropy: Entropy) -> np.ndarray:
    places = {tuple(point): place for place, point in enumerate(points.tolist())}
    counts, base = np.zeros(len(points)), draws.base(losses)
    for _ in range(DRAWS):
        counts[places[tuple(draws.above(base, losses, entropy).tolist())]] += 1
    return counts


CASES = [(1, 2, 0.7, 0.0), (2, 2, 1.5, 1.0), (1, 3, 3.0, 4.0), (2, 2, 1.5, 12.0)]


@pytest.mark.parametrize(("dimension", "bits", "rate", "floor"), CASES)
def test_draws_follow_the_law_by_enumeration(dimension: int, bits: int, rate: float, floor: float) -> None:
    """False alarm: one in a million each. Forty rounds, so that points are given up on the way. No total is below 7, so
    the base is a certified bound but in the last case."""
    draws = BallDraws(dimension, bits, rate, int(floor * UNITS))
    losses, points = some_losses(dimension, 40), grid(dimension, bits)
    assert (draws.base(losses) > draws.floor) == (floor < 12)
    law = Softmax(rate).law(draws.scores(values(losses, points, bits)))
    assert_fits(counted(draws, losses, points, SeededEntropy(5)), law)


class RadiusFirst(BallDraws):
    """Planted: a length drawn uniformly, then a side, which gives zero twice its share."""

    def uniform(self, n: int, entropy: Entropy) -> Any:
        lengths = entropy.below_each(np.full((n,), (1 << self.bits) + 1))
        return (lengths * (1 - 2 * entropy.below_each(np.full(n, 2))))[:, None]


class ForgetsTheLatest(BallDraws):
    """Planted: points that were not given up early are kept without a look at the rest."""

    def above(self, base: int, losses: Any, entropy: Entropy) -> Any:
        return super().above(base, losses[:24], entropy)


class CoinAtHalf(BallDraws):
    """Planted: only half of the excess counts."""

    def _heads(self, word: int, above: int, entropy: Entropy) -> bool:
        return super()._heads(word, above // 2, entropy)

    def _allowed(self, words: Any) -> Any:
        low, high = super()._allowed(words)
        return 2 * low, 2 * high


class BaseTooHigh(BallDraws):
    """Planted: a base that some scores are below; their coins are all heads."""

    def base(self, losses: Any) -> int:
        return super().base(losses) + 2 * UNITS


@pytest.mark.parametrize("planted", [RadiusFirst, ForgetsTheLatest, CoinAtHalf, BaseTooHigh])
def test_planted_mistakes_are_caught(planted: type[BallDraws]) -> None:
    losses, points = some_losses(1, 40), grid(1, 3)
    totals = values(losses, points, 3)
    draws = BallDraws(1, 3, 1.0, int(totals.min()))
    law, wrong = Softmax(1.0).law(draws.scores(totals)), planted(1, 3, 1.0, draws.floor)
    with pytest.raises(AssertionError):
        assert_fits(counted(wrong, losses, points, SeededEntropy(5)), law)


def test_no_losses_yet_is_uniform() -> None:
    draws, points = BallDraws(2, 2, 1.0, 0), grid(2, 2)
    assert_fits(counted(draws, [], points, SeededEntropy(2)), np.full(len(points), 1 / len(points)))


def test_a_point_of_next_to_no_probability_can_be_drawn() -> None:
    losses = [read([-0.5], 0.5, 1.0, 1.0, 1.0, 1)] * 100
    draws = BallDraws(1, 2, 5.0, 0)
    assert draws.sample(losses, ScriptedEntropy(itertools.repeat(0))).tolist() == [-4]  # weight e^-500


def test_in_ten_dimensions_points_are_uniform_in_the_ball() -> None:
    draws = BallDraws(10, 20, 1.0, 0)
    norms = np.concatenate(
        [(draws.uniform(1 << 13, SeededEntropy(s)).astype(float) ** 2).sum(axis=1) for s in range(9)]
    )
    inside = (np.sqrt(norms) / (1 << 20)) ** 10  # uniform
    assert_fits(np.histogram(inside, bins=4, range=(0, 1))[0], np.full(4, 0.25))


def test_a_point_has_one_total_whatever_it_is_computed_with() -> None:
    losses, points = some_losses(3, 50), grid(3, 2)
    whole = values(losses, points, 2)
    alone = [sum(int(values([loss], point[None], 2)[0]) for loss in losses) for point in points]
    assert whole.tolist() == alone


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_losses_lie_in_one_loss_exactly(dimension: int) -> None:
    """Slopes that just reach the bound at the rim, where rounding alone would go beyond it."""
    rng = np.random.default_rng(dimension)
    for _ in range(200):
        a = rng.standard_normal(dimension)
        a /= np.linalg.norm(a) / 0.7
        loss = read(a, 0.3, 1.0, 1.0, 1.0, dimension)
        steep = loss.slopes[0].tolist()
        assert sum(entry**2 for entry in steep) <= (UNITS - int(loss.offsets[0])) ** 2
        assert loss.offsets[0] >= 0.3 * UNITS - dimension - 2
    rim = np.rint(a / 0.7 * (1 << 20) * (1 - 1e-9)).astype(np.int64)
    assert 0.999 * UNITS < values([loss], rim[None], 20)[0] <= UNITS
    assert values([loss], -rim[None], 20)[0] == 0


BAD: list[tuple[Any, Any]] = [
    ([1.0], 0.0),
    ([[1.0, 0.0]], [0.0, 1.0]),
    ([[1.0, 0.0]], 0.0),
    ([], []),
    (np.zeros((0, 2)), []),
    ([np.nan, 0.0], 0.0),
    ([0.5, 0.0], np.inf),
    ([2.0, 0.0], -5.0),
    ([1e308, 1e308], 0.0),
    ([0.5, 0.0], 1.6),
    ([0.5, 0.0], 1.7e308),
    ("ab", 0.0),
    ([0.5, 0.0], None),
    ([[0.1, 0.2], [0.3]], [0.0, 0.0]),
]


@pytest.mark.parametrize(("slopes", "offsets"), BAD)
def test_bad_losses_are_refused_in_one_sentence(slopes: Any, offsets: Any) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read(slopes, offsets, radius=1.0, lipschitz=1.0, bound=2.0, dimension=2)
    assert "\n" not in str(caught.value)


def test_the_number_of_draws_is_a_little_above_the_exact_one() -> None:
    for n in (100, 10_000, 10**6):
        for x in (1.0, 2.0, 5.0):
            exact, bound = most_switches(n, x, 0.025), _most_draws(np.log(n), x, 0.025)
            assert exact <= bound <= 1.2 * exact + 3


def test_the_acceptance_is_bounded_from_below() -> None:
    """Losses |x| on the interval are the worst that convexity allows: the mean of e^(-rate · score) by quadrature."""
    given, rate = Given(1, 1.0, 1000, 0.0, 0.05), 0.02
    xs = (np.arange(200_000) + 0.5) / 200_000
    for spare in (1.0, 4.0, 64.0):
        mean = np.exp(-rate * np.maximum(0.0, 1000 * xs - spare)).mean()
        assert np.exp(-log_tries(given, spare, rate)) <= mean
    found = calculated(given)
    assert found.floor < found.threshold
    assert found.log_tries < found.log_most_tries <= found.log_tries + found.rate * found.floor + NEAR


def proposals(draws: BallDraws, losses: list[Affine], n: int) -> float:
    """The mean number of proposals, one over how many are kept of many."""
    points, base = draws.uniform(n, SeededEntropy(3)), draws.base(losses)
    scores = draws.scores(values(losses, points, draws.bits))
    assert scores.min() >= base
    return float(1 / np.exp(-draws.rate * (scores - base) / UNITS).mean())


def test_a_draw_takes_no_longer_where_no_point_is_good() -> None:
    """Targets of two kinds, so that every point loses half of all there is. Starting from the floor would take e^100
    times as many proposals."""
    given = Given(2, 20.0, 400, 0.0, 0.05)
    found = calculated(given)
    losses = [read([[1.0, 0.0], [-1.0, 0.0]], [b, -b], 1.0, 1.0, 2.0, 2) for b in (-1.0, 1.0)] * 200
    draws = BallDraws(2, 20, found.rate, int(found.floor * UNITS))
    assert found.rate * (draws.base(losses) / UNITS - found.floor) > 25
    assert proposals(draws, losses, 20_000) <= np.exp(found.log_most_tries)
