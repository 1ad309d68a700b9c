"""Sparse vector learners: constants by hand, laws, worst losses, planted mistakes, and regret."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet import audit
from discreet.experts import AdaptiveSparseVectorExperts, PotentialExperts, SparseVectorExperts
from discreet.experts.alarms import noise_of_tests
from discreet.experts.sparse_vector_constants import concentrated_epsilon, concentrated_rate
from discreet.experts.switching import chance_of, most_switches
from discreet.experts.watching import WatchingLearner
from discreet.guarantees import ApproxDP, PureDP
from discreet.losses import UNITS
from discreet.mechanisms import AboveThreshold
from discreet.selection import PermuteAndFlip, Selection, Softmax
from tests.chances import MILLION_SIGMA
from tests.experts.checks import refuses

Table = NDArray[np.float64]

#: Thresholds so low that a few rounds go through halts, draws, checks, guesses and the end of the budget.
SMALL: list[WatchingLearner] = [
    SparseVectorExperts(2, 1.0, 100, switches=2, threshold=0.5),
    SparseVectorExperts(2, 4.0, 100, switches=3, threshold=1.0),
    SparseVectorExperts(2, 4.0, 100, switches=1, threshold=1.0, best_loss=0.5),
    SparseVectorExperts(2, 4.0, 100, switches=2, threshold=1.0, constants="paper"),
    SparseVectorExperts(3, 6.0, 100, switches=3, threshold=1.0, delta=1e-3),
    AdaptiveSparseVectorExperts(2, 4.0, 1000, switches=1, threshold=0.5),
    AdaptiveSparseVectorExperts(3, 8.0, 1000, switches=2, threshold=0.5),
    PotentialExperts(2, 8.0, 100, switches=2, threshold=0.3),
    PotentialExperts(3, 20.0, 100, switches=3, threshold=0.2),
    PotentialExperts(2, 4.0, 100, switches=2, threshold=0.2, constants="paper"),
    PotentialExperts(2, 4.0, 100, switches=2, threshold=0.2, constants="paper", calibration="paper"),
    AdaptiveSparseVectorExperts(2, 4.0, 8, switches=2, threshold=1.0, constants="paper"),
]


def rate_of(learner: WatchingLearner, kind: type[Selection]) -> float:
    """The rate of the first selection, which is of this kind."""
    assert type(learner.stages[0].selection) is kind
    return learner.stages[0].selection.error_rate


# Printed constants against a calculation by hand: K = 100, epsilon 1, T = 10^4, failure 0.05


def test_the_constants_of_theorem_1() -> None:
    learner = SparseVectorExperts(100, 1.0, 10_000, constants="paper", best_loss=3.0)
    # 6 · ceil(4.605) + 24 · 2.99573 = 101.8976; eta = 1 / 203.795; B = log(2e8 / 0.05) = 22.10956
    assert learner.switches == 101
    assert rate_of(learner, Softmax) == pytest.approx(0.00490689 / 2, rel=1e-5)
    assert learner.threshold == pytest.approx(3 + 815.181 + 176.8765, abs=1e-3)
    assert (learner.test.threshold_scale, learner.test.query_scale) == (4.0, 8.0)
    assert learner.stages[0].best == 3 * UNITS
    assert learner.claim == PureDP(1.0)


def test_the_constants_of_theorem_1_with_delta() -> None:
    learner = SparseVectorExperts(100, 1.0, 10_000, constants="paper", delta=1e-3)
    # eta = 1 / sqrt(32 · 101.8976 · 6.907755) = 1 / 150.0795
    assert rate_of(learner, Softmax) == pytest.approx(1 / 150.0795 / 2, rel=1e-5)
    assert learner.claim == ApproxDP(1.0, 1e-3)
    assert learner.threshold == pytest.approx(4 * 150.0795 + 176.8765, abs=1e-2)


def test_the_constants_of_algorithm_2_and_what_they_reveal() -> None:
    learner = AdaptiveSparseVectorExperts(100, 1.0, 10_000, constants="paper")
    # epsilon0 = 1 / (2 · 9.21034) = 0.0542868; failure 5e-6; K = 30 + 24 · 12.20607 = 322.9457;
    # eta = epsilon0 / 645.8915 = 8.40494e-5; B = log(2e8 / 5e-6) = 31.3199
    small, bound = 0.0542868, 322.9457
    assert len(learner.stages) == 15  # guesses 1, 2, 4, ..., 16384
    assert [stage.best // UNITS for stage in learner.stages] == [2**power for power in range(15)]
    assert {stage.switches for stage in learner.stages} == {322}
    assert learner.threshold == pytest.approx(1 + 4 / 8.40494e-5 + 8 * 31.3199 / small, rel=1e-5)
    assert learner.stages[-1].check is None
    for stage in learner.stages[:-1]:
        assert stage.check is not None
        assert stage.check.scale == pytest.approx(bound / small, rel=1e-5)
        assert stage.best - stage.check.cut == pytest.approx(5 * bound * 12.20607 / small * UNITS, rel=1e-5)
    true = small / 2 + 15 * 322 * small / (2 * bound) + 14 * 322 * small / bound
    assert learner.claim.epsilon == pytest.approx(true, rel=1e-5)
    assert true > 1.19


# Tight constants


@pytest.mark.parametrize("n_actions", [2, 10, 1000])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("kind", [SparseVectorExperts, AdaptiveSparseVectorExperts, PotentialExperts])
def test_tight_constants_spend_epsilon_and_no_more(kind: Any, epsilon: float, n_actions: int) -> None:
    learner = kind(n_actions, epsilon, 10_000)
    assert learner.claim == PureDP(epsilon)
    assert epsilon * (1 - 1e-5) <= learner.revealed <= epsilon


def test_any_number_of_switches_is_paid_for() -> None:
    for switches in (1, 7, 500):
        for kind in (SparseVectorExperts, AdaptiveSparseVectorExperts, PotentialExperts):
            learner = kind(5, 1.0, 1000, switches=switches, threshold=3.0)
            assert learner.claim == PureDP(1.0)
            assert learner.revealed <= 1


def test_concentration_is_solved_and_stays_below_the_basic_sum() -> None:
    for epsilon, switches, delta in ((0.5, 20, 1e-3), (0.1, 200, 1e-9), (3.0, 50, 1e-6)):
        rate = concentrated_rate(epsilon, switches, delta)
        assert concentrated_epsilon(rate, switches, delta) == pytest.approx(epsilon, rel=1e-11)
        assert concentrated_epsilon(rate, switches, delta) <= epsilon
    assert concentrated_rate(0.1, 200, 1e-9) > 0.1 / 400


def test_the_number_of_switches_is_that_of_a_simulation() -> None:
    """The chance that n exponential numbers below x sum to at most log K, over 10^6 draws (|z| once in a million)."""
    rng, runs = np.random.default_rng(1), 1_000_000
    for n, total, x in ((3, 2.3, 1.0), (8, 4.6, 2.0), (6, 4.6, 9.0)):
        drawn = -np.log1p(-rng.random((runs, n)) * -math.expm1(-x)).astype(np.float32)
        seen, expected = float((drawn.sum(axis=1) <= total).mean()), chance_of(n, total, x)
        assert abs(seen - expected) <= MILLION_SIGMA * math.sqrt(expected * (1 - expected) / runs) + 1e-6
    assert [most_switches(100, 2.0, failure) for failure in (0.5, 0.1, 0.01, 0.001)] == [6, 9, 12, 14]


def test_false_alarms_are_as_rare_as_promised() -> None:
    """Queries that stay at zero: 4000 tests of 500 rounds halt in at most a twentieth (exceeded once in a million)."""
    distance, share = noise_of_tests(1, 500, 0.05)
    test = AboveThreshold(1.0, distance, share=share)
    places = SparseVectorExperts(2, 1.0, 500, seed=4, runs=4000)
    places.test = AboveThreshold(1.0, 0.0, share=share)
    places.stages = (replace(places.stages[0], threshold=round(distance * UNITS), switches=1),)
    places._reset()
    places.play(np.zeros((500, 2)))
    halted = int((places._stage == 1).sum())
    assert halted <= 200 + MILLION_SIGMA * math.sqrt(200)
    assert halted >= 100  # the bound is not idle
    exact = 1 - test.law(np.zeros(500, dtype=np.int64))[-1]
    assert abs(halted - 4000 * exact) <= MILLION_SIGMA * math.sqrt(4000 * exact)


def switches_made(learner: WatchingLearner) -> NDArray[np.int64]:
    """How many draws each run has made, for learners with one stage."""
    over = learner._stage == len(learner.stages)
    return np.where(over, learner.stages[0].switches, learner._switches)


def test_switches_stay_within_their_number() -> None:
    """One by one in random order, the draws are used up in at most a twentieth of the runs, by far."""
    learner = SparseVectorExperts(20, 4.0, 20_000, seed=3, runs=200)
    learner.play(one_by_one(20_000, 20, np.random.default_rng(1)))
    made = switches_made(learner)
    assert (made >= learner.switches).mean() <= 0.05
    assert 1 <= made.mean() <= 1 + 2 * math.log(20)


# What is revealed


@pytest.mark.parametrize("learner", SMALL, ids=repr)
def test_the_law_is_that_of_what_is_played(learner: WatchingLearner) -> None:
    """All sequences of actions over 5 rounds, 60,000 runs: wrong alarms once in a million."""
    table = np.random.default_rng(7).random((5, learner.n_actions))
    exact = audit.law(learner, table)
    assert sum(exact.values()) == pytest.approx(1, abs=1e-9)
    assert audit.matches(audit.sampler(learner, 5), exact, 60_000, table).fits


@pytest.mark.parametrize("learner", [one for one in SMALL if one.n_actions == 2], ids=repr)
def test_worst_losses_stay_within_the_claim(learner: WatchingLearner) -> None:
    """All pairs of tables of 4 rounds with losses 0 and 1."""
    found = audit.worst_loss(learner, 4, [0, 1])
    assert found.exact
    assert 0.04 * float(learner.revealed) < found.lower <= float(learner.revealed)


def whole_budget(learner: WatchingLearner) -> None:
    """Draws as if epsilon were there anew for each."""
    learner.stages = (replace(learner.stages[0], selection=PermuteAndFlip(0.5)),)


def noiseless_test(learner: WatchingLearner) -> None:
    """A test with hardly any noise."""
    learner.test = AboveThreshold(40.0, 0.0)


@pytest.mark.parametrize("mistake", [whole_budget, noiseless_test])
def test_a_planted_mistake_exceeds_the_claim(mistake: Any) -> None:
    learner = SparseVectorExperts(2, 1.0, 100, switches=6, threshold=0.0)
    assert audit.worst_loss(learner, 4, [0, 1]).lower <= 1
    mistake(learner)
    assert audit.worst_loss(learner, 4, [0, 1]).lower > 1


class Forgetful(SparseVectorExperts):
    """The planted mistake: what the last action lost is not forgotten, so that a round enters many tests."""

    def _switch(self, after: dict[str, Any], runs: NDArray[np.int64]) -> None:
        kept = after["_lost"]
        super()._switch(after, runs)
        after["_lost"] = kept


def test_a_round_that_enters_two_tests_is_noticed() -> None:
    learner = Forgetful(2, 6.0, 100, switches=3, threshold=1.0)
    table = np.ones((5, 2))
    assert not audit.matches(audit.sampler(learner, 5), audit.law(learner, table), 60_000, table).fits


def test_when_draws_are_used_up_the_last_action_stays_and_costs_nothing() -> None:
    learner = SparseVectorExperts(3, 5.0, 100, switches=2, threshold=2.0, seed=1, runs=50)
    learner.play(np.ones((200, 3)))
    assert (learner._stage == 1).all()
    action, before = learner.act(), learner.state_dict()["entropy"]
    learner.play(np.ones((200, 3)))
    assert learner.act().tolist() == action.tolist()
    assert learner.state_dict()["entropy"] == before


class Interrupted(PermuteAndFlip):
    """Raises where a user may press Ctrl-C: in the middle of a draw."""

    def sample(self, totals: Any, entropy: Any) -> Any:
        raise KeyboardInterrupt


def test_an_interrupted_draw_leaves_the_rounds_before_it_learnt_and_no_more() -> None:
    learner = SparseVectorExperts(3, 5.0, 1000, threshold=20.0, seed=1)
    stages = learner.stages
    learner.stages = (replace(stages[0], selection=Interrupted(1.0)),)
    with pytest.raises(KeyboardInterrupt):
        learner.play(np.ones((1000, 3)))
    assert learner._totals.tolist() == [[learner.rounds * UNITS] * 3]
    assert learner._lost.tolist() == [learner.rounds * UNITS]
    assert 5 < learner.rounds < 100
    learner.stages = stages
    learner.play(np.ones((100, 3)))
    assert learner._switches[0] + learner._stage[0] > 0


# Regret


def one_by_one(rounds: int, n_actions: int, rng: np.random.Generator) -> Table:
    """Actions turn bad one after the other, in random order, but for the last."""
    table = np.zeros((rounds, n_actions))
    for place, action in enumerate(rng.permutation(n_actions)[:-1], start=1):
        table[place * (rounds // n_actions) :, action] = 1
    return table


def half_by_half(rounds: int, n_actions: int, rng: np.random.Generator) -> Table:
    """Half of those that are still good turn bad at a time."""
    table, order, left = np.zeros((rounds, n_actions)), rng.permutation(n_actions), n_actions
    phases = math.ceil(math.log2(n_actions))
    for phase in range(1, phases + 1):
        left = (left + 1) // 2
        table[phase * (rounds // (phases + 1)) :, order[left:]] = 1
    return table


def one_zero(rounds: int, n_actions: int, rng: np.random.Generator) -> Table:
    """Random losses, but for one action that is perfect."""
    table = rng.random((rounds, n_actions))
    table[:, rng.integers(n_actions)] = 0
    return table


def late(rounds: int, n_actions: int, rng: np.random.Generator) -> Table:
    """All but one turn bad at once, halfway."""
    table = np.zeros((rounds, n_actions))
    table[rounds // 2 :] = 1
    table[:, rng.integers(n_actions)] = 0
    return table


@pytest.mark.parametrize("make", [one_by_one, half_by_half, one_zero, late])
@pytest.mark.parametrize("kind", [SparseVectorExperts, AdaptiveSparseVectorExperts, PotentialExperts])
def test_tight_constants_have_a_quarter_of_the_regret_of_the_printed_ones(kind: Any, make: Any) -> None:
    """20 actions, epsilon 1, 30,000 rounds, 40 runs; here the ratios are 0.01 to 0.17."""
    table = make(30_000, 20, np.random.default_rng(2))
    means = []
    for constants in ("tight", "paper"):
        actions = kind(20, 1.0, 30_000, constants=constants, seed=1, runs=40).play(table)
        means.append(np.take_along_axis(table, actions, axis=1).sum(axis=0).mean())
    assert means[0] <= means[1] / 4


def test_regret_is_flat_in_the_horizon() -> None:
    """Ten times the rounds cost a little more noise, no more."""
    regrets = []
    for rounds in (20_000, 200_000):
        actions = SparseVectorExperts(8, 1.0, rounds, seed=1, runs=100).play(one_by_one(rounds, 8, rng()))
        table = one_by_one(rounds, 8, rng())
        regrets.append(np.take_along_axis(table, actions, axis=1).sum(axis=0).mean())
    assert regrets[1] <= 1.4 * regrets[0]


def rng() -> np.random.Generator:
    return np.random.default_rng(9)


# Bad input


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *[("epsilon", bad) for bad in (0, -1, math.nan, "1", None, True, 1e-12, 1e30)],
        *[("rounds", bad) for bad in (0, -1, 2.5, "9", None, True, 2**60)],
        *[("failure", bad) for bad in (0, 1, -0.1, math.nan, None, True)],
        *[("switches", bad) for bad in (0, -1, 1.5, True)],
        *[("threshold", bad) for bad in (-1, math.nan, "1", True)],
        ("constants", "loose"),
    ],
)
@pytest.mark.parametrize("kind", [SparseVectorExperts, AdaptiveSparseVectorExperts, PotentialExperts])
def test_bad_parameters_are_refused_in_one_sentence(kind: Any, name: str, bad: Any) -> None:
    assert name in refuses(kind, **({"n_actions": 3, "epsilon": 1.0, "rounds": 100} | {name: bad}))


@pytest.mark.parametrize(("name", "bad"), [("delta", 1), ("delta", -1e-9), ("best_loss", -1), ("best_loss", math.nan)])
def test_bad_parameters_of_algorithm_1_are_refused(name: str, bad: Any) -> None:
    assert name in refuses(SparseVectorExperts, **({"n_actions": 3, "epsilon": 1.0, "rounds": 100} | {name: bad}))
