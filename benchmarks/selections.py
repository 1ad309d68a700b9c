"""One private draw on system entropy against one insecure draw with NumPy's Gumbel noise."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import seconds, verdict
from discreet.entropy import SystemEntropy
from discreet.losses import UNITS, Units
from discreet.selection import NoisyMax, PermuteAndFlip, Softmax
from tools.table import Table

#: At most so many times NumPy's time, by number of actions; in between, the target is between.
LIMITS = {10: 5.0, 1_000_000: 1.0}

Draw = Callable[[], object]


@dataclass(frozen=True)
class Shape:
    """How the totals lie: how many coins of permute-and-flip land heads, and so how long a draw takes."""

    name: str
    rate: float
    spread: float | None

    def totals(self, n_actions: int) -> Units:
        """Totals uniform over so many losses; without a spread, one best action and all others 10 losses behind."""
        if self.spread is not None:
            return np.random.default_rng(1).integers(0, int(self.spread * UNITS), n_actions)
        totals = np.full(n_actions, 10 * UNITS)
        totals[n_actions // 2] = 0
        return totals


SHAPES = [
    *(Shape(f"spread {spread:g}, rate 1", 1.0, spread) for spread in (0.001, 1.0, 5.0, 50.0)),
    Shape("spread 3, rate 0.05", 0.05, 3.0),
    Shape("one best, others 10 behind, rate 1", 1.0, None),
]


def measure(quick: bool = False) -> Table:
    """Time the draws for 10 to 10^6 actions, for totals of every shape; the worst ratio of each selection counts."""
    title = (
        "Selections: time of a draw against insecure `np.argmax(rng.gumbel(size=K) - rate * totals)`, "
        "where `totals` are already floats, in losses"
    )
    columns = ["K", "selection", "worst totals", "microseconds", "NumPy", "ratio", "least ratio", "at most", "met"]
    table = Table(title, columns)
    for n_actions in (10, 1000) if quick else (10, 100, 1000, 10_000, 100_000, 1_000_000):
        _measure(table, n_actions, quick)
    table.notes.append(
        "Ratios are medians over repetitions in which the draws and NumPy take turns; of several kinds of totals the "
        "worst is named, and `least ratio` is that of the best."
    )
    if importlib.util.find_spec("opendp") is None:
        table.notes.append("OpenDP is not installed: pip install opendp to see it beside.")
    return table


def _measure(table: Table, n_actions: int, quick: bool) -> None:
    # Short turns, so that most of them pass without another process in between, whoever's turn it is.
    number = max(1, 3000 // (n_actions + 50))
    turns = 5 if quick else max(15, 200_000 // (n_actions + 1000))
    found: dict[str, list[tuple[float, float, float, str]]] = {}
    for shape in SHAPES:
        base, draws = _draws(shape, n_actions)
        for name, ratio, time, of_base in _in_turns(base, draws, number, turns):
            found.setdefault(name, []).append((ratio, time, of_base, shape.name))
    for name, ratios in found.items():
        _row(table, n_actions, name, ratios)


def _draws(shape: Shape, n_actions: int) -> tuple[Draw, dict[str, Draw]]:
    """NumPy's draw and ours, all that can be prepared prepared."""
    rng, entropy, rate = np.random.default_rng(1), SystemEntropy(), shape.rate
    totals = shape.totals(n_actions)
    losses = totals / UNITS
    selections = (PermuteAndFlip(rate), Softmax(rate), NoisyMax(1 / rate))
    draws: dict[str, Draw] = {type(each).__name__: partial(each.sample, totals, entropy) for each in selections}
    opendp = _opendp(losses, rate)
    if opendp is not None:
        draws["OpenDP make_noisy_max"] = opendp
    return lambda: np.argmax(rng.gumbel(size=n_actions) - rate * losses), draws


def _in_turns(base: Draw, draws: dict[str, Draw], number: int, turns: int) -> Iterator[tuple[str, float, float, float]]:
    """Each draw's median ratio to the base timed just before it, and the median times of both."""
    for name, draw in draws.items():
        # Of the others nothing is promised: a short look will do.
        calls, of_it = (number, turns) if name in ("PermuteAndFlip", "Softmax") else (max(1, number // 10), 3)
        times = np.array([[seconds(which, calls, repeats=1) for which in (base, draw)] for _ in range(of_it)])
        base_time, time = np.median(times, axis=0)
        yield name, float(np.median(times[:, 1] / times[:, 0])), float(time), float(base_time)


def _row(table: Table, n_actions: int, name: str, ratios: list[tuple[float, float, float, str]]) -> None:
    ratio, time, base, worst = max(ratios)
    limit = LIMITS.get(n_actions) if name in ("PermuteAndFlip", "Softmax") else None
    met = "" if limit is None else verdict(ratio, limit)
    table.rows.append([n_actions, name, worst, time * 1e6, base * 1e6, ratio, min(ratios)[0], limit or "", met])


def _opendp(losses: NDArray[np.float64], rate: float) -> Draw | None:
    """A draw by OpenDP's permute-and-flip at the same rate, or None where it is not installed."""
    if importlib.util.find_spec("opendp") is None:
        return None
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
    scores = -losses
    draw = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=1.0 / rate)
    return lambda: draw(scores)
