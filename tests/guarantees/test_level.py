"""A field that is a float in every respect, and a function too."""

import copy
import json
import pickle

import pytest

from discreet.guarantees import ApproxDP, Level, PureDP


@pytest.mark.parametrize(
    ("level", "value"),
    [(PureDP(1.5).epsilon, 1.5), (ApproxDP(1.5, 0.25).epsilon, 1.5), (ApproxDP(1.5, 0.25).delta, 0.25)],
)
def test_a_level_is_the_float(level: Level, value: float) -> None:
    assert level == value
    assert isinstance(level, float)
    assert hash(level) == hash(value)
    places: dict[float, str] = {level: "found"}
    assert places[value] == "found"
    assert repr(level) == repr(value)
    assert f"{level:.3f}" == f"{value:.3f}"
    assert json.dumps([level]) == json.dumps([value])
    assert (level + 1, 2 * level, level < value + 1) == (value + 1, 2 * value, True)
    assert type(level + 1) is float


def test_a_level_answers_when_it_is_called() -> None:
    assert PureDP(1.0).epsilon(1e-6) < 1.0
    assert PureDP(1.0).epsilon(delta=0.0) == 1.0
    assert ApproxDP(1.0, 0.25).epsilon(0.1) == float("inf")
    assert ApproxDP(1.0, 0.25).delta(epsilon=1.0) == 0.25
    assert ApproxDP(1.0, 0.25).delta(0.5) > 0.25


def test_copies_and_pickles_of_a_level_are_plain_floats() -> None:
    level = Level(1.5, lambda x: x)
    for twin in (copy.copy(level), copy.deepcopy(level), pickle.loads(pickle.dumps(PureDP(1.5).epsilon))):
        assert type(twin) is float
        assert twin == 1.5
