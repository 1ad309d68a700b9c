"""One private draw on system entropy against one insecure draw with NumPy's Gumbel noise."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np

from benchmarks.timing import seconds, verdict
from discreet.entropy import SystemEntropy
from discreet.losses import UNITS, Units
from discreet.selection import NoisyMax, PermuteAndFlip, Softmax
from tools.table import Table

#: At most so many times NumPy's time, by number of actions; in between, the target is between.
LIMITS = {10: 5.0, 1_000_000: 1.0}


def measure(quick: bool = False) -> Table:
    """Time the draws for 10 to 10^6 actions."""
    title = "Selections: time of a draw against insecure `np.argmax(rng.gumbel(size=K) - rate * totals)`"
    table = Table(title, ["K", "selection", "microseconds", "NumPy", "ratio", "at most", "met"])
    for n_actions in (10, 1000) if quick else (10, 100, 1000, 10_000, 100_000, 1_000_000):
        _measure(table, n_actions, quick)
    if importlib.util.find_spec("opendp") is None:
        table.notes.append("OpenDP is not installed: pip install opendp to see it beside.")
    return table


def _measure(table: Table, n_actions: int, quick: bool) -> None:
    rng, entropy = np.random.default_rng(1), SystemEntropy()
    totals = rng.integers(0, 50 * UNITS, n_actions)
    number = max(2, (2_000 if quick else 200_000) // (n_actions + 50))
    base = seconds(lambda: np.argmax(rng.gumbel(size=n_actions) - totals / UNITS), number)
    for selection in (PermuteAndFlip(1.0), Softmax(1.0), NoisyMax(1.0)):
        time = seconds(lambda selection=selection: selection.sample(totals, entropy), number)
        _row(table, n_actions, type(selection).__name__, time, base)
    opendp = _opendp(totals)
    if opendp is not None:
        _row(table, n_actions, "OpenDP make_noisy_max", seconds(opendp, max(1, number // 100), repeats=3), base)


def _row(table: Table, n_actions: int, name: str, time: float, base: float) -> None:
    limit = LIMITS.get(n_actions) if name in ("PermuteAndFlip", "Softmax") else None
    met = "" if limit is None else verdict(time / base, limit)
    table.rows.append([n_actions, name, time * 1e6, base * 1e6, time / base, limit or "", met])


def _opendp(totals: Units) -> Callable[[], object] | None:
    """A draw by OpenDP's permute-and-flip at the same rate, or None where it is not installed."""
    if importlib.util.find_spec("opendp") is None:
        return None
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
    scores = -totals / UNITS
    draw = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=1.0)
    return lambda: draw(scores)
