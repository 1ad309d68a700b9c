from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.experts import FollowTheLeader, Hedge, NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.experts.blocks import BlockLearner
from discreet.losses import UNITS, to_units
from discreet.replay import open_log, replay
from discreet.replay.scoring import Expected, Played, horizons, regrets
from discreet.replay.sums import add_up
from tests.replay.logs import losses, write

ROUNDS = 700
LEARNERS: list[BlockLearner] = [
    PrivateLeader(3, 2.0),
    PrivateLeader(3, 4.0),
    PrefixSoftmax(3, 2.0, capped=False),
    NoisyLeader(3, 2.0),
    NoisyLeader(3, 2.0, noise="exponential", resample=True),
]


def direct_regret(table: NDArray[np.float64], actions: NDArray[np.int64], rounds: int) -> NDArray[np.float64]:
    """Regret after some rounds, straight from its definition: (runs,)."""
    units = to_units(table, 3)[:rounds]
    played = np.take_along_axis(units, actions[:rounds], axis=1).sum(axis=0)
    regret: NDArray[np.float64] = (played - units.sum(axis=0).min()) / UNITS
    return regret


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_a_replayed_learner_plays_what_it_plays_online(tmp_path: Path, learner: BlockLearner) -> None:
    table = losses(ROUNDS)
    log = open_log(write(tmp_path / "log.parquet", table))
    seeded = type(learner)(**(learner.get_params() | {"seed": 7, "runs": 5}))
    wanted = seeded.clone().play(table)
    played = Played(seeded)
    cuts = np.unique(np.concatenate([horizons(), seeded.cuts(ROUNDS)]))
    totals = add_up(log, cuts, [played.watch] if learner.needs_rounds else [])
    if not learner.needs_rounds:
        played.from_totals(totals)
    rounds = np.append(horizons()[horizons() < ROUNDS], ROUNDS)
    curve = regrets(played.losses(totals, rounds), totals, rounds)
    for place in (0, 1, 7, 60, len(rounds) - 1):
        np.testing.assert_allclose(curve[:, place], direct_regret(table, wanted, int(rounds[place])), atol=1e-9)
    shown = played.timeline(totals, released=False)
    which = np.searchsorted(shown.starts, np.arange(ROUNDS), side="right") - 1
    np.testing.assert_array_equal(shown.actions[which], wanted[:, 0])


@pytest.mark.parametrize("kind", [FollowTheLeader, Hedge])
def test_expected_losses_are_those_of_the_law(tmp_path: Path, kind: type[FollowTheLeader | Hedge]) -> None:
    table = losses(ROUNDS)
    expected = Expected(kind(3, seed=1), horizons())
    totals = add_up(open_log(write(tmp_path / "log.parquet", table)), horizons()[:50], [expected.watch])
    found = expected.losses(ROUNDS)[0]
    single = kind(3, seed=1).expected_losses(table).cumsum() * UNITS
    rounds = np.append(horizons()[horizons() < ROUNDS], ROUNDS)
    np.testing.assert_allclose(found, single[rounds - 1], rtol=1e-12)
    assert totals.rounds == ROUNDS


def test_totals_are_exact_at_every_cut(tmp_path: Path) -> None:
    table = losses(20_000)
    cuts = np.array([0, 1, 2, 8191, 8192, 8193, 16_384, 19_999, 20_000, 50_000])
    totals = add_up(open_log(write(tmp_path / "log.parquet", table)), cuts)
    sums = np.vstack([np.zeros((1, 3), dtype=np.int64), to_units(table, 3).cumsum(axis=0)])
    np.testing.assert_array_equal(totals.before, sums[cuts[:-1]])
    np.testing.assert_array_equal(totals.stretch(1, np.array([8190, 1])), sums[[8191, 2]] - sums[1])


def test_seeded_runs_repeat_and_the_release_does_not(tmp_path: Path) -> None:
    log = open_log(write(tmp_path / "log.parquet", losses(20_000)))
    learner = PrivateLeader(3, epsilon=0.01)
    first, second = (replay(log, learner, runs=20, seed=3, release=True) for _ in range(2))
    for one, two in zip(first.result.curves, second.result.curves, strict=True):
        np.testing.assert_array_equal(one.regret, two.regret)
    # Some 10 nearly uniform choices among 3: equal by chance once in about 50,000.
    assert first.release is not None
    assert second.release is not None
    draws = [
        tuple(np.repeat(r.actions, np.diff(r.starts, append=20_000)).tolist()) for r in (first.release, second.release)
    ]
    assert draws[0] != draws[1]


def test_comparing_does_not_change_the_chosen_learner(tmp_path: Path) -> None:
    log = open_log(write(tmp_path / "log.parquet", losses()))
    with_others = replay(log, PrefixSoftmax(3, 1.0), runs=10, seed=5).result
    alone = replay(log, PrefixSoftmax(3, 1.0), runs=10, seed=5, compare=False).result
    np.testing.assert_array_equal(with_others.curves[0].regret, alone.curves[0].regret)
    assert len(alone.curves) == 1
    names = [curve.title for curve in with_others.curves]
    assert len(names) == len(set(names)) == 7


def test_the_result_says_what_the_learner_promises(tmp_path: Path) -> None:
    log = open_log(write(tmp_path / "log.parquet", losses()))
    result = replay(log, PrefixSoftmax(3, 1.0, seed=9), runs=3, compare=False).result
    assert result.guarantee == "PureDP(epsilon=0.25)"
    assert result.bound is not None
    assert replay(log, PrefixSoftmax(3, 1.0, capped=False), runs=3, compare=False).result.bound is None


def test_a_perfect_action_has_no_regret_in_the_end(tmp_path: Path) -> None:
    table = losses(5000)
    table[:, 1] = 0.0
    result = replay(open_log(write(tmp_path / "log.parquet", table)), PrivateLeader(3, 1.0), runs=50).result
    assert result.best == 1
    # At epsilon 1 a gap of 1/2 is found within some dozens of rounds; regret then stays where it is.
    assert result.curves[0].mean[-1] < 40
    late = result.curves[0].rounds >= 2500
    assert np.ptp(result.curves[0].mean[late]) < 0.01
