"""Running sums to test: each kind, and a way to drive them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.guarantees import GaussianDP, PureDP
from discreet.mechanisms import RunningSums, Sums, ToeplitzSums
from discreet.mechanisms.noise import Cells

NORM = 1 << 10
Make = Callable[..., Sums]

KINDS: dict[str, Make] = {
    "tree": lambda **more: RunningSums(6, GaussianDP(1.0), norm=NORM, **more),
    "reduced": lambda **more: RunningSums(6, GaussianDP(1.0), norm=NORM, reduced=True, **more),
    "endless": lambda **more: RunningSums(None, GaussianDP(1.0), norm=NORM, **more),
    "endless reduced": lambda **more: RunningSums(None, GaussianDP(1.0), norm=NORM, reduced=True, **more),
    "laplace": lambda **more: RunningSums(6, PureDP(1.0), norm=NORM, **more),
    "laplace reduced": lambda **more: RunningSums(6, PureDP(1.0), norm=NORM, reduced=True, **more),
    "toeplitz": lambda **more: ToeplitzSums(63, GaussianDP(1.0), norm=NORM, **more),
}


def drive(sums: Sums, values: NDArray[Any], entropy: Entropy) -> NDArray[np.float64]:
    """Everything that is released for these rounds."""
    return np.array([sums.add(value, entropy) for value in values])


def values_of(rounds: int, shape: tuple[int, ...] = (), seed: int = 0) -> Cells:
    """Random values of norm at most `NORM` in either measure."""
    width = shape[-1] if shape else 1
    return np.random.default_rng(seed).integers(-NORM // width, NORM // width + 1, (rounds, *shape))
