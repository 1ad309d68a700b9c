"""Follow the regularized leader on private sums: the contract, the promise, the noise, the regret."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.convex import TreeFTRL, gaussian_budget
from discreet.convex.ball import CELLS
from discreet.entropy import SystemEntropy
from discreet.guarantees import GaussianDP, NoGuarantee
from tests.chances import MILLION_SIGMA

NOISES = ("tree", "reduced", "toeplitz")
noises = pytest.mark.parametrize("noise", NOISES)


def make(**changes: Any) -> TreeFTRL:
    options: dict[str, Any] = {"dimension": 3, "radius": 2.0, "lipschitz": 1.5, "smoothness": 0.5}
    options |= {"epsilon": 1.0, "delta": 1e-6, "rounds": 60}
    return TreeFTRL(**(options | changes))


def gradients(rounds: int, shape: tuple[int, ...] = (3,), seed: int = 0) -> NDArray[np.float64]:
    return np.random.default_rng(seed).uniform(-1, 1, (rounds, *shape))


def play(learner: TreeFTRL, table: NDArray[np.float64]) -> NDArray[np.float64]:
    points = []
    for row in table:
        points.append(learner.act())
        learner.update(row)
    return np.array(points)


@noises
def test_points_lie_in_the_ball_and_asking_twice_costs_nothing(noise: Any) -> None:
    for seed in (1, None):
        learner = make(noise=noise, seed=seed, regularization=0.5)
        for row in gradients(60):
            point = learner.act()
            assert np.array_equal(point, learner.act())
            assert point.shape == (3,)
            assert np.linalg.norm(point) <= 2.0 * (1 + 1e-12)
            point[:] = 99.0
            learner.update(row)
        assert np.linalg.norm(learner.act()) <= 2.0 * (1 + 1e-12)
        assert learner.rounds == 60


@noises
def test_the_first_point_is_zero_and_the_rule_is_followed(noise: Any) -> None:
    learner = make(noise=noise, seed=1, regularization=10.0)
    assert learner.act().tolist() == [0.0, 0.0, 0.0]
    learner.update([1.0, 0.0, -1.0])
    expected = -learner._sums.estimate[0] * 1.5 / CELLS / 10.0
    np.testing.assert_allclose(learner.act(), expected / max(1.0, np.linalg.norm(expected) / 2.0))


@noises
def test_without_noise_it_is_follow_the_regularized_leader(noise: Any) -> None:
    """At next to no privacy the points are those of the sums themselves."""
    learner = make(noise=noise, epsilon=1e7, delta=0.5, regularization=20.0, seed=1)
    table = gradients(60) / 3
    sums = np.vstack([np.zeros(3), np.cumsum(table, axis=0)])[:60]
    expected = -sums / 20.0
    assert np.linalg.norm(expected, axis=1).max() < 2.0
    np.testing.assert_allclose(play(learner, table), expected, atol=0.02)


@noises
def test_the_guarantee_is_gaussian_and_proves_epsilon_and_delta(noise: Any) -> None:
    learner = make(noise=noise, epsilon=0.7, delta=1e-5)
    assert learner.guarantee == gaussian_budget(0.7, 1e-5) == learner.claim
    assert learner.guarantee.delta(0.7) <= 1e-5
    assert learner.guarantee.epsilon(1e-5) == pytest.approx(0.7)
    assert isinstance(make(noise=noise, seed=1).guarantee, NoGuarantee)
    many = make(noise=noise, runs=9).guarantee
    assert isinstance(many, GaussianDP)
    assert many.mu == pytest.approx(3 * make().claim.mu)


def test_the_noise_of_the_tree_is_what_the_depth_asks_for() -> None:
    """mu = sqrt(levels) · 2 L / sigma, L being `CELLS` cells."""
    for rounds, levels in ((1, 1), (3, 2), (4, 3), (60, 6), (63, 6), (64, 7)):
        learner = make(rounds=rounds)
        assert learner._sums.noise.scale == pytest.approx(levels**0.5 * 2 * CELLS / learner.claim.mu)  # type: ignore[attr-defined]


@noises
def test_long_gradients_are_clipped_and_counted(noise: Any) -> None:
    long, short = make(noise=noise, seed=2), make(noise=noise, seed=2)
    for row in gradients(20):
        unit = 1.5 * row / np.linalg.norm(row)
        long.update(unit * 1000)
        short.update(unit)
    assert (long.clipped, short.clipped) == (20, 0)
    np.testing.assert_allclose(long.act(), short.act(), atol=1e-4)
    many = make(noise=noise, seed=2, runs=4)
    many.update([9.0, 9.0, 9.0])
    many.update(np.diag([9.0, 1.0, 9.0, 1.0])[:, :3])
    assert many.clipped == 6


@noises
def test_runs_take_gradients_of_their_own_or_shared(noise: Any) -> None:
    shared, own = make(noise=noise, seed=2, runs=4), make(noise=noise, seed=2, runs=4)
    for row in gradients(30):
        shared.update(row)
        own.update(np.tile(row, (4, 1)))
    assert shared.state_dict() == own.state_dict()
    assert shared.act().shape == (4, 3)
    assert len({tuple(point) for point in shared.act()}) == 4


@noises
@pytest.mark.parametrize("runs", [None, 2])
def test_a_state_goes_on_exactly(noise: Any, runs: int | None) -> None:
    learner, table = make(noise=noise, seed=6, runs=runs), gradients(60)
    for start in range(0, 60, 9):
        resumed = learner.clone()
        resumed.load_state_dict(json.loads(json.dumps(learner.state_dict())))
        assert resumed.rounds == learner.rounds == start
        assert np.array_equal(resumed.act(), learner.act())
        assert np.array_equal(play(resumed, table[start:]), play(copy.copy(learner), table[start:]))
        play(learner, table[start : start + 9])
    assert np.array_equal(pickle.loads(pickle.dumps(learner)).act(), learner.act())


@noises
def test_a_state_of_another_learner_is_refused_and_changes_nothing(noise: Any) -> None:
    learner = make(noise=noise, seed=1)
    play(learner, gradients(9))
    before = json.dumps(learner.state_dict())
    state = learner.state_dict()
    bad: list[Any] = [make(noise=noise, seed=2).state_dict(), make(noise=noise, seed=1, radius=3.0).state_dict(), {}, 7]
    bad += [state | {"clipped": 10}, state | {"clipped": -1}, state | {"entropy": {"position": -1}}]
    bad += [state | {"sums": None}, state | {"entropy": 3}, make(noise=noise).state_dict()]
    for other in bad:
        with pytest.raises(ValueError, match=r".") as caught:
            learner.load_state_dict(other)
        assert "\n" not in str(caught.value)
        assert json.dumps(learner.state_dict()) == before


@noises
def test_parameters_copies_and_repr(noise: Any) -> None:
    learner = make(noise=noise, regularization="variance", seed=4)
    assert eval(repr(learner), {"TreeFTRL": TreeFTRL}) == learner
    assert learner.clone() == learner
    assert learner.get_params()["rounds"] == 60
    assert learner.get_params()["regularization"] == "variance"
    play(learner, gradients(5))
    assert learner.set_params(radius=1.0).rounds == 0
    assert learner != make(noise=noise, seed=4)
    with pytest.raises(ValueError, match="no parameter 'rate'"):
        learner.set_params(rate=1)


@noises
@pytest.mark.parametrize("bad", [[1.0], [1.0, 2.0, float("nan")], "abc", [[1.0, 0.0, 0.0]], None, [1j, 0, 0]])
def test_a_bad_gradient_is_refused_and_changes_nothing(noise: Any, bad: Any) -> None:
    learner = make(noise=noise, seed=1)
    play(learner, gradients(3))
    before = learner.state_dict()
    with pytest.raises(ValueError, match="gradient"):
        learner.update(bad)
    assert learner.state_dict() == before


@noises
def test_after_the_last_round_nothing_is_learned(noise: Any) -> None:
    learner = make(noise=noise, seed=1, rounds=3)
    play(learner, gradients(3))
    before = learner.state_dict()
    with pytest.raises(ValueError, match="all 3 rounds"):
        learner.update([0.0, 0.0, 0.0])
    assert learner.state_dict() == before


@pytest.mark.parametrize("noise", ["tree", "reduced"])
@pytest.mark.parametrize("regularization", ["theorem", "variance", 30.0])
def test_rounds_may_be_unknown(noise: Any, regularization: Any) -> None:
    """Each point is regularized as for the next power of two of rounds, and the promise is the same."""
    learner = make(rounds=None, regularization=regularization, noise=noise, seed=1)
    seen = []
    for row in gradients(200):
        assert np.linalg.norm(learner.act()) <= 2.0 * (1 + 1e-12)
        seen.append(learner.regularization)
        learner.update(row)
    assert learner.claim == make().claim
    assert seen == sorted(seen)
    assert seen[128] == seen[199]
    if regularization == "theorem":
        assert seen[199] == make(rounds=256).regularization
    assert (len(set(seen)) == 1) == (regularization == 30.0)
    resumed = learner.clone()
    resumed.load_state_dict(json.loads(json.dumps(learner.state_dict())))
    assert np.array_equal(resumed.act(), learner.act())


def test_toeplitz_noise_wants_the_rounds() -> None:
    with pytest.raises(ValueError, match="known number of rounds"):
        make(rounds=None, noise="toeplitz")


def test_the_regularization_is_that_of_hand_calculation() -> None:
    """Theorem 4: 32 · 0.5 + (0.5 / 1 · (1.5 / 2)^2 · 60 · 3 · log 60 · log 10^6)^(1/3)."""
    assert make().regularization == pytest.approx(16 + (0.5 * 0.5625 * 180 * 4.0943446 * 13.8155106) ** (1 / 3))
    learner = make(regularization="variance")
    ones = sum(t.bit_count() for t in range(60))  # S_t for t = 0 .. 59, a node's noise for every digit 1
    node = 6 * (2 * 1.5 / learner.claim.mu) ** 2
    assert learner.regularization == pytest.approx(16 + (8 * 0.5 * 3 * ones * node / 4) ** (1 / 3))


BAD = [0, -1.0, float("nan"), float("inf"), True, "1", 1j]


@pytest.mark.parametrize("name", ["dimension", "radius", "lipschitz", "smoothness", "epsilon", "delta", "rounds"])
@pytest.mark.parametrize("bad", BAD, ids=str)
def test_bad_parameters_are_refused_in_one_sentence(name: str, bad: Any) -> None:
    with pytest.raises(ValueError, match=name) as caught:
        make(**{name: bad})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "bad"), [("noise", "white"), ("regularization", "best"), ("regularization", 0), ("runs", 0)]
)
def test_other_bad_parameters_are_refused(name: str, bad: Any) -> None:
    with pytest.raises(ValueError, match=name):
        make(**{name: bad})


@noises
def test_an_interrupted_round_is_not_learned(noise: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = make(noise=noise, seed=1)
    play(learner, gradients(3))
    before = learner.state_dict()

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("discreet.mechanisms.GaussianNoise.sample", interrupted)
        with pytest.raises(KeyboardInterrupt):
            learner.update([1.0, 0.0, 0.0])
    assert learner.state_dict() == before
    twin = make(noise=noise, seed=1)
    play(twin, gradients(3))
    learner.update([0.5, 0.0, 0.0])
    twin.update([0.5, 0.0, 0.0])
    assert np.array_equal(learner.act(), twin.act())


def test_a_shallow_copy_shares_nothing() -> None:
    for noise in NOISES:
        learner = make(noise=noise)
        play(learner, gradients(4))
        other, before = copy.copy(learner), json.dumps(learner.state_dict())
        other.update([1.0, 0.0, 0.0])
        assert json.dumps(learner.state_dict()) == before
        assert isinstance(other._entropy, SystemEntropy)
        assert other._entropy is not learner._entropy


# Noise and regret

ROUNDS, DIMENSION, RUNS = 300, 4, 400


def target() -> NDArray[np.float64]:
    return np.full(DIMENSION, 0.5 / DIMENSION**0.5)


def features(seed: int = 7) -> NDArray[np.float64]:
    rows = np.random.default_rng(seed).standard_normal((ROUNDS, RUNS, DIMENSION))
    units: NDArray[np.float64] = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return units


def least_squares(point_of: Any, learn: Any) -> NDArray[np.float64]:
    """Each run's loss, sum of (<a, x> - b)^2 / 2 with b = <a, target>: realizable, 1-smooth, 3/2-Lipschitz."""
    total = np.zeros(RUNS)
    for rows in features():
        residual = ((point_of() - target()) * rows).sum(axis=1)
        total += residual**2 / 2
        learn(residual[:, None] * rows)
    return total


@noises
def test_losses_are_those_of_a_reference_with_noise_of_the_same_covariance(noise: Any) -> None:
    """A reference in plain floats: noise from a factor of the covariance, which is made here from the definitions.
    400 runs each; means agree at one false alarm in a million."""
    learner = make(
        dimension=DIMENSION, radius=1.0, rounds=ROUNDS, noise=noise, regularization=90.0, epsilon=8.0, seed=3, runs=RUNS
    )
    ours = least_squares(learner.act, learner.update)
    theirs = least_squares(*reference(factor_of(noise), 90.0, learner.claim.mu))
    error = np.hypot(ours.std(), theirs.std()) / RUNS**0.5
    assert abs(ours.mean() - theirs.mean()) < MILLION_SIGMA * error
    assert error < 0.05 * ours.mean()


def test_the_reference_tells_noise_that_is_a_tenth_too_small() -> None:
    """Planted in the reference: the comparison would see it."""
    whole, small = (least_squares(*reference(factor_of("tree"), 90.0, mu)) for mu in (1.5, 1.5 / 0.9))
    error = np.hypot(whole.std(), small.std()) / RUNS**0.5
    assert abs(whole.mean() - small.mean()) > MILLION_SIGMA * error


def factor_of(noise: str) -> NDArray[np.float64]:
    """A matrix F with F F^T the covariance of the noise of the sums, in squares of 2 L / mu."""
    if noise == "toeplitz":
        f = np.cumprod(np.append(1.0, 1 - 0.5 / np.arange(1, ROUNDS)))
        lower = np.array([[f[t - i] if t >= i else 0.0 for i in range(ROUNDS)] for t in range(ROUNDS)])
        lower *= np.linalg.norm(f)
        return lower
    levels = ROUNDS.bit_length()
    nodes = [(level, k) for level in range(levels) for k in range(ROUNDS >> level)]
    column = {node: i for i, node in enumerate(nodes)}

    def estimate(level: int, k: int) -> NDArray[np.float64]:
        own = np.zeros(len(nodes))
        own[column[level, k]] = 1.0
        if noise == "tree" or level == 0:
            return own
        weight = 1 / (2 - 0.5**level)
        return weight * own + (1 - weight) * (estimate(level - 1, 2 * k) + estimate(level - 1, 2 * k + 1))

    rows = [sum(estimate(up, (t >> up) - 1) for up in range(levels) if t >> up & 1) for t in range(1, ROUNDS + 1)]
    factor: NDArray[np.float64] = np.array(rows) * levels**0.5
    return factor


def reference(factor: NDArray[np.float64], regularization: float, mu: float) -> tuple[Any, Any]:
    """Points and learning of DP-FTRL in plain floats."""
    normal = np.random.default_rng(5).standard_normal((factor.shape[1], RUNS * DIMENSION))
    noise = (factor @ normal).reshape(ROUNDS, RUNS, DIMENSION) * (2 * 1.5 / mu)
    state: dict[str, Any] = {"sum": np.zeros((RUNS, DIMENSION)), "noisy": np.zeros((RUNS, DIMENSION)), "round": 0}

    def point() -> Any:
        raw = -state["noisy"] / regularization
        return raw / np.maximum(1.0, np.linalg.norm(raw, axis=1, keepdims=True))

    def learn(gradient: Any) -> None:
        state["sum"] = state["sum"] + gradient
        state["noisy"] = state["sum"] + noise[state["round"]]
        state["round"] += 1

    return point, learn


def test_regret_keeps_to_the_bound_with_its_constants_and_toeplitz_is_best() -> None:
    """4 lambda D^2 + 16 beta V / lambda^2, for the regularization that is best for each noise."""
    means = {}
    for noise in NOISES:
        learner = make(
            dimension=DIMENSION, radius=1.0, smoothness=1.0, rounds=ROUNDS, noise=noise, seed=3, runs=RUNS,
            epsilon=8.0, regularization="variance",
        )  # fmt: skip
        means[noise] = least_squares(learner.act, learner.update).mean()
        spread = learner._sums.variances(ROUNDS)[:-1].sum() * DIMENSION * (1.5 / CELLS) ** 2
        assert means[noise] <= 4 * learner.regularization + 16 * spread / learner.regularization**2
    assert means["toeplitz"] < means["reduced"] < means["tree"]
