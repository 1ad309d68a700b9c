"""Writing the release, the one private output: whole or not at all, and never over an earlier one by accident."""

from __future__ import annotations

import csv as plain_csv
import gzip
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import IO, Any

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from discreet.replay.log import Log
from discreet.replay.opened import BATCH_ROWS, BadLog
from discreet.replay.result import Timeline

_ENDINGS = (".csv", ".csv.gz", ".parquet")


_SECOND = (
    "releasing a second draw on the same losses would cost their privacy again (what they reveal adds up), so it is "
    "only replaced with --force"
)


def check_target(path: Path, force: bool, why: str = _SECOND) -> None:
    """Refuse, before any work, a release that could not be written or would replace an earlier one: why so."""
    if not path.name.lower().endswith(_ENDINGS):
        raise BadLog(f"{path} has an unknown ending; actions are written to .csv, .csv.gz or .parquet")
    check_writable(path)
    if not os.path.lexists(path):
        return
    if not is_release(path):
        raise BadLog(f"{path} exists and is not a release of discreet; it is left alone")
    if not force:
        raise BadLog(f"{path} exists; {why}")


def is_release(path: Path) -> bool:
    """Whether a file looks like something that `write_release` wrote, by the names of its columns."""
    try:
        if path.name.lower().endswith(".parquet"):
            names = list(parquet.read_schema(path).names)
        else:
            opened = gzip.open if path.name.lower().endswith(".gz") else open
            with opened(path, "rt", encoding="utf-8", newline="") as file:
                names = next(plain_csv.reader(file), [])
    except (OSError, EOFError, ValueError, pa.ArrowException, plain_csv.Error):
        return False
    return names[:1] == ["round"] and names[-1:] == ["action"]


def check_writable(path: Path) -> None:
    """Refuse a path whose folder does not exist or cannot be written."""
    if path.is_dir():
        raise BadLog(f"{path} is a folder, not a file")
    if not path.parent.is_dir():
        raise BadLog(f"{path} cannot be written: the folder {path.parent} does not exist")
    if not os.access(path.parent, os.W_OK):
        raise BadLog(f"{path} cannot be written: no permission to write in {path.parent}")


@contextmanager
def whole_file(path: Path, force: bool = True, shared: bool = True) -> Iterator[IO[bytes]]:
    """A file that appears at `path` when the block ends well, and not at all otherwise.

    A file that is not to be shared can be read by its owner alone.
    """
    try:
        handle, name = mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise BadLog(f"{path} cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if shared:
            os.chmod(name, 0o666 & ~_umask())
        _put(Path(name), path, force)
    except OSError as error:
        raise BadLog(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


def _put(part: Path, path: Path, force: bool) -> None:
    """Give the finished file its name; without force, only if nothing has taken that name in the meantime."""
    if force:
        part.replace(path)
        return
    try:
        _link(part, path)
    except FileExistsError:
        raise BadLog(f"{path} has come into being in the meantime; nothing was written") from None


def _link(part: Path, path: Path) -> None:
    """Give the file a name that nothing has: of several that try, one succeeds."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # not all file systems have links: an empty file takes the name, and the whole one its place
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            part.replace(path)
        except BaseException:
            os.unlink(path)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def save_release(log: Log, played: Timeline, path: str | Path, keep_index: bool = False, force: bool = False) -> None:
    """Write a release (`replay(..., release=True).release`) to a .csv, .csv.gz or .parquet file.

    Whole or not at all, and over an earlier release only with `force`: what two releases reveal adds up.
    """
    path = Path(path)
    check_target(path, force)
    if path.exists() and path.samefile(log.path):
        raise BadLog(f"{path} is the log itself")
    with whole_file(path, force) as file:
        write_release(file, path, log, played, keep_index)


def write_release(file: IO[bytes], path: Path, log: Log, played: Timeline, keep_index: bool) -> None:
    """One row a round: its number from 1 on, its labels where asked for, and the name of the action."""
    names = pa.array(log.names)
    labels = relabeled(log) if keep_index else None
    with ExitStack() as stack:
        write: Callable[[pa.Table], None] | None = None
        for start in range(0, played.rounds, BATCH_ROWS):
            rounds = np.arange(start, min(start + BATCH_ROWS, played.rounds))
            which = np.searchsorted(played.starts, rounds, side="right") - 1
            columns: dict[str, pa.Array] = {"round": pa.array(rounds + 1)}
            if labels is not None:
                columns |= dict(zip(log.index, next(labels), strict=True))
            columns["action"] = names.take(pa.array(played.actions[which]))
            table = pa.table(columns)
            write = write or _writer(stack, file, path, table.schema)
            write(table)


def relabeled(log: Log, rows: int = BATCH_ROWS) -> Iterator[list[pa.Array]]:
    """The labels in batches of so many rows, whatever batches the file has."""
    waiting: list[pa.RecordBatch] = []
    for labels in log.labels():
        waiting.append(_plain(labels))
        while sum(map(len, waiting)) >= rows:
            joined = pa.concat_batches(waiting)
            yield joined.slice(0, rows).columns
            waiting = [joined.slice(rows)]
    if waiting:
        yield pa.concat_batches(waiting).columns


def _plain(labels: pa.RecordBatch) -> pa.RecordBatch:
    """The labels of these rows alone, copied one by one.

    Arrow may share what stands in no row: entries of a dictionary, texts of rows that were left out, numbers under a
    null. A release must not bring them along.
    """
    columns = [_copied(name, column) for name, column in zip(labels.schema.names, labels.columns, strict=True)]
    return pa.RecordBatch.from_arrays(columns, names=labels.schema.names)


def _copied(name: str, column: pa.Array) -> pa.Array:
    kind = column.type
    if pa.types.is_nested(kind):
        raise BadLog(f"the index column {name!r} is of type {kind}; labels that are kept are numbers, texts or dates")
    if pa.types.is_dictionary(kind):
        column = column.dictionary_decode()
    if column.type in (pa.string_view(), pa.binary_view()):
        column = column.cast(pa.large_string() if column.type == pa.string_view() else pa.large_binary())
    there = pa.array(np.flatnonzero(np.asarray(column.is_valid())))
    places = np.full(len(column), -1)
    places[there.to_numpy()] = np.arange(len(there))
    # Rows that are there are taken, and the gaps filled with new nulls.
    return column.take(there).take(pa.array(places, mask=places < 0))


def _writer(stack: ExitStack, file: IO[bytes], path: Path, schema: pa.Schema) -> Callable[[pa.Table], None]:
    """What writes tables of this schema in the format of the path's ending; the stack closes it."""
    ending = path.name.lower()
    writer: Any
    if ending.endswith(".parquet"):
        writer = parquet.ParquetWriter(file, schema)
    else:
        sink = stack.enter_context(gzip.GzipFile(fileobj=file, mode="wb", mtime=0)) if ending.endswith(".gz") else file
        writer = csv.CSVWriter(sink, schema, write_options=csv.WriteOptions(quoting_style="needed"))
    write: Callable[[pa.Table], None] = stack.enter_context(writer).write_table
    return write
