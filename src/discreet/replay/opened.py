"""A file that has been opened for reading in batches, and what is wrong with files that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

#: Rows in a batch; small enough that a batch of a hundred columns stays near the processor.
BATCH_ROWS = 1 << 16
#: Where a file's metadata says that it holds reports, and what was promised.
REPORTS = b"discreet"
#: Told now and then how many rounds are done.
Progress = Callable[[int], None]


class BadLog(ValueError):
    """A log that cannot be used; the message is one sentence."""


@dataclass(frozen=True)
class Opened:
    """What a file holds, how to read the batches of some of its columns, and what it says of itself."""

    names: tuple[str, ...]
    types: tuple[pa.DataType, ...]
    rows: int | None
    batches: Callable[[Sequence[str]], Iterator[pa.RecordBatch]]
    metadata: Mapping[bytes, bytes] = field(default_factory=dict)


def unreadable(path: Path, error: Exception) -> BadLog:
    """The sentence about an error of the library that reads the file: the system's reason, or else ours."""
    if isinstance(error, OSError) and error.strerror:
        return BadLog(f"{path} cannot be read: {error.strerror}")
    if isinstance(error, pa.ArrowNotImplementedError):
        return BadLog(f"{path} cannot be read: it is written in a way that this version of pyarrow does not know")
    return BadLog(f"{path} cannot be read: it is damaged, cut short, or not of the kind that its name says")


def guarded(path: Path, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The batches, cut to size, with errors that come up on the way turned into one sentence."""
    try:
        for batch in batches:
            for start in range(0, batch.num_rows, BATCH_ROWS):
                yield batch.slice(start, BATCH_ROWS)
    except (pa.ArrowException, OSError, EOFError) as error:
        raise unreadable(path, error) from error
