"""Reports in files: their law, what they promise, and that nothing is left where something went wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from pyarrow import feather, parquet
from scipy.special import ndtr

from discreet.entropy import SystemEntropy
from discreet.guarantees import GaussianDP, from_description
from discreet.local import GaussianReport
from discreet.losses import Scale
from discreet.replay import BadLog, Log, Promise, open_log, open_reports, promise_of, save_reports
from discreet.replay.opened import REPORTS
from discreet.replay.privatized import write_reports
from discreet.replay.promise import reporting
from tests.chances import MILLION_SIGMA, assert_fits
from tests.replay.logs import FORMATS, losses, write

Floats = NDArray[np.float64]


def written(path: Path) -> Floats:
    """The reports in a file, (rounds, actions)."""
    table = parquet.read_table(path) if path.suffix == ".parquet" else feather.read_table(path)
    return np.column_stack([table[name].to_numpy() for name in table.column_names])


def seeded(log: Log, path: Path, mu: float = 1.0, sensitivity: float | None = None) -> tuple[Floats, Promise]:
    """The reports that a seed gives, by the way that files are written."""
    report, promise = reporting(log, mu, sensitivity)
    with path.open("wb") as file:
        write_reports(file, path, log, report.clone().set_params(seed=5), promise)
    return written(path), promise


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("rounds", [400, 20_000])
def test_every_format_gives_the_reports_of_its_losses_as_they_are(tmp_path: Path, ending: str, rounds: int) -> None:
    """Bit for bit what `privatize` gives: in batches of any size, and not rounded to units before."""
    table = losses(rounds)
    log = open_log(write(tmp_path / f"log{ending}", table))
    reports, promise = seeded(log, tmp_path / "reports.parquet", sensitivity=2.0**-30)
    assert (reports == GaussianReport(3, 1.0, promise.scale, seed=5).privatize(table)).all()
    rounded = np.rint(table * 2**20) / 2**20
    assert (reports != GaussianReport(3, 1.0, promise.scale, seed=5).privatize(rounded)).mean() > 0.9


def test_gains_on_a_scale_become_losses_plus_normal_noise(tmp_path: Path) -> None:
    """Chi-square at one in a million; a center that is off by 0.02 is seen too."""
    values = 4 * losses(100_000) - 2
    log = open_log(write(tmp_path / "log.parquet", values), gains=True, scale=Scale(-2, 2))
    reports, promise = seeded(log, tmp_path / "reports.parquet", mu=0.5, sensitivity=0.6)
    assert promise.sensitivity == 0.15
    assert promise.scale == pytest.approx(0.3, rel=1e-9)
    noise = reports - (2 - values) / 4
    edges = 0.3 * np.array([-np.inf, *np.arange(-3, 3.01, 0.25), np.inf])
    assert_fits(np.histogram(noise, edges)[0], np.diff(ndtr(edges / 0.3)))
    assert abs(noise.mean()) < MILLION_SIGMA * 0.3 / math.sqrt(noise.size) < 0.02


def test_the_noise_is_from_the_system_and_never_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    real = SystemEntropy.numbers

    def watched(self: SystemEntropy, n: int, bits: int) -> Any:
        drawn.append(n)
        return real(self, n, bits)

    monkeypatch.setattr(SystemEntropy, "numbers", watched)
    log = open_log(write(tmp_path / "log.parquet", losses()))
    for name in ("one.parquet", "two.parquet"):
        save_reports(log, tmp_path / name, mu=1.0)
    assert (written(tmp_path / "one.parquet") != written(tmp_path / "two.parquet")).all()
    assert sum(drawn) == 2 * 400 * 3


@pytest.mark.parametrize("ending", [".parquet", ".pq", ".arrow", ".feather"])
def test_a_file_says_what_was_promised(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"reports{ending}"
    log = open_log(write(tmp_path / "log.parquet", losses()), gains=True, scale=Scale(-1, 3, clip=True))
    promise = save_reports(log, path, mu=0.25, sensitivity=0.8)
    assert promise_of(path) == promise
    assert (promise.claim, promise.sensitivity, promise.gains, promise.clipped) == (0.8, 0.2, True, True)
    assert promise.guarantee == GaussianDP(0.25, within=0.2)
    facts = json.loads(promise.metadata()[REPORTS])
    assert facts["what"] == "reports"
    assert from_description(facts["guarantee"]) == promise.guarantee
    said = " ".join(promise.words())
    assert "0.8 apart in Euclidean norm, in the numbers of the log, which is 0.2 in losses" in said
    assert "clipped" in said
    with pytest.raises(BadLog, match="holds reports"):
        open_log(path)


def test_a_log_promises_nothing(tmp_path: Path) -> None:
    assert [promise_of(write(tmp_path / f"log{ending}", losses())) for ending in FORMATS] == [None] * len(FORMATS)


@pytest.mark.parametrize("sensitivity", [None, math.sqrt(3), 17.0])
def test_without_a_claim_that_says_something_it_is_about_all_rounds(tmp_path: Path, sensitivity: float | None) -> None:
    promise = reporting(open_log(write(tmp_path / "log.parquet", losses())), 0.5, sensitivity)[1]
    assert promise.guarantee == GaussianDP(0.5)
    assert promise.claim is None
    assert 3 <= (Fraction(promise.scale) * Fraction(0.5)) ** 2 < 3 * (1 + Fraction(1, 10**14))
    assert "Nothing is claimed" in promise.words()[1]


def squares(one: list[Fraction], two: list[Fraction]) -> Fraction:
    """How far apart two rounds are, squared."""
    return sum(((a - b) ** 2 for a, b in zip(one, two, strict=True)), Fraction(0))


@pytest.mark.parametrize("scale", [Scale(), Scale(0.1, 0.4), Scale(1e6, 1e6 + 3), Scale(-1e9, 7)])
def test_a_claim_is_widened_by_what_floats_may_add(tmp_path: Path, scale: Scale) -> None:
    """Rounds as far apart as was claimed, exactly, and what becomes of them as floats, as text in a CSV would."""
    log = open_log(write(tmp_path / "log.npy", losses()), gains=True, scale=scale)
    low, span = Fraction(scale.low), Fraction(scale.high) - Fraction(scale.low)
    worse, random = 0, np.random.default_rng(3)
    for _ in range(300):
        one, two = ([Fraction(share) for share in random.random(3) ** 2] for _ in range(2))
        apart = squares(one, two)
        made = [1.0 - scale.scaled(np.array([float(low + share * span) for share in shares])) for shares in (one, two)]
        moved = squares(*([Fraction(loss) for loss in row.tolist()] for row in made))
        report, promise = reporting(log, 1.0, math.sqrt(apart) * (1 - 1e-15) * float(span))  # below the claim
        worse += moved > apart
        assert Fraction(report.sensitivity) ** 2 >= moved
        assert report.scale >= promise.sensitivity
        assert report.sensitivity - promise.sensitivity < 1e-14 * max(1.0, *map(abs, (scale.low, scale.high))) / span
    assert worse > 20  # without it some would be too far apart


@pytest.mark.parametrize(
    "change",
    [
        {"scale": 0.1},
        {"mu": 2.0},
        {"mu": "1"},
        {"claim": None},
        {"what": "losses"},
        {"n_actions": None, "index": None},
        {"sensitivity": 0.1},
        {"guarantee": GaussianDP(0.5, within=0.3).describe()},
    ],
)
def test_a_promise_that_contradicts_itself_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "reports.parquet"
    promise = save_reports(open_log(write(tmp_path / "log.parquet", losses())), path, mu=1.0, sensitivity=0.3)
    facts = json.loads(promise.metadata()[REPORTS]) | change
    table = parquet.read_table(path)
    parquet.write_table(table.replace_schema_metadata({REPORTS: json.dumps(facts).encode()}), path)
    with pytest.raises(BadLog, match="makes no sense"):
        promise_of(path)


def test_labels_go_along_on_request(tmp_path: Path) -> None:
    source = write(tmp_path / "log.parquet", losses(20_000), label="day")
    table = parquet.read_table(source)
    parquet.write_table(table.set_column(0, "day", table["day"].dictionary_encode()), source, row_group_size=7000)
    log = open_log(source, index="day")
    save_reports(log, tmp_path / "plain.parquet", mu=1.0)
    promise = save_reports(log, tmp_path / "kept.parquet", mu=1.0, keep_index=True)
    assert parquet.read_schema(tmp_path / "plain.parquet").names == ["a", "b", "c"]
    kept = parquet.read_table(tmp_path / "kept.parquet")
    assert kept.column_names == ["day", "a", "b", "c"]
    assert kept["day"].to_pylist() == [f"day {i}" for i in range(20_000)]
    assert promise.index == ("day",)


def hiding_labels() -> dict[str, pa.Array]:
    """Labels whose arrays hold a text or number that stands in no row."""
    number = np.frombuffer(b"SECRETS!", dtype=np.int64)[0]
    texts = pa.array(["a", "SECRETS!", "c"]).buffers()
    return {
        "under a null": pa.array(np.array([1, number, 3]), mask=np.array([False, True, False])),
        "text under a null": pa.Array.from_buffers(pa.string(), 3, [pa.py_buffer(bytes([0b101])), texts[1], texts[2]]),
        "left out": pa.array(["a long enough text, a", "b", "c", "SECRETS! SECRETS!"], pa.string_view()).slice(0, 3),
        "not used": pa.DictionaryArray.from_arrays(pa.array([0, 0, 0]), pa.array(["a", "SECRETS!"])),
    }


@pytest.mark.parametrize("ending", [".arrow", ".feather", ".parquet"])
@pytest.mark.parametrize("way", hiding_labels())
def test_kept_labels_bring_nothing_along_that_stands_in_no_row(tmp_path: Path, way: str, ending: str) -> None:
    label, source = hiding_labels()[way], tmp_path / "log.arrow"
    columns = {name: pa.array(column) for name, column in zip("abc", losses(3).T, strict=True)}
    feather.write_feather(pa.table({"day": label} | columns), source, compression="uncompressed")
    assert b"SECRETS!" in source.read_bytes()
    save_reports(open_log(source, index="day"), tmp_path / f"kept{ending}", mu=1.0, keep_index=True)
    assert b"SECRETS!" not in (tmp_path / f"kept{ending}").read_bytes()
    assert open_reports(tmp_path / f"kept{ending}").log.index == ("day",)


def test_labels_in_boxes_are_refused(tmp_path: Path) -> None:
    columns = {name: pa.array(column) for name, column in zip("abc", losses(2).T, strict=True)}
    feather.write_feather(pa.table({"day": pa.array([{"x": 1}, {"x": 2}])} | columns), tmp_path / "log.arrow")
    with pytest.raises(BadLog, match="labels that are kept are numbers, texts or dates"):
        save_reports(open_log(tmp_path / "log.arrow", index="day"), tmp_path / "r.arrow", mu=1.0, keep_index=True)
    assert not (tmp_path / "r.arrow").exists()


def test_nothing_of_the_logs_own_metadata_goes_along(tmp_path: Path) -> None:
    source = write(tmp_path / "log.parquet", losses())
    parquet.write_table(parquet.read_table(source).replace_schema_metadata({"pandas": "the range of my rows"}), source)
    save_reports(open_log(source), tmp_path / "reports.parquet", mu=1.0)
    assert b"the range of my rows" not in (tmp_path / "reports.parquet").read_bytes()


def test_rounds_are_read_as_they_are_written(tmp_path: Path) -> None:
    """No more than a few batches are ever held, however long the log is."""
    drawn = []

    def batches(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for place in range(40):
            drawn.append(place)
            yield pa.record_batch([np.zeros(1 << 15)] * len(columns), names=list(columns))

    log = open_log(write(tmp_path / "log.npy", losses()))
    log = replace(log, opened=replace(log.opened, batches=batches, rows=None))
    held = []
    path = tmp_path / "reports.parquet"
    save_reports(log, path, mu=1.0, progress=lambda done: held.append((len(drawn) << 15) - done))
    assert parquet.read_metadata(path).num_rows == 40 << 15
    assert len(held) > 10
    assert max(held) <= 1 << 15


@pytest.mark.parametrize("failing", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_an_interruption_leaves_nothing(tmp_path: Path, failing: BaseException) -> None:
    log = open_log(write(tmp_path / "log.parquet", losses(200_000)))

    def interrupt(done: int) -> None:
        if done > 100_000:
            raise failing

    with pytest.raises((KeyboardInterrupt, BadLog)):
        save_reports(log, tmp_path / "reports.parquet", mu=1.0, progress=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["log.parquet"]


def test_what_exists_is_left_alone(tmp_path: Path) -> None:
    log = open_log(write(tmp_path / "log.parquet", losses()))
    path, other = tmp_path / "reports.parquet", write(tmp_path / "other.parquet", losses())
    save_reports(log, path, mu=1.0)
    before = path.read_bytes()
    with pytest.raises(BadLog, match="a second report on the same losses would reveal them again"):
        save_reports(log, path, mu=1.0)
    for force in (False, True):
        with pytest.raises(BadLog, match="holds no reports of discreet"):
            save_reports(log, other, mu=1.0, force=force)
    assert path.read_bytes() == before
    save_reports(log, path, mu=2.0, force=True)
    found = promise_of(path)
    assert found is not None
    assert found.mu == 2.0


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("reports.csv", "could not say what was promised"),
        ("reports.npy", "could not say what was promised"),
        ("reports.txt", "unknown ending"),
        ("no/reports.parquet", "does not exist"),
    ],
)
def test_files_that_would_not_do_are_refused(tmp_path: Path, name: str, sentence: str) -> None:
    log = open_log(write(tmp_path / "log.parquet", losses()))
    with pytest.raises(BadLog, match=sentence):
        save_reports(log, tmp_path / name, mu=1.0)
    assert [path.name for path in tmp_path.iterdir()] == ["log.parquet"]
