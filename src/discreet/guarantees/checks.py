"""Checks of what a user hands in: every error is one sentence that says what would be right."""

import math
from collections.abc import Callable
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def _real(name: str, value: object, wanted: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{name} must be {wanted}, not {value!r}")
    try:
        near = float(value)
    except OverflowError:
        raise ValueError(f"{name} must be {wanted}, not a whole number beyond every float") from None
    # An int or a fraction may lie between two floats: the promise takes the weaker one.
    return (near if value <= near else math.nextafter(near, math.inf)) + 0.0


def _within(name: str, value: object, wanted: str, holds: Callable[[float], bool]) -> float:
    number = _real(name, value, wanted)
    if not holds(number):
        raise ValueError(f"{name} must be {wanted}, not {value!r}")
    return number


def level(name: str, value: object) -> float:
    """Return a finite number that is not negative.

    >>> level("epsilon", 1)
    1.0
    """
    return _within(name, value, "a finite number, 0 or more", lambda x: 0 <= x < math.inf)


def distance(name: str, value: object) -> float:
    """Return a finite number that is not negative; one between two floats becomes the smaller, which promises less.

    >>> distance("within", 0.25)
    0.25
    """
    number = level(name, value)
    return number if isinstance(value, Real) and not value < number else math.nextafter(number, 0.0)


def exponent(name: str, value: object) -> float:
    """Return a number that is not negative; infinity is allowed, because a query may be answered by it.

    >>> exponent("epsilon", float("inf"))
    inf
    """
    return _within(name, value, "a number, 0 or more", lambda x: x >= 0)


def probability(name: str, value: object) -> float:
    """Return a number from 0 to 1.

    >>> probability("delta", 2)
    Traceback (most recent call last):
    ValueError: delta must be a number from 0 to 1, not 2
    """
    return _within(name, value, "a number from 0 to 1", lambda x: 0 <= x <= 1)


def count(name: str, value: object) -> int:
    """Return a whole number of at least one.

    >>> count("k", 3)
    3
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise ValueError(f"{name} must be a whole number, 1 or more, not {value!r}")
    return int(value)


def probabilities(name: str, values: ArrayLike) -> Floats:
    """Return numbers from 0 to 1 as an array of the shape they came in.

    >>> probabilities("alpha", [0, 0.5])
    array([0. , 0.5])
    """
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must hold numbers from 0 to 1, not values of type {array.dtype}")
    numbers: Floats = array.astype(np.float64)
    wrong = numbers[~((numbers >= 0) & (numbers <= 1))]
    if wrong.size:
        raise ValueError(f"{name} must hold numbers from 0 to 1, not {float(wrong.flat[0])!r}")
    return numbers
