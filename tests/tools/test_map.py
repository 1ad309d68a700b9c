"""The picture of the rooms shows what is there, and the file in the docs is the picture of this code."""

import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools.map import arrange, draw, reduced
from tools.rooms import LAYER_OF, PACKAGE, rooms
from tools.route import entered, way_of_a_loss

FILE = Path(__file__).resolve().parents[2] / "docs" / "map.svg"
SVG = "{http://www.w3.org/2000/svg}"


def groups(svg: str) -> dict[str | None, ElementTree.Element]:
    tree = ElementTree.fromstring(svg)
    return {group.get("id"): group for group in tree.iter(f"{SVG}g") if group.get("class") == "room"}


def test_the_picture_in_the_docs_is_current() -> None:
    assert FILE.read_text(encoding="utf-8") == draw(), "out of date: python -m tools.map docs/map.svg"


def test_every_room_that_exists_has_its_box_and_no_other() -> None:
    boxes = groups(draw())
    assert set(boxes) == {f"room-{room}" for room in rooms()}
    for name, box in boxes.items():
        assert f"room-{box.findtext(f'{SVG}text')}" == name


def test_every_box_lies_within_the_picture() -> None:
    picture = ElementTree.fromstring(draw())
    width = float(picture.get("width", 0))
    for box in groups(draw()).values():
        frame = next(box.iter(f"{SVG}rect"))
        assert float(frame.get("x", 0)) + float(frame.get("width", 0)) < width


def test_a_new_room_is_drawn_with_the_first_sentence_of_its_docstring(tmp_path: Path) -> None:
    copy = shutil.copytree(PACKAGE, tmp_path / "src" / "discreet", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(copy / "mechanisms", ignore_errors=True)
    (copy / "mechanisms.py").write_text('"""Sums that run. And more."""\nimport discreet.losses\n')
    words = [text.text for text in groups(draw(copy))["room-mechanisms"].iter(f"{SVG}text")]
    assert words == ["mechanisms", "Sums that run."]


def test_the_same_code_gives_the_same_bytes() -> None:
    assert draw() == draw()


def test_the_way_starts_with_the_learner_and_passes_the_rooms_of_the_design() -> None:
    way = [stop.room for stop in way_of_a_loss()]
    assert way[0] in ("experts", "losses")
    assert way[-1] == "experts"
    assert way.index("losses") < way.index("selection") < way.index("entropy")


def test_the_way_names_public_functions_in_the_order_of_first_entry() -> None:
    from discreet import losses

    steps = entered(lambda: [losses.to_units([0.0, 1.0], 2) for _ in range(2)])
    assert steps == [("losses", name) for name in ("to_units", "as_losses", "as_numbers")]


def test_imports_that_follow_from_others_are_left_out() -> None:
    pairs = {("a", "b"), ("b", "c"), ("c", "d"), ("a", "c"), ("a", "d"), ("a", "e")}
    assert reduced(pairs) == {("a", "b"), ("b", "c"), ("c", "d"), ("a", "e")}


@pytest.mark.parametrize("chosen", [list(LAYER_OF), ["losses", "experts"], ["losses", "experts", "cli", "bounds"]])
def test_every_room_has_a_cell_of_its_own(chosen: list[str]) -> None:
    cells = arrange(dict.fromkeys(chosen, FILE))
    assert set(cells) == set(chosen)
    assert len(set(cells.values())) == len(cells)
    assert min(cells.values()) >= (0, 0)
