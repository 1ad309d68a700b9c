from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import ipc

from discreet.losses import UNITS, Scale, from_gains, to_units
from discreet.replay import BadLog, open_log
from discreet.replay.log import Log
from tests.replay.logs import FORMATS, NAMES, losses, write


def units_of(log: Log) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.concatenate([units.T.astype(np.int64) for _, units in log.chunks()])


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_gives_the_same_units(tmp_path: Path, ending: str) -> None:
    table = losses()
    log = open_log(write(tmp_path / f"log{ending}", table))
    assert log.names == (NAMES if ending != ".npy" else ("action_0", "action_1", "action_2"))
    np.testing.assert_array_equal(units_of(log), to_units(table, 3))


@pytest.mark.parametrize("ending", [ending for ending in FORMATS if ending != ".npy"])
def test_the_index_is_not_an_action(tmp_path: Path, ending: str) -> None:
    table = losses()
    log = open_log(write(tmp_path / f"log{ending}", table, label="day"), index="day")
    assert log.names == NAMES
    np.testing.assert_array_equal(units_of(log), to_units(table, 3))
    assert [label for part in log.labels() for label in part["day"].to_pylist()] == [f"day {i}" for i in range(400)]


@pytest.mark.parametrize("gains", [False, True])
@pytest.mark.parametrize("scale", [Scale(), Scale(-3, 5), Scale(0, 7.3), Scale(0.25, 0.5, clip=True)])
def test_scaled_logs_are_scaled_as_arrays_are(tmp_path: Path, gains: bool, scale: Scale) -> None:
    table = losses() if scale.clip else scale.low + losses() * (scale.high - scale.low) * 0.999
    log = open_log(write(tmp_path / "log.parquet", table), gains=gains, scale=scale)
    wanted = scale.apply(table)
    np.testing.assert_array_equal(units_of(log), to_units(from_gains(wanted) if gains else wanted, 3))


@pytest.mark.parametrize("kind", ["float32", "float16", "int64", "uint8"])
def test_other_number_types(tmp_path: Path, kind: str) -> None:
    table = (losses() > 0.5).astype(kind)
    np.save(tmp_path / "log.npy", table)
    np.testing.assert_array_equal(units_of(open_log(tmp_path / "log.npy")), table.astype(np.int64) << 20)


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1.0 + 1e-9, -1e-9])
def test_a_bad_value_is_named_by_row_and_column(tmp_path: Path, ending: str, value: float) -> None:
    table = losses()
    table[277, 1] = value
    path = write(tmp_path / f"log{ending}", table)
    column = "action_1" if ending == ".npy" else "b"
    with pytest.raises(BadLog, match=f"row 278, column '{column}' is"):
        units_of(open_log(path))


def test_clipping_keeps_refusing_nan(tmp_path: Path) -> None:
    table = losses()
    table[0, 0], table[5, 2] = 4.0, np.nan
    log = open_log(write(tmp_path / "log.parquet", table), scale=Scale(clip=True))
    with pytest.raises(BadLog, match="row 6, column 'c' is nan"):
        units_of(log)


CSV = "a,b\n0.1,0.2\n0.3,0.4\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (CSV + "0.5\n", "row 3 has 1 value, not 2"),
        (CSV + "0.5,0.6,0.7\n", "row 3 has 3 values, not 2"),
        (CSV + "0.5,\n", "row 3, column 'b' is missing"),
        (CSV + "0.5,NA\n", "row 3, column 'b' is missing"),
        (CSV + "0.5,high\n", "row 3, column 'b' is 'high', which is not a number"),
        (CSV + '0.5,"0.1\n0.2"\n', r"row 3, column 'b' is '0.1\\n0.2', which is not a number"),
        (CSV + '"0.5,0.2\n0.3,0.4\n', "row 3 has 1 value, not 2; is a quote left open there"),
        (CSV.replace("0.1", '"0.1' + "x" * 200_000), "is not CSV in its first lines; is a quote left open there"),
        ("day,a,b\nmon,0,1\n", "column 'day' holds text, not losses; .*--index"),
        ("a,a\n0,1\n", "the column name 'a' stands twice"),
        ("a\n0\n", "has 1 column of losses; a choice needs two"),
        ("a,b\n", "has no rounds"),
        ("", "is empty"),
        ("0.1,0.2\n0.3,0.4\n", "has '0.1' in its first line"),
        (",0.731,0.2\n0.5,0.3,0.4\n", "has a column named ''; name it"),
        ("NA,0.731,0.2\n0.5,0.3,0.4\n", "has a column named 'NA'"),
        ("x,0.731,0.2\n0.5,0.3,0.4\n", "has '0.731' in its first line"),
        ("0,1\n1,0\n", "has '0' in its first line"),
        ("a;b\n0,5;0,25\n", "separates its columns by ';'"),
        ("a\tb\n0.5\t0.25\n", "separates its columns by"),
    ],
)
def test_bad_csv_gets_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(text)
    with pytest.raises(BadLog, match=sentence):
        units_of(open_log(path))


def test_columns_that_count_keep_their_names(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("0,1,2\n0.5,0.25,1\n")
    assert open_log(tmp_path / "log.csv").names == ("0", "1", "2")


@pytest.mark.parametrize(
    "text", [CSV.replace("\n", "\r\n"), "\ufeff" + CSV, CSV + "\n\n", CSV.replace("a,b", '"a","b"')]
)
def test_csv_as_other_programs_write_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "log.csv").write_bytes(text.encode())
    log = open_log(tmp_path / "log.csv")
    assert log.names == ("a", "b")
    np.testing.assert_array_equal(units_of(log), to_units([[0.1, 0.2], [0.3, 0.4]], 2))


def test_a_table_that_carries_its_own_index(tmp_path: Path) -> None:
    path = write(tmp_path / "log.parquet", losses(), names=("__index_level_0__", "b", "c"))
    with pytest.raises(BadLog, match="looks like a table's own index"):
        open_log(path)
    assert open_log(path, index="__index_level_0__").names == ("b", "c")


def test_truth_values_are_losses_of_0_and_1(tmp_path: Path) -> None:
    table = losses() > 0.5
    np.save(tmp_path / "log.npy", table)
    np.testing.assert_array_equal(units_of(open_log(tmp_path / "log.npy")), table.astype(np.int64) << 20)


def test_bad_files_get_one_sentence(tmp_path: Path) -> None:
    whole = write(tmp_path / "log.parquet", losses()).read_bytes()
    (tmp_path / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "empty.parquet").write_bytes(b"")
    (tmp_path / "junk.parquet").write_bytes(b"junk" * 100)
    (tmp_path / "pages.parquet").write_bytes(whole[:100] + bytes(1900) + whole[2000:])
    zipped = gzip.compress(CSV.encode() * 1000)
    (tmp_path / "cut.csv.gz").write_bytes(zipped[: len(zipped) // 2])
    (tmp_path / "junk.csv.gz").write_bytes(zipped[:10] + b"junk" * 100)
    streamed = write_stream(tmp_path / "log.arrow", losses()).read_bytes()
    (tmp_path / "stream.arrow").write_bytes(streamed[: len(streamed) // 2])
    (tmp_path / "empty.arrow").write_bytes(b"")
    (tmp_path / "cut.arrow").write_bytes(write(tmp_path / "log.feather", losses()).read_bytes()[:2000])
    (tmp_path / "junk.arrow").write_bytes(b"junk")
    (tmp_path / "log.xlsx").write_bytes(b"junk")
    (tmp_path / "text.npy").write_bytes(b"junk")
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)))
    np.save(tmp_path / "flat.npy", losses()[:, 0])
    np.save(tmp_path / "words.npy", np.array([["a", "b"]]))
    np.save(tmp_path / "objects.npy", np.array([["a", 1]], dtype=object))
    for name in (
        "cut.parquet",
        "empty.parquet",
        "junk.parquet",
        "pages.parquet",
        "cut.csv.gz",
        "junk.csv.gz",
        "junk.arrow",
        "stream.arrow",
        "empty.arrow",
        "cut.arrow",
        "log.xlsx",
        "flat.npy",
        "words.npy",
        "objects.npy",
        "none.csv",
        ".",
        "text.npy",
        "binary.csv",
    ):
        with pytest.raises(BadLog) as caught:
            units_of(open_log(tmp_path / name))
        sentence = str(caught.value)
        assert "\n" not in sentence
        for foreign in ("magic", "footer", "thrift", "zlib", "stream", "bytes", "Arrow", "Truncated", "parser"):
            assert foreign not in sentence.replace(str(tmp_path / name), ""), sentence


def write_stream(path: Path, table: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Path:
    """The form of Arrow that is written to pipes."""
    whole = pa.table(dict(zip(NAMES, table.T, strict=True)))
    with ipc.new_stream(path, whole.schema) as writer:
        for batch in whole.to_batches(130):
            writer.write_batch(batch)
    return path


@pytest.mark.parametrize("ending", [".arrow", ".feather"])
def test_an_arrow_stream_is_read_too(tmp_path: Path, ending: str) -> None:
    log = open_log(write_stream(tmp_path / f"log{ending}", losses()))
    for _ in range(2):
        np.testing.assert_array_equal(units_of(log), to_units(losses(), 3))


def test_the_first_feather_is_called_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "log.feather").write_bytes(b"FEA1" + bytes(40))
    with pytest.raises(BadLog, match="is Feather version 1, which is not read; save it as Feather version 2"):
        open_log(tmp_path / "log.feather")


@pytest.mark.parametrize("rounds", [10, 150_000])
def test_texts_of_the_index_may_go_over_several_lines(tmp_path: Path, rounds: int) -> None:
    note = "one\n" * 7 + "two"
    (tmp_path / "log.csv").write_text("note,a,b\n" + f'"{note}",0.25,0.5\n' * rounds)
    log = open_log(tmp_path / "log.csv", index="note")
    np.testing.assert_array_equal(units_of(log), np.tile([UNITS // 4, UNITS // 2], (rounds, 1)))
    labels = [label for part in log.labels() for label in part["note"].to_pylist()]
    assert labels == [note] * rounds


def test_an_open_quote_before_much_text_is_named_shortly(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    for rows, sentence in ((100_000, "row 3, column 'b' is '0.5"), (1_500_000, "longer than a million characters")):
        path.write_text(CSV + '0.5,"' + "0.5\n" * rows)
        with pytest.raises(BadLog, match="is a quote left open there") as caught:
            units_of(open_log(path))
        assert sentence in str(caught.value)
        assert len(str(caught.value)) < 200 + len(str(path))


def test_text_that_is_not_in_utf_8_is_named_by_column(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_bytes(b"day,a,b\n" + b"tue,0,1\n" * 9000 + b"m\xe4r,0,1\n")
    with pytest.raises(BadLog, match="column 'day' is not text in UTF-8; save it as CSV UTF-8"):
        list(open_log(tmp_path / "log.csv", index="day").labels())


def test_chunks_do_not_depend_on_the_batches_of_the_file(tmp_path: Path) -> None:
    table = losses(20_000)
    lengths = []
    for ending in FORMATS:
        log = open_log(write(tmp_path / f"log{ending}", table))
        lengths.append([(first, units.shape[1]) for first, units in log.chunks()])
    assert lengths == [[(0, 8192), (8192, 8192), (16_384, 3616)]] * len(FORMATS)


def test_an_index_that_is_named_twice(tmp_path: Path) -> None:
    with pytest.raises(BadLog, match="the index column 'a' is named twice"):
        open_log(tmp_path / "none.csv", index=("a", "b", "a"))


def test_damage_in_the_middle_is_found_while_reading(tmp_path: Path) -> None:
    path = write(tmp_path / "log.parquet", losses())
    data = bytearray(path.read_bytes())
    data[100:2000] = bytes(1900)
    path.write_bytes(bytes(data))
    with pytest.raises(BadLog, match="cannot be read"):
        units_of(open_log(path))


def test_naming_an_index_does_not_let_losses_pass_for_names(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("2020-01-01,0.731,0.2\n2020-01-02,0.5,0.4\n")
    with pytest.raises(BadLog, match=r"has '0.731' in its first line"):
        open_log(tmp_path / "log.csv", index="2020-01-01")


def test_no_scale_makes_a_loss_larger_than_one(tmp_path: Path) -> None:
    low, high = np.float16(0.1), np.float16(0.7)
    table = np.array([[low, high], [high, low]], dtype=np.float64)
    log = open_log(write(tmp_path / "log.npy", table), scale=Scale(float(low), float(high)))
    assert units_of(log).max() == UNITS
    assert Scale(low, high) == Scale(float(low), float(high))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="from a low to a higher number"):
        Scale(2**53 + 1, 2**53)


def test_an_index_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadLog, match="no column 'day' to be the index; it has 'a', 'b', 'c'"):
        open_log(write(tmp_path / "log.parquet", losses()), index="day")
