"""What the pages say about the rooms is what the code says."""

import re
from pathlib import Path

import pytest

from tools.rooms import LAYERS, Layer, rooms
from tools.route import way_of_a_loss

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.title)
def test_the_architecture_page_has_the_table_of_layers(layer: Layer) -> None:
    names = ", ".join(f"`{room}`" for room in layer.rooms)
    assert f"\n| {layer.title} | {names} | " in (DOCS / "architecture.md").read_text(encoding="utf-8")


def test_the_architecture_page_tells_every_stop_of_the_way() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    steps = re.findall(r"^(\d+)\. ", page, flags=re.MULTILINE)
    assert steps == [str(i + 1) for i in range(len(way_of_a_loss()))]


def test_the_reference_has_every_room_but_the_command() -> None:
    sections = re.findall(r"^## (\w+)$", (DOCS / "api.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert sorted(sections) == sorted(set(rooms()) - {"cli"})
