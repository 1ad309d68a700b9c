"""Every study runs, and the pages in the docs are what a full run wrote."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from studies import central_local, hospitals
from studies.__main__ import STUDIES
from studies.page import index, markdown
from studies.recorded import folder

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs" / "studies"
#: What studies of recorded data read; their own tests write small files of the same form.
RECORDED = {"hospitals": hospitals.FILES, "central-local": (central_local.FILE,)}


def absent(name: str) -> bool:
    """Whether a study's recorded data is not there."""
    return name in RECORDED and not any((folder() / file).is_file() for file in RECORDED[name])


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_runs_small(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "studies", name, "--quick", "--jobs", "1", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if absent(name):
        assert done.returncode == 1
        assert "left out: there is no" in done.stdout
        pytest.skip(
            f"{name} reads recorded data, which is not beside the checkout: {done.stdout.split('left out: ')[1]}"
        )
    assert done.returncode == 0, done.stderr
    facts = json.loads((tmp_path / f"{name}.json").read_text())
    assert facts["findings"]
    assert all(finding["seen"] in done.stdout for finding in facts["findings"])
    assert all(table["rows"] for table in facts["tables"])
    assert "quick sizes" in (tmp_path / f"{name}.md").read_text()
    assert ElementTree.parse(tmp_path / f"{name}.svg").getroot().tag.endswith("svg")
    assert facts["title"] in (tmp_path / "index.md").read_text()


@pytest.mark.parametrize("name", STUDIES)
def test_the_page_in_the_docs_says_what_its_numbers_say(name: str) -> None:
    facts = json.loads((DOCS / f"{name}.json").read_text(encoding="utf-8"))
    assert not facts["quick"]
    assert (DOCS / f"{name}.md").read_text(encoding="utf-8") == markdown(facts)


def test_the_list_of_studies_is_up_to_date() -> None:
    assert (DOCS / "index.md").read_text(encoding="utf-8") == index(DOCS, list(STUDIES))


def test_an_unknown_study_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "studies", "magic", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "there is no study 'magic'" in done.stderr
    assert not list(tmp_path.iterdir())
