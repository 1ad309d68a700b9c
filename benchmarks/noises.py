"""Exact noise for many entries against insecure NumPy noise and OpenDP's; private running sums beside each other."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np

from benchmarks.timing import seconds, verdict
from discreet.entropy import SeededEntropy, SystemEntropy
from discreet.experts import TreeLeader
from discreet.experts.tree_leader import NoiseKind
from discreet.guarantees import GaussianDP
from discreet.losses import UNITS
from discreet.mechanisms import GaussianNoise, LaplaceNoise, RunningSums, Sums, ToeplitzSums
from tools.table import Table

#: At most so many times NumPy's time; at least so many times faster than OpenDP.
MOST, LEAST = 20.0, 100.0
#: A learner on trees takes at most so many times as long as its Gaussian numbers alone.
LEADER = 4.0
#: OpenDP gets few entries, whose time is multiplied: 10^5 of them take seconds.
FEW = 1000


def measure(quick: bool = False) -> Table:
    """Time noise on 10^5 entries, at a scale of 30 losses; then time and error of running sums."""
    size = 10_000 if quick else 100_000
    title = f"Noise on {size:,} entries, scale 30 losses, in units, against `rng.standard_normal` and `rng.laplace`"
    table = Table(title, ["what", "milliseconds", "NumPy", "ratio", "OpenDP", "OpenDP / ours", "wanted", "met"])
    _noises(table, size, quick)
    for rounds in (100, 1000) if quick else (1000, 10_000):
        _sums(table, rounds)
    _leader(table, "least", 100 if quick else 1000)
    _leader(table, "least-regret", 100 if quick else 1000)
    table.notes.append(
        "TreeLeader: `play` of 100 runs and 10 actions, in the place of NumPy's time that of as many numbers from "
        "`GaussianNoise` as it draws: one for each action, round and run, two for least-regret."
    )
    table.notes.append('OpenDP rounds to its own, finest grid; "the same" is beside its noise on our grid, 2^-20.')
    if importlib.util.find_spec("opendp") is None:
        table.notes.append("OpenDP is not installed: pip install opendp to see it beside.")
    return table


def _noises(table: Table, size: int, quick: bool) -> None:
    values, rng, entropy = np.zeros(size, dtype=np.int64), np.random.default_rng(1), SystemEntropy()
    gaussian, laplace = GaussianNoise(30.0), LaplaceNoise(30.0)
    cases: list[tuple[str, Callable[[], object], Callable[[], object], str, int | None]] = [
        (
            "GaussianNoise",
            lambda: gaussian.sample(values, entropy),
            lambda: rng.standard_normal(size),
            "make_gaussian",
            None,
        ),
        ("the same", lambda: gaussian.sample(values, entropy), lambda: rng.standard_normal(size), "make_gaussian", -20),
        ("LaplaceNoise", lambda: laplace.sample(values, entropy), lambda: rng.laplace(size=size), "make_laplace", None),
    ]
    for name, ours, numpy, theirs, grid in cases:
        pairs = [(seconds(ours, 1, 1), seconds(numpy, 1, 1)) for _ in range(5 if quick else 25)]
        time, base = (float(np.median(times)) for times in zip(*pairs, strict=True))
        opendp = _opendp(theirs, grid, FEW // 5 if quick else FEW, size)
        table.rows.append([name, time * 1e3, base * 1e3, time / base, *_verdicts(name, time, base, opendp)])


def _verdicts(name: str, time: float, base: float, opendp: float | None) -> list[object]:
    """What is wanted is wanted of Gaussian noise."""
    beside: list[object] = ["", ""] if opendp is None else [opendp * 1e3, opendp / time]
    if name != "GaussianNoise":
        return [*beside, "", ""]
    met = verdict(time / base, MOST) if opendp is None else verdict(max(time / base / MOST, LEAST * time / opendp), 1)
    return [*beside, f"ratio <= {MOST:g}, OpenDP / ours >= {LEAST:g}", met]


def _opendp(name: str, grid: int | None, few: int, size: int) -> float | None:
    """The time that OpenDP takes for so many entries, from that for a few, or None where it is not installed."""
    if importlib.util.find_spec("opendp") is None:
        return None
    import opendp.prelude as dp

    dp.enable_features("contrib")
    distance = dp.l2_distance(T=float) if name == "make_gaussian" else dp.l1_distance(T=float)
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=few), distance
    draw = getattr(dp.m, name)(*space, scale=30.0, k=grid)
    values = [0.0] * few
    return seconds(lambda: draw(values), 1, 3) * size / few


def _sums(table: Table, rounds: int) -> None:
    """Milliseconds for all rounds of 10 entries, and the error in losses at the same guarantee."""
    promise, shape = GaussianDP(1.0), (10,)
    kinds: dict[str, Sums] = {
        "tree": RunningSums(rounds.bit_length(), promise, shape),
        "tree, reduced": RunningSums(rounds.bit_length(), promise, shape, reduced=True),
        "Toeplitz": ToeplitzSums(rounds, promise, shape),
    }
    for name, sums in kinds.items():
        error = float(np.sqrt(sums.variances(rounds).mean())) / UNITS
        time = seconds(lambda sums=sums: _run(sums, rounds), 1, 1)
        table.rows.append([f"{name}, {rounds:,} rounds", time * 1e3, "", "", "", "", f"error {error:.3g}", ""])
    table.notes.append(
        f"Sums over {rounds:,} rounds: milliseconds for all of them, 10 entries each; the error is the root mean "
        "square of one entry in losses, at GaussianDP(mu=1) for replacing a vector of norm 1."
    )


def _leader(table: Table, noise: NoiseKind, rounds: int) -> None:
    """A learner that follows such sums, 100 runs at once, against its noise alone."""
    losses = np.random.default_rng(1).random((rounds, 10))
    learner, gaussian, entropy = (
        TreeLeader(10, rounds, 1.0, noise=noise, runs=100),
        GaussianNoise(30.0),
        SystemEntropy(),
    )
    ten_rounds = np.zeros(10_000 * (1 + (noise == "least-regret")), dtype=np.int64)

    def draw() -> None:
        for _ in range(rounds // 10):
            gaussian.sample(ten_rounds, entropy)

    pairs = [(seconds(lambda: learner.clone().play(losses), 1, 1), seconds(draw, 1, 1)) for _ in range(7)]
    time, base = (float(np.median(times)) for times in zip(*pairs, strict=True))
    name, met = f"TreeLeader, {noise}, {rounds:,} rounds", verdict(time / base, LEADER)
    table.rows.append([name, time * 1e3, base * 1e3, time / base, "", "", f"ratio <= {LEADER:g}", met])


def _run(sums: Sums, rounds: int) -> None:
    entropy, value = SeededEntropy(1), np.zeros(sums.shape, dtype=np.int64)
    for _ in range(rounds):
        sums.add(value, entropy)
