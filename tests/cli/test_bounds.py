from __future__ import annotations

import json
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from discreet import bounds as functions
from discreet.cli.amounts import whole_number
from discreet.cli.bounds import bounds

app = typer.Typer()
app.command()(bounds)

INSTANCE = ("--actions", "100", "--gap", "0.1", "--epsilon", "1")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


def facts(*arguments: str) -> dict[str, Any]:
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_table_has_every_bound() -> None:
    done = run(*INSTANCE)
    assert done.exit_code == 0, done.output
    for row in functions.side_by_side(100, 0.1, 1.0):
        assert row.name in done.stdout
        if isinstance(row.value, functions.Order):
            assert f"c · {row.value.value:.3g} " in done.stdout
        elif row.value is not None:
            assert (f"{row.value:,.0f}" if row.value > 100 else f"{row.value:.3g}") in done.stdout
    assert "does not apply: needs a number of rounds" in done.stdout
    assert "free for gaps up to 1" in done.stdout
    assert "1.1 times the one without privacy" in done.stdout


def test_json_is_what_the_functions_say() -> None:
    found = facts(*INSTANCE, "--rounds", "1e6")
    assert [found[name] for name in ("n_actions", "gap", "epsilon", "rounds")] == [100, 0.1, 1.0, 10**6]
    by_function = {row["function"]: row for row in found["bounds"]}
    explicit, order = by_function["cesari_colomboni_theorem_1"], by_function["hu_upper"]
    assert (explicit["kind"], explicit["value"]) == ("explicit", functions.cesari_colomboni_theorem_1(100, 0.1, 1.0))
    assert (order["kind"], order["value"]) == ("order", functions.hu_upper(100, 0.1, 1.0, 10**6).value)
    assert order["formula"] == "log(K)/gap + log(K) log(T)/epsilon"
    assert found["price_of_privacy"] == functions.price_of_privacy(0.1, 1.0)


def test_a_bound_whose_conditions_fail_is_no_error() -> None:
    found = facts("--actions", "5", "--gap", "0.5", "--epsilon", "0.1")
    row = next(row for row in found["bounds"] if row["function"] == "wu_wang_theorem_7")
    assert (row["kind"], row["value"], row["note"]) == ("does not apply", None, "needs 6 actions or more; got 5")
    assert "At gap 0.5 privacy is what costs: the best rate is 6 times" in found["words"]


@pytest.mark.parametrize(
    ("instance", "sentence"),
    [
        (("--actions", "1", "--gap", "0.1"), "needs 2 actions or more; got 1"),
        (("--actions", "2", "--gap", "0"), "needs a gap above 0 and at most 1; got 0.0"),
        (("--actions", "2", "--gap", "nan"), "needs a gap above 0 and at most 1; got nan"),
        (("--actions", "2", "--gap", "0.1", "--epsilon", "inf"), "needs a finite epsilon above 0; got inf"),
        (("--actions", "2", "--gap", "0.1", "--epsilon", "0"), "needs a finite epsilon above 0; got 0.0"),
    ],
)
def test_bad_values_get_one_sentence(instance: tuple[str, ...], sentence: str) -> None:
    done = run(*instance)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"discreet: {sentence}\n")


def test_bad_amounts_are_wrong_usage() -> None:
    for bad in ("1.5", "abc", "0"):
        for arguments in (("--actions", bad, "--gap", "0.1"), (*INSTANCE, "--rounds", bad)):
            done = run(*arguments)
            assert (done.exit_code, done.stdout) == (2, "")
            assert f"'{bad}' is not a whole number from 1 to 10^18" in done.stderr


def test_help_has_an_example() -> None:
    done = run("--help")
    assert done.exit_code == 0
    assert "discreet bounds --actions 100 --gap 0.1 --epsilon 1" in done.stdout


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        (" 7 ", 7),
        ("1_000", 1000),
        ("1.5e3", 1500),
        ("1E18", 10**18),
        ("2**43", 2**43),
        ("10^18", 10**18),
        ("1^9999999999", 1),
        ("1000000000000000001e0", None),
        ("10**19", None),
        ("9999999999^9999999999", None),
        ("1e999999999", None),
        ("1e-999999999", None),
        ("1.0000000000000000000000000000000001", None),
        ("0", None),
        ("0**5", None),
        ("-3", None),
        ("inf", None),
        ("nan", None),
        ("1,000", None),
        ("", None),
    ],
)
def test_whole_numbers(text: str, number: int | None) -> None:
    if number is not None:
        assert whole_number(text) == number
    else:
        with pytest.raises(typer.BadParameter, match="is not a whole number from 1"):
            whole_number(text)
