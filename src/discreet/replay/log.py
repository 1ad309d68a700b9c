"""A log of losses: a file, which of its columns are actions, and how their values become losses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discreet.losses import MAX_ROUNDS, UNITS, Scale, check_names
from discreet.replay.formats import open_file
from discreet.replay.opened import REPORTS, BadLog, Opened, Progress

#: Whole units as floats, (actions, rounds): sums of fewer than 2^33 of them are exact.
UnitColumns = NDArray[np.float64]
LossColumns = NDArray[np.float64]
#: Rounds that are read at a time.
CHUNK_ROWS = 1 << 13


@dataclass(frozen=True)
class Log:
    """A recorded table: one row a round, one column an action. Opened by `open_log`."""

    path: Path
    names: tuple[str, ...]
    index: tuple[str, ...]
    gains: bool
    scale: Scale
    opened: Opened

    @property
    def n_actions(self) -> int:
        """How many actions there are."""
        return len(self.names)

    @property
    def rows(self) -> int | None:
        """How many rounds there are, where the format says so before it is read."""
        return self.opened.rows

    def count(self, progress: Progress | None = None) -> int:
        """How many rounds there are; the log is read once to count them where its format does not say."""
        if self.rows is not None:
            return self.rows
        rounds = 0
        for batch in self.opened.batches(self.names[:1]):
            rounds += batch.num_rows
            if progress is not None:
                progress(rounds)
        return rounds

    def reading(self) -> str:
        """How the values of the log became losses, in words; nothing where they are losses as they stand."""
        said = []
        if (self.scale.low, self.scale.high) != (0.0, 1.0):
            span = f"{self.scale.low:g} to {self.scale.high:g}"
            said.append(f"values from {span} were read as losses from 0 to 1")
        if self.gains:
            said.append("gains were read as losses: 1 less the gain")
        if self.scale.clip:
            said.append("values outside the bounds were clipped")
        return "; ".join(said)

    def chunks(self) -> Iterator[tuple[int, UnitColumns]]:
        """The rounds in order, as whole units, some thousands at a time: (first round, units (actions, rounds)).

        Every chunk but the last has as many rounds, whatever batches the file has: sums of floats over a chunk are
        then the same bits in every format. The array is used again for the next chunk.
        """
        return self._chunks(_round)

    def losses(self) -> Iterator[tuple[int, LossColumns]]:
        """The same chunks as losses that are not rounded to units: numbers in [0, 1]."""
        return self._chunks(lambda losses: None)

    def _chunks(self, finish: Callable[[NDArray[np.float64]], None]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        buffer = np.empty((self.n_actions, CHUNK_ROWS))
        read = filled = 0
        for batch in self.opened.batches(self.names):
            columns = [self.numbers(batch.column(name), name, read) for name in self.names]
            start = 0
            while start < batch.num_rows:
                n = min(CHUNK_ROWS - filled, batch.num_rows - start)
                for name, column, losses in zip(self.names, columns, buffer, strict=True):
                    self._to_losses(column[start : start + n], losses[filled : filled + n], name, read + start)
                    finish(losses[filled : filled + n])
                start, filled = start + n, filled + n
                if filled == CHUNK_ROWS:
                    yield read + start - filled, buffer
                    filled = 0
            read += batch.num_rows
            if read > MAX_ROUNDS:
                raise BadLog(f"{self.path} has more than {MAX_ROUNDS} rounds, which is all that fit")
        if not read:
            raise BadLog(f"{self.path} has no rounds")
        if filled:
            yield read - filled, buffer[:, :filled]

    def labels(self) -> Iterator[pa.RecordBatch]:
        """The index columns, batch by batch."""
        return self.opened.batches(self.index)

    def numbers(self, column: pa.Array, name: str, first: int) -> NDArray[np.float64]:
        """Part of a column as floats, from round `first` on; a missing value is refused."""
        if column.null_count:
            row = int(np.flatnonzero(np.asarray(column.is_null()))[0])
            raise BadLog(f"{self.path}: row {first + row + 1}, column {name!r} is missing; every number must be known")
        values: NDArray[np.float64] = column.to_numpy(zero_copy_only=False).astype(np.float64, copy=False)
        return values

    def _to_losses(self, values: NDArray[np.float64], losses: NDArray[np.float64], name: str, first: int) -> None:
        """Check and scale one column of one chunk."""
        bad = self.scale.first_bad(values)
        if bad is not None:
            raise BadLog(
                f"{self.path}: row {first + bad + 1}, column {name!r} is {values[bad]}, "
                f"not a number from {self.scale.low:g} to {self.scale.high:g}{_hint(self.scale, float(values[bad]))}"
            )
        self.scale.scaled(values, out=losses)
        if self.gains:
            np.subtract(1.0, losses, out=losses)
        np.clip(losses, 0.0, 1.0, out=losses)  # what the proofs rest on, whatever rounding the scale has brought


def _round(losses: NDArray[np.float64]) -> None:
    """Losses in [0, 1] to whole units, in place, as `losses.to_units` would."""
    losses *= UNITS
    np.rint(losses, out=losses)


def open_log(path: str | Path, index: str | Sequence[str] = (), gains: bool = False, scale: Scale | None = None) -> Log:
    """Open a log and check its columns; losses are checked as they are read.

    index: a column that labels the rounds (a date, a text), or several; they are not actions.
    gains: larger is better. scale: public bounds of the values, where they are not [0, 1].
    """
    path, index = Path(path), (index,) if isinstance(index, str) else tuple(index)
    twice = next((label for label in index if index.count(label) > 1), None)
    if twice is not None:
        raise BadLog(f"the index column {twice!r} is named twice")
    opened = open_file(path, text=index)
    if REPORTS in opened.metadata:
        raise BadLog(f"{path} holds reports, losses plus noise, and no losses; discreet replay --reports reads it")
    return _with_actions(path, index, gains, scale or Scale(), opened)


def open_numbers(path: str | Path, index: Sequence[str], opened: Opened) -> Log:
    """The columns of an opened file whose values are any numbers: reports."""
    return _with_actions(Path(path), tuple(index), False, Scale(), opened)


def _with_actions(path: Path, index: tuple[str, ...], gains: bool, scale: Scale, opened: Opened) -> Log:
    """A log, once it is clear which columns are actions."""
    for label in index:
        if label not in opened.names:
            raise BadLog(f"{path} has no column {label!r} to be the index; it has {_some(opened.names)}")
    _check_columns(path, opened, index)
    names = tuple(name for name in opened.names if name not in index)
    if len(names) < 2:
        raise BadLog(f"{path} has {len(names)} column{'s' * (len(names) != 1)} of losses; a choice needs two actions")
    return Log(path, names, index, gains, scale, opened)


def _check_columns(path: Path, opened: Opened, index: tuple[str, ...]) -> None:
    try:
        check_names(opened.names)
    except ValueError as error:
        raise BadLog(f"{path}: {error}") from None
    for name, kind in zip(opened.names, opened.types, strict=True):
        if name not in index and (not name.strip() or name.startswith("__index_level_")):
            raise BadLog(f"{path}: column {name!r} looks like a table's own index; name it with --index")
        if name not in index and not any(is_kind(kind) for is_kind in _NUMBERS):
            raise BadLog(
                f"{path}: column {name!r} holds {_plain(kind)}, not losses; "
                f"leave it out, or name it with --index if it labels the rounds"
            )


def _hint(scale: Scale, value: float) -> str:
    """What would let the value in, where something would."""
    if not np.isfinite(value):
        return ""
    if scale == Scale():
        return "; --scale LOW HIGH names other bounds, --index NAME a column that is not an action"
    return "; --clip clips what lies outside"


_NUMBERS = (pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_null)


def _plain(kind: pa.DataType) -> str:
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_dictionary(kind):
        return "text"
    if pa.types.is_temporal(kind):
        return "dates"
    return str(kind)


def _some(names: tuple[str, ...]) -> str:
    shown = ", ".join(repr(name) for name in names[:5])
    return shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")
