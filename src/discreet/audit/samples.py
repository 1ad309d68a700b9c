"""What a sampler hands over: one outcome a run, checked once, so that every tool can rely on its shape."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: `sampler(losses, runs)` gives `runs` independent outcomes: (runs,), or (runs, n) where an outcome is a sequence.
Sampler = Callable[[Any, int], ArrayLike]
Outcomes = NDArray[Any]
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


def draw(sampler: Sampler, losses: object, runs: int) -> Outcomes:
    """Ask a sampler for outcomes, and check what it returns.

    >>> draw(lambda losses, runs: np.full((runs, 2), losses), 3, runs=2).tolist()
    [[3, 3], [3, 3]]
    """
    return checked(sampler(losses, runs), runs)


def checked(returned: ArrayLike, runs: int) -> Outcomes:
    """Outcomes as int64 or float64, of shape (runs,) or (runs, n).

    >>> checked([0, 1, 1], runs=4)
    Traceback (most recent call last):
    ValueError: the sampler was asked for 4 runs and returned shape (3,); it must be (4,) or (4, n)
    """
    outcomes = np.asarray(returned)
    if outcomes.ndim not in (1, 2) or len(outcomes) != runs or not outcomes.size:
        shape = f"returned shape {outcomes.shape}; it must be ({runs},) or ({runs}, n)"
        raise ValueError(f"the sampler was asked for {runs} runs and {shape}")
    if outcomes.dtype.kind not in "biuf":
        raise ValueError(f"the sampler returned values of type {outcomes.dtype}; outcomes must be numbers")
    if outcomes.dtype == np.uint64 and outcomes.max() > np.iinfo(np.int64).max:
        raise ValueError(f"the sampler returned {outcomes.max()}, which does not fit into 64 bits with a sign")
    return outcomes.astype(np.float64) + 0.0 if outcomes.dtype.kind == "f" else outcomes.astype(np.int64)


def check_alike(left: Outcomes, right: Outcomes) -> None:
    """Refuse outcomes that differ in kind or width, which would tell neighbors apart for no good reason."""
    if left.dtype != right.dtype or left.shape[1:] != right.shape[1:]:
        shapes = f"{left.dtype} of shape {left.shape} and {right.dtype} of shape {right.shape}"
        raise ValueError(f"the sampler returned different kinds of outcomes for neighbors: {shapes}")


def keys(outcomes: Outcomes) -> NDArray[Any]:
    """One value a run that sorts and compares: the outcome itself, or the bytes of its row.

    >>> len(np.unique(keys(np.array([[0, 1], [0, 1], [1, 0]]))))
    2
    """
    if outcomes.ndim == 1:
        return outcomes
    rows = np.ascontiguousarray(outcomes)
    return rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()


def whole(name: str, value: object, least: int) -> int:
    """A whole number that is large enough, or one sentence.

    >>> whole("runs", 3, least=8)
    Traceback (most recent call last):
    ValueError: runs is 3; it must be a whole number, 8 or more
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} is {value!r}; it must be a whole number, {least} or more")
    return int(value)


def inside(name: str, value: object) -> float:
    """A number strictly between 0 and 1, or one sentence.

    >>> inside("confidence", 95)
    Traceback (most recent call last):
    ValueError: confidence is 95; it must be a number between 0 and 1
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < 1:
        raise ValueError(f"{name} is {value!r}; it must be a number between 0 and 1")
    return float(value)


def share(name: str, value: object) -> float:
    """A number from 0 up to, but not including, 1, or one sentence.

    >>> share("delta", 0)
    0.0
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) < 1:
        raise ValueError(f"{name} is {value!r}; it must be a number from 0 to below 1")
    return float(value)
