"""What an environment is, and the stream of losses that it gives to some runs."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.environments.laws import Law
from discreet.losses import UNITS, Units

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


class Stream(ABC):
    """The losses of some runs, drawn as they are asked for: by round, or as totals of many rounds at once.

    Every round is asked for once, in one of the two ways. `start` is the number of the first round that is asked for,
    one for all runs or one for each.
    """

    #: Expected losses of the actions, (runs or 1, K); None where they are not known.
    means: Floats | None = None

    @abstractmethod
    def rounds(self, start: int, n: int) -> Units:
        """The next n rounds, one by one: (n, runs or 1, K); with 1, all runs see the same losses."""

    @abstractmethod
    def totals(self, start: int | Counts, counts: Counts) -> Units:
        """Totals of the next `counts` rounds, one count a run or one for all: (runs or 1, K).

        The law is exactly that of adding up `rounds`.
        """


class Environment(ABC):
    """Where losses come from in a study: its parameters. `stream` makes the losses of some runs."""

    #: What it is called where that says more than its parameters.
    label: str | None = None

    @property
    @abstractmethod
    def n_actions(self) -> int | None:
        """How many actions there are; None where any number will do."""

    @property
    def means(self) -> Floats | None:
        """Expected losses of the actions, (K,), those of the whole units; None where they are not known."""
        return None

    @abstractmethod
    def stream(self, n_actions: int, rounds: int, runs: int, rng: np.random.Generator) -> Stream:
        """The losses of so many runs over so many rounds."""

    @property
    def draws_totals(self) -> bool:
        """Whether totals come without going through the rounds, so that a run costs its blocks, not its rounds."""
        return True

    def resampled(self) -> Environment | None:
        """The environment in which every loss has become 1 with probability equal to it, else 0; None if unknown."""
        return None

    @property
    def fixed(self) -> bool:
        """Whether the losses are the same in every run."""
        return False

    def round_law(self) -> Law:
        """The exact law of one round, where rounds are i.i.d. and have few enough outcomes to be written down."""
        raise ValueError(f"the law of the losses of {self!r} cannot be written down; simulate instead")

    def total_law(self, start: int, counts: range) -> Law:
        """The exact law of the total of the n rounds from `start` on, n drawn uniformly from consecutive counts."""
        return self.round_law().times_any(counts)

    def losses(self, rounds: int, seed: int, n_actions: int | None = None) -> Floats:
        """A table of losses (rounds, K), such as a log would hold.

        >>> from discreet.environments import one_gap
        >>> one_gap(3, 0.5).losses(rounds=4, seed=1).shape
        (4, 3)
        """
        width = self.n_actions or n_actions
        if width is None:
            raise ValueError(f"{self!r} fits any number of actions; name one with n_actions")
        stream = self.stream(width, rounds, 1, np.random.default_rng(seed))
        return np.asarray(stream.rounds(0, rounds)[:, 0] / UNITS)

    def still(self) -> Environment:
        """The same with every action in its place; what a learner that treats actions alike can be checked on."""
        return self

    def _parameters(self) -> dict[str, NDArray[np.float64]]:
        """The parameters by name."""
        return {}

    def __repr__(self) -> str:
        shown = (f"{name}={_short(value)}" for name, value in self._parameters().items())
        return self.label or f"{type(self).__name__}({', '.join(shown)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Environment) or type(self) is not type(other):
            return False
        mine, others = self._parameters(), other._parameters()
        return mine.keys() == others.keys() and all(np.array_equal(mine[name], others[name]) for name in mine)

    __hash__ = None  # type: ignore[assignment]


def _short(values: NDArray[np.float64], most: int = 8) -> str:
    """The values as a list, or how many they are."""
    if values.size <= most:
        return repr(values.tolist())
    return f"<{values.size} numbers from {values.min():.4g} to {values.max():.4g}>"


def numbers(name: str, values: ArrayLike, low: float = 0.0, high: float = 1.0) -> Floats:
    """A vector of numbers within bounds, read-only, or one sentence that says which one is out of them."""
    try:
        vector = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} are not a list of numbers") from None
    if vector.ndim != 1 or vector.size < 2:
        raise ValueError(f"{name} are a list of at least two numbers, one an action; got shape {vector.shape}")
    bad = np.flatnonzero(~((vector >= low) & (vector <= high)))
    if bad.size:
        raise ValueError(f"{name}[{bad[0]}] is {vector[bad[0]]}; it must lie in [{low:g}, {high:g}]")
    vector.setflags(write=False)
    return vector
