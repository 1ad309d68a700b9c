from __future__ import annotations

import errno
import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from pyarrow import csv, parquet

from discreet.replay import BadLog, Timeline, open_log, save_release
from discreet.replay.release import check_target, whole_file, write_release
from tests.replay.logs import losses, write


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
@pytest.mark.parametrize("keep", [False, True])
def test_one_row_a_round(tmp_path: Path, ending: str, keep: bool) -> None:
    log = open_log(write(tmp_path / "log.csv", losses(70_000), label="day"), index="day")
    played = Timeline(np.array([0, 3, 66_000]), np.array([2, 0, 1]), 70_000, True)
    path = tmp_path / f"actions{ending}"
    with whole_file(path) as file:
        write_release(file, path, log, played, keep_index=keep)
    table = parquet.read_table(path) if ending == ".parquet" else csv.read_csv(path)
    assert table.column_names == (["round", "day", "action"] if keep else ["round", "action"])
    assert table["round"].to_pylist() == list(range(1, 70_001))
    assert table["action"].to_pylist() == ["c"] * 3 + ["a"] * 65_997 + ["b"] * 4_000
    if keep:
        assert table["day"].to_pylist() == [f"day {i}" for i in range(70_000)]
    if ending == ".csv.gz":
        assert gzip.decompress(path.read_bytes()).count(b"\n") == 70_001


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "actions.csv"

    def stop_half_way() -> None:
        with whole_file(path) as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        stop_half_way()
    assert os.listdir(tmp_path) == []
    with whole_file(path) as file:
        file.write(b"whole")
        assert not path.exists()
    assert path.read_bytes() == b"whole"
    assert os.listdir(tmp_path) == ["actions.csv"]


def test_a_file_that_came_in_between_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "actions.csv"

    def write_while_another_does() -> None:
        with whole_file(path, force=False) as file:
            file.write(b"mine")
            path.write_bytes(b"theirs")

    with pytest.raises(BadLog, match="in the meantime"):
        write_while_another_does()
    assert path.read_bytes() == b"theirs"
    assert os.listdir(tmp_path) == ["actions.csv"]


def without_links(*_: object) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")


def test_where_the_file_system_has_no_links_a_release_is_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", without_links)
    path = tmp_path / "actions.csv"
    with whole_file(path, force=False) as file:
        file.write(b"whole")
        assert not path.exists()
    assert path.read_bytes() == b"whole"
    with pytest.raises(BadLog, match="in the meantime"), whole_file(path, force=False) as file:
        file.write(b"other")
    assert path.read_bytes() == b"whole"
    assert os.listdir(tmp_path) == ["actions.csv"]


def test_a_name_that_was_taken_for_nothing_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", without_links)
    monkeypatch.setattr(Path, "replace", without_links)
    with pytest.raises(BadLog, match="cannot be written"), whole_file(tmp_path / "actions.csv", force=False) as file:
        file.write(b"whole")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("force", [False, True])
def test_a_link_to_nowhere_is_in_the_way(tmp_path: Path, force: bool) -> None:
    path = tmp_path / "actions.csv"
    path.symlink_to("nowhere.csv")
    with pytest.raises(BadLog, match="exists and is not a release"):
        check_target(path, force)


def test_targets_are_checked_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "actions.csv").write_text('"round","action"\n1,"a"\n')
    (tmp_path / "precious.csv").write_text("day,income\n1,2\n")
    for force in (False, True):
        with pytest.raises(BadLog, match="is not a release of discreet; it is left alone"):
            check_target(tmp_path / "precious.csv", force=force)
    with pytest.raises(BadLog, match="cost their privacy again"):
        check_target(tmp_path / "actions.csv", force=False)
    check_target(tmp_path / "actions.csv", force=True)
    for name, sentence in (
        ("actions.txt", "unknown ending"),
        ("no/actions.csv", "does not exist"),
        ("", "unknown ending"),
    ):
        with pytest.raises(BadLog, match=sentence):
            check_target(tmp_path / name, force=False)


def test_a_release_can_be_saved_from_python(tmp_path: Path) -> None:
    log = open_log(write(tmp_path / "log.csv", losses()))
    played = Timeline(np.array([0]), np.array([1]), 400, True)
    save_release(log, played, tmp_path / "actions.csv")
    assert csv.read_csv(tmp_path / "actions.csv")["action"].to_pylist() == ["b"] * 400
    with pytest.raises(BadLog, match="cost their privacy again"):
        save_release(log, played, tmp_path / "actions.csv")
    with pytest.raises(BadLog, match="is not a release"):
        save_release(log, played, log.path, force=True)
