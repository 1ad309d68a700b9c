"""What a replay found: all of it the owner's view, made from the raw losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.simulate.samples import Floats, Samples


@dataclass(frozen=True)
class Curve(Samples):
    """The regret of one learner over a log, at some rounds, for each run.

    Regret is realized: the losses of the actions played less those of the action that is best up to that round.
    """

    name: str
    title: str
    private: bool
    rounds: NDArray[np.int64]  # the last one is the last of the log
    regret: Floats  # (runs, len(rounds))
    loss: Floats  # total loss, (runs,)
    exact: bool = False  # an expectation, not a sample of one


@dataclass(frozen=True)
class Timeline:
    """Which action was played when: stretches that start at `starts` and last until the next one."""

    starts: NDArray[np.int64]
    actions: NDArray[np.int64]
    rounds: int
    released: bool


class Shown(Protocol):
    """What a figure of what was played when needs to know."""

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions."""

    @property
    def totals(self) -> Floats:
        """The total loss of each action, or what it is estimated to be."""

    @property
    def timeline(self) -> Timeline:
        """Which action was played when."""

    @property
    def best(self) -> int:
        """The action with the smallest total."""


@dataclass(frozen=True)
class Result:
    """A replayed log. `curves[0]` is the chosen learner; `released` is its release, where one was made."""

    log: str
    actions: tuple[str, ...]
    rounds: int
    totals: Floats  # total loss of each action
    learner: str
    guarantee: str
    guarantee_words: str
    bound: float | None
    bound_words: str
    curves: tuple[Curve, ...]
    timeline: Timeline
    released: Curve | None
    seed: int
    reading: str = ""  # how values of the log became losses
    parameters: str = ""  # the chosen learner, as Python

    @property
    def best(self) -> int:
        """The best fixed action in hindsight."""
        return int(self.totals.argmin())
