"""The learner with trees: accounting by hand, its trees, its batches, planted mistakes, and regret."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet import audit, environments
from discreet.audit.courses import course_reveals, reveals_little
from discreet.entropy import SeededEntropy
from discreet.environments import Environment
from discreet.experts import Learner, TreeExperts
from discreet.experts.phase_trees import Grown, PhaseTrees
from discreet.experts.tree_constants import most_noise, tail
from discreet.guarantees import PureDP
from discreet.losses import UNITS
from discreet.mechanisms import LaplaceNoise, RunningSums
from discreet.selection import PermuteAndFlip
from tests.chances import MILLION_SIGMA
from tests.experts.checks import refuses

# What is spent


def test_accounting_by_hand() -> None:
    """100 rounds: 7 levels. Two trees of a batch, 3 new batches of 2 draws each at twice the rate."""
    learner = TreeExperts(9, 1.0, 100, batch=2, switches=3)
    scale = Fraction(learner.trees.noise.scale) / UNITS
    assert learner.levels == 7
    assert learner.revealed == 2 * 7 / scale + 3 * 2 * 2 * Fraction(learner.rate)
    assert 1 - 1e-9 <= learner.revealed <= 1
    assert learner.claim == PureDP(1.0)


@pytest.mark.parametrize("batch", [1, 2, 7])
@pytest.mark.parametrize("n_actions", [2, 10, 1000])
@pytest.mark.parametrize("epsilon", [0.01, 0.7, 30.0])
def test_constants_spend_epsilon_and_no_more(epsilon: float, n_actions: int, batch: int) -> None:
    learner = TreeExperts(n_actions, epsilon, 10_000, batch=batch)
    assert learner.claim == PureDP(epsilon)
    assert epsilon * (1 - 1e-9) <= learner.revealed <= epsilon
    assert learner.switches <= math.ceil(n_actions / batch) - 1


def test_a_batch_of_all_actions_spends_everything_on_trees() -> None:
    learner = TreeExperts(3, 1.0, 100, batch=5)
    assert (learner.switches, learner.batch) == (0, 3)
    assert learner.revealed == learner.trees.level


def test_no_sum_is_off_by_more_than_promised() -> None:
    """Sums of nothing over 300 rounds, 3000 runs: beyond the distance in a twentieth (exceeded once in a million)."""
    trees, entropy = PhaseTrees(9, 1, 9.0), SeededEntropy(5)
    distance, worst, grown = most_noise(9, 0.05), np.full(3000, -np.inf), trees.empty(3000)
    for _ in range(300):
        grown = trees.grown(grown, np.zeros((3000, 1), dtype=np.int64), entropy)
        worst = np.maximum(worst, grown.sums[:, 0] / UNITS)
    off = int((worst >= distance).sum())
    assert off <= 150 + MILLION_SIGMA * math.sqrt(150)
    assert off >= 10  # the bound is not idle


def test_tails_are_those_of_a_simulation() -> None:
    """Sums of a few Laplace numbers, 10^5 draws (|z| once in a million)."""
    rng, runs = np.random.default_rng(1), 100_000
    for nodes, distance in ((1, 3.0), (2, 0.0), (5, 6.0), (12, 10.0)):
        seen, exact = float((rng.laplace(size=(runs, nodes)).sum(axis=1) > distance).mean()), tail(nodes, distance)
        assert abs(seen - exact) <= MILLION_SIGMA * math.sqrt(exact * (1 - exact) / runs)


# Trees and batches


def test_the_sums_are_those_of_running_sums() -> None:
    """The same bits give the same noisy sums, to the end of a tree; then a new one begins."""
    trees, values = PhaseTrees(3, 2, 1.0), np.random.default_rng(1).integers(0, UNITS + 1, (10, 4, 2))
    sums = RunningSums(3, PureDP(0.5), (4, 2, 1), signed=False)
    mine, others, grown = SeededEntropy(3), SeededEntropy(3), trees.empty(4)
    assert sums.noise == trees.noise
    for place, row in enumerate(values):
        if place == 7:
            sums = RunningSums(3, PureDP(0.5), (4, 2, 1), signed=False)
        grown = trees.grown(grown, row, mine)
        assert grown.sums.tolist() == sums.add(row[:, :, None], others)[:, :, 0].tolist()
        assert (grown.held.sum(axis=2) == values[7 * (place >= 7) : place + 1].sum(axis=0)).all()


@pytest.mark.parametrize("own", [False, True], ids=["shared losses", "losses of each run"])
@pytest.mark.parametrize(
    "learner",
    [
        TreeExperts(5, 8.0, 200, seed=1, runs=4),
        TreeExperts(5, 30.0, 700, batch=2, seed=2, runs=3),
        TreeExperts(5, 1.0, 60, batch=3, threshold=2.0, seed=3, runs=2),  # a phase ends, a tree is full, all the time
        TreeExperts(5, 1e-4, 700, seed=4, runs=2),  # so much noise that floats often cannot tell it
        TreeExperts(5, 8.0, 700, seed=5),
    ],
    ids=repr,
)
def test_many_rounds_at_a_time_are_the_same_as_one_by_one(learner: TreeExperts, own: bool) -> None:
    """Actions, state, and where the entropy stands; the parts are of lengths that cut across trees and phases."""
    shape = (600, learner._width, 5) if own else (600, 5)
    units = np.random.default_rng(1).integers(0, UNITS + 1, shape)
    learner, looped, at = learner.clone(), learner.clone(), 0
    wanted = Learner.play_units(looped, units)
    assert len(np.unique(wanted)) > 1
    for rounds in (1, 5, 94, 200, 300):
        assert learner.play_units(units[at : at + rounds]).tolist() == wanted[at : at + rounds].tolist()
        at += rounds
    assert learner.state_dict() == looped.state_dict()


def played(learner: TreeExperts, table: NDArray[np.float64]) -> list[list[int]]:
    """The batches of the first run, one after the other."""
    batches = [learner._batch[0].tolist()]
    for row in table:
        before = learner._switches[0]
        learner.update(row)
        if learner._switches[0] > before:
            batches.append(learner._batch[0].tolist())
    return batches


def test_batches_have_new_actions_until_all_were_used_and_then_begin_again() -> None:
    batches = played(TreeExperts(7, 200.0, 100, batch=2, switches=6, threshold=3.0, seed=2), np.ones((100, 7)))
    actions = [action for batch in batches for action in batch]
    assert len(batches) == 7
    assert sorted(actions[:7]) == sorted(set(actions[:7]))
    assert all(len(set(batch)) == 2 for batch in batches)
    assert not set(actions[8:14]) & {actions[7]}  # the second time round it is not drawn twice either


def test_the_least_noisy_sum_of_the_batch_is_played() -> None:
    learner = TreeExperts(4, 2.0, 200, batch=3, seed=3, runs=20)
    for row in np.random.default_rng(3).random((150, 4)):
        learner.update(row)
        sums = learner._nodes.sum(axis=2)
        assert (learner.act() == np.take_along_axis(learner._batch, sums.argmin(axis=1)[:, None], 1)[:, 0]).all()


def test_the_last_phase_has_no_end_and_other_phases_begin_with_empty_trees() -> None:
    learner = TreeExperts(5, 8.0, 100, switches=2, threshold=5.0, seed=1, runs=30)
    learner.play(np.ones((150, 5)))
    assert (learner._switches == 2).all()
    assert (learner._leaves < 150).all()
    action = learner.act()
    learner.play(np.ones((300, 5)))
    assert learner.act().tolist() == action.tolist()
    assert (learner._leaves <= 2**learner.levels - 1).all()


# Planted mistakes


class HalfTheNoise(TreeExperts):
    """Trees with half the noise."""

    def _begin(self, *arguments: Any) -> None:
        noise = LaplaceNoise(self.trees.noise.scale / 2, grid=1.0)
        object.__setattr__(self.trees, "noise", noise)
        super()._begin(*arguments)


class OneNode(TreeExperts):
    """Noise as if a round lay in one node only."""

    def _begin(self, *arguments: Any) -> None:
        noise = LaplaceNoise(self.trees.noise.scale / self.levels, grid=1.0)
        object.__setattr__(self.trees, "noise", noise)
        super()._begin(*arguments)


class WholeBudget(TreeExperts):
    """Draws as if epsilon were there anew for each."""

    def _begin(self, *arguments: Any) -> None:
        self.selection = PermuteAndFlip(self.epsilon / 2)
        super()._begin(*arguments)


class Unforgetting(TreeExperts):
    """Sums that count from the first round, not from the phase's: a round enters the trees of all later phases."""

    def _keep(self, state: dict[str, Any], trees: Grown) -> None:
        super()._keep(state, trees)
        for run in (trees.leaves == 0).nonzero()[0]:
            state["_leaves"][run] = 1
            state["_held"][run, :, 0] = state["_totals"][run, state["_batch"][run]]


@pytest.mark.parametrize("kind", [HalfTheNoise, OneNode, WholeBudget, Unforgetting])
def test_a_planted_mistake_is_noticed(kind: type[TreeExperts]) -> None:
    assert "a course reveals" in str(reveals_little(kind(3, 1.0, 127), 127, PureDP(1.0)))


def test_what_is_right_passes() -> None:
    assert reveals_little(TreeExperts(3, 1.0, 127), 127, PureDP(1.0)) is None


def test_the_audit_passes_what_is_right_and_not_half_the_noise() -> None:
    for batch in (1, 2):
        assert audit.check(TreeExperts(3, 1.0, 1000, batch=batch), runs=4000).passed
        found = audit.check(HalfTheNoise(3, 1.0, 1000, batch=batch), claim=PureDP(1.0), runs=4000)
        assert "influence" in {finding.check for finding in found.failures}


def test_samples_alone_refute_half_the_noise() -> None:
    """One level, a threshold that one loss reaches: the claim is refuted from what is played."""
    pairs = [(np.zeros((1, 2)), np.ones((1, 2)))]
    for kind, rejected in ((TreeExperts, False), (HalfTheNoise, True)):
        draw = audit.sampler(kind(2, 1.0, 1, threshold=1.0))
        assert audit.test(draw, pairs, 1.0, 40_000, 1e-6).rejected == rejected


def test_a_course_reveals_what_was_calculated_and_all_of_the_trees() -> None:
    """One action at a time, the first of 127 rounds, in all 7 nodes where the first phase lasts."""
    learner = TreeExperts(2, 1.0, 127)
    units = np.zeros((127, 2), dtype=np.int64)
    neighbor = units.copy()
    neighbor[0] = UNITS
    most = max(course_reveals(learner, units, neighbor, seed) for seed in range(60))
    assert learner.trees.level / 7 <= most <= learner.revealed


# Regret


def regrets(learner: TreeExperts, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each run loses; some action loses nothing."""
    found: NDArray[np.float64] = np.take_along_axis(table, learner.play(table), axis=1).sum(axis=0)
    return found


@pytest.mark.parametrize("make", [environments.one_by_one, environments.halving])
def test_regret_is_flat_in_the_horizon_and_within_its_bound(make: Any) -> None:
    """Eight times the rounds cost more levels and more noise, well below twice the regret."""
    means = []
    for rounds in (3000, 24_000):
        world: Environment = make(8, rounds)
        learner = TreeExperts(8, 2.0, rounds, seed=1, runs=30)
        found = regrets(learner, world.still().losses(rounds, seed=1))
        bound = (learner.switches + 1) * (learner.threshold + learner.noise + 1)
        assert (found <= bound).mean() >= 0.8
        means.append(found.mean())
    assert means[1] <= 2 * means[0]


# Bad input


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *[("epsilon", bad) for bad in (0, -1, math.nan, "1", None, True, 1e-12, 1e30)],
        *[("rounds", bad) for bad in (0, -1, 2.5, "9", None, True, 2**60)],
        *[("failure", bad) for bad in (0, 1, -0.1, math.nan, None, True)],
        *[("batch", bad) for bad in (0, -1, 1.5, None, True)],
        *[("switches", bad) for bad in (0, -1, 1.5, True)],
        *[("threshold", bad) for bad in (-1, math.nan, "1", True)],
    ],
)
def test_bad_parameters_are_refused_in_one_sentence(name: str, bad: Any) -> None:
    assert name in refuses(TreeExperts, **({"n_actions": 3, "epsilon": 1.0, "rounds": 100} | {name: bad}))
