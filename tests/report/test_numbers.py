"""The same numbers as plain data and in the terminal."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from discreet.replay.result import Result
from discreet.report import as_dict, print_table
from discreet.report.data import played, rows
from discreet.report.words import between, number, short
from tests.report import results as made_up


def printed(result: Result, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    print_table(result, console)
    out = console.file.getvalue()  # type: ignore[attr-defined]
    assert isinstance(out, str)
    return out


def test_the_data_goes_through_json_and_back() -> None:
    for made in (
        made_up.result(),
        made_up.constant(),
        made_up.result(2, 1, 1, 1, False),
        replace(made_up.result(), bound=float("inf")),
    ):
        data = as_dict(made)
        assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_the_data_says_that_it_is_not_private() -> None:
    data = as_dict(made_up.result())
    assert data["private"] is False
    assert data["owner_view"] is True


def test_the_numbers_are_those_of_the_curves() -> None:
    made = made_up.result()
    data, curve = as_dict(made), made.curves[0]
    first = data["learners"][0]
    assert first["mean_regret"] == pytest.approx(np.mean(curve.loss) - made.totals.min())
    assert first["interval_95"] == [pytest.approx(end[-1]) for end in curve.interval(0.95)]
    assert first["range_95"] == [pytest.approx(np.quantile(curve.regret[:, -1], q)) for q in (0.025, 0.975)]
    assert first["regret_per_1000_rounds"] == pytest.approx(first["mean_regret"] / 20)
    assert len(first["curve"]["low"]) == len(first["curve"]["rounds"])
    assert data["best"]["total"] == made.totals.min()
    assert data["released"]["interval_95"] is None


def test_an_exact_expectation_has_no_interval_and_one_run_is_no_expectation() -> None:
    by_title = {learner["title"]: learner for learner in as_dict(made_up.result(runs=1))["learners"]}
    assert by_title["Hedge"]["exact_expectation"]
    assert not by_title["PrivateLeader"]["exact_expectation"]
    assert by_title["Hedge"]["interval_95"] is by_title["PrivateLeader"]["range_95"] is None


def test_each_round_of_the_timeline_is_counted_once() -> None:
    for made in (made_up.result(), made_up.restless(), made_up.result(2, 1, 1, 1)):
        counts = np.bincount(
            np.repeat(made.timeline.actions, np.diff(np.append(made.timeline.starts, made.rounds))),
            minlength=len(made.actions),
        )
        assert played(made).tolist() == counts.tolist()
        assert played(made).sum() == made.rounds


def test_without_regret_every_number_is_zero() -> None:
    for line in rows(made_up.constant()):
        assert number(line.regret) == "0.0"
        assert between(line.interval) in ("0.0 to 0.0", "–")


@pytest.mark.parametrize("width", [30, 50, 64, 80, 120, 200])
@pytest.mark.parametrize("rounds", [20, 20_000, 10**9])
@pytest.mark.parametrize("learners", [1, 3, 9])
def test_no_number_is_cut_at_any_width(width: int, rounds: int, learners: int) -> None:
    made = made_up.result(rounds=rounds, learners=learners)
    out = printed(made, width)
    assert max(map(len, out.splitlines())) <= width
    for line in rows(made):
        ends = [end for pair in (line.interval, line.spread) for end in between(pair).split(" to ")]
        for said in (number(line.loss), number(line.regret), *ends):
            assert said in out


def test_the_terminal_is_told_first_that_it_is_not_private() -> None:
    out = printed(made_up.result())
    assert out.lstrip().startswith("NOT PRIVATE: for the data's owner only")
    for words in (
        "The best fixed action is",
        "released run of",
        "Guarantee: PureDP(epsilon=1.0): any",
        "At most 1,258.2",
    ):
        assert words in " ".join(out.split())


def test_names_do_not_color_the_terminal() -> None:
    made = made_up.result(12, names=made_up.NASTY)
    for best in range(12):
        totals = np.arange(12.0)
        totals[best] = -1
        out = printed(replace(made, totals=totals), 400)
        assert not set(out) & {"\x1b", "\x00", "\u202e"}
        assert short(made_up.NASTY[best], 60).rstrip("…") in out


def test_matplotlib_and_rich_wait_until_they_are_needed() -> None:
    code = "import sys, discreet.report; sys.exit(bool({'matplotlib', 'rich', 'scipy'} & set(sys.modules)))"
    assert (
        subprocess.run([sys.executable, "-c", code], check=False, env={"PYTHONPATH": ":".join(sys.path)}).returncode
        == 0
    )
