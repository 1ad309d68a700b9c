"""Opening a table in a file by its ending: Parquet, Arrow, CSV and NumPy, all read as Arrow record batches.

Nothing here holds more than a few batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import ipc, parquet

from discreet.replay.csv_format import open_csv
from discreet.replay.opened import BATCH_ROWS, BadLog, Opened, guarded, unreadable

# What a file begins with. An Arrow stream begins with nothing of its own.
_ARROW_FILE, _FEATHER_1 = b"ARROW1", b"FEA1"


def open_file(path: Path, text: Sequence[str] = ()) -> Opened:
    """Open a file by its ending; `text` names columns that are to be read as they stand, not as numbers."""
    try:
        path.stat()
    except FileNotFoundError:
        raise BadLog(f"{path} does not exist") from None
    except OSError as error:
        raise BadLog(f"{path} cannot be opened: {error.strerror}") from None
    if path.is_dir():
        raise BadLog(f"{path} is a folder; a log is one file")
    name = path.name.lower()
    reader = next((read for endings, read in _READERS if name.endswith(endings)), None)
    if reader is None:
        raise BadLog(f"{path} has an unknown ending; a log ends in .parquet, .arrow, .feather, .csv, .csv.gz or .npy")
    try:
        return reader(path, text)
    except BadLog:
        raise
    except (pa.ArrowException, OSError, EOFError, ValueError) as error:
        raise unreadable(path, error) from error


def _parquet(path: Path, text: Sequence[str]) -> Opened:
    file = parquet.ParquetFile(path, pre_buffer=False)
    schema = file.schema_arrow

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        return guarded(path, file.iter_batches(BATCH_ROWS, columns=list(columns)))

    return Opened(tuple(schema.names), tuple(schema.types), file.metadata.num_rows, batches, schema.metadata or {})


def _arrow(path: Path, text: Sequence[str]) -> Opened:
    with path.open("rb") as plain:
        start = plain.read(len(_ARROW_FILE))
    if start.startswith(_FEATHER_1):
        raise BadLog(f"{path} is Feather version 1, which is not read; save it as Feather version 2 or as Parquet")
    opening = ipc.open_file if start == _ARROW_FILE else ipc.open_stream
    with opening(pa.memory_map(str(path))) as file:
        schema = file.schema

    def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        with opening(pa.memory_map(str(path))) as file:
            stored = file if opening is ipc.open_stream else map(file.get_batch, range(file.num_record_batches))
            for batch in stored:
                yield batch.select(list(columns))

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        return guarded(path, read(columns))

    return Opened(tuple(schema.names), tuple(schema.types), None, batches, schema.metadata or {})


def _npy(path: Path, text: Sequence[str]) -> Opened:
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError:
        raise BadLog(f"{path} is not a .npy file of numbers") from None
    if array.ndim != 2:
        raise BadLog(f"{path} holds an array of shape {array.shape}; a log has rounds and actions")
    names = tuple(f"action_{j}" for j in range(array.shape[1]))
    kind = pa.from_numpy_dtype(array.dtype) if array.dtype.kind in "fiub" else pa.string()

    def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        wanted = [names.index(column) for column in columns]
        for start in range(0, len(array), BATCH_ROWS):
            rows = np.asarray(array[start : start + BATCH_ROWS]).astype(array.dtype.newbyteorder("="), copy=False)
            yield pa.record_batch([np.ascontiguousarray(rows[:, j]) for j in wanted], names=list(columns))

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        return guarded(path, read(columns))

    return Opened(names, (kind,) * len(names), len(array), batches)


_READERS: list[tuple[tuple[str, ...], Callable[[Path, Sequence[str]], Opened]]] = [
    ((".parquet", ".pq"), _parquet),
    ((".arrow", ".feather", ".ipc"), _arrow),
    ((".csv", ".csv.gz"), open_csv),
    ((".npy",), _npy),
]
