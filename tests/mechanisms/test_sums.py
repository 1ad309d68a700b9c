"""What all running sums keep: the promise, the variance, the state, and refusals that change nothing."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from discreet.entropy import Entropy, ScriptedEntropy, SeededEntropy, SystemEntropy
from discreet.guarantees import ApproxDP, GaussianDP, NoGuarantee, PureDP
from discreet.mechanisms import GaussianNoise, LaplaceNoise, RunningSums, Sums, ToeplitzSums
from discreet.mechanisms.sums import longest
from tests.chances import MILLION_SIGMA
from tests.mechanisms.sums import KINDS, NORM, Make, drive, values_of

kinds = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
RUNS = 3000


@kinds
def test_sums_are_right_on_average_with_the_variance_that_is_told(make: Make) -> None:
    """3,000 runs at once; 63 means and variances, each at less than one false alarm in a million."""
    values = values_of(63, (RUNS, 1))
    sums = make(shape=(RUNS, 1))
    errors = drive(sums, values, SeededEntropy(5)) - np.cumsum(values, axis=0)
    told = sums.variances(63)
    assert (np.abs(errors.mean(axis=(1, 2))) < MILLION_SIGMA * np.sqrt(told / RUNS)).all()
    kurtosis = 5 if isinstance(sums.promise, PureDP) else 2  # of one Laplace number; sums have less
    spread = 1.2 * MILLION_SIGMA * np.sqrt(kurtosis / RUNS)
    assert (np.abs((errors**2).mean(axis=(1, 2)) / told - 1) < spread).all()


def matrices(sums: Sums, rounds: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """How releases depend on values and on the noise of each draw, by feeding one at a time: a whole-matrix view."""
    kind = LaplaceNoise if isinstance(sums.promise, PureDP) else GaussianNoise
    fed: dict[str, Any] = {}
    scales: list[float] = []

    def sample(self: Any, values: Any, entropy: Entropy) -> Any:
        scales.append(float(self.in_cells))
        return np.asarray(np.rint(values)).astype(np.int64) + (10**6 if len(scales) - 1 == fed.get("draw") else 0)

    monkeypatch.setattr(kind, "sample", sample)
    plain = drive(copy.deepcopy(sums), np.zeros((rounds, *sums.shape), dtype=int), SystemEntropy())
    by_draw, draws, sizes = [], len(scales), list(scales)
    for fed["draw"] in range(draws):
        scales.clear()
        by_draw.append(drive(copy.deepcopy(sums), np.zeros((rounds, *sums.shape), dtype=int), SystemEntropy()) / 1e6)
    assert not plain.any()
    return np.array(by_draw).T, np.array(sizes)


@pytest.mark.parametrize("name", ["tree", "reduced", "endless", "endless reduced"])
def test_the_promise_holds_for_the_whole_matrix(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Independent calculation: the mean of all releases moves by D when round j is replaced; the noise has covariance
    B diag(scale^2) B^T; so the exact mu of all releases together is the norm of D in that covariance."""
    rounds = 31
    sums = KINDS[name]()
    factor, scales = matrices(sums, rounds, monkeypatch)
    spread = factor * scales
    worst = 0.0
    for j in range(rounds):
        moved = np.where(np.arange(rounds) >= j, 2.0 * NORM, 0.0)
        explained, *_ = np.linalg.lstsq(spread, moved, rcond=None)
        np.testing.assert_allclose(spread @ explained, moved, atol=1e-6)
        worst = max(worst, float(np.linalg.norm(explained)))
    assert worst <= 1.0 + 1e-9
    # A tree of 6 levels lasts 63 rounds; 31 use 5 of them. One of the endless row holds 16 in its 5 levels, all used.
    assert worst > 0.7


def test_half_the_noise_breaks_the_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: sensitivity norm instead of 2 · norm, as where a round is added or removed."""
    sums = RunningSums(5, GaussianDP(2.0), norm=NORM)
    factor, scales = matrices(sums, 31, monkeypatch)
    moved = np.full(31, 2.0 * NORM)
    explained, *_ = np.linalg.lstsq(factor * scales, moved, rcond=None)
    assert np.linalg.norm(explained) > 1.9


def test_scales_are_what_the_docstrings_say() -> None:
    tree = RunningSums(9, GaussianDP(0.5), norm=NORM).noise
    assert tree.scale == pytest.approx(3 * 2 * NORM / 0.5, rel=1e-15)
    assert Fraction(tree.scale) ** 2 >= Fraction(9 * 4 * NORM**2) / Fraction(0.5) ** 2
    pure = RunningSums(9, PureDP(0.3), norm=NORM).noise
    assert isinstance(pure, LaplaceNoise)
    assert pure.reveals(Fraction(9 * 2 * NORM)).epsilon <= np.nextafter(0.3, 1)
    assert Fraction(9 * 2 * NORM) / Fraction(pure.scale) <= Fraction(0.3)
    assert RunningSums(9, PureDP(0.3), norm=NORM, signed=False).noise.scale == pytest.approx(pure.scale / 2)
    vector = RunningSums(9, GaussianDP(0.5), (4,), NORM, signed=False).noise
    assert vector.scale == pytest.approx(tree.scale / 2**0.5)


def test_a_lone_tree_of_one_level_is_laplace_noise() -> None:
    """The exact law of one release, for two values at the largest distance."""
    rule = RunningSums(1, PureDP(1.0), norm=4).noise
    cells = np.arange(-80, 81)
    ratio = np.log(rule.law(-4, cells) / rule.law(4, cells))
    assert np.abs(ratio).max() == pytest.approx(1.0, rel=1e-12)


@kinds
def test_a_state_goes_on_exactly(make: Make) -> None:
    for shape in ((), (3,), (2, 3)):
        sums, entropy, values = make(shape=shape), SeededEntropy(3), values_of(50, shape)
        for start in range(0, 50, 7):
            other = make(shape=shape)
            other.load_state_dict(json.loads(json.dumps(sums.state_dict())))
            assert other.state_dict() == sums.state_dict()
            rest = drive(copy.deepcopy(sums), values[start:], copy.deepcopy(entropy))
            np.testing.assert_array_equal(drive(other, values[start:], copy.deepcopy(entropy)), rest)
            drive(sums, values[start : start + 7], entropy)
    assert pickle.loads(pickle.dumps(sums)).state_dict() == sums.state_dict()


@kinds
def test_each_node_is_drawn_once(make: Make) -> None:
    """As many words as nodes are ever released or averaged, and none on asking for what is there."""
    sums, entropy = make(), SeededEntropy(1)
    drive(sums, values_of(63), entropy)
    words = entropy.position // 8
    nodes = sum(63 >> level for level in range(6))
    expected = 63 if "reduced" not in next(name for name, kind in KINDS.items() if kind is make) else nodes
    if isinstance(sums.promise, PureDP):
        expected *= 2
    assert words == expected
    assert sums.estimate == sums.estimate
    assert entropy.position // 8 == words


def test_memory_grows_with_the_logarithm() -> None:
    sums = RunningSums(None, GaussianDP(1.0), norm=NORM)
    drive(sums, np.zeros(1025, dtype=int), SeededEntropy(1))
    assert len(sums.state_dict()["held"]) == 11


@kinds
@pytest.mark.parametrize("bad", [NORM + 1, -NORM - 1, 0.5, float("nan"), "1", [1, 2], True, None])
def test_a_bad_value_is_refused_and_changes_nothing(make: Make, bad: Any) -> None:
    sums, entropy = make(), SeededEntropy(1)
    drive(sums, values_of(5), entropy)
    before, at = sums.state_dict(), entropy.position
    with pytest.raises(ValueError, match=r".") as caught:
        sums.add(bad, entropy)
    assert "\n" not in str(caught.value)
    assert sums.state_dict() == before
    assert entropy.position == at


@pytest.mark.parametrize("name", ["tree", "toeplitz", "laplace"])
def test_after_the_last_round_nothing_is_added(name: str) -> None:
    sums = KINDS[name]()
    drive(sums, values_of(63), SeededEntropy(1))
    with pytest.raises(ValueError, match="all 63 rounds"):
        sums.add(0, ScriptedEntropy(""))
    assert sums.rounds == 63


@kinds
def test_a_damaged_state_is_refused_and_changes_nothing(make: Make) -> None:
    sums = make(shape=(2,))
    drive(sums, values_of(9, (2,)), SeededEntropy(1))
    whole = sums.state_dict()
    last = list(whole)[-1]
    damaged: list[Any] = [{}, None, 3, whole | {"rounds": -1}, whole | {"rounds": 1.5}, whole | {"rounds": 2**60}]
    damaged += [whole | {last: what} for what in (None, [1.0], [[1.0, float("nan")]], "abc", [[2**70, 0]])]
    damaged += [{name: value for name, value in whole.items() if name != last}]
    for state in damaged:
        with pytest.raises(ValueError, match=r".") as caught:
            sums.load_state_dict(state)
        assert "\n" not in str(caught.value)
        assert sums.state_dict() == whole


@pytest.mark.parametrize("promise", [GaussianDP(0.0), PureDP(0.0), ApproxDP(1.0, 1e-6), NoGuarantee("no"), 1.0])
def test_a_promise_that_no_noise_keeps_is_refused(promise: Any) -> None:
    with pytest.raises(ValueError, match="promise is"):
        RunningSums(3, promise)
    with pytest.raises(ValueError, match="promise is"):
        ToeplitzSums(3, promise)
    with pytest.raises(ValueError, match="squares"):
        ToeplitzSums(3, PureDP(1.0))  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [0, -1, 1.5, True, "3", 44])
def test_bad_levels_are_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match="levels"):
        RunningSums(bad, GaussianDP(1.0))


def test_negative_values_are_refused_where_none_were_announced() -> None:
    with pytest.raises(ValueError, match="below 0"):
        RunningSums(3, GaussianDP(1.0), signed=False).add(-1, SeededEntropy(1))


def test_norms_are_whole_numbers_that_do_not_overflow() -> None:
    assert longest(np.array([[2**40, -(2**40)]]), pure=False) == 2**81
    assert longest(np.array([[2**62, -(2**62)]]), pure=True) == 2**63
    assert longest(np.array(-7), pure=True) == 7


@pytest.mark.parametrize("levels", [23, None])
def test_sums_that_might_not_fit_are_refused_before_the_first_value(levels: int | None) -> None:
    """An error that only large sums raise would tell of them; so what may come is bounded by what is public."""
    norm = 2**40
    if levels is None:
        sums = RunningSums(levels, PureDP(1.0), norm=norm, signed=False)
        assert sums.capacity == 2**23 - 1  # the largest node adds up 2^22 values of 2^40
        return
    assert RunningSums(levels, PureDP(1.0), norm=norm, signed=False).capacity == 2**23 - 1
    with pytest.raises(ValueError, match="do not fit"):
        RunningSums(levels, PureDP(1.0), norm=norm + 1, signed=False)


def test_the_largest_sums_that_fit_do() -> None:
    sums, entropy = RunningSums(3, PureDP(2.0**15), norm=2**60, signed=False), SeededEntropy(1)
    released = [float(sums.add(2**60, entropy)) for _ in range(7)]
    assert released == pytest.approx([2.0**60 * t for t in range(1, 8)], rel=1e-3)
