"""The learner with Gaussian trees from the command: which mu, what is promised, and which bound stands beside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from discreet import bounds, experts
from discreet.guarantees import GaussianDP
from tests.replay.logs import losses, write

SMALL = ("--actions", 4, "--rounds", 500, "--runs", 20)
NAMES = ("tree-leader", "tree-leader-least-regret")


def run(*arguments: object) -> Result:
    from discreet.cli.app import app

    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})


def simulated(*arguments: object) -> Any:
    done = run("simulate", *SMALL, *arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_the_mu_is_the_largest_that_proves_the_epsilon(name: str) -> None:
    """At delta 10^-6: a little more would not."""
    mu = simulated("--learner", name, "--epsilon", 0.5)["guarantee"]["mu"]
    assert GaussianDP(mu).delta(0.5) <= 1e-6 < GaussianDP(mu * (1 + 1e-9)).delta(0.5)


def test_a_mu_of_ones_own() -> None:
    assert simulated("--learner", "tree-leader", "--mu", 2)["guarantee"] == GaussianDP(2.0).describe()
    assert simulated("--learner", "tree-leader", "--mu", "inf")["guarantee"]["kind"] == "none"
    free = simulated("--learner", "tree-leader-least-regret", "--mu", "inf")
    learner = experts.TreeLeader(4, 500, float("inf"), noise="least-regret")
    assert free["guarantee"] == learner.claim.describe()
    assert free["bound"]["value"] == bounds.agarwal_singh(4, 500, learner.deviation, learner.rounding)
    assert free["curve"]["mean"][-1] < free["bound"]["value"]


def test_least_noise_has_no_bound() -> None:
    assert simulated("--learner", "tree-leader")["bound"] is None


def test_what_is_promised_is_said_at_its_delta() -> None:
    done = run("simulate", *SMALL, "--learner", "tree-leader")
    assert "It proves epsilon 1 at delta 1e-06." in done.output
    done = run("compare", *SMALL, "--learners", ",".join(NAMES), "--epsilon", "0.5,1")
    assert done.exit_code == 0, done.output
    assert "0.5 at 1e-06" in done.output
    assert "TreeLeader (least regret)" in done.output


def test_the_audit_shows_the_mu_and_explains_it() -> None:
    done = run("audit", "--learner", "tree-leader", "--epsilon", 1, "--runs", 1000)
    assert done.exit_code == 0, done.output
    assert "mu 0.2367" in done.output
    assert "A mu is that of Gaussian privacy; the epsilon in its row is what it proves at delta 1e-06." in done.output


def test_a_replay_says_a_mu_as_an_epsilon_too(tmp_path: Path) -> None:
    """Without --mu it is the largest that proves the epsilon, 1 unless named, at delta 10^-6."""
    log = write(tmp_path / "log.csv", losses())
    asked = ("replay", log, "--learner", "tree-leader", "--runs", 2, "--no-compare")
    assert "That is epsilon 1 but for a delta of 1e-06." in " ".join(run(*asked).output.split())
    assert "That is epsilon 3 but for a delta of 1e-06." in " ".join(run(*asked, "--epsilon", 3).output.split())


@pytest.mark.parametrize(("mu", "private"), [("1", True), ("inf", False)])
def test_a_replay_calls_private_only_what_promises_something(tmp_path: Path, mu: str, private: bool) -> None:
    log, page = write(tmp_path / "losses.parquet", losses(40)), tmp_path / "report.html"
    asked = ("replay", log, "--learner", "tree-leader", "--mu", mu, "--runs", 2, "--no-compare")
    assert json.loads(run(*asked, "--json").stdout)["learners"][0]["private"] is private
    assert [line.split()[1] for line in run(*asked, "--report", page).stdout.splitlines() if "TreeLeader " in line] == [
        "yes" if private else "no"
    ]
    assert ('class="pill yes"' in page.read_text()) is private


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--learner", "hedge", "--mu", 1), "--mu goes with --learner tree-leader or tree-leader-least-regret"),
        (("--learner", "tree-leader", "--mu", 1, "--epsilon", 1), "choose one"),
        (("--learner", "tree-leader", "--mu", -1), "mu is -1.0"),
        (("--learner", "tree-leader", "--mu", "nan"), "mu is nan"),
        (("--learner", "tree-leader", "--noise", "laplace"), "--noise goes with --learner noisy-leader"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: tuple[object, ...], sentence: str) -> None:
    done = run("simulate", *SMALL, *arguments)
    assert done.exit_code == 2
    assert sentence in done.output
    assert len(done.output.strip().splitlines()) == 1
