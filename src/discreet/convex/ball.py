"""Vectors in a ball: read, clipped, counted in whole cells, projected."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.losses import as_numbers

Floats = NDArray[np.float64]
Cells = NDArray[np.int64]

#: Cells to the longest gradient: its entries are rounded to so many steps.
CELLS = 1 << 20
#: A norm is told to be too long when it is so by more than floats may have added.
_SLACK = 1e-12


def vectors(values: ArrayLike, dimension: int, runs: int | None, what: str = "gradient") -> Floats:
    """One vector of a dimension, or one for each run, all finite; or one sentence that says what is wrong.

    >>> vectors([3, 4], dimension=2, runs=None).tolist()
    [3.0, 4.0]
    """
    table = as_numbers(values, what=f"{what}s")
    if table.shape != (dimension,) and (runs is None or table.shape != (runs, dimension)):
        wanted = f"({dimension},)" + (f" or ({runs}, {dimension})" if runs else "")
        raise ValueError(f"a {what} has shape {wanted}, not {table.shape}")
    finite = np.isfinite(table)
    if not finite.all():
        place = np.argwhere(~finite)[0]
        where = f"run {place[0]}, coordinate {place[1]}" if len(place) > 1 else f"coordinate {place[0]}"
        raise ValueError(f"the {what} has {table[tuple(place)]} in {where}; it must be finite")
    return table


def lengths(table: Floats) -> Floats:
    """The Euclidean norm of each row, without overflow."""
    top = np.abs(table).max(axis=-1, keepdims=True, initial=0.0)
    scaled = np.divide(table, top, out=np.zeros_like(table), where=top > 0)
    norms: Floats = top[..., 0] * np.sqrt((scaled * scaled).sum(axis=-1))
    return norms


def clipped(table: Floats, radius: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Rows as parts of the radius, shortened to 1 where they are longer; and which were.

    >>> rows, long = clipped(np.array([[3.0, 4.0], [0.5, 0.0]]), radius=2.0)
    >>> rows.round(3).tolist(), long.tolist()
    ([[0.6, 0.8], [0.25, 0.0]], [True, False])
    """
    top = np.abs(table).max(axis=-1, keepdims=True, initial=0.0)
    top[top == 0] = 1.0
    with np.errstate(over="ignore"):  # beside a tiny row the radius may be infinitely long
        reach = radius / top
    norms = lengths(table / top)[..., None]
    rows: Floats = table / top / np.maximum(norms, reach)
    return rows, norms[..., 0] > reach[..., 0] * (1 + _SLACK)


def to_cells(rows: Floats) -> Cells:
    """Rows of norm 1 or less in whole cells of 1 / `CELLS`, of norm `CELLS` or less *exactly*.

    Rounded to the nearest; a row that this, or the floats before it, would push over is rounded toward zero, and
    shortened by a part in 2^40 should floats alone have done it. Squares of whole cells are added in whole numbers.

    >>> to_cells(np.array([[0.6, 0.8]])).tolist()
    [[629145, 838860]]
    """
    cells: Cells = np.rint(rows * CELLS).astype(np.int64)
    over = (cells * cells).sum(axis=-1) > CELLS * CELLS
    while over.any():
        cells[over] = np.trunc(rows[over] * CELLS).astype(np.int64)
        rows = rows * (1 - 2.0**-40)
        over = (cells * cells).sum(axis=-1) > CELLS * CELLS
    return cells


def projected(table: Floats, radius: float) -> Floats:
    """The nearest point of the ball to each row.

    >>> projected(np.array([[6.0, 8.0], [0.5, 0.0]]), radius=5.0).tolist()
    [[3.0, 4.0], [0.5, 0.0]]
    """
    norms = lengths(table)[..., None]
    points: Floats = table * np.where(norms > radius, radius / np.maximum(norms, radius), 1.0)
    return points
