"""The loader of hospital data, on files that the test writes; the densities; the learners of figure 2."""

from __future__ import annotations

import csv
from math import inf, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.random import SeedSequence
from numpy.typing import NDArray
from scipy.special import ndtr

from discreet.local import RollingRegression
from studies.hospitals import study
from studies.hospitals.cases import (
    LEAST_NOISE,
    LINEAR,
    MEMBERS,
    META,
    TREES,
    WALK,
    Played,
    learners,
    play,
    reported,
    sensitivities,
)
from studies.hospitals.densities import Densities, densities
from studies.hospitals.records import COLUMNS, Records, read
from studies.hospitals.results import Results
from studies.recorded import ELSEWHERE
from tests.chances import MILLION_SIGMA

REBUILT = {what: names[0] for what, names in COLUMNS.items()}
OFFICIAL = REBUILT | {what: COLUMNS[what][1] for what in ("beds", "covid")}
WEEKS = ("2021-01-01", "2021-01-08", "2021-01-15", "2021-01-22")
#: (hospital, week, beds, patients): two that took part, one that did not; None where nothing was reported.
ROWS: list[tuple[str, int, float | None, float | None]] = [
    ("a", 0, None, None),
    ("a", 1, 100.0, 60.0),
    ("a", 2, 80.0, -999999.0),
    ("a", 3, 0.0, 30.0),
    ("b", 1, 40.0, -999999.0),
    ("b", 3, 50.0, 110.0),
    ("c", 1, 5.0, 4.0),
    ("c", 2, 5.0, 4.0),
]


def rows_of(names: dict[str, str]) -> list[dict[str, Any]]:
    rows = [(hospital, WEEKS[week], beds, covid, "NM") for hospital, week, beds, covid in ROWS]
    rows.append(("d", WEEKS[1], 10.0, 9.0, "PA"))
    keys = [names[what] for what in ("hospital", "week", "beds", "covid", "state")]
    return [dict(zip(keys, row, strict=True)) | {"hospital_name": "Some, Hospital"} for row in rows]


def write_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


@pytest.fixture(params=["rebuilt.parquet", "official.parquet", "official.csv"])
def records(request: pytest.FixtureRequest, tmp_path: Path) -> Records:
    path = tmp_path / request.param
    rows = rows_of(REBUILT if path.stem == "rebuilt" else OFFICIAL)
    return read((write_csv if path.suffix == ".csv" else write_parquet)(path, rows))


def test_densities_are_those_worked_out_by_hand(records: Records) -> None:
    one = densities(records, "NM")
    assert one.hospitals.tolist() == ["a", "b"]  # c reports 8 cases in all
    assert one.weeks.astype(str).tolist() == list(WEEKS[1:])  # in the first week nobody reported
    # a: 60/100, the last unsuppressed 60/80, no beds; b: suppressed before anything else 0/40, no row, 110/50 cut to 1.
    assert one.gains.T.tolist() == [[0.6, 0.75, 0.0], [0.0, 0.0, 1.0]]
    assert one.losses.T.tolist() == [[0.4, 0.25, 1.0], [1.0, 1.0, 0.0]]
    assert one.fewest_beds.tolist() == [40.0, 80.0, 50.0]
    assert (one.unknown, one.no_beds, one.suppressed, one.above_one) == (1, 1, 2, 1)
    assert one.best_single == pytest.approx(1.35)
    assert sensitivities(one) == pytest.approx([sqrt(2) / 40, sqrt(2) / 80, sqrt(2) / 50])


def test_one_person_moves_a_week_no_further_than_its_sensitivity(records: Records) -> None:
    before = densities(records, "NM")
    moved = Records(*(getattr(records, what).copy() for what in COLUMNS))
    moved.covid[records.covid == 60.0] -= 1  # a person of hospital a in week 1 is in hospital b instead, which the
    moved.covid[(records.hospital == "b") & (records.week == np.datetime64(WEEKS[1]))] = 1.0  # file says nothing of
    distance = np.linalg.norm(densities(moved, "NM").gains[0] - before.gains[0])
    assert sensitivities(before)[0] / sqrt(2) < distance <= sensitivities(before)[0]


def test_text_is_read_as_it_comes(tmp_path: Path) -> None:
    rows = rows_of(OFFICIAL)
    for row in rows:
        row["collection_week"] = row["collection_week"].replace("-", "/")
    rows[2][OFFICIAL["covid"]] = "-999,999"
    rows[1][OFFICIAL["beds"]] = "1,000.5"
    found = read(write_csv(tmp_path / "some.csv", rows))
    assert found.week[1] == np.datetime64(WEEKS[1])
    assert found.covid[2] == -999999
    assert found.beds[1] == 1000.5
    assert np.isnan(found.beds[0])


def test_without_confirmed_cases_suspected_ones_are_taken(tmp_path: Path) -> None:
    suspected = OFFICIAL | {"beds": COLUMNS["beds"][2], "covid": COLUMNS["covid"][2]}
    assert read(write_csv(tmp_path / "some.csv", rows_of(suspected))).covid[1] == 60.0


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("covid", "many", "column total_.* of some.csv has 'many' in row 2, which is not a number"),
        ("week", "soon", "column collection_week of some.csv has 'soon' in row 2, which is not a date"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, column: str, value: str, sentence: str) -> None:
    rows = rows_of(OFFICIAL)
    rows[2][OFFICIAL[column]] = value
    with pytest.raises(ValueError, match=sentence):
        read(write_csv(tmp_path / "some.csv", rows))


def test_a_file_without_a_column_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    rows = [{name: value for name, value in row.items() if name != OFFICIAL["beds"]} for row in rows_of(OFFICIAL)]
    with pytest.raises(ValueError, match=r"some.csv has no column for beds: adult_inpatient_beds_avg or all_adult"):
        read(write_csv(tmp_path / "some.csv", rows))
    with pytest.raises(ValueError, match=r"is not a .parquet or .csv file"):
        read(tmp_path / "some.xlsx")


def test_a_state_that_is_not_there_or_too_small_is_refused(records: Records) -> None:
    with pytest.raises(ValueError, match="there are no rows of the state 'TX'"):
        densities(records, "TX")
    with pytest.raises(ValueError, match="0 hospitals of PA had 100 cases or more"):
        densities(records, "PA")


def test_two_rows_for_a_week_are_refused(tmp_path: Path) -> None:
    rows = rows_of(OFFICIAL)
    with pytest.raises(ValueError, match=f"hospital b has 2 rows for the week {WEEKS[3]}"):
        densities(read(write_csv(tmp_path / "some.csv", [*rows, rows[5]])), "NM")


def made(weeks: int = 12, hospitals: int = 5, seed: int = 1) -> Densities:
    rng = np.random.default_rng(seed)
    days = np.datetime64("2021-01-01") + 7 * np.arange(weeks)
    names = np.array([f"hospital {place}" for place in range(hospitals)])
    beds = rng.uniform(5, 20, weeks)
    return Densities("NM", days, names, rng.uniform(0, 1, (weeks, hospitals)), beds, 0, 0, 0, 0)


@pytest.mark.parametrize("constant", [False, True])
def test_reports_have_the_noise_of_their_week(constant: bool) -> None:
    data, mu, runs = made(weeks=3), 0.5, 4_000
    moved = np.full(3, 0.3) if constant else sensitivities(data)
    noise = np.stack(list(reported(data, mu, moved, runs, seed=2))) - data.losses[:, None]
    squares = (noise / (moved / mu)[:, None, None]) ** 2
    # Each mean is that of 20,000 squares of standard normals, whose variance is 2. One false alarm in a million each.
    assert abs(squares.mean(axis=(1, 2)) - 1).max() < MILLION_SIGMA * sqrt(2 / 20_000)
    # Runs and weeks have noise of their own.
    pairs = [(noise[0], noise[1]), (noise[0, 1:], noise[0, :-1])]
    assert all(abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < MILLION_SIGMA / sqrt(19_000) for a, b in pairs)


def test_without_privacy_reports_are_losses() -> None:
    data = made(weeks=3)
    assert all(
        (rows == row).all() for rows, row in zip(reported(data, inf, np.ones(3), 4, 1), data.losses, strict=True)
    )


def leader_of(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """What following the leader gains from the second week on, week by week."""
    return np.array([gains[week, gains[:week].sum(axis=0).argmax()] for week in range(1, len(gains))])


def test_without_privacy_leaders_follow_the_leader() -> None:
    data = made()
    played = play(data, inf, runs=3, seed=5)
    for name in (LEAST_NOISE, WALK):
        assert played.gains[name][:, 1:] == pytest.approx(np.tile(leader_of(data.gains), (3, 1)))


def test_the_trees_have_the_noise_of_the_worst_week_or_of_the_least_bound() -> None:
    data = made(weeks=16)
    worst = sensitivities(data).max()
    strict, loose = play(data, 0.1, runs=2, seed=5), play(data, 1e3, runs=2, seed=5)
    # 16 rounds are 4 levels, so a round lies in 4 nodes; a deviation of sqrt(16)/2 is 1 in each of 4.
    assert [strict.scales[tree] for tree in TREES] == pytest.approx([2 * worst / 0.1] * 2, rel=1e-3)
    assert [loose.scales[tree] for tree in TREES] == pytest.approx([2 * worst / 1e3, 1.0], rel=1e-3)
    assert not np.array_equal(strict.gains[TREES[0]], strict.gains[TREES[1]])


def test_members_play_what_they_would_alone() -> None:
    data, runs = made(), 6
    moved = sensitivities(data)
    noise = int(SeedSequence([7, 5]).generate_state(4, np.uint64)[0])
    played = play(data, 1.0, runs, seed=7)
    alone = [RollingRegression(8, part * 512 / 12, 5, 1.0, runs=runs, seed=1) for part in (0.1, 1.0, 10.0)]
    for week, reports in enumerate(reported(data, 1.0, moved, runs, noise)):
        for name, learner in zip(LINEAR, alone, strict=False):
            if week:  # the first action is anyone's
                assert played.gains[name][:, week].tolist() == data.gains[week, learner.act()].tolist()
            learner.update(reports)


def test_thirteen_learners_are_those_of_the_paper() -> None:
    lines = learners(made())
    assert len(lines) == len(MEMBERS) == 13
    found = [(one.window, one.penalty) for one in lines if isinstance(one, RollingRegression)]
    # A full window of 8 has a sum of squares of about 512/12: the strong penalty is ten times that.
    assert [found[place][1] for place in (0, 2)] == pytest.approx([512 / 120, 512 / 1.2])
    assert [window for window, _ in found] == [8] * 3 + [16] * 3 + [32] * 3 + [64] * 3


def test_means_errors_and_intervals_are_those_of_the_runs() -> None:
    data = made(weeks=2)
    gains = {name: np.array([[0.1 * place, 0.2], [0.1 * place, 0.4]]) for place, name in enumerate(MEMBERS)}
    one = Played(data, 0.5, gains | {META: np.array([[0.5, 0.5], [0.7, 0.5]])}, {})
    assert one.best_linear == LINEAR[11]
    assert one.by_lot() == pytest.approx([0.6 + 0.2, 0.6 + 0.4])
    assert (one.mean(META), one.error(META)) == pytest.approx((1.1, 0.1))
    results = Results([data], [one] * 12, [])
    # 48 intervals: each fails with probability 0.05 / 48 at most.
    assert 2 * ndtr(-results.sigmas) == pytest.approx(0.05 / 48)
    assert results.around(one.totals(META)) == "1.10 ± 0.33"
    assert results.positive(np.array([1.0, 1.5]))
    assert not results.positive(np.array([0.5, 1.5]))


def write_states(path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = [
        dict(zip(OFFICIAL.values(), (state, f"{state}{place}", week, 50.0, rng.uniform(20, 50)), strict=True))
        for state in ("CA", "NM", "PA")
        for place in range(3)
        for week in WEEKS
    ]
    write_csv(path, rows)


def test_the_whole_study_is_made_from_the_official_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ELSEWHERE, str(tmp_path))
    write_states(tmp_path / "hospitals_official.csv")
    page = study(quick=True, jobs=1)
    assert "official file" in page.about
    assert "rebuilt" not in page.about
    gains = page.tables[0].rows
    assert [(row[0], row[1]) for row in gains[::4]] == [("NM", "∞"), ("PA", "∞"), ("CA", "∞")]
    assert [row[1] for row in page.tables[-1].rows] == [3, 3, 3]
    assert page.findings[0].seen == "CA 3, NM 3, PA 3."
    assert not page.findings[0].agrees
    assert len(page.figure.axes) == 12
    assert all(tree in page.tables[0].columns for tree in TREES)
