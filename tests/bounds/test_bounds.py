from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from discreet import bounds
from discreet.bounds import Order, block_leader, cesari_colomboni_theorem_1
from discreet.environments import Bernoulli
from discreet.experts import NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.experts.blocks import BlockLearner
from discreet.simulate import regret

EXTREME = [(k, epsilon) for k in (2, 6, 100, 10**9) for epsilon in (1e-3, 0.25, 1.0, 50.0)]


def test_theorem_1_by_hand() -> None:
    assert cesari_colomboni_theorem_1(8, 0.5, 0.1) == pytest.approx(1 + 1600 * math.log(8) + 320 * math.log(8))
    assert cesari_colomboni_theorem_1(8, 0.5, 9.0) == pytest.approx(1 + 1600 * math.log(8) + 128 * math.log(8))
    assert bounds.cesari_colomboni_theorem_1_simple(8, 0.5, 0.1) == pytest.approx(12_000 * math.log(8))


@pytest.mark.parametrize(("k", "epsilon"), EXTREME)
def test_the_second_form_of_theorem_1_is_never_below_the_first(k: int, epsilon: float) -> None:
    for gap in (1e-6, 0.1, 1.0):
        assert cesari_colomboni_theorem_1(k, gap, epsilon) < bounds.cesari_colomboni_theorem_1_simple(k, gap, epsilon)


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ((1, 0.5, 1.0), "needs 2 actions or more; got 1"),
        ((2.5, 0.5, 1.0), "needs 2 actions or more; got 2.5"),
        ((2, 0.0, 1.0), "needs a gap above 0 and at most 1; got 0.0"),
        ((2, 1.5, 1.0), "needs a gap above 0 and at most 1; got 1.5"),
        ((2, 0.5, 0.0), "needs a finite epsilon above 0; got 0.0"),
        ((2, 0.5, math.inf), "needs a finite epsilon above 0; got inf"),
        ((2, math.nan, 1.0), "needs a gap above 0 and at most 1; got nan"),
    ],
)
def test_conditions(bad: tuple[int, float, float], sentence: str) -> None:
    for function in (
        cesari_colomboni_theorem_1,
        bounds.cesari_colomboni_theorem_1_simple,
        bounds.hu_lower,
        bounds.wu_wang_theorem_3,
        bounds.side_by_side,
    ):
        with pytest.raises(ValueError, match=sentence):
            function(*bad)


def test_conditions_of_the_lemmas() -> None:
    with pytest.raises(ValueError, match=r"needs a rate above 0 and at most 0\.125; got 0\.126"):
        bounds.cesari_colomboni_lemma_5(2, 0.5, 0.126)
    with pytest.raises(ValueError, match="needs a finite sum of expected gaps, 0 or more; got -1"):
        bounds.cesari_colomboni_lemma_4(-1.0)
    with pytest.raises(ValueError, match="needs a whole number of rounds, 1 or more; got 0"):
        bounds.hu_upper(2, 0.5, 1.0, rounds=0)


@pytest.mark.parametrize(
    "use", [lambda rate: rate < 3.0, lambda rate: np.float64(3) < rate, lambda rate: 2 * rate, lambda rate: float(rate)]
)
def test_an_order_is_no_number(use: Callable[[Any], object]) -> None:
    rate = bounds.hu_lower(100, 0.1, 1.0)
    assert isinstance(rate, Order)
    assert rate.value == pytest.approx(11 * math.log(100))
    with pytest.raises(TypeError):
        use(rate)


def test_orders_by_hand() -> None:
    size = math.log(100)
    assert bounds.hu_upper(100, 0.1, 2.0, 1000).value == pytest.approx(10 * size + size * math.log(1000) / 2)
    assert bounds.hu_upper_any_gap(100, 2.0, 1000).value == pytest.approx(
        math.sqrt(1000 * size) + size * math.log(1000) / 2
    )
    assert bounds.hu_lower_any_gap(100, 2.0, 1000).value == pytest.approx(math.sqrt(1000 * size) + size / 2)
    assert bounds.wu_wang_theorem_3(100, 0.1, 2.0).value == pytest.approx(10 * size + size**2 / 2)
    assert bounds.wu_wang_corollary_5(100, 2.0, 1000).value == pytest.approx(math.sqrt(1000 * size) + size**2 / 2)
    assert bounds.wu_wang_corollary_10(100, 2.0).value == pytest.approx(size**2 / 2)
    assert bounds.wu_wang_theorem_11(100, 2.0).value == pytest.approx(size / 2)
    assert bounds.non_private_rate(100, 0.1).value == pytest.approx(10 * size)


def test_privacy_is_free_up_to_a_gap_of_epsilon() -> None:
    for epsilon in (0.01, 0.3, 1.0, 7.0):
        free = bounds.free_privacy_gap(epsilon)
        for gap in (free, free / 2):
            rate, private = bounds.non_private_rate(9, gap).value, bounds.hu_lower(9, gap, epsilon).value
            assert private <= 2 * rate * (1 + 1e-12)
            assert bounds.price_of_privacy(gap, epsilon) == pytest.approx(private / rate)
        if free < 1:
            assert bounds.price_of_privacy(min(1.0, free * 1.01), epsilon) > 2


def _leader_regret(means: list[float], rounds: int, runs: int) -> tuple[float, float]:
    """Follow-the-leader with ties broken for the worst: mean regret and its standard error."""
    rng = np.random.default_rng(1)
    gaps, total = np.array(means) - min(means), np.full(runs, max(means) - min(means))
    behind = np.zeros((runs, len(means)))
    for _ in range(rounds - 1):
        behind += rng.random(behind.shape) < means
        leads = behind == behind.min(axis=1, keepdims=True)
        total += (leads * gaps).max(axis=1)
    return float(total.mean()), float(total.std() / math.sqrt(runs))


@pytest.mark.parametrize("means", [[0.4, 0.6], [0.45, *[0.55] * 9], [0.1, 0.2, 0.6, 0.9]])
def test_follow_the_leader_stays_below_its_bound(means: list[float]) -> None:
    measured, error = _leader_regret(means, rounds=1000, runs=400)
    bound = bounds.follow_the_leader(len(means), sorted(means)[1] - means[0])
    assert measured + 6 * error < bound < 30 * measured


@pytest.mark.parametrize(("k", "gap"), [(2, 0.3), (50, 0.1), (1000, 1.0)])
def test_the_proof_of_follow_the_leader_adds_up(k: int, gap: float) -> None:
    """The double sum of the proof, by rounds first and gaps second, is below the closed form and not far from it."""
    rounds, middles = np.arange(1, 20_000)[:, None], (np.arange(200) + 0.5) / 200
    chances = np.minimum(1, (k - 1) * np.exp(-rounds * np.maximum(middles, gap) ** 2 / 2))
    added = 1 + chances.mean(axis=1).sum()
    assert added < bounds.follow_the_leader(k, gap) < 2 * added


def test_side_by_side_says_what_does_not_apply() -> None:
    rows = {row.function: row for row in bounds.side_by_side(5, 0.1, 1.0)}
    assert rows["wu_wang_theorem_7"].value is None
    assert rows["wu_wang_theorem_7"].note == "needs 6 actions or more; got 5"
    assert rows["hu_upper"].note == "needs a number of rounds"
    assert rows["hu_upper_any_gap"].value is None
    assert "spends epsilon = 0.25 only" in rows["cesari_colomboni_theorem_1"].note
    assert not bounds.side_by_side(5, 0.1, 0.25)[0].note
    rows = {row.function: row for row in bounds.side_by_side(5, 0.1, 1.0, rounds=1000)}
    assert rows["hu_upper"].value == bounds.hu_upper(5, 0.1, 1.0, 1000)
    assert "it says nothing here" in rows["cesari_colomboni_theorem_1"].note
    assert rows["follow_the_leader"].note == ""
    assert rows["wu_wang_theorem_11_explicit"].value == bounds.wu_wang_theorem_11_explicit(5, 0.5)


@pytest.mark.parametrize(("k", "epsilon"), EXTREME)
@pytest.mark.parametrize("rounds", [None, 1, 2**43])
def test_upper_and_lower_bounds_agree_at_extremes(k: int, epsilon: float, rounds: int | None) -> None:
    for gap in (1e-6, 1.0):
        for row in bounds.side_by_side(k, gap, epsilon, rounds):
            value = row.value.value if isinstance(row.value, Order) else row.value
            assert value is None or 0 <= value < math.inf
            assert (value is None) == row.note.startswith("needs")
    if k >= 6:
        assert 0 < bounds.wu_wang_theorem_7(k, epsilon, rounds) < bounds.wu_wang_theorem_7_sharp(k, epsilon, rounds)
        upper = min(bounds.wu_wang_theorem_11_explicit(k, epsilon / 2), rounds or math.inf)
        assert bounds.wu_wang_theorem_7_sharp(k, epsilon, rounds) < upper


def test_block_leader_by_hand() -> None:
    # Blocks 1, 2, 4 of two actions with gap 1: uniform, then after 1 round, then after 2 rounds.
    chances = [math.exp(-n / 8) + math.exp(-0.5 * n / 2) for n in (1, 2)]
    wanted = 0.5 + sum(n * min(1.0, chance) for n, chance in zip((2, 4), chances, strict=True))
    assert block_leader([1.0, 0.0], [1, 2, 4], [1], rate=0.5, rounds=7) == pytest.approx(wanted)
    # Carried over: the score before the third block is 2 · (2 rounds) + 1 · (1 round): N = 5, V = 9.
    chance = math.exp(-25 / 72) + math.exp(-0.5 * 5 / 2)
    first = math.exp(-4 / 32) + math.exp(-0.5 * 2 / 2)
    wanted = 0.5 + 2 * min(1.0, first) + 4 * min(1.0, chance)
    assert block_leader([1.0, 0.0], [1, 2, 4], [2, 1], rate=0.5, rounds=7) == pytest.approx(wanted)


def test_block_leader_never_exceeds_the_worst_action() -> None:
    assert block_leader([0.0, 0.2, 0.3], [1] * 50, [1], rate=1e-6, rounds=50) <= 50 * 0.3


@pytest.mark.parametrize(
    "learner",
    [
        PrivateLeader(5, 0.5),
        PrivateLeader(5, 4.0),
        NoisyLeader(5, 1.0),
        NoisyLeader(5, 1.0, noise="gumbel"),
    ],
    ids=repr,
)
def test_measured_regret_is_below_the_bound(learner: BlockLearner) -> None:
    means = np.array([0.2, 0.4, 0.4, 0.7, 0.9])
    measured = regret(learner, Bernoulli(means), 50_000, runs=500)
    lengths = learner.schedule.lengths.tolist()
    bound = block_leader(means - 0.2, lengths, learner.weights, learner.selection.error_rate, 50_000)
    assert measured.interval(1 - 1e-6)[1][-1] < bound < 100 * measured.mean[-1]
    capped = regret(PrefixSoftmax(5, 1.0), Bernoulli(means), 50_000, runs=500)
    assert capped.interval(1 - 1e-6)[1][-1] < cesari_colomboni_theorem_1(5, 0.2, 1.0)
