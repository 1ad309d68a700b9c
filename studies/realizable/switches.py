"""How often algorithm 1 draws, in all and while the potential of lemma 3.1 is halved."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log, log2
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from discreet.environments import Environment
from discreet.experts import SparseVectorExperts
from discreet.losses import UNITS
from studies.realizable.cases import SEQUENCES

Counts = NDArray[np.int64]
FAILURE = 0.05
_CELLS = 1 << 19


@dataclass(frozen=True)
class Switching:
    """The draws of one learner on one sequence, of many runs."""

    sequence: str
    n_actions: int
    constants: str
    allowed: int
    printed: float
    total: Counts  # (runs,)
    between: Counts  # (runs, halvings of the potential): Z_i

    @property
    def exhausted(self) -> float:
        """The share of runs that used up all draws."""
        return float((self.total >= self.allowed).mean())

    def tail(self) -> list[tuple[int, float, float]]:
        """For k = 1, 2, ...: k, the largest share over i of runs with Z_i = k + 1, and its standard error."""
        found, runs = [], len(self.between)
        for k in range(1, int(self.between.max(initial=0))):
            share = float((self.between == k + 1).mean(axis=0).max())
            found.append((k, share, (share * (1 - share) / runs) ** 0.5))
        return found


def printed_bound(k: int, failure: float) -> float:
    """The bound on switches in algorithm 1, logarithms natural.

    >>> round(printed_bound(100, 0.05), 1)
    101.9
    """
    return 6 * ceil(log(k)) + 24 * log(1 / failure)


def switching(sequence: str, k: int, constants: Literal["tight", "paper"], rounds: int, runs: int) -> Switching:
    """Play, and count draws where the potential falls to half, a quarter and so on."""
    learner = SparseVectorExperts(k, 1.0, rounds, failure=FAILURE, constants=constants, seed=k, runs=runs)
    world = SEQUENCES[sequence](k, rounds).still()
    starts = halvings(world, rounds, learner.rate)
    # A draw is made for round t when t - 1 rounds are known; rounds count from 1.
    marks = np.append(np.maximum(starts - 2, 0), rounds)
    counts = drawn(learner, world, marks.tolist())
    return Switching(
        sequence,
        k,
        constants,
        learner.switches,
        printed_bound(k, FAILURE),
        counts[:, -1],
        np.diff(counts[:, :-1], axis=1),
    )


def halvings(world: Environment, rounds: int, rate: float) -> Counts:
    """Lemma 3.1's t_0, t_1, ...: the last rounds t at which the sum of e^(-rate · total before t) is at least K/2^i."""
    k = world.n_actions
    assert k is not None
    stream = world.stream(k, rounds, 1, np.random.default_rng(0))
    totals, potentials, step = np.zeros(k), [float(k)], max(1, _CELLS // k)
    for start in range(0, rounds - 1, step):
        losses = stream.rounds(start, min(step, rounds - 1 - start))[:, 0] / UNITS
        sums = totals + np.cumsum(losses, axis=0)
        potentials += np.exp(-rate * sums).sum(axis=1).tolist()
        totals = sums[-1]
    levels = k / 2.0 ** np.arange(ceil(log2(k)) + 1)
    last: Counts = len(potentials) - np.argmax(np.array(potentials)[::-1] >= levels[:, None] * (1 - 1e-12), axis=1)
    return last


def drawn(learner: SparseVectorExperts, world: Environment, marks: list[int]) -> Counts:
    """How many draws each run has made when it knows so many rounds: (runs, marks)."""
    stream = world.stream(learner.n_actions, marks[-1], 1, np.random.default_rng(0))
    found, step = [], max(1, _CELLS // learner.n_actions)
    for mark in marks:
        while learner.rounds < mark:
            learner.play_units(stream.rounds(learner.rounds, min(step, mark - learner.rounds))[:, 0])
        state = learner.state_dict()
        # When all draws are used up the count starts again at 0, in a stage that watches nothing.
        found.append(np.where(np.array(state["stage"]) > 0, learner.switches, np.array(state["switches"])))
    return np.stack(found, axis=1)
