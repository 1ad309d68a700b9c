"""Lines stay in the gaps: they run neither over boxes nor over each other."""

from itertools import combinations, pairwise

import pytest

from tools.grid import WIDTH, Cell, Link, Plan, Point, left_of, plan
from tools.map import arrange
from tools.rooms import LAYER_OF, LAYERS, PACKAGE
from tools.route import way_of_a_loss

Made = tuple[dict[str, Cell], Plan]


def everything() -> tuple[dict[str, Cell], list[Link]]:
    """All rooms that the layers have a place for, each importing the first two of every layer that it knows."""
    cells = arrange(dict.fromkeys(LAYER_OF, PACKAGE))
    below = {layer.title: layer.rooms[:2] for layer in LAYERS}
    links = [Link(room, other) for room in cells for known in LAYER_OF[room].knows[-2:] for other in below[known]]
    way = way_of_a_loss()
    return cells, [
        *links,
        Link("cli", "report"),
        *(Link(a.room, b.room, i) for i, (a, b) in enumerate(pairwise(way), 2)),
    ]


@pytest.fixture(scope="module")
def made() -> Made:
    cells, links = everything()
    heights = [100.0] * (1 + max(row for row, _ in cells.values()))
    return cells, plan(cells, heights, links)


def spans(points: list[Point]) -> list[tuple[float, float, float, float]]:
    """The pieces of a line, (x, x, y, y) with each pair in order."""
    return [(min(a, c), max(a, c), min(b, d), max(b, d)) for (a, b), (c, d) in pairwise(points)]


def test_lines_run_along_the_axes_from_box_to_box(made: Made) -> None:
    cells, picture = made
    for link, points in picture.lines.items():
        assert all(a == c or b == d for (a, b), (c, d) in pairwise(points))
        for room, (x, y) in ((link.source, points[0]), (link.target, points[-1])):
            row, column = cells[room]
            assert left_of(column) < x < left_of(column) + WIDTH
            assert y in (picture.tops[row], picture.tops[row] + picture.heights[row])


def test_no_line_runs_over_a_box(made: Made) -> None:
    cells, picture = made
    for points in picture.lines.values():
        for left, right, top, bottom in spans(points):
            for row, column in cells.values():
                beside = right <= left_of(column) or left >= left_of(column) + WIDTH
                above_or_below = bottom <= picture.tops[row] or top >= picture.tops[row] + picture.heights[row]
                assert beside or above_or_below


def test_no_two_lines_share_more_than_a_crossing(made: Made) -> None:
    _, picture = made
    for one, other in combinations(picture.lines.values(), 2):
        for a, b in ((a, b) for a in spans(one) for b in spans(other)):
            wide = min(a[1], b[1]) - max(a[0], b[0])
            high = min(a[3], b[3]) - max(a[2], b[2])
            assert not (min(wide, high) >= 0 and max(wide, high) > 0), (one, other)
