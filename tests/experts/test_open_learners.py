"""Learners that are not private, against reference implementations written here."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.experts import AdaHedge, FollowTheLeader, Hedge
from discreet.experts.totals import TotalsLearner
from discreet.losses import UNITS, to_units
from tests.chances import MILLION_SIGMA, assert_fits, counts_of
from tests.experts.checks import losses

kinds = pytest.mark.parametrize("kind", [FollowTheLeader, Hedge])
Kind = type[FollowTheLeader] | type[Hedge]


def leader_laws(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Uniform among the smallest totals before each round."""
    units = to_units(table, table.shape[1])
    totals = np.cumsum(units, axis=0) - units
    leads = totals == totals.min(axis=1, keepdims=True)
    return np.asarray(leads / leads.sum(axis=1, keepdims=True))


def hedge_laws(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """exp(-sqrt(8 log K / t) · total before round t), normalized through logaddexp."""
    units = to_units(table, table.shape[1])
    totals = (np.cumsum(units, axis=0) - units) / UNITS
    rates = np.sqrt(8 * math.log(table.shape[1]) / np.arange(1, len(table) + 1))
    logs = -rates[:, None] * totals
    return np.asarray(np.exp(logs - np.logaddexp.reduce(logs, axis=1)[:, None]))


def laws(kind: Kind, table: NDArray[np.float64]) -> NDArray[np.float64]:
    return hedge_laws(table) if kind is Hedge else leader_laws(table)


def tables() -> dict[str, NDArray[np.float64]]:
    random = np.random.default_rng(5)
    far = random.random((3000, 40))
    far[:, 3:] = 0.9 + 0.1 * far[:, 3:]  # most actions soon matter no more
    alternating = np.tile([[1.0, 0.0], [0.0, 1.0]], (700, 1))
    late = np.zeros((2500, 3))
    late[:1500, 1:] = 1.0
    late[1500:, 0] = 1.0  # the leader turns bad
    return {
        "short": random.random((9, 2)),
        "one stretch": random.random((1024, 4)),
        "just over": random.random((1025, 4)),
        "bits": np.rint(random.random((2000, 3))),
        "far": far,
        "alternating": alternating,
        "late": late,
        "zero": np.zeros((1100, 3)),
    }


TABLES = tables()


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
@kinds
def test_expected_losses_are_those_of_a_direct_calculation(kind: Kind, table: NDArray[np.float64]) -> None:
    learner = kind(table.shape[1], seed=1)
    units = to_units(table, table.shape[1])
    direct = (laws(kind, table) * units).sum(axis=1) / UNITS
    assert learner.expected_losses(table).tolist() == pytest.approx(direct.tolist(), abs=1e-9)


@pytest.mark.parametrize("cut", [1, 7, 500, 1024, 2000])
@kinds
def test_expected_losses_go_on_from_what_was_learnt(kind: Kind, cut: int) -> None:
    table = TABLES["far"]
    whole, parts, mixed = (kind(40, seed=1) for _ in range(3))
    expected = whole.expected_losses(table)
    first, second = parts.expected_losses(table[:cut]), parts.expected_losses(table[cut:])
    assert np.concatenate([first, second]).tolist() == pytest.approx(expected.tolist(), abs=1e-9)
    mixed.play(table[:cut])
    assert mixed.expected_losses(table[cut:]).tolist() == pytest.approx(expected[cut:].tolist(), abs=1e-9)
    assert whole.rounds == mixed.rounds == len(table)
    totals = to_units(table, 40).sum(axis=0).tolist()
    assert whole.state_dict()["totals"] == parts.state_dict()["totals"] == mixed.state_dict()["totals"] == [totals]


@kinds
def test_expected_losses_are_the_mean_of_simulated_runs(kind: Kind) -> None:
    table, runs = losses(60, seed=8), 20_000
    expected = kind(3, seed=1).expected_losses(table)
    actions = kind(3, seed=2, runs=runs).play(table)
    seen = np.take_along_axis(table, actions, axis=1)
    spreads = seen.std(axis=1) / math.sqrt(runs)
    # 60 rounds, each beyond 6 sigma with probability 2e-9.
    assert (np.abs(seen.mean(axis=1) - expected) <= 6 * spreads + 1e-6).all()


@kinds
def test_actions_follow_the_law_of_each_round(kind: Kind) -> None:
    table = np.rint(losses(30, seed=9) * 4) / 4  # ties happen
    actions = kind(3, seed=3, runs=20_000).play(table)
    for drawn, law in zip(actions, laws(kind, table), strict=True):
        assert_fits(counts_of(drawn, 3), law)


@kinds
def test_the_first_expected_loss_is_the_average(kind: Kind) -> None:
    assert kind(4, seed=1).expected_losses([[1.0, 0.0, 0.0, 0.0]]).tolist() == pytest.approx([0.25])


@kinds
def test_a_table_without_rounds_has_no_expected_losses(kind: Kind) -> None:
    assert kind(3, seed=1).expected_losses(np.empty((0, 3))).tolist() == []


@kinds
def test_bad_losses_are_refused_and_change_nothing(kind: Kind) -> None:
    learner = kind(3, seed=1)
    learner.play(losses(9))
    before = learner.state_dict()
    bad = losses(20)
    bad[13, 1] = math.nan
    for table, words in ((bad, "round 22, action 1"), (losses(4, n_actions=4), "3 actions"), (losses(4)[0], "shape")):
        with pytest.raises(ValueError, match=words):
            learner.expected_losses(table)
    assert learner.state_dict() == before


def test_hedge_is_stable_over_a_million_rounds_of_extreme_losses() -> None:
    rounds = 1_000_000
    table = np.zeros((rounds, 2))
    table[:, 1] = 1.0
    with np.errstate(all="raise", under="ignore"):
        learner = Hedge(2, seed=1)
        expected = learner.expected_losses(table)
    t = np.arange(1, rounds + 1)
    direct = 1 / (1 + np.exp(np.minimum(np.sqrt(8 * math.log(2) / t) * (t - 1), 700)))
    assert np.abs(expected - direct).max() < 1e-12
    assert learner.state_dict()["totals"] == [[0, rounds * UNITS]]
    assert learner.act() == 0
    learner.expected_losses(1 - table)  # and all the way back
    assert learner.state_dict()["totals"] == [[rounds * UNITS] * 2]
    actions = [learner.play(np.full((1, 2), 0.5)).item() for _ in range(400)]
    assert_fits(counts_of(actions, 2), [0.5, 0.5])


@pytest.mark.parametrize("kind", [FollowTheLeader, Hedge, AdaHedge])
def test_learners_go_on_lawfully_from_a_trillion_rounds(kind: type[Any]) -> None:
    learner = kind(3, seed=1)
    learner.play(losses(5))
    far = 10**12
    totals = [[far * UNITS, far * UNITS - UNITS // 2, 0]]
    learner.load_state_dict(learner.state_dict() | {"rounds": far, "totals": totals})
    with np.errstate(all="raise", under="ignore"):
        actions = learner.play(np.tile([1.0, 0.0, 1.0], (50, 1)))
    assert (actions[1:] == 2).all()


def ada_hedge(table: NDArray[np.float64]) -> tuple[list[Any], list[list[Any]]]:
    """The mixability gaps added up, and the law before each round, in 50 digits (de Rooij et al., figure 1)."""
    units = to_units(table, table.shape[1]).tolist()
    with mpmath.workdps(50):
        n_actions = len(units[0])
        totals, mixability = [mpmath.mpf(0)] * n_actions, mpmath.mpf(0)
        sums, laws_ = [], []
        for row in [*units, None]:
            least = min(totals)
            if mixability == 0:
                weights = [mpmath.mpf(total == least) for total in totals]
            else:
                rate = mpmath.log(n_actions) / mixability
                weights = [mpmath.exp(-rate * (total - least)) for total in totals]
            law = [weight / mpmath.fsum(weights) for weight in weights]
            sums.append(mixability)
            laws_.append(law)
            if row is None:
                break
            now = [mpmath.mpf(unit) / UNITS for unit in row]
            after = [total + loss for total, loss in zip(totals, now, strict=True)]
            expected = mpmath.fsum(p * loss for p, loss in zip(law, now, strict=True))
            if mixability == 0:
                mix = min(after) - least
            else:
                mix = -mpmath.log(mpmath.fsum(p * mpmath.exp(-rate * x) for p, x in zip(law, now, strict=True))) / rate
            mixability += max(mpmath.mpf(0), expected - mix)
            totals = after
        return sums, laws_


@pytest.mark.parametrize(
    "table",
    [
        losses(80, seed=1),
        np.rint(losses(80, seed=2)),
        np.tile([0.0, 1.0, 1.0], (40, 1)),
        np.array([[0.5, 0.5, 0.5]] * 5 + [[0.0, 0.0, 1.0]] * 5 + [[1.0, 0.0, 0.0]] * 20),
        np.tile([[1.0, 0.0], [0.0, 1.0]], (30, 1)),
        losses(60, seed=3) * 1e-5,
    ],
    ids=["random", "bits", "easy", "ties", "alternating", "tiny"],
)
def test_ada_hedge_is_the_algorithm_of_the_paper(table: NDArray[np.float64]) -> None:
    runs, n_actions = 2000, table.shape[1]
    sums, laws_ = ada_hedge(table)
    learner = AdaHedge(n_actions, seed=4, runs=runs)
    for t, row in enumerate([*table, None]):
        ours = learner.state_dict()["mixability"]
        assert set(ours) == {ours[0]}
        assert ours[0] == pytest.approx(float(sums[t]), rel=1e-9, abs=1e-13), t
        if t % 9 == 0 or t == 1:
            assert_fits(counts_of(learner.act(), n_actions), [float(p) for p in laws_[t]])
        if row is not None:
            learner.update(row)


def test_ada_hedge_keeps_its_regret_bound() -> None:
    """sqrt(T log K) + 2 + (4/3) log K at most, in expectation; alternating losses (de Rooij et al., theorem 8)."""
    rounds = 400
    table = np.tile([[1.0, 0.0], [0.0, 1.0]], (rounds // 2, 1))
    actions = AdaHedge(2, seed=5, runs=500).play(table)
    regrets = np.take_along_axis(table, actions, axis=1).sum(axis=0) - rounds / 2
    spread = MILLION_SIGMA * regrets.std() / math.sqrt(500)
    assert regrets.mean() <= math.sqrt(rounds * math.log(2)) + 2 + 4 / 3 * math.log(2) + spread


def test_open_learners_share_their_rules_between_one_run_and_many() -> None:
    assert issubclass(FollowTheLeader, TotalsLearner)
    with pytest.raises(ValueError, match="runs"):
        Hedge(3, seed=1, runs=2).expected_losses(losses(4))
