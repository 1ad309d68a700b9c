from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.experts import (
    AdaptiveSparseVectorExperts,
    FollowTheLeader,
    Hedge,
    Learner,
    NoisyLeader,
    PotentialExperts,
    PrefixSoftmax,
    PrivateLeader,
    SparseVectorExperts,
    TreeExperts,
)
from discreet.guarantees import ApproxDP
from discreet.losses import UNITS, to_units
from discreet.replay import open_log, replay
from discreet.replay.run import _player
from discreet.replay.scoring import Expected, Played, horizons, regrets
from discreet.replay.stepping import Stepped
from discreet.replay.sums import add_up
from tests.replay.logs import losses, write

ROUNDS = 700
#: Step learners with an epsilon, or thresholds, at which they change their action in so few rounds.
LEARNERS: list[Learner] = [
    PrivateLeader(3, 2.0),
    PrivateLeader(3, 4.0),
    PrefixSoftmax(3, 2.0, capped=False),
    NoisyLeader(3, 2.0),
    NoisyLeader(3, 2.0, noise="exponential", resample=True),
    SparseVectorExperts(3, 4.0, ROUNDS),
    AdaptiveSparseVectorExperts(3, 8.0, ROUNDS),
    PotentialExperts(3, 20.0, ROUNDS, threshold=15.0),
    TreeExperts(3, 8.0, ROUNDS, batch=2),
]


def direct_regret(table: NDArray[np.float64], actions: NDArray[np.int64], rounds: int) -> NDArray[np.float64]:
    """Regret after some rounds, straight from its definition: (runs,)."""
    units = to_units(table, 3)[:rounds]
    played = np.take_along_axis(units, actions[:rounds], axis=1).sum(axis=0)
    regret: NDArray[np.float64] = (played - units.sum(axis=0).min()) / UNITS
    return regret


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("held", [1 << 22, 20], ids=["all at once", "a few rounds at a time"])
def test_a_replayed_learner_plays_what_it_plays_online(
    tmp_path: Path, learner: Learner, held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.replay.stepping._HELD", held)
    monkeypatch.setattr("discreet.experts.base._HELD", 3 * held)
    monkeypatch.setattr("discreet.replay.log.CHUNK_ROWS", 256)
    table = losses(ROUNDS)
    log = open_log(write(tmp_path / "log.parquet", table))
    seeded = type(learner)(**(learner.get_params() | {"seed": 7, "runs": 5}))
    wanted = seeded.clone().play(table)
    played = _player(seeded)
    more = [played.learner.cuts(ROUNDS)] if isinstance(played, Played) else []
    totals = add_up(
        log,
        np.unique(np.concatenate([horizons(), *more])),
        [played.watch] if isinstance(played, Stepped) else [],
    )
    if isinstance(played, Played):
        played.from_totals(totals)
    rounds = np.append(horizons()[horizons() < ROUNDS], ROUNDS)
    curve = regrets(played.losses(totals, rounds), totals, rounds)
    for place in (0, 1, 7, 60, len(rounds) - 1):
        np.testing.assert_allclose(curve[:, place], direct_regret(table, wanted, int(rounds[place])), atol=1e-9)
    shown = played.timeline(totals, released=False)
    which = np.searchsorted(shown.starts, np.arange(ROUNDS), side="right") - 1
    np.testing.assert_array_equal(shown.actions[which], wanted[:, 0])
    assert len(np.unique(wanted)) > 1
    assert (np.diff(shown.actions) != 0).all()


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


def test_a_learner_that_is_not_private_releases_nothing(tmp_path: Path) -> None:
    log = open_log(write(tmp_path / "log.parquet", losses()))
    with pytest.raises(ValueError, match="Hedge is not private, so there is nothing that it could release"):
        replay(log, Hedge(3), runs=2, release=True)
    assert replay(log, Hedge(3), runs=2).result.curves[0].title == "Hedge"


def test_what_a_guarantee_is_worth_to_a_person_depends_on_its_kind(tmp_path: Path) -> None:
    """With a delta, two rounds cost more than twice: delta (1 + e^epsilon)."""
    log = open_log(write(tmp_path / "log.parquet", losses()))
    learner = SparseVectorExperts(3, 0.1, 400, delta=1e-3, switches=2000)
    assert learner.claim == ApproxDP(0.1, 1e-3)
    words = replay(log, learner, runs=2, compare=False).result.guarantee_words
    assert "in two rounds, ApproxDP(epsilon=0.2, delta=0.0021" in words
    assert "epsilon is k times that" not in words


def test_the_released_run_of_a_step_learner_is_its_own(tmp_path: Path) -> None:
    """What is scored and shown is the run that is released, and it is drawn anew: equal by chance once in 3^12."""
    table = np.ones((3000, 3))
    log = open_log(write(tmp_path / "log.parquet", table))
    learner = SparseVectorExperts(3, 4.0, 3000, switches=30, threshold=20.0)
    one, other = (replay(log, learner, runs=2, release=True, compare=False) for _ in range(2))
    assert one.release is not None
    assert other.release is not None
    assert len(one.release.starts) > 12
    assert one.release.starts.tolist() != other.release.starts.tolist()
    assert one.result.timeline is one.release
    assert one.result.released is not None
    assert one.result.released.loss.tolist() == [3000.0]
