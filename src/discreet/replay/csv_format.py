"""Reading CSV in batches, plain or gzipped: numbers as numbers, with the row and column of what is not one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from discreet.replay.opened import BadLog, Opened, guarded, unreadable

_MISSING = ["", "NA", "N/A", "null", "NULL", "None", "#N/A"]
_NOT_A_NUMBER = re.compile(r"CSV column #(\d+): Row #(\d+): CSV conversion error to \w+: invalid value '(.*)'")


def open_csv(path: Path, text: Sequence[str]) -> Opened:
    """Open a CSV file with a line of column names; columns named in `text` are read as they stand."""
    with csv.open_csv(path, parse_options=csv.ParseOptions(invalid_row_handler=lambda row: "skip")) as reader:
        schema = reader.schema
        first = next(iter(reader), None)
    names = tuple(schema.names)
    _check_first_line(path, [name for name in names if name not in text])
    columns = first.columns if first is not None and first.num_rows else [None] * len(names)
    types = tuple(
        field.type if name in text or column is None or not _is_number(column[0].as_py()) else pa.float64()
        for name, field, column in zip(names, schema, columns, strict=True)
    )

    def batches(wanted: Sequence[str]) -> Iterator[pa.RecordBatch]:
        kinds = {name: pa.string() if name in text else pa.float64() for name in names}
        return guarded(path, _batches(path, names, kinds, wanted))

    return Opened(names, types, None, batches)


def _check_first_line(path: Path, names: Sequence[str]) -> None:
    """Refuse a first line that may be a round: its losses would be released as the names of actions."""
    for name in names:
        if _is_number(name) or name.strip() in _MISSING:
            raise BadLog(f"{path} has {name!r} in its first line, which must name the actions, each by a word")


def _batches(
    path: Path, names: Sequence[str], kinds: dict[str, pa.DataType], wanted: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    convert = csv.ConvertOptions(column_types=kinds, include_columns=list(wanted), null_values=_MISSING)
    try:
        with csv.open_csv(path, convert_options=convert) as reader:
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
        "parse_options": csv.ParseOptions(invalid_row_handler=remember),
    }
    try:
        with csv.open_csv(path, convert_options=convert, **options) as reader:
            for _ in reader:
                pass
    except pa.ArrowInvalid as error:
        if ragged:
            row, had, wants = ragged[0].number - 1, ragged[0].actual_columns, ragged[0].expected_columns
            raise BadLog(f"{path}: row {row} has {had} value{'s' * (had != 1)}, not {wants}") from None
        found = _NOT_A_NUMBER.search(str(error))
        if found:
            column, line, value = found.groups()
            where = f"row {int(line) - 1}, column {names[int(column)]!r}"
            raise BadLog(f"{path}: {where} is {value!r}, which is not a number") from None


def _is_number(value: object) -> bool:
    try:
        float(str(value))
    except ValueError:
        return False
    return True
