from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from discreet import environments, experts, simulate
from discreet.cli.standings import ratio
from discreet.cli.theory import Bound
from discreet.cli.variants import USUAL, VARIANTS, variants
from discreet.experts.titles import title
from discreet.simulate import RegretCurve
from tests.replay.logs import losses, write

SMALL = ("--actions", 5, "--rounds", 1000, "--runs", 20)


def run(*arguments: object) -> Result:
    from discreet.cli.app import app

    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def facts(*arguments: object) -> Any:
    done = run("compare", *arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_the_call_of_the_issue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    done = run("compare", "--epsilon", "0.1,1,4", "--actions", 100, "--gap", 0.1, "--rounds", "1e6", "--runs", 20)
    assert done.exit_code == 0, done.output
    for said in ("epsilon = 0.1,", "epsilon = 1,", "epsilon = 4,", "PrefixSoftmax (capped at 1/4)", "theorem 1"):
        assert said in done.output
    for noise in ("laplace", "exponential", "gumbel"):
        assert done.output.count(f"NoisyLeader ({noise})") == 3
    assert done.output.count("PrefixSoftmax ") == 3 + 2  # once where the cap changes nothing, else twice


def test_numbers_are_those_of_the_library() -> None:
    found = facts(*SMALL, "--epsilon", "0.5,2", "--learners", "private-leader,hedge", "--seed", 3)
    assert [group["epsilon"] for group in found["epsilons"]] == [0.5, 2.0]
    for group in found["epsilons"]:
        wanted = (experts.PrivateLeader(5, group["epsilon"]), experts.Hedge(5))
        for one, learner in zip(group["learners"], wanted, strict=True):
            curve = simulate.regret(learner, environments.one_gap(5, 0.1), 1000, runs=20, seed=3)
            assert one["parameters"] == repr(learner)
            assert one["curve"] == {name: column.tolist() for name, column in curve.columns().items()}
            assert one["last"]["mean"] == curve.mean[-1]


def test_the_guarantees_are_the_true_ones() -> None:
    names = "prefix-softmax,prefix-softmax-uncapped,noisy-leader-exponential-paper,follow-the-leader"
    found = facts(*SMALL, "--epsilon", 1, "--learners", names)
    promised = [one["guarantee"].get("epsilon") for one in found["epsilons"][0]["learners"]]
    assert promised == [0.25, 1.0, 2.0, None]


def test_every_name_makes_a_learner_of_its_own() -> None:
    made = variants(list(VARIANTS), n_actions=3, epsilon=1.0, rounds=100)
    assert len({title(learner) for learner in made}) == len(VARIANTS)
    assert set(USUAL) <= set(VARIANTS)
    assert all(title(learner) for learner in variants(list(USUAL), 3, 0.2, 100))
    assert len(variants(list(USUAL), 3, 0.2, 100)) == len(USUAL) - 1


def test_the_best_has_ratio_one_and_all_others_more() -> None:
    learners = facts("--actions", 20, "--rounds", "1e5", "--runs", 100, "--gap", 0.3)["epsilons"][0]["learners"]
    means = [one["last"]["mean"] for one in learners]
    for one, mean in zip(learners, means, strict=True):
        assert one["ratio_to_best"]["value"] == pytest.approx(mean / min(means))


def curve(regret: Any) -> RegretCurve:
    return RegretCurve(np.array([1]), np.asarray(regret)[:, None], "pseudo", "", "")


def test_the_error_of_the_ratio_covers_as_often_as_it_says() -> None:
    """Two dependent samples with means 2 and 1: over 1,000 repetitions 950 are expected, 920 or fewer once in 10^5."""
    rng, covered = np.random.default_rng(1), 0
    for _ in range(1000):
        shared = rng.exponential(size=200)
        found = ratio(curve(shared + rng.exponential(size=200)), curve(0.5 * shared + 0.5 * rng.exponential(size=200)))
        assert found is not None
        covered += abs(found.value - 2) <= found.error
    assert 920 < covered < 978


def test_no_ratio_where_the_best_is_not_clearly_above_zero() -> None:
    around = curve([-1.0, 1.0, -0.5, 0.6])
    assert ratio(curve([1.0, 2.0, 3.0, 4.0]), around) is None
    assert ratio(curve([1.0]), curve([0.5])) is None


def test_lower_bounds_stand_beside_their_own_instance_alone() -> None:
    options = ("--rounds", 1000, "--runs", 20, "--actions", 12)
    hard = facts(*options, "--environment", "hard-for-privacy")["epsilons"][0]["learners"]
    for one, learner in zip(hard, variants(list(USUAL), 12, 1.0, 100), strict=True):
        exact = simulate.exact_regret(learner, environments.hard_for_privacy(12, 0.1), 1000)
        assert one["parameters"] == repr(learner)
        assert 1 < one["lower_bound"]["value"] < exact < one["bound"]["value"]
    assert all(one["lower_bound"] is None for one in facts(*options)["epsilons"][0]["learners"])
    assert "Lower bound: " in run("compare", *options, "--environment", "hard-for-privacy").output


def test_bounds_are_rounded_to_the_safe_side() -> None:
    assert Bound(99.91, "", "").shown() == "100.0"
    assert Bound(1000.2, "", "").shown() == "1,001"
    assert Bound(99.99, "", "", upper=False).shown() == "99.9"


def test_the_answer_does_not_depend_on_the_number_of_jobs() -> None:
    options = (
        "compare",
        "--learners",
        "hedge,private-leader",
        "--actions",
        20,
        "--rounds",
        "1e5",
        "--runs",
        5,
        "--json",
    )
    assert run(*options, "--jobs", 1).stdout == run(*options, "--jobs", 2).stdout


def test_the_plot_and_the_table_are_written(tmp_path: Path) -> None:
    table, plot = tmp_path / "c.csv", tmp_path / "c.svg"
    done = run("compare", *SMALL, "--epsilon", "0.1,1", "--csv", table, "--plot", plot)
    assert done.exit_code == 0, done.output
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["epsilon", "learner", "horizon", "mean", "low", "high", "q5", "q50", "q95"]
    wanted = simulate.regret(experts.PrivateLeader(5, 0.1), environments.one_gap(5, 0.1), 1000, runs=20, seed=1)
    mine = [float(row["mean"]) for row in rows if row["learner"] == repr(experts.PrivateLeader(5, 0.1))]
    assert mine == wanted.mean.tolist()
    assert plot.read_text().startswith("<?xml")


@pytest.mark.parametrize("columns", [50, 80])
def test_no_number_is_cut(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    options = ("--actions", 100, "--rounds", "1e12", "--runs", 20, "--epsilon", 0.01)
    learners = facts(*options)["epsilons"][0]["learners"]
    shown = run("compare", *options).output
    assert max(map(len, shown.splitlines())) <= columns
    for one in learners:
        for name in ("mean", "low", "high", "q5", "q95"):
            assert f"{one['last'][name]:,.1f}" in shown


def test_a_log_is_its_owner_s(tmp_path: Path) -> None:
    log = write(tmp_path / "losses.parquet", losses())
    options = ("--environment", "log", "--log", log, "--runs", 5)
    assert facts(*options)["owner_view"] is True
    assert "NOT PRIVATE" in run("compare", *options).output


BAD = [
    ("--epsilon 1,,2", "numbers with commas between them"),
    ("--epsilon 1,-2", "epsilon is -2.0"),
    ("--epsilon 1,1", "names a number twice"),
    ("--epsilon nan", "epsilon is nan"),
    ("--learners foo", "the names are private-leader, "),
    ("--learners hedge,hedge", "names hedge twice"),
    ("--learners hedge,private-leader --rounds 1e6 --runs 1000", "too many for Hedge"),
    ("--gap 2", "a gap in (0, 1]"),
    ("--epsilon 1,4 --rounds 8e12", "rounds fit"),
    ("--csv same.csv --plot same.csv", "different files"),
    ("--plot no/such/plot.svg", "does not exist"),
]


@pytest.mark.parametrize(("options", "sentence"), BAD, ids=[options for options, _ in BAD])
def test_nonsense_gets_one_sentence_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    usual = [] if "--csv" in options else ["--csv", "curve.csv"]
    done = run("compare", *options.split(), *usual)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
