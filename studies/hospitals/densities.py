"""From what the hospitals of a state reported to losses: which hospital will be fullest of COVID patients?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from studies.hospitals.records import Floats, Records

#: Hospitals whose weekly averages add up to less did not take part.
LEAST_CASES = 100.0


@dataclass(frozen=True)
class Densities:
    """The weeks of one state. `gains` (weeks, hospitals) is COVID patients over beds, in [0, 1]."""

    state: str
    weeks: NDArray[np.datetime64]
    hospitals: NDArray[np.str_]
    gains: Floats
    fewest_beds: Floats  # of each week
    #: How many (week, hospital) pairs had no row or no number, no beds, a suppressed number, more patients than beds.
    unknown: int
    no_beds: int
    suppressed: int
    above_one: int

    @property
    def losses(self) -> Floats:
        """1 - gain."""
        return np.asarray(1.0 - self.gains)

    @property
    def best_single(self) -> float:
        """The gain of always choosing the hospital that is best in hindsight."""
        return float(self.gains.sum(axis=0).max())

    def first(self, weeks: int) -> Densities:
        """No more than so many weeks."""
        return replace(self, weeks=self.weeks[:weeks], gains=self.gains[:weeks], fewest_beds=self.fewest_beds[:weeks])


def densities(records: Records, state: str) -> Densities:
    """The hospitals that took part, and the weeks in which any of them reported patients and beds.

    - A suppressed number of patients (negative) is the hospital's last one that was not, or 0.
    - A hospital with no row, no number of patients or no beds in a week gains 0 there: choosing it brings nothing. It
      does not count among the fewest beds.
    - A density above 1 (more patients than beds) is 1.
    """
    mine = records.of(state)
    if not len(mine.week):
        raise ValueError(f"there are no rows of the state {state!r}")
    beds, covid, weeks, hospitals = _squared(mine)
    suppressed, covid = covid < 0, _carried(covid)
    kept = np.nansum(covid, axis=0) >= LEAST_CASES
    if kept.sum() < 2:
        raise ValueError(f"{kept.sum()} hospitals of {state} had {LEAST_CASES:g} cases or more; at least 2 are needed")
    reporting = ~np.isnan(covid) & (beds > 0)
    told = reporting[:, kept].any(axis=1)
    beds, covid = beds[told][:, kept], covid[told][:, kept]
    suppressed, reporting = suppressed[told][:, kept], reporting[told][:, kept]
    ratio = np.divide(covid, beds, out=np.zeros_like(covid), where=reporting)
    return Densities(
        state,
        weeks[told],
        hospitals[kept],
        np.minimum(ratio, 1.0),
        np.where(beds > 0, beds, np.inf).min(axis=1),
        unknown=int((np.isnan(covid) | np.isnan(beds)).sum()),
        no_beds=int((beds <= 0).sum()),
        suppressed=int(suppressed.sum()),
        above_one=int((ratio > 1).sum()),
    )


def _squared(records: Records) -> tuple[Floats, Floats, NDArray[np.datetime64], NDArray[np.str_]]:
    """Beds and patients as (weeks, hospitals), NaN where there is no row."""
    weeks, row = np.unique(records.week, return_inverse=True)
    hospitals, column = np.unique(records.hospital, return_inverse=True)
    counts = np.zeros((len(weeks), len(hospitals)), dtype=np.int64)
    np.add.at(counts, (row, column), 1)
    if counts.max() > 1:
        week, hospital = np.argwhere(counts > 1)[0]
        raise ValueError(f"hospital {hospitals[hospital]} has {counts.max()} rows for the week {weeks[week]}")
    beds, covid = np.full(counts.shape, np.nan), np.full(counts.shape, np.nan)
    beds[row, column], covid[row, column] = records.beds, records.covid
    return beds, covid, weeks, hospitals


def _carried(covid: Floats) -> Floats:
    """Negative numbers replaced by the last one in the column that was not, or 0."""
    filled, last = covid.copy(), np.zeros(covid.shape[1])
    for week in filled:
        np.copyto(week, last, where=week < 0)
        np.copyto(last, week, where=~np.isnan(week))
    return filled
