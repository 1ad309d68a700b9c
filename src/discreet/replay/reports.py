"""A table of reports: opened, with the noise that they were made with, and read in batches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.guarantees import Guarantee, NoGuarantee
from discreet.guarantees.reach import within_reach
from discreet.local.grid import farthest_for, unit_for
from discreet.replay.formats import open_file
from discreet.replay.log import CHUNK_ROWS, Log, open_numbers
from discreet.replay.opened import BadLog
from discreet.replay.promise import ONCE, Promise, promise_of
from discreet.selection.base import positive

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reports:
    """Recorded reports: one row a round, one column an action. Opened by `open_reports`."""

    log: Log
    scale: float  # of the noise, in losses
    mu: float | None
    promise: Promise | None  # what the file says of itself

    @property
    def n_actions(self) -> int:
        """How many actions there are."""
        return self.log.n_actions

    @property
    def guarantee(self) -> Guarantee:
        """What is promised of each round's losses to whoever sees the reports, or anything made from them."""
        if self.promise is not None:
            return self.promise.guarantee
        if self.mu is None:
            return NoGuarantee("what the reports reveal was settled where the noise was added; say it with --mu")
        return within_reach(self.mu, Fraction(self.mu) * Fraction(self.scale), self.n_actions)

    def assumed(self) -> list[str]:
        """What the promise rests on that no program can check."""
        if self.promise is not None:
            return self.promise.assumed()
        told = f"These are losses plus N(0, {self.scale:g}^2), fresh for every number: the file does not say so."
        return [told, ONCE]

    def chunks(self) -> Iterator[tuple[int, Floats]]:
        """The rounds in order, some thousands at a time: (first round, reports (rounds, actions))."""
        read, log = 0, self.log
        for batch in log.opened.batches(log.names):
            for start in range(0, batch.num_rows, CHUNK_ROWS):
                part = batch.slice(start, CHUNK_ROWS)
                rows = np.empty((part.num_rows, log.n_actions))
                for j, name in enumerate(log.names):
                    rows[:, j] = self._checked(log.numbers(part.column(name), name, read), name, read)
                yield read, rows
                read += part.num_rows
        if not read:
            raise BadLog(f"{log.path} has no rounds")

    def _checked(self, values: Floats, name: str, first: int) -> Floats:
        most = farthest_for(self.scale)
        bad = np.flatnonzero(~(np.abs(values) <= most))
        if bad.size:
            raise BadLog(
                f"{self.log.path}: row {first + bad[0] + 1}, column {name!r} is {values[bad[0]]}; "
                f"a report with noise of scale {self.scale:g} lies between +-{most:g}"
            )
        return values


def open_reports(
    path: str | Path, index: str | Sequence[str] = (), scale: float | None = None, mu: float | None = None
) -> Reports:
    """Open a table of reports. Those that discreet made say with which noise; of others it must be told.

    index: columns that label the rounds, where the file does not say so. scale: that of the noise, in losses.
    mu: what the reports promise, if anybody knows.
    """
    path, index = Path(path), (index,) if isinstance(index, str) else tuple(index)
    promise = promise_of(path)
    index = index or (promise.index if promise else ())
    told = _told(path, promise, scale)
    log = open_numbers(path, index, open_file(path, text=index))
    if promise is not None and promise.n_actions != log.n_actions:
        raise BadLog(f"{path} says that it has {promise.n_actions} actions, and {log.n_actions} columns could be one")
    if promise is not None and mu not in (None, promise.mu):
        raise BadLog(f"{path} says that its reports were made for mu {promise.mu:g}, not {mu:g}; leave out --mu")
    return Reports(log, told, promise.mu if promise else None if mu is None else positive("mu", mu), promise)


def _told(path: Path, promise: Promise | None, scale: float | None) -> float:
    """The scale of the noise, from the file or from whoever opens it."""
    if promise is not None:
        if scale is not None and not math.isclose(scale, promise.scale, rel_tol=1e-6):
            raise BadLog(
                f"{path} says that its noise has the scale {promise.scale:g}, not {scale:g}; leave out --noise-scale"
            )
        if promise.unit != unit_for(promise.scale):
            raise BadLog(f"{path} has reports on a grid of {promise.unit:g}, which this version does not know")
        return promise.scale
    if scale is None:
        raise BadLog(
            f"{path} holds no reports of discreet: it does not say with which noise its numbers were made; losses are "
            f"replayed without --reports, and of reports that others made --noise-scale says it"
        )
    return positive("noise_scale", scale)
