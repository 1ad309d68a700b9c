"""How well one round's losses are hidden on data of several kinds: the law of the batch around it, estimated."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from discreet.guarantees import GaussianDP
from discreet.local import BatchLaw, simulated_batch_law
from studies.batches.cases import Mean
from studies.batches.streams import STREAMS
from studies.batches.watch import containing, law_of

#: n, mu, scale = sensitivity / mu, tolerance: those of the paper's figure 1.
N_ACTIONS, MU, SCALE, TOLERANCE = 25, 1.0, 5.0, 0.01
EPSILON, DELTA = 1.0, 1e-5


@dataclass(frozen=True)
class Hidden:
    """The batch around round t on some losses: mean size, delta at `EPSILON`, and epsilon at `DELTA`."""

    losses: str
    t: int
    size: Mean
    delta: Mean
    epsilon: float


def at_gap(gap: float, t: int, runs: int) -> Hidden:
    """Losses that never change: one action at 0, the others at the gap."""
    losses = np.append(0.0, np.full(N_ACTIONS - 1, gap))
    law = simulated_batch_law(t, N_ACTIONS, SCALE, TOLERANCE, runs, seed=60 + int(1000 * gap), losses=losses)
    return hidden(f"gap {gap:g}", t, law, runs)


def on_stream(name: str, t: int, rounds: int, runs: int) -> Hidden:
    """Losses that change, of a table of so many rounds."""
    table, seed = STREAMS[name](rounds, N_ACTIONS), 20 + 2 * list(STREAMS).index(name)
    sizes = containing(table, SCALE, TOLERANCE, runs, seed, (t,))[t]
    return hidden(name, t, law_of(sizes), runs)


def hidden(losses: str, t: int, law: BatchLaw, runs: int) -> Hidden:
    """An estimated law, summed up: the size of the batch is known to whoever tests, so delta is a mean of deltas."""
    deltas = np.array([GaussianDP(MU / sqrt(size)).delta(EPSILON) for size in law.sizes])
    size, delta = (_mean(np.array(values), law, runs) for values in (law.sizes, deltas))
    return Hidden(losses, t, size, delta, law.trade_off(MU).epsilon(DELTA))


def _mean(values: NDArray[np.float64], law: BatchLaw, runs: int) -> Mean:
    weights = np.array(law.weights)
    mean = float(values @ weights)
    return Mean(mean, sqrt(float((values - mean) ** 2 @ weights) / (runs - 1)))
