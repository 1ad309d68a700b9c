"""Imports point one way, and the rooms that everything rests on are light."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.rooms import LAYERS, PACKAGE, edges, rooms, violations

HEAVY = ("pyarrow", "matplotlib", "rich", "typer", "joblib", "scipy.stats")


def test_the_package_keeps_the_rules() -> None:
    assert violations() == []


def test_every_room_has_one_layer_and_every_layer_knows_only_earlier_ones() -> None:
    names = [room for layer in LAYERS for room in layer.rooms]
    assert len(names) == len(set(names))
    for i, layer in enumerate(LAYERS):
        assert set(layer.knows) <= {earlier.title for earlier in LAYERS[:i]}


def test_the_rooms_and_imports_that_anyone_would_expect_are_found() -> None:
    assert {"losses", "entropy", "guarantees", "selection", "schedules", "experts"} <= set(rooms())
    assert {("experts", "selection"), ("selection", "entropy"), ("schedules", "losses")} <= edges()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return shutil.copytree(PACKAGE, tmp_path / "src" / "discreet", ignore=shutil.ignore_patterns("__pycache__"))


@pytest.mark.parametrize(
    ("module", "planted", "complaint"),
    [
        (
            "losses.py",
            "from discreet import experts",
            "losses (ground) imports experts (learners); ground may import nothing",
        ),
        ("losses.py", "def f():\n    import discreet.replay.log", "losses (ground) imports replay (drivers)"),
        ("losses.py", "from . import entropy", "losses (ground) imports entropy (ground)"),
        (
            "selection/base.py",
            "from ..schedules import growing",
            "selection (steps) imports schedules (steps); steps may import ground",
        ),
        ("experts/base.py", "from discreet import audit, losses", "experts (learners) imports audit (drivers)"),
        (
            "experts/base.py",
            "if TYPE_CHECKING:\n    from discreet.report import page",
            "experts (learners) imports report (faces)",
        ),
        ("replay/log.py", "import discreet.cli", "replay (drivers) imports cli (faces)"),
        ("__init__.py", "from discreet import losses", "the package itself imports losses"),
        ("guarantees/base.py", "import scipy.special", "guarantees loads scipy.special when it is imported"),
        (
            "experts/base.py",
            "try:\n    import pyarrow as pa\nexcept ImportError:\n    pa = None",
            "experts loads pyarrow",
        ),
    ],
)
def test_a_wrong_import_is_reported_with_its_place(copy: Path, module: str, planted: str, complaint: str) -> None:
    file = copy / module
    before = file.read_text()
    file.write_text(before.rstrip() + "\n" + planted + "\n")
    (found,) = violations(copy)
    place = before.rstrip().count("\n") + 2
    lines = range(place, place + planted.count("\n") + 1)
    assert any(found.startswith(f"src/discreet/{module}:{line}: ") for line in lines)
    assert complaint in found


@pytest.mark.parametrize(
    ("module", "planted"),
    [
        ("guarantees/base.py", "def f():\n    from scipy.special import ndtr"),
        ("guarantees/base.py", "if TYPE_CHECKING:\n    from scipy.stats import norm"),
        ("replay/log.py", "import pyarrow.parquet"),
        ("experts/base.py", "import importlib.util\nfrom numpy.typing import NDArray"),
        ("experts/base.py", "from discreet import __version__"),
    ],
)
def test_a_right_import_is_not_reported(copy: Path, module: str, planted: str) -> None:
    with (copy / module).open("a") as file:
        file.write("\n" + planted + "\n")
    assert violations(copy) == []


def test_a_room_without_a_layer_is_reported(copy: Path) -> None:
    (copy / "helpers.py").write_text('"""Odds and ends."""\n')
    (found,) = violations(copy)
    assert "'helpers' is no room of the layers in tools/rooms.py" in found


def test_importing_the_learners_loads_nothing_heavy() -> None:
    code = f"import sys, discreet.experts; print([name for name in {HEAVY} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
