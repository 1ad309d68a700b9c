"""Where recorded data is looked for, and what is done without it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from studies import __main__ as command
from studies.recorded import ELSEWHERE, AbsentError, folder, recorded

ROOT = Path(__file__).resolve().parents[2]


def test_it_lies_beside_the_checkout_or_where_it_is_said_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(ELSEWHERE, raising=False)
    assert folder() == ROOT.parent / "shared" / "data"
    monkeypatch.setenv(ELSEWHERE, str(tmp_path))
    (tmp_path / "second.csv").touch()
    assert recorded("first.csv", "second.csv") == tmp_path / "second.csv"
    (tmp_path / "first.csv").touch()
    assert recorded("first.csv", "second.csv") == tmp_path / "first.csv"


def test_what_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(ELSEWHERE, str(tmp_path))
    with pytest.raises(AbsentError, match=f"there is no first.csv or second.csv in {tmp_path}"):
        recorded("first.csv", "second.csv")


@pytest.mark.parametrize("name", ["hospitals", "central-local"])
def test_a_study_that_is_asked_for_fails_without_its_data(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(ELSEWHERE, str(tmp_path / "nowhere"))
    line = [sys.executable, "-m", "studies", name, "--quick", "--out", str(tmp_path / "out")]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "left out: there is no" in done.stdout
    assert not (tmp_path / "out").exists()


def test_of_all_studies_the_others_are_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(ELSEWHERE, str(tmp_path / "nowhere"))
    monkeypatch.setattr(command, "STUDIES", ("hospitals", "deterministic"))
    monkeypatch.setattr(sys, "argv", ["studies", "--quick", "--jobs", "1", "--out", str(tmp_path)])
    command.main()
    assert "left out: there is no" in capsys.readouterr().out
    assert [path.name for path in tmp_path.glob("*.json")] == ["deterministic.json"]
    assert json.loads((tmp_path / "deterministic.json").read_text())["title"] in (tmp_path / "index.md").read_text()
