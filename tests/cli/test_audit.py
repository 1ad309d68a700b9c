from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from discreet import audit, experts
from discreet.cli.learners import AnyLearnerName
from discreet.cli.variants import VARIANTS, variants
from discreet.experts.titles import title
from discreet.guarantees import PureDP

DOCS = Path(__file__).parents[2] / "docs"
PRINTED = ("--learner", "noisy-leader", "--noise", "exponential", "--calibration", "paper", "--epsilon", 1)
QUICK = ("--runs", 1000)


def run(*arguments: object) -> Result:
    from discreet.cli.app import app

    return CliRunner().invoke(app, ["audit", *map(str, arguments)], env={"COLUMNS": "200"})


def facts(*arguments: object) -> Any:
    return json.loads(run(*arguments, *QUICK, "--json").stdout)


def test_the_table_in_the_docs_is_what_the_command_prints() -> None:
    done = run("--markdown")
    assert done.exit_code == 0, done.output
    assert (DOCS / "audit-table.md").read_text(encoding="utf-8") == done.stdout
    for epsilon in (0.1, 1.0, 4.0):
        for learner in variants(list(VARIANTS), 3, epsilon, 4096):
            assert f"| {title(learner)} |" in done.stdout
    for name in ("GaussianReport", "RandomWalkLeader", "AdaptiveBatchLeader", "MetaLeader", "RollingRegression"):
        assert done.stdout.count(f"| {name} | mu ") == 3


def test_the_printed_noise_keeps_its_own_claim_and_not_the_one_of_the_paper() -> None:
    assert run(*PRINTED, *QUICK).exit_code == 0
    done = run(*PRINTED, "--claim", 1)
    assert done.exit_code == 1
    assert "VIOLATED" in done.stdout
    assert "3 actions, 7 rounds: the worst loss is 2, above 1" in done.stdout
    assert "PureDP(epsilon=1.0) is rejected after" in done.stdout


def test_json_is_what_the_library_says() -> None:
    (found,) = facts(*PRINTED, "--seed", 5)
    learner = experts.NoisyLeader(3, 1.0, noise="exponential", calibration="paper")
    report = audit.check(learner, runs=1000, seed=5)
    assert found["claim"] == PureDP(2.0).describe()
    assert [row["lower"] for row in found["worst_loss"]] == [one.lower for one in report.worst.values()]
    assert report.bound is not None
    assert found["certified_epsilon"] == report.bound.epsilon
    assert found["checks"] == [vars(finding) for finding in report.findings]
    assert found["holds"] is True


def test_a_learner_without_privacy_claims_nothing_and_a_claim_about_it_is_refuted() -> None:
    assert "no claim" in run("--learner", "hedge", *QUICK).stdout
    done = run("--learner", "follow-the-leader", "--claim", 1)
    assert (done.exit_code, "VIOLATED" in done.stdout) == (1, True)
    assert "not refuted" in run("--learner", "hedge", "--claim", 50, *QUICK).stdout


def test_verdicts_are_explained_where_they_stand() -> None:
    def told(*arguments: object) -> str:
        return " ".join(run(*arguments).output.split())

    only = "samples alone have had their say"
    assert only in told("--learner", "hedge", "--claim", 50, *QUICK)
    assert only not in told("--learner", "private-leader", *QUICK)
    assert '"not refuted" that nothing was found by samples' in told("--help")


@pytest.mark.parametrize("name", list(AnyLearnerName))
def test_every_name_is_audited(name: AnyLearnerName) -> None:
    (found,) = facts("--learner", name.value)
    assert found["holds"], found


BAD = [
    (("--epsilon", "nan"), "epsilon is nan"),
    (("--epsilon", 0), "epsilon is 0.0"),
    (("--claim", 1), "--claim goes with --learner"),
    (("--learner", "hedge", "--epsilon", 1), "hedge is not private and has no --epsilon"),
    (("--learner", "hedge", "--claim", -1), "epsilon must be a finite number, 0 or more"),
    (("--noise", "gumbel"), "--noise goes with --learner noisy-leader"),
    (("--json", "--markdown"), "choose one"),
    (("--runs", 10), "--runs"),
]


@pytest.mark.parametrize(("arguments", "complaint"), BAD, ids=lambda value: str(value))
def test_nonsense_gets_one_sentence(arguments: tuple[object, ...], complaint: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert complaint in done.output
