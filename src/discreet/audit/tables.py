"""Which tables of losses an exact audit goes through: all of a grid, or one for each total that it can reach."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.losses import UNITS, Units, as_numbers, to_units

_VERY_MANY = 2.0**40


@dataclass(frozen=True)
class Tables:
    """Tables of some rounds, (tables, rounds, K), ordered so that neighbors stand along axes.

    `shape` is the shape that the first axis has as a grid; along each axis in `replaced`, one round's losses go
    through the whole grid while all else stays. `every` says whether no table of the grid can do worse.
    """

    units: Units
    shape: tuple[int, ...]
    replaced: dict[int, int]  # axis -> the round that is replaced along it
    every: bool


def cells(grid: ArrayLike, n_actions: int) -> Units:
    """Every row of losses that a grid allows, (rows, K)."""
    values = as_numbers(grid)
    if values.ndim != 1 or len(values) < 2 or len(np.unique(values)) < len(values):
        raise ValueError(f"a grid is a list of two or more different losses; got {np.asarray(grid).tolist()}")
    units = to_units(values, len(values))
    return np.array(list(product(np.sort(units).tolist(), repeat=n_actions)), dtype=np.int64)


def every_table(rows: Units, rounds: int, replaced: list[int]) -> Tables:
    """All tables of so many rounds."""
    places = np.indices((len(rows),) * rounds).reshape(rounds, -1).T
    return Tables(rows[places], (len(rows),) * rounds, {place: place for place in replaced}, every=True)


def every_total(rows: Units, lengths: list[int], block: int, only_totals: bool) -> Tables:
    """One table for each total of each block, and every replacement of the first round of one block.

    That is all there is for rules that see a block's total only; for others it is a choice of tables.
    """
    values = np.unique(rows)
    of_block = [_sums(values, length - (place == block)) for place, length in enumerate(lengths)]
    options = [_rows_with_totals(values, sums, rows.shape[1]) for sums in of_block]
    places = np.indices((*(len(option) for option in options), len(rows)))
    parts = [option[place.ravel()] for option, place in zip(options, places[:-1], strict=True)]
    parts.insert(block, rows[places[-1].ravel()][:, None])
    first = sum(lengths[:block])
    return Tables(np.concatenate(parts, axis=1), places.shape[1:], {len(lengths): first}, every=only_totals)


def count_totals(rows: Units, lengths: list[int], block: int) -> int:
    """How many tables `every_total` has; where there are very many, a number that is smaller but very large too."""
    values = np.unique(rows)
    fewest = np.prod([float(length) ** rows.shape[1] for length in lengths]) if len(values) > 1 else 0.0
    if fewest > _VERY_MANY:  # n rounds have n + 1 totals or more, and it takes long to list them
        return int(fewest)
    counts = [len(_sums(values, length - (place == block))) ** rows.shape[1] for place, length in enumerate(lengths)]
    return int(np.prod([float(count) for count in counts])) * len(rows)


def _sums(values: Units, rounds: int) -> dict[int, list[int]]:
    """Each sum of so many values, with values that make it."""
    found: dict[int, list[int]] = {0: []}
    for _ in range(rounds):
        found = {total + value: [*made, value] for total, made in found.items() for value in values.tolist()}
    return found


def _rows_with_totals(values: Units, sums: dict[int, list[int]], n_actions: int) -> Units:
    """For each vector of totals, rounds that make it: (vectors, rounds, K)."""
    columns = np.array(list(sums.values()), dtype=np.int64).reshape(len(sums), -1)
    places = np.indices((len(sums),) * n_actions).reshape(n_actions, -1).T
    return np.moveaxis(columns[places], 1, 2)


def as_losses(units: Units) -> NDArray[np.float64]:
    """Units as losses."""
    return np.asarray(units / UNITS)
