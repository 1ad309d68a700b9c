from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import csv
from typer.testing import CliRunner, Result

from discreet import __version__
from discreet.cli.app import app
from tests.replay.logs import FORMATS, losses, write

QUICK = ("--runs", "5", "--no-compare")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write(tmp_path / "losses.parquet", losses())


def test_the_main_job(tmp_path: Path, log: Path) -> None:
    actions, report = tmp_path / "actions.csv", tmp_path / "report.html"
    done = run("replay", log, "--epsilon", 1, "--actions", actions, "--report", report, "--runs", 20)
    assert done.exit_code == 0, done.output
    for said in ("NOT PRIVATE", "PrivateLeader", "FollowTheLeader", "Hedge", "PureDP(epsilon=1.0)", "released"):
        assert said in done.output
    released = csv.read_csv(actions)
    assert released.column_names == ["round", "action"]
    assert released.num_rows == 400
    assert set(released["action"].to_pylist()) <= {"a", "b", "c"}
    assert report.stat().st_mode & 0o077 == 0  # the owner's, so for the owner alone
    page = report.read_text()
    assert "not private" in page.lower()
    assert page.startswith("<!DOCTYPE html>")
    again = run("replay", log, "--actions", actions, *QUICK)
    assert again.exit_code == 2
    assert "cost their privacy again" in again.output
    assert csv.read_csv(actions).equals(released)
    assert run("replay", log, "--actions", actions, "--force", *QUICK).exit_code == 0


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_gives_the_same_numbers(tmp_path: Path, ending: str) -> None:
    path = write(tmp_path / f"losses{ending}", losses())
    facts = json.loads(run("replay", path, "--json", *QUICK).stdout)
    wanted = json.loads(run("replay", write(tmp_path / "other.parquet", losses()), "--json", *QUICK).stdout)
    assert facts["owner_view"] is True
    assert facts["learners"] == wanted["learners"]


def test_batches_of_any_size_give_the_same_bytes(tmp_path: Path) -> None:
    said = set()
    for ending in (".parquet", ".arrow", ".csv"):
        (tmp_path / ending).mkdir()
        path = write(tmp_path / ending / f"losses{ending}", losses(20_000))
        said.add(run("replay", path, "--json", "--runs", 5).stdout.replace(f"losses{ending}", "losses"))
    assert len(said) == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--learner", "prefix-softmax"),
        ("--learner", "prefix-softmax", "--uncapped"),
        ("--learner", "noisy-leader", "--noise", "gumbel"),
        ("--learner", "noisy-leader", "--noise", "exponential", "--calibration", "paper"),
        ("--learner", "noisy-leader", "--resample"),
        ("--epsilon", "4"),
    ],
)
def test_every_learner_can_be_released(tmp_path: Path, log: Path, options: tuple[str, ...]) -> None:
    done = run("replay", log, *options, "--actions", tmp_path / "actions.parquet", *QUICK)
    assert done.exit_code == 0, done.output
    wanted = {"prefix-softmax --uncapped": "1.0", "prefix-softmax": "0.25", "paper": "2.0", "4": "4.0"}
    key = next((key for key in wanted if " ".join(options).endswith(key)), None)
    assert f"PureDP(epsilon={wanted.get(key or '', '1.0')})" in done.output


REALIZABLE = ("sparse-vector", "adaptive-sparse-vector", "potential", "tree-experts")


@pytest.mark.parametrize("name", REALIZABLE)
def test_learners_that_must_know_the_rounds_take_them_from_the_log(tmp_path: Path, name: str) -> None:
    """Counted where the format does not say them, so that all formats give the same numbers."""
    table, found = losses(), []
    table[:, 1] = 0.0
    for ending in (".parquet", ".csv", ".arrow", ".npy"):
        log = write(tmp_path / f"log{ending}", table)
        actions = tmp_path / f"{ending[1:]}.csv"
        done = run("replay", log, "--learner", name, "--epsilon", 4, "--runs", 5, "--json", "--actions", actions)
        assert done.exit_code == 0, done.output
        found.append(json.loads(done.stdout))
        assert csv.read_csv(actions).num_rows == 400
        assert "rounds=400" in found[-1]["parameters"]
        assert found[-1]["guarantee"]["value"] == "PureDP(epsilon=4.0)"
        assert len(found[-1]["learners"]) == 8
    for facts in found:
        assert facts["learners"][0] == found[0]["learners"][0]
    bound = found[0]["bound"]
    assert ("on this very log" in bound["words"]) == (bound["value"] is not None) == (name != REALIZABLE[1])


def test_more_rounds_than_were_said_write_nothing(tmp_path: Path) -> None:
    log = write(tmp_path / "losses.csv", losses())
    wanted = ("--learner", "sparse-vector", "--actions", tmp_path / "a.csv", "--report", tmp_path / "r.html", *QUICK)
    done = run("replay", log, *wanted, "--rounds", 399)
    assert (done.exit_code, done.output.count("\n")) == (2, 1)
    assert "has 400 rounds, more than the 399 that --rounds says" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["losses.csv"]
    more = run("replay", log, *wanted, "--rounds", "1e6", "--best-loss", 150, "--delta", 1e-6, "--failure", 0.01)
    assert more.exit_code == 0, more.output


def test_an_interruption_writes_nothing(tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("discreet.mechanisms.AboveThreshold.first_above", interrupted)
    wanted = ("--actions", tmp_path / "a.csv", "--report", tmp_path / "r.html")
    assert run("replay", log, "--learner", "sparse-vector", *wanted, *QUICK).exit_code == 130
    assert [path.name for path in tmp_path.iterdir()] == ["losses.parquet"]


def test_gains_scales_and_clipping(tmp_path: Path) -> None:
    table = losses()
    plain = json.loads(run("replay", write(tmp_path / "l.parquet", table), "--json", *QUICK).stdout)
    gains = json.loads(run("replay", write(tmp_path / "g.parquet", 1 - table), "--gains", "--json", *QUICK).stdout)
    assert gains["best"]["action"] == plain["best"]["action"]
    assert gains["learners"][0]["mean_regret"] == pytest.approx(plain["learners"][0]["mean_regret"], abs=1e-3)
    scaled = write(tmp_path / "s.parquet", table * 8 - 4)
    scale = json.loads(run("replay", scaled, "--scale", -4, 4, "--json", *QUICK).stdout)
    assert scale["learners"][0]["mean_regret"] == pytest.approx(plain["learners"][0]["mean_regret"], abs=1e-3)
    assert scale["reading"] == "values from -4 to 4 were read as losses from 0 to 1"
    refused = run("replay", scaled, *QUICK)
    assert refused.exit_code == 2
    assert "--scale LOW HIGH names other bounds" in refused.output
    assert run("replay", scaled, "--clip", *QUICK).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--epsilon", "0"), "epsilon is 0.0; it must be a finite number above 0"),
        (("--epsilon", "-1"), "epsilon is -1.0"),
        (("--epsilon", "nan"), "epsilon is nan"),
        (("--epsilon", "inf"), "epsilon is inf"),
        (("--scale", "1", "0"), "a scale goes from a low to a higher number"),
        (("--index", "day"), "no column 'day'"),
        (("--keep-index",), "--keep-index needs --index"),
        (("--keep-index", "--index", "action"), "cannot be kept"),
        (("--report", "a.csv"), "must be different files"),
        (("--noise", "gumbel"), "--noise goes with --learner noisy-leader"),
        (("--resample",), "--resample goes with --learner noisy-leader"),
        (("--uncapped",), "--uncapped goes with --learner prefix-softmax"),
        (("--rounds", "9"), "--rounds goes with --learner sparse-vector, adaptive-sparse-vector, potential, tree-"),
        (("--learner", "tree-experts", "--delta", "0.1"), "--delta goes with --learner sparse-vector or potential"),
        (("--learner", "potential", "--best-loss", "1"), "--best-loss goes with --learner sparse-vector"),
        (("--learner", "tree-experts", "--constants", "paper"), "--constants goes with --learner sparse-vector, ad"),
        (("--learner", "sparse-vector", "--best-loss", "-3"), "best_loss is -3.0; it must be 0 or more"),
        (("--learner", "sparse-vector", "--failure", "2"), "failure is 2.0; it must lie between 0 and 1"),
        (("--learner", "sparse-vector", "--delta", "-1"), "delta is -1.0"),
        (("--actions", "losses.parquet", "--force"), "must be different files"),
        (("--actions", "actions.txt"), "unknown ending"),
        (("--actions", "no/such/actions.csv"), "does not exist"),
        (("--report", "no/such/report.html"), "does not exist"),
        (("--report", "report.txt"), "unknown ending"),
    ],
)
def test_nonsense_gets_one_sentence_and_writes_nothing(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    extra = [] if "--actions" in arguments else ["--actions", "a.csv"]
    done = run("replay", log, *arguments, *extra, *QUICK)
    assert done.exit_code == 2
    assert sentence in done.output
    assert done.output.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["losses.parquet"]


def test_two_index_columns_are_kept_on_request(tmp_path: Path) -> None:
    log = tmp_path / "losses.csv"
    log.write_text("day,place,a,b\n" + "".join(f"d{i},p{i},0.{i},0.5\n" for i in range(9)))
    indexes = ("--index", "day", "--index", "place")
    assert run("replay", log, *indexes, "--actions", tmp_path / "plain.csv", *QUICK).exit_code == 0
    assert run("replay", log, *indexes, "--keep-index", "--actions", tmp_path / "kept.csv", *QUICK).exit_code == 0
    assert csv.read_csv(tmp_path / "plain.csv").column_names == ["round", "action"]
    kept = csv.read_csv(tmp_path / "kept.csv")
    assert kept.column_names == ["round", "day", "place", "action"]
    assert kept["place"].to_pylist() == [f"p{i}" for i in range(9)]


def test_a_bad_value_late_in_the_log_writes_nothing(tmp_path: Path) -> None:
    table = losses(30_000)
    table[29_000, 2] = np.nan
    log = write(tmp_path / "losses.parquet", table)
    done = run("replay", log, "--actions", tmp_path / "a.csv", "--report", tmp_path / "r.html", *QUICK)
    assert done.exit_code == 2
    assert "row 29001, column 'c' is nan" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["losses.parquet"]


def test_a_file_that_is_no_report_is_not_replaced(tmp_path: Path, log: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>mine</p>")
    done = run("replay", log, "--report", page, *QUICK)
    assert done.exit_code == 2
    assert page.read_text() == "<p>mine</p>"
    page.unlink()
    for _ in range(2):
        assert run("replay", log, "--report", page, *QUICK).exit_code == 0


@pytest.mark.parametrize("name", ["actions.csv", "report.html"])
def test_a_link_to_nowhere_is_refused_before_any_work(tmp_path: Path, log: Path, name: str) -> None:
    (tmp_path / name).symlink_to("nowhere")
    done = run("replay", log, "--actions", tmp_path / "actions.csv", "--report", tmp_path / "report.html", *QUICK)
    assert done.exit_code == 2
    assert f"{name} exists and is not a re" in done.output
    assert {path.name for path in tmp_path.iterdir()} == {"losses.parquet", name}


def refusing(monkeypatch: pytest.MonkeyPatch, refused: Path, error: OSError) -> None:
    """Let one file fail when it is to get its name: after all work, when all else is written."""

    def failing(real: Any) -> Any:
        def instead(part: Path, path: Path) -> None:
            if Path(path) == refused:
                raise error
            real(part, path)

        return instead

    monkeypatch.setattr(os, "link", failing(os.link))
    monkeypatch.setattr(Path, "replace", failing(Path.replace))


def test_no_report_without_its_release(tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(monkeypatch, tmp_path / "actions.csv", FileExistsError())
    done = run("replay", log, "--actions", tmp_path / "actions.csv", "--report", tmp_path / "report.html", *QUICK)
    assert done.exit_code == 2
    assert "has come into being in the meantime; nothing was written" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["losses.parquet"]


def test_a_report_that_fails_after_the_release_says_what_was_written(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    actions, report = tmp_path / "actions.csv", tmp_path / "report.html"
    refusing(monkeypatch, report, OSError(5, "Input/output error"))
    done = run("replay", log, "--actions", actions, "--report", report, *QUICK)
    assert done.exit_code == 1
    assert done.output == f"discreet: {report} cannot be written: Input/output error; written: {actions}\n"
    assert csv.read_csv(actions).num_rows == 400
    assert {path.name for path in tmp_path.iterdir()} == {"losses.parquet", "actions.csv"}


def test_an_index_named_twice_is_refused_before_the_log_is_read(tmp_path: Path) -> None:
    table = losses()
    table[300, 1] = np.nan
    log = write(tmp_path / "losses.parquet", table)
    twice = ("--index", "a", "--index", "a", "--keep-index", "--actions", tmp_path / "actions.csv")
    assert run("replay", log, *twice, *QUICK).output == "discreet: the index column 'a' is named twice\n"


def test_the_demo(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    done = run("demo", folder)
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in folder.iterdir()) == ["actions.csv", "losses.parquet", "report.html"]
    assert csv.read_csv(folder / "actions.csv").num_rows == 20_000
    assert run("demo", folder).exit_code == 2
    assert run("demo", folder, "--force").exit_code == 0


def test_privacy(tmp_path: Path) -> None:
    assert "at most 2.72" in run("privacy", "--epsilon", 1).output
    facts = json.loads(run("privacy", "--mu", 0.25, "--json").stdout)
    assert facts["epsilon_at_delta"]["1e-06"] == pytest.approx(1.061, abs=5e-4)
    groups = run("privacy", "--epsilon", 1, "--group", 3, "--releases", 2).output
    assert "PureDP(epsilon=6.0)" in groups
    assert "2 releases together: the losses of any 3 rounds, such as one person's, may" in groups
    assert run("privacy", "--mu", 1, "--plot", tmp_path / "curve.svg").exit_code == 0
    assert "<svg" in (tmp_path / "curve.svg").read_text()
    for bad in ((), ("--epsilon", 1, "--mu", 1), ("--mu", 1, "--delta", 0.1), ("--epsilon", -1), ("--mu", "nan")):
        done = run("privacy", *bad)
        assert (done.exit_code, done.output.count("\n")) == (2, 1), done.output


def test_help_and_version() -> None:
    assert run("--version").output == f"discreet {__version__}\n"
    for command in ((), ("demo",), ("replay",), ("privacy",)):
        assert run(*command, "--help").exit_code == 0


def command(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """The command as it is called from a shell, its entry point included."""
    whole = [sys.executable, "-m", "discreet.cli.main", *map(str, arguments)]
    return subprocess.run(whole, capture_output=not options, text=True, check=False, **options)


def test_wrong_usage_gets_one_sentence(log: Path) -> None:
    for arguments in (("replay", log, "--epsilon", "abc"), ("replay", log, "--learner", "foo"), ("replay",), ("x",)):
        done = command(*arguments)
        assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, "")
        assert done.stderr.startswith("discreet: ")
    alone = command()
    assert (alone.returncode, alone.stderr) == (2, "")
    assert "Start with: discreet demo" in alone.stdout
    assert command("replay", log, *QUICK).returncode == 0
    assert command("--version").stdout == f"discreet {__version__}\n"


def test_a_table_that_cannot_be_printed_says_what_was_written(tmp_path: Path, log: Path) -> None:
    actions = tmp_path / "actions.csv"
    with open("/dev/full", "w") as full:
        done = command("replay", log, "--actions", actions, *QUICK, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"written: {actions}" in done.stderr
    assert csv.read_csv(actions).num_rows == 400


def test_names_that_the_terminal_cannot_print_do_not_stop_a_release(tmp_path: Path) -> None:
    log = write(tmp_path / "losses.parquet", losses(), names=("α", "β", "γ"))
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = command("replay", log, "--actions", tmp_path / "a.csv", *QUICK, env=environment, stdout=subprocess.PIPE)
    assert done.returncode == 0
    assert "?" in done.stdout


def test_help_imports_nothing_heavy() -> None:
    heavy = ("numpy", "pyarrow", "matplotlib", "scipy")
    code = f"import sys, discreet.cli.app; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
