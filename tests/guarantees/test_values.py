"""What every kind of guarantee must hold: a class times check table without exceptions."""

import copy
import json
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from discreet import guarantees
from discreet.guarantees import ApproxDP, GaussianDP, Guarantee, NoGuarantee, PureDP, TradeOff, from_description

EVERY = [
    PureDP(1.0),
    PureDP(0),
    ApproxDP(0.5, 1e-6),
    ApproxDP(0.0, 1.0),
    GaussianDP(0.25),
    GaussianDP(0),
    TradeOff((0.0, 0.25, 1.0), (0.9, 0.125, 0.0)),
    NoGuarantee("the draws come from a seed"),
]
every = pytest.mark.parametrize("promise", EVERY, ids=repr)


@every
def test_twins_are_equal_and_hash_alike(promise: Guarantee) -> None:
    twins = [
        eval(repr(promise), vars(guarantees)),
        copy.deepcopy(promise),
        pickle.loads(pickle.dumps(promise)),
        from_description(json.loads(json.dumps(promise.describe()))),
    ]
    for twin in twins:
        assert twin == promise
        assert hash(twin) == hash(promise)
        assert type(twin) is type(promise)
        assert repr(twin) == repr(promise)


def test_different_guarantees_differ() -> None:
    assert len({repr(promise) for promise in EVERY}) == len(set(EVERY)) == len(EVERY)
    assert PureDP(1.0) != 1.0
    assert PureDP(1.0) != GaussianDP(1.0)


@every
def test_frozen(promise: Guarantee) -> None:
    before, name = repr(promise), next(iter(vars(promise)))
    with pytest.raises(AttributeError, match="frozen"):
        setattr(promise, name, 5.0)
    with pytest.raises(AttributeError, match="frozen"):
        delattr(promise, name)
    assert repr(promise) == before


@every
def test_delta_falls_from_the_total_variation(promise: Guarantee) -> None:
    deltas = [promise.delta(e) for e in (0, 0.1, 0.5, 1.0, 2.0, 30.0, 1000.0, 1e6, math.inf)]
    assert deltas == sorted(deltas, reverse=True)
    # delta(0) is one minus the smallest sum of both errors, in either order.
    alphas = np.linspace(0, 1, 100_001)
    assert deltas[0] == pytest.approx(1 - (alphas + promise.trade_off(alphas)).min(), abs=2e-5)


@every
def test_epsilon_inverts_delta(promise: Guarantee) -> None:
    for delta in (0.0, 1e-12, 1e-6, 0.01, 0.3, 0.999, 1.0):
        epsilon = promise.epsilon(delta)
        assert epsilon >= 0
        if epsilon < math.inf:
            assert promise.delta(epsilon) <= delta * (1 + 1e-12) + 1e-300
        if epsilon > 0:
            assert promise.delta(min(epsilon * (1 - 1e-6), 1e300)) > delta


@every
def test_trade_off_is_a_trade_off_curve(promise: Guarantee) -> None:
    alphas = np.linspace(0, 1, 257)
    betas = promise.trade_off(alphas)
    assert betas.shape == alphas.shape
    assert (betas >= 0).all()
    assert (betas <= 1 - alphas).all()
    assert (np.diff(betas) <= 0).all()
    assert (np.diff(betas, 2) >= -1e-12).all()
    assert [promise.trade_off(alpha) for alpha in alphas[:9].tolist()] == betas[:9].tolist()
    assert type(promise.trade_off(0.5)) is float


@every
def test_words_and_description(promise: Guarantee) -> None:
    assert str(promise) == promise.words() == promise.describe()["words"]
    assert promise.words().startswith(("any one round's losses may be replaced: ", "nothing is promised: "))


@every
def test_composition_and_groups_never_claim_more(promise: Guarantee) -> None:
    for both in (promise.compose(promise), promise.for_group(2), promise.compose(PureDP(0.5))):
        assert isinstance(both, Guarantee)
        assert all(both.delta(e) >= promise.delta(e) * (1 - 1e-9) for e in (0.0, 0.5, 1.0))
    assert promise.compose() == promise.for_group(1) == promise


@every
@pytest.mark.parametrize("k", [0, -1, 1.5, 2.0, True, None, "2"])
def test_groups_need_a_whole_number(promise: Guarantee, k: Any) -> None:
    with pytest.raises(ValueError, match="k must be a whole number"):
        promise.for_group(k)


@every
def test_queries_are_checked(promise: Guarantee) -> None:
    wrong: Any
    for wrong in (-0.1, math.nan, "1", None, True):
        with pytest.raises(ValueError, match="epsilon must be a number, 0 or more"):
            promise.delta(wrong)
    for wrong in (-0.1, 1.1, math.nan, "1", None, True):
        with pytest.raises(ValueError, match="delta must be a number from 0 to 1"):
            promise.epsilon(wrong)
    for wrong in (-0.1, [0.5, 1.1], math.nan, "1", None, True, [1j]):
        with pytest.raises(ValueError, match="alpha must hold numbers from 0 to 1"):
            promise.trade_off(wrong)
    wrong = 1.0
    with pytest.raises(ValueError, match="others must be guarantees"):
        promise.compose(wrong)


@pytest.mark.parametrize("make", [PureDP, GaussianDP, lambda x: ApproxDP(x, 0.5)])
@pytest.mark.parametrize("wrong", [-1.0, -1e-300, math.nan, math.inf, True, "1", None, 1j, [1.0], 10**400])
def test_levels_are_checked(make: Callable[..., Guarantee], wrong: object) -> None:
    with pytest.raises(ValueError, match=r"^(epsilon|mu) must be a finite number, 0 or more, not "):
        make(wrong)


@pytest.mark.parametrize("wrong", [-1e-9, 1.0000001, math.nan, math.inf, True, "0", None])
def test_deltas_are_checked(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"^delta must be a number from 0 to 1, not "):
        ApproxDP(1.0, wrong)


@pytest.mark.parametrize("wrong", ["", "  ", None, 3])
def test_reasons_are_checked(wrong: Any) -> None:
    with pytest.raises(ValueError, match="reason must be a sentence"):
        NoGuarantee(wrong)


def test_any_real_number_will_do_and_is_never_rounded_down() -> None:
    pure: Callable[..., PureDP] = PureDP  # declared for floats, but these will do too
    assert pure(2) == pure(np.float64(2)) == pure(np.int64(2)) == pure(np.float32(2)) == pure(2.0)
    assert type(vars(pure(np.float64(2)))["epsilon"]) in (float, np.float64)
    assert pure(Fraction(1, 10)).epsilon >= Fraction(1, 10)
    assert pure(Fraction(1, 3)).epsilon >= Fraction(1, 3)
    assert PureDP(2**53 + 1).epsilon == 2.0**53 + 2
    assert str(vars(PureDP(-0.0))["epsilon"]) == "0.0"


def test_descriptions() -> None:
    assert ApproxDP(1.0, 0.25).describe() == {
        "kind": "approximate", "epsilon": 1.0, "delta": 0.25, "words": ApproxDP(1.0, 0.25).words(),
    }  # fmt: skip
    with pytest.raises(ValueError, match="kind must be one of pure, approximate"):
        from_description({"kind": "fancy"})
    with pytest.raises(ValueError, match=r"fields \['mu'\] are not those of the kind 'pure'"):
        from_description({"kind": "pure", "mu": 1.0})


def test_no_guarantee() -> None:
    nothing = NoGuarantee("it is seeded")
    assert nothing.delta(1e6) == 1.0
    assert nothing.epsilon(0.999) == math.inf
    assert nothing.trade_off([0.0, 0.5]).tolist() == [0.0, 0.0]
    assert nothing.for_group(7) == nothing
    assert PureDP(1.0).compose(nothing, GaussianDP(1.0), nothing) == nothing
    assert nothing.compose(NoGuarantee("it is wrong")) == NoGuarantee("it is seeded; it is wrong")
