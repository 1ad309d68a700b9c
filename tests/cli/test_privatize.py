"""Nobody sees the losses: privatize, replay --reports and privacy, as they are called."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import csv, parquet
from typer.testing import CliRunner, Result

from discreet.cli.app import app
from discreet.cli.report_learners import ReportLearnerName
from discreet.replay import promise_of
from tests.replay.logs import FORMATS, losses, write


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def told(done: Result) -> str:
    """What was printed, on one line."""
    return " ".join(done.output.split())


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    log = write(tmp_path / "losses.parquet", 0.3 * losses(2000) * [0.2, 0.6, 1.0])
    assert run("privatize", log, "--mu", 1, "--sensitivity", 0.3, "--out", tmp_path / "reports.parquet").exit_code == 0
    return tmp_path / "reports.parquet"


@pytest.mark.parametrize("ending", FORMATS)
def test_the_main_job(tmp_path: Path, ending: str) -> None:
    log = write(tmp_path / f"gains{ending}", 1 - 0.3 * losses(2000) * [0.2, 0.6, 1.0])
    out, actions, report = tmp_path / "reports.parquet", tmp_path / "actions.csv", tmp_path / "report.html"
    done = run("privatize", log, "--gains", "--mu", 1, "--sensitivity", 0.3, "--out", out)
    assert done.exit_code == 0, done.output
    for said in (
        "GaussianDP(mu=1.0, within=0.3)",
        "moves one round by at most 0.3 in Euclidean norm",
        "Each round is reported once",
        f"For anyone: {out}",
        f"Not for anyone: {log}",
    ):
        assert "".join(said.split()) in "".join(done.output.split())  # paths may be folded
    assert out.stat().st_mode & 0o077  # for anyone, as the umask says
    log.unlink()
    options = ("--reports", "--learner", "adaptive-batch", "--actions", actions, "--report", report)
    done = run("replay", out, *options)
    assert done.exit_code == 0, done.output
    for said in ("RandomWalkLeader", "MetaLeader", "gains", "Batches hide more", "GaussianDP(mu=1.0, within=0.3)"):
        assert said in told(done)
    assert "NOT PRIVATE" not in done.output
    released = csv.read_csv(actions)
    assert released.column_names == ["round", "action"]
    assert released.num_rows == 2000
    page = report.read_text()
    assert "not private" not in page.lower()
    assert "made from the reports alone" in page
    assert page.count("<svg") == 4
    assert report.stat().st_mode & 0o077


def test_what_it_chooses_is_good_and_what_it_says_of_it_true(tmp_path: Path) -> None:
    """The best action loses 0.03 a round, the others 0.09 and 0.15, and the noise is 0.075.

    Without a seed: after 500 rounds a wrong leader is 12 standard deviations away, and so is a mean loss of 0.05.
    """
    log = write(tmp_path / "losses.parquet", 0.3 * losses(2000) * [0.2, 0.6, 1.0])
    out = tmp_path / "reports.parquet"
    assert run("privatize", log, "--mu", 4, "--sensitivity", 0.3, "--out", out).exit_code == 0
    facts = json.loads(run("replay", out, "--reports", "--json", "--no-compare").stdout)
    assert facts["best"]["action"] == facts["actions"][0]["action"] == "a"
    assert facts["actions"][0]["played"] > 1500
    assert facts["owner_view"] is False
    assert facts["standard_error"] == pytest.approx(0.075 / np.sqrt(2000), rel=1e-9)
    assert facts["learners"][0]["mean_loss"] == pytest.approx(0.03, abs=0.02)
    low, high = facts["learners"][0]["interval_95"]
    assert low <= facts["learners"][0]["regret"] <= high
    amplified = facts["actions_alone"]["amplified"]
    assert [row["round"] for row in amplified] == [200, 1000, 2000]
    assert amplified[0]["missed"] < amplified[1]["missed"] < amplified[2]["missed"]


@pytest.mark.parametrize("learner", list(ReportLearnerName))
def test_every_learner_replays_reports(tmp_path: Path, reports: Path, learner: str) -> None:
    actions = tmp_path / "actions.parquet"
    options = ("--reports", "--learner", learner, "--no-compare", "--actions", actions)
    assert run("replay", reports, *options).exit_code == 0
    assert parquet.read_table(actions).num_rows == 2000
    again = run("replay", reports, *options)
    assert again.exit_code == 2
    assert "it costs no privacy" in again.output
    assert run("replay", reports, *options, "--force").exit_code == 0


def test_a_seed_repeats_and_then_batches_promise_no_more(reports: Path) -> None:
    one, two = (run("replay", reports, "--reports", "--seed", 3, "--no-compare").output for _ in range(2))
    assert one == two
    assert "A seed makes its draws predictable" in " ".join(one.split())
    assert "Batches hide more" not in one


def test_learners_have_their_options(reports: Path) -> None:
    for options, said in (
        (("--learner", "rolling-regression", "--window", 4, "--penalty", 0), "RollingRegression(window=4, penalty=0.0"),
        (("--learner", "rolling-regression", "--window", 6), "RollingRegression(window=6, penalty=18.0"),
        (("--tolerance", 0.5), "tolerance=0.5"),
    ):
        facts = json.loads(run("replay", reports, "--reports", "--no-compare", "--json", *options).stdout)
        assert said in facts["learners"][0]["parameters"]


def test_a_page_for_anyone_and_one_for_the_owner_do_not_replace_each_other(tmp_path: Path, reports: Path) -> None:
    page = tmp_path / "page.html"
    calls = {
        "a page for the owner of losses alone": ("replay", tmp_path / "losses.parquet", "--runs", 2, "--no-compare"),
        "a page for anyone, made from reports": ("replay", reports, "--reports", "--no-compare"),
    }
    for is_one, first in calls.items():
        for would_be, second in calls.items():
            page.unlink(missing_ok=True)
            assert run(*first, "--report", page).exit_code == 0
            made = page.read_bytes()
            done = run(*second, "--report", page)
            assert done.exit_code == (0 if is_one == would_be else 2)
            assert (page.read_bytes() == made) or is_one == would_be
            assert is_one == would_be or f"exists and is {is_one}, and this one would be {would_be}" in told(done)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--mu", 6), ""),
        (("--mu", 6.5), "A mu of 6.5 lets a test tell two possible rounds apart nearly surely"),
        (("--mu", 1, "--sensitivity", 0.001), ""),
        (("--mu", 1, "--sensitivity", 0.0005), "a report shows its loss to within 0.001"),
    ],
)
def test_reports_that_hide_hardly_anything_are_called_that(tmp_path: Path, options: tuple[Any, ...], said: str) -> None:
    log = write(tmp_path / "losses.parquet", losses(40))
    done = run("privatize", log, *options, "--out", tmp_path / "reports.parquet")
    assert done.exit_code == 0, done.output
    assert ("THESE REPORTS HIDE HARDLY ANYTHING" in done.output) == bool(said)
    assert said in told(done)


def test_labels_go_along_and_come_back(tmp_path: Path) -> None:
    log = write(tmp_path / "losses.csv", losses(), label="day")
    out, actions = tmp_path / "reports.arrow", tmp_path / "actions.csv"
    done = run("privatize", log, "--index", "day", "--keep-index", "--mu", 1, "--out", out)
    assert "its labels (day), which nothing hides" in told(done)
    done = run("replay", out, "--reports", "--keep-index", "--actions", actions, "--no-compare")
    assert done.exit_code == 0, done.output
    assert csv.read_csv(actions).column_names == ["round", "day", "action"]


def test_reports_of_others_are_taken_with_their_noise_by_hand(tmp_path: Path) -> None:
    table = np.round(losses(500) + np.random.default_rng(1).standard_normal((500, 3)), 9)
    path = write(tmp_path / "reports.csv", table)
    assert (
        "reports.csv holds no reports of discreet: it does not say with which noise"
        in run("replay", path, "--reports").output
    )
    told_all = run("replay", path, "--reports", "--noise-scale", 1, "--mu", 0.5, "--no-compare")
    assert "GaussianDP(mu=0.5, within=0.5)" in told_all.output
    silent = run("replay", path, "--reports", "--noise-scale", 1, "--no-compare")
    assert silent.exit_code == 0
    assert "this file does not say" in told(silent)
    assert "nothing is promised" in told(silent)


def test_sensitivity_is_in_the_numbers_of_the_log(tmp_path: Path) -> None:
    log = write(tmp_path / "minutes.parquet", 120 * losses())
    out = tmp_path / "reports.parquet"
    done = run("privatize", log, "--scale", 0, 120, "--mu", 1, "--sensitivity", 12, "--out", out)
    assert "at most 12 in Euclidean norm, in the numbers of the log, which is 0.1 in losses" in told(done)
    promise = promise_of(out)
    assert promise is not None
    assert promise.scale == pytest.approx(0.1, rel=1e-9)


def test_privacy_says_what_a_file_promises(tmp_path: Path, reports: Path) -> None:
    done = run("privacy", reports)
    assert "GaussianDP(mu=1.0, within=0.3)" in done.output
    assert "normal noise of standard deviation 0.3 losses for each of 3 actions" in told(done)
    twice = run("privacy", reports, "--releases", 2, "--group", 2)
    assert "GaussianDP(mu=2.8284271247461903, within=0.3)" in twice.output
    facts = json.loads(run("privacy", reports, "--json").stdout)
    assert facts["mu"] == 1.0
    assert facts["reports"]["sensitivity"] == 0.3
    for arguments in (("--mu", 1), ("--epsilon", 1)):
        assert "leave out --epsilon" in run("privacy", reports, *arguments).output
    assert "says nothing of a promise" in run("privacy", tmp_path / "losses.parquet").output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("privatize", "losses.parquet", "--mu", 1, "--out", "new.csv"), "could not say what was promised"),
        (("privatize", "losses.parquet", "--mu", 1, "--out", "reports.parquet"), "reveal them again"),
        (("privatize", "losses.parquet", "--mu", 1e10, "--out", "new.parquet"), "would vanish between the steps of"),
        (("privatize", "losses.parquet", "--mu", 0, "--out", "new.parquet"), "mu is 0.0"),
        (("privatize", "losses.parquet", "--mu", "nan", "--out", "new.parquet"), "mu is nan"),
        (("privatize", "losses.parquet", "--mu", 1, "--sensitivity", 0, "--out", "n.parquet"), "sensitivity is 0.0"),
        (("privatize", "losses.parquet", "--mu", 1, "--out", "losses.parquet", "--force"), "must be different files"),
        (
            ("privatize", "losses.parquet", "--mu", 1, "--out", "n.parquet", "--keep-index"),
            "--keep-index needs --index",
        ),
        (
            ("privatize", "losses.parquet", "--mu", 1, "--out", "n.parquet", "--scale", 0.5, 1),
            "row 1, column 'a' is 0.0",
        ),
        (("privatize", "reports.parquet", "--mu", 1, "--out", "new.parquet"), "holds reports, losses plus noise"),
        (("replay", "reports.parquet"), "holds reports, losses plus noise"),
        (("replay", "losses.parquet", "--reports"), "does not say with which noise"),
        (("replay", "losses.parquet", "--learner", "meta"), "meta learns from reports, so it goes with --reports"),
        (("replay", "losses.parquet", "--mu", 1), "or tree-leader-least-regret, or with --reports"),
        (("replay", "losses.parquet", "--noise-scale", 1), "--noise-scale goes with --reports"),
        (("replay", "reports.parquet", "--reports", "--epsilon", 1), "--epsilon is for losses"),
        (("replay", "reports.parquet", "--reports", "--runs", 9), "--runs is for losses"),
        (("replay", "reports.parquet", "--reports", "--gains"), "--gains is for losses"),
        (("replay", "reports.parquet", "--reports", "--noise", "gumbel"), "--noise is for losses"),
        (("replay", "reports.parquet", "--reports", "--learner", "noisy-leader"), "noisy-leader learns from losses"),
        (("replay", "reports.parquet", "--reports", "--window", 3), "--window goes with --learner rolling-regression"),
        (
            ("replay", "reports.parquet", "--reports", "--learner", "meta", "--tolerance", 0.1),
            "--tolerance goes with --learner adaptive-batch",
        ),
        (("replay", "reports.parquet", "--reports", "--tolerance", 2), "tolerance is 2.0; it must be below 1"),
        (("replay", "reports.parquet", "--reports", "--mu", 2), "leave out --mu"),
        (("replay", "reports.parquet", "--reports", "--noise-scale", 2), "leave out --noise-scale"),
        (("replay", "reports.parquet", "--reports", "--report", "losses.parquet"), "unknown ending"),
        (("replay", "reports.parquet", "--reports", "--actions", "losses.parquet", "--force"), "is not a release"),
        (("simulate", "--environment", "log", "--log", "reports.parquet"), "holds reports, losses plus noise"),
    ],
)
def test_nonsense_gets_one_sentence_and_writes_nothing(
    tmp_path: Path, reports: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[Any, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done = run(*arguments)
    assert done.exit_code == 2
    assert sentence in done.output
    assert done.output.count("\n") == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_bad_value_late_in_the_log_leaves_no_reports(tmp_path: Path) -> None:
    table = losses(30_000)
    table[29_000, 2] = np.nan
    log = write(tmp_path / "losses.parquet", table)
    done = run("privatize", log, "--mu", 1, "--out", tmp_path / "reports.parquet")
    assert done.exit_code == 2
    assert "row 29001, column 'c' is nan" in done.output
    assert os.listdir(tmp_path) == ["losses.parquet"]


def writing(folder: Path, **options: Any) -> subprocess.Popen[str]:
    """The command, some of its reports written and most not."""
    names = tuple(f"action {j}" for j in range(50))
    log = write(folder / "losses.parquet", np.zeros((60_000, 50)), names)
    asked = ["privatize", str(log), "--mu", "1", "--out", str(folder / "reports.parquet")]
    whole = [sys.executable, "-m", "discreet.cli.main", *asked]
    process = subprocess.Popen(whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    while process.poll() is None and not any(part.stat().st_size for part in folder.glob(".reports.parquet.*.part")):
        time.sleep(0.01)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_whatever_asks_it_to_end_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    with writing(tmp_path) as process:
        process.send_signal(number)
        out, error = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert error == "discreet: interrupted; files are written whole or not at all\n"
    assert [path.name for path in tmp_path.iterdir()] == ["losses.parquet"]


def test_what_is_to_outlive_its_terminal_does(tmp_path: Path) -> None:
    """As under nohup."""
    with writing(tmp_path, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=60)
    assert process.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["losses.parquet", "reports.parquet"]


def test_reports_that_were_written_are_named_where_nothing_can_be_printed(tmp_path: Path) -> None:
    log, out = write(tmp_path / "losses.parquet", losses()), tmp_path / "reports.parquet"
    command = [sys.executable, "-m", "discreet.cli.main", "privatize", str(log), "--mu", "1", "--out", str(out)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert f"written: {out}" in done.stderr
    assert "Traceback" not in done.stderr
    assert promise_of(out) is not None


def test_an_action_that_is_never_changed_is_called_that(tmp_path: Path) -> None:
    path = write(tmp_path / "reports.csv", np.random.default_rng(1).standard_normal((1, 3)))
    done = run("replay", path, "--reports", "--noise-scale", 1, "--no-compare")
    assert "which never changed its action." in told(done)


def test_help_teaches() -> None:
    assert "With --reports of the actions themselves" in re.sub(r"[\s│]+", " ", run("replay", "--help").output)
    for command, words in (("privatize", "Your claim about the log"), ("replay", "--noise-scale"), ("privacy", "FILE")):
        done = run(command, "--help")
        assert done.exit_code == 0
        assert words in re.sub(r"[\s│]+", " ", done.output)
