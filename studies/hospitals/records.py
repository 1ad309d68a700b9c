"""Reads what hospitals reported: the file of this study, or the official one, by the names of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: What is read, and the columns that may hold it: those of the rebuilt file, then those of the official one, "COVID-19
#: Reported Patient Impact and Hospital Capacity by Facility". The first that a file has is taken.
COLUMNS: dict[str, tuple[str, ...]] = {
    "state": ("state",),
    "hospital": ("hospital_pk",),
    "week": ("collection_week",),
    "beds": (
        "adult_inpatient_beds_avg",
        "all_adult_hospital_inpatient_beds_7_day_avg",
        "inpatient_beds_7_day_avg",
    ),
    "covid": (
        "adult_covid_confirmed_avg",
        "total_adult_patients_hospitalized_confirmed_covid_7_day_avg",
        "total_adult_patients_hospitalized_confirmed_and_suspected_covid_7_day_avg",
    ),
}


@dataclass(frozen=True)
class Records:
    """One row a hospital and week. Counts are weekly averages: NaN where nothing was reported, negative where the
    number was suppressed because it is small (-999999 in the official file).
    """

    state: NDArray[np.str_]
    hospital: NDArray[np.str_]
    week: NDArray[np.datetime64]
    beds: Floats
    covid: Floats

    def of(self, state: str) -> Records:
        """The rows of one state."""
        rows = self.state == state
        return Records(*(getattr(self, name)[rows] for name in COLUMNS))


def read(path: Path) -> Records:
    """All rows of a Parquet or CSV file; only the columns that are wanted are read."""
    if path.suffix.lower() not in (".parquet", ".csv"):
        raise ValueError(f"{path.name} is not a .parquet or .csv file")
    names = _chosen(path.name, _header(path))
    table = _table(path, list(names.values()))
    found = {what: table[column] for what, column in names.items()}
    where = {what: f"column {column} of {path.name}" for what, column in names.items()}
    state, hospital = (_texts(found[what], where[what]) for what in ("state", "hospital"))
    beds, covid = (_numbers(found[what], where[what]) for what in ("beds", "covid"))
    return Records(state, hospital, _weeks(found["week"], where["week"]), beds, covid)


def _header(path: Path) -> list[str]:
    if path.suffix.lower() == ".parquet":
        from pyarrow import parquet

        return list(parquet.read_schema(path).names)
    with path.open(encoding="utf-8-sig", newline="") as file:
        import csv

        return next(csv.reader(file), [])


def _chosen(file: str, header: Sequence[str]) -> dict[str, str]:
    """The column for each thing that is wanted."""
    chosen = {what: next((name for name in names if name in header), "") for what, names in COLUMNS.items()}
    lacking = [what for what, name in chosen.items() if not name]
    if lacking:
        raise ValueError(f"{file} has no column for {lacking[0]}: {' or '.join(COLUMNS[lacking[0]])}")
    return chosen


def _table(path: Path, columns: list[str]) -> Any:
    """These columns as an Arrow table; those of a CSV file as text."""
    if path.suffix.lower() == ".parquet":
        from pyarrow import parquet

        return parquet.read_table(path, columns=columns)
    from pyarrow import csv, string

    options = csv.ConvertOptions(include_columns=columns, column_types=dict.fromkeys(columns, string()))
    return csv.read_csv(path, convert_options=options)


def _texts(column: Any, where: str) -> NDArray[np.str_]:
    values = column.to_pylist()
    if any(value is None for value in values):
        raise ValueError(f"{where} is empty in row {values.index(None)}")
    return np.array(values, dtype=np.str_)


def _weeks(column: Any, where: str) -> NDArray[np.datetime64]:
    """Days, from dates, times, or text such as 2021-01-08 or 2021/01/08."""
    days = [str(value)[:10].replace("/", "-") for value in column.to_pylist()]
    for row, day in enumerate(days):
        try:
            np.datetime64(day, "D")
        except ValueError:
            raise ValueError(f"{where} has {day!r} in row {row}, which is not a date") from None
    return np.array(days, dtype="datetime64[D]")


def _numbers(column: Any, where: str) -> Floats:
    """Floats; text may have commas between thousands, and nothing at all is NaN."""
    values = column.to_pylist()
    found = np.full(len(values), np.nan)
    for row, value in enumerate(values):
        text = str("" if value is None else value).replace(",", "").strip()
        try:
            found[row] = float(text) if text else np.nan
        except ValueError:
            raise ValueError(f"{where} has {value!r} in row {row}, which is not a number") from None
    return found
