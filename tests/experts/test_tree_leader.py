"""The leader of Gaussian trees: its accounting by hand, the law of its noise, its rule, and its bound."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet import bounds
from discreet.audit.nodes import replaced, reveals_little, squared_mu
from discreet.entropy import SeededEntropy
from discreet.experts import TreeLeader
from discreet.experts.base import Actions
from discreet.experts.titles import title
from discreet.guarantees import ApproxDP, GaussianDP, Guarantee, NoGuarantee, PureDP
from discreet.losses import UNITS, Units, to_units
from discreet.mechanisms import RunningSums
from tests.chances import MILLION_SIGMA, assert_fits, counts_of
from tests.experts.checks import loop, losses, refuses
from tests.mechanisms.test_rows import Sparse


class Seen(TreeLeader):
    """Keeps the sums that it chooses from."""

    def _leaders(self, sums: Units) -> Actions:
        self.__dict__.setdefault("seen", []).extend(sums)
        return super()._leaders(sums)


def sums_of(learner: Seen, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sums after each round, in losses: (rounds, runs, K)."""
    learner.play(table)
    return np.array(learner.__dict__["seen"]) / UNITS


# What is spent


@pytest.mark.parametrize(
    ("rounds", "levels"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (1024, 10), (1025, 11), (10**6, 20)]
)
def test_levels_are_for_one_round_less(rounds: int, levels: int) -> None:
    """The last round's sum would choose for no round."""
    assert TreeLeader(3, rounds, 1.0).levels == levels


def test_scales_by_hand() -> None:
    """Four actions move by 2; 9 sums need 4 levels: sqrt(4) · 2 / mu. 3 actions: sqrt(3 · 10) / mu, rounded up."""
    assert TreeLeader(4, 10, 0.5).node_scale == 8.0
    assert TreeLeader(4, 10, 0.5).deviation == 16.0
    scale = Fraction(TreeLeader(3, 1000, 0.7).node_scale)
    assert scale**2 * Fraction(0.7) ** 2 >= 30
    assert Fraction(math.nextafter(float(scale), 0.0)) ** 2 * Fraction(0.7) ** 2 < 30


def test_a_claimed_sensitivity_pays_for_rounding() -> None:
    claimed = TreeLeader(3, 1000, 1.0, sensitivity=0.3)
    assert math.sqrt(claimed.squared_move) == pytest.approx(0.3 + math.sqrt(3) / UNITS, rel=1e-15)
    assert claimed.squared_move > Fraction(0.3) ** 2
    for wide in (math.sqrt(3), 2.0, 1e9):
        assert TreeLeader(3, 1000, 1.0, sensitivity=wide).node_scale == TreeLeader(3, 1000, 1.0).node_scale


def test_the_pair_that_the_audit_turns_is_torn_apart_by_rounding() -> None:
    """A sensitivity below a unit: nothing of it would move, were not the middle between two units."""
    low, high = replaced(3, 1e-6)
    assert np.linalg.norm(high - low) <= 1e-6
    assert (to_units(high, 3) - to_units(low, 3)).tolist() == [[1, 1, 1]]


def test_least_regret_takes_what_the_bound_wants_or_what_mu_demands() -> None:
    """900 rounds want 15; 10 levels and 4 actions demand 20 / mu."""
    for mu, deviation, true in ((1e9, 15.0, 20 / 15), (math.inf, 15.0, 20 / 15), (0.5, 40.0, 0.5)):
        learner = TreeLeader(4, 900, mu, noise="least-regret")
        assert learner.deviation == pytest.approx(deviation, rel=1e-14)
        assert isinstance(learner.guarantee, GaussianDP)
        assert learner.guarantee.mu == pytest.approx(true, rel=1e-14)
        assert learner.guarantee.mu <= mu


@pytest.mark.parametrize("noise", ["least", "least-regret"])
@pytest.mark.parametrize("rounds", [1, 2, 9, 100])
def test_what_a_round_reveals_is_counted_from_the_nodes(noise: Any, rounds: int) -> None:
    """Round j lies in a node for every level whose left nodes hold it; the first one in all: exactly mu."""
    learner = TreeLeader(3, rounds, 0.8, noise=noise)
    capacity, total = 2**learner.levels - 1, 2 * rounds + 3
    low, high = (to_units(row, 3)[0] for row in replaced(3, 3**0.5))
    for place in range(total):
        units = np.zeros((total, 3), dtype=np.int64)
        other = units.copy()
        units[place], other[place] = low, high
        ends = [end for end in range(place % capacity + 1, capacity + 1) if end - (end & -end) <= place % capacity]
        ends = [end for end in ends if place - place % capacity + end <= total]
        assert squared_mu(learner, units, other) == len(ends) * 3 / Fraction(learner.node_scale) ** 2


def test_the_audit_finds_a_mu_that_is_a_little_too_small() -> None:
    learner = TreeLeader(3, 100, 0.8)
    assert reveals_little(learner, 63, GaussianDP(0.8)) is None
    seen = reveals_little(learner, 63, GaussianDP(0.7999))
    assert seen == "round 0 of 63 is revealed with mu = 0.8, which GaussianDP(mu=0.7999) does not allow"


@pytest.mark.parametrize(
    "claim",
    [GaussianDP(1.0), GaussianDP(1.0, within=1.0), GaussianDP(0.99, within=0.1), PureDP(50.0), ApproxDP(4.0, 1e-6)],
)
def test_the_audit_judges_what_a_claim_is_about(claim: Guarantee) -> None:
    """Noise for losses that move by 0.1 at mu 1: of all losses of three actions it hides mu 17.3."""
    learner = TreeLeader(3, 100, 1.0, sensitivity=0.1)
    assert reveals_little(learner, 31, GaussianDP(1.0, within=0.1)) is None
    assert reveals_little(learner, 31, GaussianDP(17.4)) is None
    seen = reveals_little(learner, 31, claim)
    assert seen is not None
    assert "does not allow" in seen


# The law of the noise


@pytest.mark.parametrize("noise", ["least", "least-regret"])
def test_the_variance_of_every_sum(noise: Any) -> None:
    """Sums of nothing: a node's variance for each digit 1, or levels of them; beyond the first tree it adds up."""
    learner = Seen(2, 8, 1.0, noise=noise, seed=3, runs=20_000)
    seen = sums_of(learner, np.zeros((16, 2)))
    nodes = [1, 1, 2, 1, 2, 2, 3, *(3 + count for count in (1, 1, 2, 1, 2, 2, 3)), 7, 7]
    wanted = [max(count, 3) for count in nodes] if noise == "least-regret" else nodes
    error = MILLION_SIGMA * math.sqrt(2 / 40_000)
    for sums, count in zip(seen, wanted, strict=True):
        assert sums.var() / learner.node_scale**2 == pytest.approx(count, rel=error)
        assert abs(np.corrcoef(sums.T)[0, 1]) < MILLION_SIGMA / math.sqrt(20_000)
    shared = (seen[1] * seen[2]).mean() / learner.node_scale**2  # the node of rounds 1 and 2
    assert shared == pytest.approx(1, abs=MILLION_SIGMA * 3 / math.sqrt(40_000))


def test_sums_are_those_of_running_sums() -> None:
    """The same bits: the tree of the mechanisms, one round at a time."""
    learner, table = Seen(3, 100, 1.0, seed=5, runs=2), losses(127)
    sums = RunningSums(7, GaussianDP(1.0), (2, 3), norm=2 * UNITS)
    assert learner.node_noise is not None
    sums.noise, entropy = learner.node_noise, SeededEntropy(5)
    entropy.numbers(6, 64)  # the order of equal actions
    released = [sums.add(np.tile(to_units(row, 3), (2, 1)), entropy) / UNITS for row in table]
    assert sums_of(learner, table).tolist() == np.array(released).tolist()


@pytest.mark.parametrize("noise", ["least", "least-regret"])
def test_the_loop_is_played_where_draws_need_more_bits(noise: Any) -> None:
    """On a stream where every eighth word is zero."""
    table, players = losses(60), [TreeLeader(3, 20, 1.0, noise=noise, runs=2) for _ in range(3)]
    for player in players:
        player._entropy = Sparse(3)
        player._reset()
    looped = loop(players[0], table)
    assert players[1].play(table).tolist() == looped.tolist()
    parts = [players[2].play(part) for part in np.split(table, [1, 14, 30, 31, 32, 45])]
    assert np.concatenate(parts).tolist() == looped.tolist()
    assert players[0].state_dict() == players[1].state_dict() == players[2].state_dict()


# The rule


def test_without_noise_it_follows_the_leader_across_trees() -> None:
    """The smallest exact total, of all rounds though trees have 7 of them."""
    learner, table = TreeLeader(3, 8, math.inf, seed=1, runs=4), losses(100)
    actions = learner.play(table)
    totals = np.cumsum(to_units(table, 3), axis=0)
    assert (actions[1:] == totals[:-1].argmin(axis=1)[:, None]).all()
    assert isinstance(learner.clone().set_params(seed=None).guarantee, NoGuarantee)
    assert "not private" in str(TreeLeader(3, 8, math.inf).guarantee)


def test_equal_actions_are_taken_in_an_order_drawn_at_the_start() -> None:
    learner = TreeLeader(4, 100, math.inf, seed=2, runs=40_000)
    actions = learner.play([[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
    assert_fits(counts_of(actions[0], 4), [0.25] * 4)
    assert (actions[1] == actions[0]).all()
    assert_fits(counts_of(actions[2], 4), [0, 0.5, 0.5, 0])


def test_the_tree_has_no_memory_of_a_full_one_but_its_release() -> None:
    """After 7 rounds the exact sums are gone from the state."""
    learner = TreeLeader(3, 8, 1.0, seed=1)
    learner.play(losses(7))
    state = learner.state_dict()
    assert not np.any(state["sums"])
    assert not np.any(state["released"])
    assert np.all(state["done"])


# Regret


def sequences(rounds: int) -> dict[str, NDArray[np.float64]]:
    turns = np.eye(4)[np.arange(rounds) % 4]
    late = np.zeros((rounds, 4))
    late[: rounds // 2, 1:], late[rounds // 2 :, :1] = 0.5, 1.0
    return {"in turn": turns, "random": losses(rounds, n_actions=4), "the leader turns bad": late}


@pytest.mark.parametrize("mu", [math.inf, 0.3])
@pytest.mark.parametrize("name", ["in turn", "random", "the leader turns bad"])
def test_regret_keeps_to_the_bound(name: str, mu: float) -> None:
    """The mean of 400 runs, less what chance explains once in a million."""
    rounds, runs = 2000, 400
    table = sequences(rounds)[name]
    learner = TreeLeader(4, rounds, mu, noise="least-regret", seed=6, runs=runs)
    regrets = regrets_of(learner, table)
    bound = bounds.agarwal_singh(4, rounds, learner.deviation, learner.rounding)
    assert regrets.mean() - MILLION_SIGMA * regrets.std() / math.sqrt(runs) <= bound
    assert bound < 0.7 * rounds or mu < 1


def regrets_of(learner: TreeLeader, table: NDArray[np.float64]) -> NDArray[np.float64]:
    suffered = np.take_along_axis(table, learner.play(table), axis=1).sum(axis=0)
    return np.asarray(suffered - table.sum(axis=0).min())


def test_without_noise_the_bound_does_not_hold() -> None:
    """The planted mistake: with no noise, losses in turn hit the leader each time for all who have the right order."""
    rounds = 2000
    half = np.tile([[1.0, 0.0], [0.0, 1.0]], (rounds // 2, 1))
    half[0] = 0.5, 0.0
    regrets = regrets_of(TreeLeader(2, rounds, math.inf, seed=6, runs=10), half)
    assert regrets.min() > 0.45 * rounds > 10 * bounds.agarwal_singh(2, rounds, math.sqrt(rounds) / 2)


def test_rounding_moves_no_sum_by_more_than_it_says() -> None:
    """The worst of all numbers of nodes: half a unit each, and fresh noise."""
    learner = TreeLeader(3, 10**6, 1.0, noise="least-regret")
    digits = np.arange(1, learner.levels + 1)
    off = digits / 2 + np.sqrt(learner.levels - digits) / 2 + 0.5
    assert 2 * off.max() / UNITS <= learner.rounding


# Bad input


@pytest.mark.parametrize("bad", [0, -1.0, math.nan, -math.inf, True, "1", None, 1e-20])
def test_a_bad_mu_is_refused(bad: Any) -> None:
    assert "mu" in refuses(TreeLeader, 3, 100, bad)


@pytest.mark.parametrize("bad", [0, -1.0, math.nan, math.inf, True, "1"])
def test_a_bad_sensitivity_is_refused(bad: Any) -> None:
    assert "sensitivity" in refuses(TreeLeader, 3, 100, 1.0, sensitivity=bad)


@pytest.mark.parametrize("bad", [0, -1, 2.5, True, "9", None, 2**43])
def test_a_bad_number_of_rounds_is_refused(bad: Any) -> None:
    assert "rounds" in refuses(TreeLeader, 3, bad, 1.0)


def test_an_unknown_noise_is_refused() -> None:
    assert "least, least-regret" in refuses(TreeLeader, 3, 100, 1.0, noise="most")


def test_titles_tell_the_noises_apart() -> None:
    assert title(TreeLeader(3, 9, 1.0)) == "TreeLeader"
    assert title(TreeLeader(3, 9, 1.0, noise="least-regret")) == "TreeLeader (least regret)"


def test_an_infinite_mu_is_shown_as_an_expression() -> None:
    learner = TreeLeader(3, 9, math.inf, noise="least-regret")
    assert repr(learner) == "TreeLeader(n_actions=3, rounds=9, mu=float('inf'), noise='least-regret')"
    assert eval(repr(learner)) == learner
