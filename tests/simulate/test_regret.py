"""Simulated regret: the right numbers, the same for any number of jobs, and intervals that cover."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtr, bdtri

from discreet import experts, simulate
from discreet.environments import Bernoulli, Correlated, Deterministic, Environment, Made, Sequence, TwoPoint, one_gap
from discreet.experts import Learner
from discreet.experts.blocks import BlockLearner
from discreet.losses import UNITS
from discreet.simulate import monte_carlo
from discreet.simulate.samples import Samples
from tests.chances import MILLION_SIGMA
from tests.environments.worlds import EVERY, TABLE, drifting
from tests.experts.learners import CASES

LEARNERS = [case.make() for case in CASES]


def by_rounds(rounds: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The losses of `one_gap(3, 0.5)` as a bare function, so that every round is made."""
    return (rng.random((rounds, 3)) < [0.25, 0.75, 0.75]).astype(np.float64)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("world", EVERY, ids=repr)
def test_every_learner_in_every_environment(learner: Learner, world: Environment) -> None:
    curve = simulate.regret(learner, world, rounds=40, runs=30, seed=5)
    assert curve.regret.shape == (30, len(curve.horizons))
    assert curve.horizons[0] == 1
    assert curve.horizons[-1] == 40
    assert curve.kind == ("realized" if world.means is None else "pseudo")
    if curve.kind == "pseudo":
        assert (np.diff(curve.regret, axis=1) >= -1e-9).all()  # gaps are not negative
    assert (np.abs(curve.regret) <= curve.horizons).all()


@pytest.mark.parametrize("learner", [one for one in LEARNERS if isinstance(one, BlockLearner)], ids=repr)
@pytest.mark.parametrize("kind", ["pseudo", "realized"])
def test_totals_and_rounds_give_the_same_regret_on_average(learner: Learner, kind: simulate.Kind) -> None:
    """Two independent samples of the same mean: |z| beyond 4.9 once in a million."""
    made = Made(by_rounds, means=[0.25, 0.75, 0.75])
    fast = simulate.regret(learner, one_gap(3, 0.5), rounds=60, runs=4000, seed=1, kind=kind)
    slow = simulate.regret(learner, made, rounds=60, runs=4000, seed=2, kind=kind)
    error = np.sqrt(fast.regret.var(axis=0) / 4000 + slow.regret.var(axis=0) / 4000)
    assert (np.abs(fast.mean - slow.mean) <= MILLION_SIGMA * error + 1e-9).all()


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_realized_regret_of_a_log_by_hand(learner: Learner) -> None:
    curve = simulate.regret(learner, Sequence(TABLE), rounds=40, runs=3, seed=1, horizons=[7, 20])
    task = monte_carlo.Task(type(learner), learner.get_params(), Sequence(TABLE), curve.horizons, "realized")
    (chunk,) = task.chunks(3, seed=1)
    played = task.make(3, np.random.SeedSequence(1, spawn_key=(0, 0))).play(TABLE)
    units = np.rint(TABLE * UNITS).astype(np.int64)
    for place, horizon in enumerate([7, 20, 40]):
        suffered = np.take_along_axis(units[:horizon], played[:horizon], axis=1).sum(axis=0)
        wanted = (suffered - units[:horizon].sum(axis=0).min()) / UNITS
        assert curve.regret[:, place].tolist() == wanted.tolist()
    assert chunk.runs == 3


def test_pseudo_regret_of_losses_that_never_change_by_hand() -> None:
    means = np.array([0.5, 0.25, 1.0])
    curve = simulate.regret(experts.PrivateLeader(3, 1.0), Deterministic(means), rounds=50, runs=4, horizons=[1, 9])
    task = monte_carlo.Task(experts.PrivateLeader, {"n_actions": 3, "epsilon": 1.0}, Deterministic(means), *WHATEVER)
    played = task.make(4, np.random.SeedSequence(1, spawn_key=(0, 0))).play(np.tile(means, (50, 1)))
    for place, horizon in enumerate([1, 9, 50]):
        wanted = (means[played[:horizon]] - 0.25).sum(axis=0)
        assert curve.regret[:, place] == pytest.approx(wanted)


WHATEVER: Any = (np.array([50]), "pseudo")


@pytest.mark.parametrize(
    "world",
    [one_gap(5, 0.3), Correlated([0.2, 0.4, 0.4, 0.5, 0.9]), by_rounds],
    ids=["one gap", "correlated", "a function"],
)
@pytest.mark.parametrize("engine", ["loky", "dask", *(["ray"] if find_spec("ray") else [])])
def test_the_answer_does_not_depend_on_who_works(world: Any, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monte_carlo, "_WORK", 1 << 14)  # so that there are several chunks
    learner = experts.PrivateLeader(3 if world is by_rounds else 5, 1.0)
    rounds = 500
    alone = simulate.regret(learner, world, rounds, runs=70, seed=3)
    together = simulate.regret(learner, world, rounds, runs=70, seed=3, jobs=2, engine=engine)
    assert (alone.regret == together.regret).all()


def test_no_two_runs_are_alike_and_no_two_chunks_share_a_seed() -> None:
    learner, world = experts.PrefixSoftmax(50, 1.0), one_gap(50, 0.1)
    curve = simulate.regret(learner, world, rounds=10**6, runs=3000, seed=1, kind="realized")
    task = monte_carlo.Task(type(learner), learner.get_params(), world, curve.horizons, "realized")
    chunks = task.chunks(3000, seed=1)
    assert len(chunks) > 1
    assert len({chunk.seed for chunk in chunks}) == len(chunks)
    assert sum(chunk.runs for chunk in chunks) == 3000
    assert len(np.unique(curve.regret, axis=0)) == 3000
    other = simulate.regret(learner, world, rounds=10**6, runs=100, seed=2, kind="realized")
    assert not (other.regret[:100] == curve.regret[:100]).all(axis=1).any()


def test_losses_and_draws_come_from_different_seeds() -> None:
    """A learner that guesses at random must not be correlated with the losses: |z| beyond 4.9 once in a million."""
    world = Bernoulli([0.5, 0.5])
    curve = simulate.regret(experts.PrivateLeader(2, 1e-6), world, rounds=1, runs=20_000, kind="realized")
    # The action of round 1 is uniform: with losses 01 or 10 (half of the time) it is wrong half of the time.
    assert abs(curve.mean[0] - 1 / 4) <= MILLION_SIGMA * np.sqrt(3 / 16 / 20_000)


def test_intervals_cover_the_mean() -> None:
    """200 repetitions at 95%: as few or as many hits as this happen once in a million."""
    learner, world = experts.NoisyLeader(2, 1.0, noise="gumbel"), one_gap(2, 0.5)
    truth = simulate.exact_regret(learner, world, rounds=200)
    hits = 0
    for seed in range(200):
        low, high = simulate.regret(learner, world, rounds=200, runs=400, seed=seed, horizons=[200]).interval(0.95)
        hits += bool(low[-1] <= truth <= high[-1])
    least = next(k for k in range(200) if bdtr(k, 200, 0.95) > 5e-7)
    assert least <= hits
    assert bdtr(hits, 200, 0.95) < 1 - 5e-7 or hits == 200
    assert bdtri(least, 200, 0.5) > 0.8  # the test would notice intervals for 80%


def test_what_is_said_of_a_sample() -> None:
    class Few(Samples):
        regret = np.array([[1.0, 0.0], [2.0, 0.0], [4.0, 3.0]])

    assert Few().runs == 3
    assert Few().mean.tolist() == [7 / 3, 1.0]
    half = 4.302652729911275 * np.sqrt(7 / 3 / 3)  # Student's t with 2 degrees of freedom, at 97.5%
    low, high = Few().interval(0.95)
    assert (low[0], high[0]) == (pytest.approx(7 / 3 - half), pytest.approx(7 / 3 + half))
    assert Few().quantile(0.5).tolist() == [2.0, 0.0]
    one = type("One", (Samples,), {"regret": np.array([[1.0, 2.0]])})()
    assert np.isnan(one.interval()).all()  # one run says nothing of how runs vary
    with pytest.raises(ValueError, match="level is 95"):
        Few().interval(95)


def test_horizons_between_are_recorded() -> None:
    learner, world = experts.PrefixSoftmax(3, 1.0), one_gap(3, 0.5)
    few = simulate.regret(learner, world, rounds=10**12, runs=5, horizons=[10**6, 5, 10**9])
    assert few.horizons.tolist() == [5, 10**6, 10**9, 10**12]
    many = simulate.regret(learner, world, rounds=10**12, runs=5)
    assert set(10 ** np.arange(13)) <= set(many.horizons.tolist())
    ratios = many.horizons[20:] / many.horizons[19:-1]
    assert ratios.max() < 1.5
    assert (many.regret[:, np.isin(many.horizons, few.horizons)] == few.regret[:, [1, 2, 3]]).all()


def test_a_frame_and_a_plot() -> None:
    curve = simulate.regret(experts.PrivateLeader(3, 1.0), one_gap(3, 0.5), rounds=1000, runs=20)
    frame = curve.frame()
    assert list(frame.columns) == ["horizon", "mean", "low", "high", "q5", "q50", "q95"]
    assert frame["horizon"].tolist() == curve.horizons.tolist()
    assert frame["mean"].tolist() == curve.mean.tolist()
    ax = curve.plot()
    (line,) = ax.get_lines()
    assert np.asarray(line.get_xdata()).tolist() == curve.horizons.tolist()
    assert (ax.get_xscale(), ax.get_xlabel(), ax.get_ylabel()) == ("log", "rounds", "pseudo-regret, in losses")
    assert curve.plot(ax, color="black", label="again") is ax


BAD: list[tuple[dict[str, Any], str]] = [
    ({"rounds": 0}, "rounds is 0; it must be at least 1"),
    ({"rounds": 1e6}, "rounds is 1000000.0; it must be a whole number"),
    ({"rounds": 2**43}, "rounds fit; 8796093022208 were asked for"),
    ({"runs": 0}, "runs is 0"),
    ({"seed": -1}, "seed is -1"),
    ({"jobs": 0}, "jobs is 0"),
    ({"engine": "spark"}, "engine is 'spark'; it must be one of loky, dask, ray"),
    ({"kind": "pseudo", "environment": Sequence(TABLE)}, "no known expected losses"),
    ({"kind": "both"}, "kind is 'both'"),
    ({"horizons": [0]}, "the horizon 0 is not among"),
    ({"horizons": [101]}, "the horizon 101 is not among the rounds 1 to 100"),
    ({"environment": one_gap(4, 0.1)}, "the learner has 3 actions and the environment 4"),
    ({"environment": Sequence(TABLE), "rounds": 41}, "has 40 rounds; 41 were asked for"),
    ({"environment": lambda rounds, rng: rng.random((rounds, 2))}, "shape \\(100, 2\\), not \\(100, 3\\)"),
]


@pytest.mark.parametrize(("given", "said"), BAD)
def test_bad_input_is_refused_in_one_sentence(given: dict[str, Any], said: str) -> None:
    asked: dict[str, Any] = {"environment": one_gap(3, 0.5), "rounds": 100, "runs": 10} | given
    with pytest.raises(ValueError, match=said):
        simulate.regret(experts.PrivateLeader(3, 1.0), **asked)


def test_progress_is_told() -> None:
    told: list[int] = []
    simulate.regret(experts.PrefixSoftmax(50, 1.0), one_gap(50, 0.1), 10**6, runs=3000, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 3000
    assert len(told) > 1


def test_a_resampling_learner_chooses_from_resampled_totals() -> None:
    """By totals of 0 and 1 drawn directly and round by round: |z| beyond 4.9 once in a million."""
    learner = experts.NoisyLeader(3, 2.0, resample=True, noise="exponential")
    world = TwoPoint([0.3, 0.0, 0.25], [0.3, 0.4, 0.75], [0.0, 0.8, 0.5])

    def made(rounds: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return np.where(rng.random((rounds, 3)) < world.chance, world.high, world.low)

    fast = simulate.regret(learner, world, rounds=60, runs=6000, seed=1)
    slow = simulate.regret(learner, Made(made, means=world.means), rounds=60, runs=6000, seed=2)
    error = np.sqrt(fast.regret[:, -1].var() / 6000 + slow.regret[:, -1].var() / 6000)
    assert abs(fast.mean[-1] - slow.mean[-1]) <= MILLION_SIGMA * error
    assert drifting(3, np.random.default_rng(1)).shape == (3, 3)
