from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner, Result

from discreet import environments, experts, simulate
from discreet.cli.app import app
from tests.replay.logs import FORMATS, losses, write

SMALL = ("--actions", 5, "--rounds", 1000, "--runs", 20)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def facts(*arguments: object) -> Any:
    done = run("simulate", *arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_the_call_of_the_issue(tmp_path: Path) -> None:
    options = (
        "--learner prefix-softmax --environment one-gap --actions 100 --gap 0.1 --epsilon 1 --rounds 1e6 --runs 100"
    )
    done = run("simulate", *options.split())
    assert done.exit_code == 0, done.output
    for said in ("PrefixSoftmax(n_actions=100, epsilon=1.0)", "PureDP(epsilon=0.25)", "one_gap(100, 0.1)", "seed 1"):
        assert said in done.output
    for said in ("pseudo-regret", "1,000,000", "theorem 1", "37,432", "promise nothing"):
        assert said in done.output
    assert "NOT PRIVATE" not in done.output
    assert list(tmp_path.iterdir()) == []


def test_numbers_are_those_of_the_library() -> None:
    curve = simulate.regret(experts.PrivateLeader(5, 0.5), environments.one_gap(5, 0.3), 1000, runs=20, seed=7)
    found = facts(*SMALL, "--gap", 0.3, "--epsilon", 0.5, "--seed", 7)
    assert found["curve"] == {name: column.tolist() for name, column in curve.columns().items()}
    assert (found["learner"], found["environment"], found["kind"]) == (curve.title, curve.environment, "pseudo")
    assert found["parameters"] == repr(experts.PrivateLeader(5, 0.5))


LEARNERS = [
    (("--learner", "private-leader"), experts.PrivateLeader(5, 1.0)),
    (("--learner", "prefix-softmax", "--uncapped"), experts.PrefixSoftmax(5, 1.0, capped=False)),
    (
        ("--learner", "noisy-leader", "--noise", "exponential", "--calibration", "paper", "--resample"),
        experts.NoisyLeader(5, 1.0, noise="exponential", calibration="paper", resample=True),
    ),
    (("--learner", "follow-the-leader"), experts.FollowTheLeader(5)),
    (("--learner", "hedge"), experts.Hedge(5)),
    (("--learner", "ada-hedge"), experts.AdaHedge(5)),
]


@pytest.mark.parametrize(("options", "learner"), LEARNERS, ids=lambda value: type(value).__name__)
def test_every_learner(options: tuple[str, ...], learner: experts.Learner) -> None:
    found = facts(*options, "--actions", 5, "--rounds", 50, "--runs", 3)
    curve = simulate.regret(learner, environments.one_gap(5, 0.1), 50, runs=3, seed=1)
    assert found["parameters"] == repr(learner)
    assert found["curve"]["mean"] == curve.mean.tolist()
    assert found["guarantee"] == learner.claim.describe()


WORLDS = [
    ("--actions 4 --gap 0.2", environments.one_gap(4, 0.2)),
    ("--environment spread --actions 4 --low 0.1 --high 0.5", environments.spread(4, 0.1, 0.5)),
    ("--environment hard-for-privacy --actions 6", environments.hard_for_privacy(6, 0.1)),
    ("--environment bernoulli --means 0.1,0.2", environments.Bernoulli([0.1, 0.2])),
    ("--environment deterministic --means 0.1,0.2 --actions 2", environments.Deterministic([0.1, 0.2])),
    (
        "--environment correlated --means 0.1,0.2 --strength 0.3,-1",
        environments.Correlated([0.1, 0.2], [0.3, -1.0]),
    ),
    ("--environment correlated --actions 2 --gap 0.5", environments.Correlated([0.25, 0.75])),
    (
        "--environment two-point --low-losses 0.3,0 --high-losses 0.3,0.4 --chances 0,0.8",
        environments.TwoPoint([0.3, 0.0], [0.3, 0.4], [0.0, 0.8]),
    ),
]
ADVERSARIES = [
    ("--environment late-loss --actions 40 --hard-epsilon 0.2", environments.late_loss(40, 0.2, 100)),
    ("--environment one-by-one --actions 5", environments.one_by_one(5, 100)),
    ("--environment halving", environments.halving(100, 100)),
]
EVERY = [(*world, kind) for world in WORLDS for kind in ("pseudo", "realized")]
EVERY += [(*world, "realized") for world in ADVERSARIES]


@pytest.mark.parametrize(("options", "world", "kind"), EVERY, ids=[f"{row[0]} {row[2]}" for row in EVERY])
def test_every_environment(options: str, world: environments.Environment, kind: Any) -> None:
    found = facts(*options.split(), "--rounds", 100, "--runs", 4, "--kind", kind)
    assert world.n_actions is not None
    learner = experts.PrivateLeader(world.n_actions, 1.0)
    curve = simulate.regret(learner, world, 100, runs=4, seed=1, kind=kind)
    assert found["curve"]["mean"] == curve.mean.tolist()
    assert (found["environment"], found["kind"]) == (repr(world), kind)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_log_is_its_owner_s(tmp_path: Path, ending: str) -> None:
    table = losses()
    log = write(tmp_path / f"losses{ending}", table)
    found = facts("--environment", "log", "--log", log, "--runs", 5)
    curve = simulate.regret(experts.PrivateLeader(3, 1.0), environments.Sequence(table), 400, runs=5, seed=1)
    assert found["curve"]["mean"] == curve.mean.tolist()
    assert (found["kind"], found["owner_view"], found["rounds"]) == ("realized", True, 400)
    files = (tmp_path / "curve.csv", tmp_path / "curve.png")
    done = run("simulate", "--environment", "log", "--log", log, "--runs", 5, "--csv", files[0], "--plot", files[1])
    assert "NOT PRIVATE" in done.output
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)


def test_a_log_with_labels_of_gains_on_a_scale(tmp_path: Path) -> None:
    table = losses()
    log = write(tmp_path / "gains.csv", 4 - 4 * table, label="day")
    options = ("--index", "day", "--gains", "--scale", 0, 4, "--rounds", 100, "--runs", 5)
    found = facts("--environment", "log", "--log", log, *options)
    curve = simulate.regret(experts.PrivateLeader(3, 1.0), environments.Sequence(table), 100, runs=5, seed=1)
    assert found["curve"]["mean"] == pytest.approx(curve.mean.tolist(), abs=1e-3)


def test_the_exact_regret_and_both_bounds() -> None:
    options = ("--environment", "hard-for-privacy", "--actions", 16, "--rounds", 10**6, "--runs", 200, "--exact")
    found = facts(*options, "--learner", "noisy-leader", "--noise", "gumbel")
    learner = experts.NoisyLeader(16, 1.0, noise="gumbel")
    assert found["exact"] == simulate.exact_regret(learner, environments.hard_for_privacy(16, 0.1), 10**6)
    assert 0 < found["lower_bound"]["value"] < found["exact"] < found["bound"]["value"]
    shown = run("simulate", *options).output
    assert "Exactly: " in shown
    assert "at least" in shown


def test_bounds_are_left_out_where_they_do_not_hold() -> None:
    assert facts(*SMALL)["bound"]["value"] > 0
    assert facts(*SMALL, "--kind", "realized")["bound"] is None
    assert facts(*SMALL, "--learner", "prefix-softmax", "--uncapped")["bound"] is None
    assert facts(*SMALL, "--learner", "prefix-softmax", "--uncapped", "--epsilon", 0.25)["bound"] is not None
    assert facts(*SMALL)["lower_bound"] is None


def test_the_answer_does_not_depend_on_the_number_of_jobs() -> None:
    options = ("simulate", "--learner", "hedge", "--actions", 20, "--rounds", "1e5", "--runs", 5, "--json")
    assert run(*options, "--jobs", 1).stdout == run(*options, "--jobs", 2).stdout


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf"])
def test_the_plot_and_the_table_are_written_and_come_again(tmp_path: Path, ending: str) -> None:
    seen = []
    for again in "12":
        table, plot = tmp_path / f"{again}.csv", tmp_path / f"{again}{ending}"
        done = run("simulate", *SMALL, "--csv", table, "--plot", plot)
        assert done.exit_code == 0, done.output
        assert f"Written: {table}".replace("\n", "") in done.output.replace("\n", "")
        seen.append((table.read_bytes(), plot.read_bytes()))
    assert seen[0] == seen[1]
    assert seen[0][1].startswith({".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}[ending])
    read = np.genfromtxt(tmp_path / "1.csv", delimiter=",", names=True)
    curve = simulate.regret(experts.PrivateLeader(5, 1.0), environments.one_gap(5, 0.1), 1000, runs=20, seed=1)
    assert read.dtype.names == ("horizon", "mean", "low", "high", "q5", "q50", "q95")
    assert read["mean"].tolist() == curve.mean.tolist()


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf"])
@pytest.mark.parametrize(
    "call", [("simulate", *SMALL), ("compare", *SMALL), ("privacy", "--mu", 1)], ids=lambda c: c[0]
)
def test_a_plot_replaces_a_plot_of_ours_and_no_other(tmp_path: Path, call: tuple[object, ...], ending: str) -> None:
    """Not even one that Matplotlib drew for somebody else."""
    plot = tmp_path / f"a{ending}"
    for _ in range(2):
        assert run(*call, "--plot", plot).exit_code == 0
    Figure().savefig(plot)
    for foreign in (plot.read_bytes(), b"mine"):
        plot.write_bytes(foreign)
        done = run(*call, "--plot", plot)
        assert done.exit_code == 2
        assert f"a{ending} exists and is not a plot of discreet; it is left alone" in done.output
        assert plot.read_bytes() == foreign
    assert [path.name for path in tmp_path.iterdir()] == [plot.name]


def test_an_svg_says_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.report.simulation._SETTINGS", {"svg.fonttype": "none"})
    run("simulate", *SMALL, "--plot", tmp_path / "a.svg")
    drawn = (tmp_path / "a.svg").read_text()
    for said in ("rounds", "pseudo-regret, in losses", "PrivateLeader", "one_gap(5, 0.1)", "95% interval"):
        assert said in drawn


@pytest.mark.parametrize("columns", [50, 80, 200])
def test_no_number_is_cut(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    options = ("--environment", "hard-for-privacy", "--actions", 1000, "--rounds", "1e12", "--runs", 20)
    found = facts(*options)["curve"]
    shown = run("simulate", *options).output
    assert max(map(len, shown.splitlines())) <= columns
    for name in ("mean", "low", "high", "q5", "q50", "q95"):
        assert f"{found[name][-1]:,.1f}" in shown or f"{found[name][-1]:,.2f}" in shown
    assert "1,000,000,000,000" in shown


BAD = [
    ("--gap 0", "a gap in (0, 1]"),
    ("--gap 2", "a gap in (0, 1]"),
    ("--gap nan", "a gap in (0, 1]"),
    ("--epsilon 0", "epsilon is 0.0"),
    ("--epsilon -1", "epsilon is -1.0"),
    ("--epsilon inf", "epsilon is inf"),
    ("--rounds 1e17", "rounds fit"),
    ("--runs 1e9", "too many to be kept"),
    ("--actions 1", "at least 2 actions"),
    ("--actions 1e12", "at most 10,000,000"),
    ("--learner hedge --actions 100 --rounds 1e6 --runs 1000", "ask for about 2 times fewer"),
    ("--learner ada-hedge --actions 2 --rounds 1e6 --runs 1000", "are too many for AdaHedge"),
    ("--learner noisy-leader --resample --kind realized --rounds 1e9", "are too many for NoisyLeader"),
    ("--learner hedge --epsilon 1", "not private"),
    ("--uncapped", "--uncapped goes with --learner prefix-softmax"),
    ("--noise gumbel", "--noise goes with --learner noisy-leader"),
    ("--learner hedge --resample", "--resample goes with --learner noisy-leader"),
    ("--means 0.1,0.2", "--means goes with --environment bernoulli or deterministic or correlated"),
    ("--low 0", "--low goes with --environment spread"),
    ("--environment spread --gap 0.1", "--gap goes with"),
    ("--environment spread --low 0.5 --high 0.2", "low < high"),
    ("--environment hard-for-privacy --actions 2", "at least 3 actions"),
    ("--environment bernoulli", "wants --means"),
    ("--environment bernoulli --means 0.5", "at least two numbers"),
    ("--environment bernoulli --means 0.5,2", "means[1] is 2.0"),
    ("--environment bernoulli --means 0.5,,2", "numbers with commas between them"),
    ("--environment bernoulli --means 0.5,0.6 --actions 3", "those of 2 actions"),
    ("--environment correlated --means 0.5,0.6 --gap 0.1", "give one of them"),
    ("--environment correlated --actions 3 --strength 2", "strength[0] is 2.0"),
    ("--environment two-point --low-losses 0,0 --high-losses 1,1", "wants --chances"),
    ("--environment late-loss --rounds 10", "the last 23 rounds are those with losses; there are only 10"),
    ("--environment halving --hard-epsilon 1", "--hard-epsilon goes with --environment late-loss"),
    ("--environment one-by-one --kind pseudo", "have no known expectations"),
    ("--environment two-point --low-losses 0,0 --high-losses 1,1 --chances 1", "at least two numbers"),
    ("--environment log", "wants --log"),
    ("--environment log --log no.csv", "does not exist"),
    ("--log losses.csv", "--log goes with --environment log"),
    ("--gains", "--gains goes with --environment log"),
    ("--environment log --log losses.csv --rounds 500", "the log has 400 rounds"),
    ("--environment log --log losses.csv --kind pseudo", "only their realized regret"),
    ("--environment log --log losses.csv --csv losses.csv", "different files"),
    ("--exact --kind realized", "--exact sums pseudo-regret"),
    ("--exact --environment spread", "too many to sum over"),
    ("--csv same.csv --plot same.csv", "different files"),
    ("--csv curve.txt", "a table is a .csv file"),
    ("--plot curve.jpg", "a plot is .svg, .png or .pdf"),
    ("--plot no/such/curve.png", "does not exist"),
    ("--csv no/such/curve.csv", "does not exist"),
]


@pytest.mark.parametrize(("options", "sentence"), BAD, ids=[options for options, _ in BAD])
def test_nonsense_gets_one_sentence_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "losses.csv", losses())
    before = (tmp_path / "losses.csv").read_bytes()
    usual = [] if "--csv" in options else ["--csv", "curve.csv"]
    done = run("simulate", *options.split(), *usual)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["losses.csv"]
    assert (tmp_path / "losses.csv").read_bytes() == before


def test_an_engine_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for engine in ("dask", "ray"):
        done = run("simulate", *SMALL, "--engine", engine)
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"pip install 'discreet[{engine}]'" in done.stderr


def command(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    """The command as it is called from a shell, its entry point included."""
    whole = [sys.executable, "-m", "discreet.cli.main", *map(str, arguments)]
    return subprocess.Popen(whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def test_a_learner_on_reports_says_where_it_belongs() -> None:
    for call in ("simulate --learner meta", "compare --learners hedge,meta"):
        with command(*call.split()) as process:
            _, error = process.communicate()
        assert "meta learns from reports, not from losses: discreet replay --reports" in error
        assert (process.returncode, error.count("\n"), "Value error" in error) == (2, 1, False)


@pytest.mark.parametrize(
    "wrong", ["--rounds 1.5", "--rounds -1", "--runs 0", "--learner foo", "--environment x", "--kind x", "--jobs 0"]
)
def test_wrong_usage_gets_one_sentence(wrong: str) -> None:
    with command("simulate", *wrong.split()) as process:
        out, error = process.communicate()
    assert (process.returncode, out, error.count("\n")) == (2, "", 1)
    assert error.startswith("discreet: ")
    assert "Value error" not in error


def test_an_interruption_leaves_nothing_behind(tmp_path: Path) -> None:
    options = ("--learner", "hedge", "--actions", 50, "--rounds", "1e5", "--runs", 2000)
    files = ("--csv", "curve.csv", "--plot", "curve.svg")
    with command("simulate", *options, *files, cwd=tmp_path, start_new_session=True) as process:
        time.sleep(2)
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_behind_standard_output_says_what_was_written(tmp_path: Path) -> None:
    whole = [sys.executable, "-m", "discreet.cli.main", "simulate", *map(str, SMALL), "--csv", str(tmp_path / "a.csv")]
    with open("/dev/full", "w") as full:
        done = subprocess.run(whole, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"written: {tmp_path / 'a.csv'}" in done.stderr
