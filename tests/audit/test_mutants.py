"""Every planted mistake is caught, by the check that it is there for; the docs list them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from discreet import audit
from discreet.experts import Learner
from tests.audit.mutants import MUTANTS

PAGE = Path(__file__).parents[2] / "docs" / "mutants.md"


@pytest.mark.parametrize(("mutant", "caught_by"), MUTANTS, ids=lambda one: type(one).__name__)
def test_every_mutant_is_caught(mutant: Learner, caught_by: str) -> None:
    caught = [finding.check for finding in audit.check(mutant).failures]
    assert caught_by in caught
    name = type(mutant).__name__
    (row,) = re.findall(rf"^\| `{name}` \|.*$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert row.split(" | ")[2] == ", ".join(dict.fromkeys(caught))


def test_there_are_enough_of_them() -> None:
    assert len(MUTANTS) >= 32
    assert len({type(mutant) for mutant, _ in MUTANTS}) == len(MUTANTS)
