"""Logs in all formats, for the tests of the replay and of the command."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import feather, parquet

NAMES = ("a", "b", "c")
FORMATS = (".parquet", ".arrow", ".feather", ".csv", ".csv.gz", ".npy")


def losses(rounds: int = 400, n_actions: int = 3, seed: int = 1) -> NDArray[np.float64]:
    """Losses with up to nine decimals, so that CSV holds them exactly."""
    return np.round(np.random.default_rng(seed).random((rounds, n_actions)), 9)


def write(path: Path, table: NDArray[np.float64], names: tuple[str, ...] = NAMES, label: str | None = None) -> Path:
    """Write a table in the format of the path's ending; `label` names a column of texts in front."""
    if path.suffix == ".npy":
        np.save(path, table)
        return path
    columns = {label: pa.array([f"day {i}" for i in range(len(table))])} if label else {}
    whole = pa.table(columns | dict(zip(names, table.T, strict=True)))
    if path.name.endswith(".csv"):
        path.write_bytes(_csv(whole))
    elif path.name.endswith(".csv.gz"):
        path.write_bytes(gzip.compress(_csv(whole)))
    elif path.suffix == ".parquet":
        parquet.write_table(whole, path, row_group_size=150)
    else:
        feather.write_feather(whole, path, chunksize=130)
    return path


def _csv(table: pa.Table) -> bytes:
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    lines = [",".join(table.column_names), *(",".join(map(str, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode()
