"""Writing reports: a log of losses goes in, losses plus noise come out, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import ipc, parquet

from discreet.local import GaussianReport
from discreet.replay.log import CHUNK_ROWS, Log
from discreet.replay.opened import BATCH_ROWS, BadLog, Progress
from discreet.replay.promise import Promise, promise_of, reporting
from discreet.replay.release import check_writable, relabeled, whole_file

_PARQUET, _ARROW = (".parquet", ".pq"), (".arrow", ".feather", ".ipc")
_PLAIN = (".csv", ".csv.gz", ".npy")
_HELD = 1 << 21  # numbers gathered for one batch of the file, about


def save_reports(
    log: Log,
    path: str | Path,
    mu: float,
    sensitivity: float | None = None,
    keep_index: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Promise:
    """Write a report of every round, on system entropy, to a .parquet, .arrow or .feather file: what it promises.

    sensitivity: a claim about the log, in its own numbers: how far what is to be hidden, such as one person, can move
    those of one round, in Euclidean norm (`local.sensitivity_from_counts` for shares); None for whatever moves it.
    keep_index: copy the index columns, which nothing hides.

    **Privacy.** Of each round's losses `Promise.guarantee`: each round is read once and given noise once. Names of
    columns, the number of rounds and kept labels are public. What two files of reports reveal adds up, so an earlier
    one is replaced only with `force`.
    """
    path = Path(path)
    report, promise = reporting(log, mu, sensitivity, log.index if keep_index else ())
    check_reports_target(path, force)
    if path.exists() and path.samefile(log.path):
        raise BadLog(f"{path} is the log itself")
    with whole_file(path, force) as file:
        write_reports(file, path, log, report, promise, progress)
    return promise


def check_reports_target(path: Path, force: bool) -> None:
    """Refuse, before any work, reports that could not be written or would replace earlier ones."""
    name = path.name.lower()
    if name.endswith(_PLAIN):
        raise BadLog(f"{path} could not say what was promised; reports are written to .parquet, .arrow or .feather")
    if not name.endswith(_PARQUET + _ARROW):
        raise BadLog(f"{path} has an unknown ending; reports are written to .parquet, .arrow or .feather")
    check_writable(path)
    if not os.path.lexists(path):
        return
    if not _holds_reports(path):
        raise BadLog(f"{path} exists and holds no reports of discreet; it is left alone")
    if not force:
        raise BadLog(
            f"{path} exists; a second report on the same losses would reveal them again (what both reveal adds up), "
            f"so it is only replaced with --force"
        )


def _holds_reports(path: Path) -> bool:
    try:
        return promise_of(path) is not None
    except BadLog:
        return False


def write_reports(
    file: IO[bytes],
    path: Path,
    log: Log,
    report: GaussianReport,
    promise: Promise,
    progress: Progress | None = None,
) -> None:
    """One row a round: its labels where they are kept, and the report of every action under the action's name."""
    kinds = dict(zip(log.opened.names, log.opened.types, strict=True))
    labels = [pa.field(name, _plain(kinds[name])) for name in promise.index]
    fields = labels + [pa.field(name, pa.float64(), nullable=False) for name in log.names]
    schema = pa.schema(fields, metadata=promise.metadata())
    chunks = max(1, min(BATCH_ROWS // CHUNK_ROWS, _HELD // (CHUNK_ROWS * log.n_actions)))
    beside = relabeled(log, chunks * CHUNK_ROWS) if labels else None
    done = 0
    with ExitStack() as stack:
        write = _writer(stack, file, path, schema)
        for rows in _reports(log, report, chunks):
            columns = [*next(beside)] if beside is not None else []
            columns += [pa.array(column) for column in np.ascontiguousarray(rows.T)]
            write(pa.table(columns, schema=schema))
            done += len(rows)
            if progress is not None:
                progress(done)


def _reports(log: Log, report: GaussianReport, chunks: int) -> Iterator[NDArray[np.float64]]:
    """The reports of all rounds in order, (rounds, actions), so many chunks of rounds at a time."""
    waiting: list[NDArray[np.float64]] = []
    for _, losses in log.losses():
        waiting.append(report.privatize(losses.T))
        if len(waiting) == chunks:
            yield np.concatenate(waiting)
            waiting = []
    if waiting:
        yield np.concatenate(waiting)


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type of labels once they stand by themselves."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}.get(kind, kind)


def _writer(stack: ExitStack, file: IO[bytes], path: Path, schema: pa.Schema) -> Callable[[pa.Table], None]:
    """What writes tables in the format of the path's ending; the stack closes it. Noise has nothing to look up."""
    writer: Any
    if path.name.lower().endswith(_PARQUET):
        writer = parquet.ParquetWriter(file, schema, compression="zstd", use_dictionary=False)
    else:
        writer = ipc.new_file(file, schema)
    write: Callable[[pa.Table], None] = stack.enter_context(writer).write_table
    return write
