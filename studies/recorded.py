"""Recorded data, read from where it lies: beside the checkout, never in it."""

from __future__ import annotations

import os
from pathlib import Path

#: The environment variable that names another folder.
ELSEWHERE = "DISCREET_DATA"


class AbsentError(FileNotFoundError):
    """A study's data is not there: the study is left out, and this says why."""


def folder() -> Path:
    """Where recorded data is looked for: `DISCREET_DATA`, or `../shared/data` beside the checkout."""
    named = os.environ.get(ELSEWHERE)
    return Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"


def recorded(*names: str) -> Path:
    """A file of recorded data: the first of these names that is there."""
    found = [path for path in (folder() / name for name in names) if path.is_file()]
    if not found:
        raise AbsentError(
            f"left out: there is no {' or '.join(names)} in {folder()}; recorded data is read from ../shared/data "
            f"beside the checkout, or from the folder that {ELSEWHERE} names"
        )
    return found[0]
