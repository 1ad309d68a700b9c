"""Reading CSV in batches, plain or gzipped: numbers as numbers, with the row and column of what is not one."""

from __future__ import annotations

import csv as plain_csv
import gzip
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from discreet.replay.opened import BadLog, Opened, guarded, unreadable

_MISSING = ["", "NA", "N/A", "null", "NULL", "None", "#N/A"]
_NOT_A_NUMBER = re.compile(r"CSV column #(\d+): Row #(\d+): CSV conversion error to \w+: invalid value '(.*)'", re.S)
_NOT_UTF8 = re.compile(r"CSV column #(\d+):.* invalid UTF8")
_TOO_LONG = "straddling object"
_SHOWN = 40  # characters of a bad value
# A text in quotes may go over several lines; looking for that costs no time that could be measured.
_LINES = {"newlines_in_values": True}


def open_csv(path: Path, text: Sequence[str]) -> Opened:
    """Open a CSV file with a line of column names; columns named in `text` are read as they stand."""
    names, first = _first_lines(path)
    _check_names(path, [name for name in names if name not in text])
    wordy = [not (_is_number(value) or value.strip() in _MISSING) for value in first] or [False] * len(names)
    types = tuple(pa.string() if is_word else pa.float64() for is_word in wordy)
    if len(types) < len(names):
        types += (pa.float64(),) * (len(names) - len(types))

    def batches(wanted: Sequence[str]) -> Iterator[pa.RecordBatch]:
        kinds = {name: pa.string() if name in text else pa.float64() for name in names}
        return guarded(path, _batches(path, names, kinds, wanted))

    return Opened(tuple(names), types[: len(names)], None, batches)


def _first_lines(path: Path) -> tuple[list[str], list[str]]:
    """The names of the columns and the first row of values, read by themselves: no reader is left half-way."""
    opened = gzip.open if path.name.lower().endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
            rows = (row for row in plain_csv.reader(file) if row)
            names, first = next(rows, []), next(rows, [])
    except UnicodeDecodeError:
        raise BadLog(f"{path} is not text in UTF-8; save it as CSV UTF-8") from None
    except plain_csv.Error:
        raise BadLog(f"{path} is not CSV in its first lines; is a quote left open there?") from None
    except zlib.error as error:
        raise unreadable(path, error) from None
    if not names:
        raise BadLog(f"{path} is empty")
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        mark = next(mark for mark in ";\t|" if mark in names[0])
        raise BadLog(f"{path} separates its columns by {mark!r}; a CSV has commas there, and points in its numbers")
    return names, first


def _check_names(path: Path, names: Sequence[str]) -> None:
    """Refuse a first line that may be a round: its losses would be released as the names of actions.

    Names that count, 0, 1, 2, ... or 1, 2, 3, ..., are names, unless 0 and 1 alone, which may as well be two losses.
    """
    if len(names) > 2 and any(list(names) == [str(start + i) for i in range(len(names))] for start in (0, 1)):
        return
    for name in names:
        if name.strip() in _MISSING:
            raise BadLog(f"{path} has a column named {name!r}; name it, and say --index NAME if it labels the rounds")
        if _is_number(name):
            raise BadLog(f"{path} has {name!r} in its first line, which must name the actions, each by a word")


def _batches(
    path: Path, names: Sequence[str], kinds: dict[str, pa.DataType], wanted: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    convert = csv.ConvertOptions(column_types=kinds, include_columns=list(wanted), null_values=_MISSING)
    try:
        with csv.open_csv(path, convert_options=convert, parse_options=csv.ParseOptions(**_LINES)) as reader:
            yield from reader
    except pa.ArrowInvalid as error:
        _complain(path, names, convert)
        raise unreadable(path, error) from error


def _complain(path: Path, names: Sequence[str], convert: csv.ConvertOptions) -> None:
    """Say which row has too few values, or which value is no number: one thread reads again and counts rows.

    Rows count from 1, after the line of names.
    """
    ragged: list[csv.InvalidRow] = []

    def remember(row: csv.InvalidRow) -> str:
        ragged.append(row)
        return "error"

    options = {
        "read_options": csv.ReadOptions(use_threads=False),
        "parse_options": csv.ParseOptions(invalid_row_handler=remember, **_LINES),
    }
    try:
        with csv.open_csv(path, convert_options=convert, **options) as reader:
            for _ in reader:
                pass
    except pa.ArrowInvalid as error:
        if ragged:
            raise _ragged(path, ragged[0]) from None
        if _TOO_LONG in str(error):
            raise BadLog(f"{path} has a row longer than a million characters; is a quote left open there?") from None
        found = _NOT_UTF8.search(str(error))
        if found:
            raise BadLog(
                f"{path}: column {names[int(found[1])]!r} is not text in UTF-8; save it as CSV UTF-8"
            ) from None
        found = _NOT_A_NUMBER.search(str(error))
        if found:
            column, line, value = found.groups()
            where, shown = f"row {int(line) - 1}, column {names[int(column)]!r}", value[:_SHOWN]
            raise BadLog(f"{path}: {where} is {shown!r}, which is not a number{_hint(value)}") from None


def _ragged(path: Path, row: csv.InvalidRow) -> BadLog:
    had, wants = row.actual_columns, row.expected_columns
    return BadLog(f"{path}: row {row.number - 1} has {had} value{'s' * (had != 1)}, not {wants}{_hint(row.text)}")


def _hint(text: str) -> str:
    """What may be wrong with text that goes over several lines."""
    return "; is a quote left open there?" if "\n" in text else ""


def _is_number(value: object) -> bool:
    try:
        float(str(value))
    except ValueError:
        return False
    return True
