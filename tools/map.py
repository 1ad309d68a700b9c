"""Draws the rooms, their imports and the way of a loss as an SVG.

Everything in the picture is read off the code: rooms and imports by `tools.rooms`, the way by `tools.route`, the
words from the docstrings. The same code gives the same bytes.

    python -m tools.map docs/map.svg
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from textwrap import wrap

from tools import svg
from tools.grid import GUTTER, LEFT, WIDTH, Cell, Link, Plan, left_of, plan
from tools.rooms import LAYERS, PACKAGE, edges, rooms
from tools.route import Stop, way_of_a_loss

HEAD, FOOT, EDGE, LINE = 40, 62, 18, 15
TITLE = "The rooms of discreet, and the way of a loss"
#: Layers from the top of the picture to the bottom; the one that stands aside is the last column.
STACK = [layer for layer in reversed(LAYERS) if layer.title != "aside"]
ASIDE = next(layer for layer in LAYERS if layer.title == "aside")


@dataclass(frozen=True)
class Label:
    """What is written into a box: the room's first sentence, and the stops of the way there."""

    sentence: list[str]
    stops: list[tuple[int, str]]  # a number for the first function of a stop, 0 for the others

    @property
    def height(self) -> float:
        """How much a box needs for it."""
        return 34 + LINE * (len(self.sentence) + len(self.stops)) + 10 * bool(self.stops)

    def stop_y(self, index: int) -> float:
        """The middle of the line of a function, from the top of the box."""
        return 40 + LINE * (len(self.sentence) + index)


def draw(package: Path = PACKAGE) -> str:
    """The picture as SVG."""
    found, way = rooms(package), way_of_a_loss()
    cells = arrange(found)
    labels = {room: Label(first_sentence(file), _stops(room, way)) for room, file in found.items()}
    links = [Link(*edge) for edge in sorted(reduced(edges(package)))]
    links += [Link(a.room, b.room, i) for i, (a, b) in enumerate(pairwise(way), 2)]
    made = plan(cells, [_highest(row, cells, labels) for row in range(_n_rows(cells))], links)
    parts = [*_bands(cells, made), *_lines(made), *_ends(cells, made, labels, way)]
    parts += [part for room in cells for part in _box(room, cells, made, labels[room])]
    return _page(parts, _width(cells), made.height, way)


def reduced(pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The pairs without those that follow from others: what is known through a neighbor is not drawn."""
    known = set(pairs)
    while more := {(a, d) for a, b in known for c, d in known if b == c} - known:
        known |= more
    return {(a, b) for a, b in pairs if not any((a, c) in pairs and (c, b) in known for c, _ in pairs)}


def arrange(found: Mapping[str, Path]) -> dict[str, Cell]:
    """Row and column of each room: a row for each layer, and a last column, from the ground up, for those aside."""
    rows = [row for layer in STACK if (row := [room for room in layer.rooms if room in found])]
    cells = {room: (r, c) for r, row in enumerate(rows) for c, room in enumerate(row)}
    aside = [room for room in ASIDE.rooms if room in found]
    return cells | {room: (len(rows) - 1 - len(aside) + i, max(map(len, rows))) for i, room in enumerate(aside)}


def first_sentence(file: Path) -> list[str]:
    """The first sentence of a module's docstring, in lines; none where there is no docstring."""
    text = (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "") if file.exists() else ""
    paragraph = " ".join(text.split("\n\n")[0].replace("`", "").split())
    return wrap(re.split(r"(?<=[.!?])\s", paragraph)[0], 26)


def _stops(room: str, way: Sequence[Stop]) -> list[tuple[int, str]]:
    numbered = [(number, stop) for number, stop in enumerate(way, 1) if stop.room == room]
    return [(0 if i else number, name) for number, stop in numbered for i, name in enumerate(stop.functions)]


def _n_rows(cells: Mapping[str, Cell]) -> int:
    return 1 + max(row for row, _ in cells.values())


def _highest(row: int, cells: Mapping[str, Cell], labels: Mapping[str, Label]) -> float:
    return max(labels[room].height for room, cell in cells.items() if cell[0] == row)


def _bands(cells: Mapping[str, Cell], made: Plan) -> list[str]:
    """The ground below each layer, with its title at the left, and below those aside."""
    main = {room: cell for room, cell in cells.items() if room not in ASIDE.rooms}
    right = left_of(1 + max(column for _, column in main.values())) - GUTTER + 10
    titles = {cells[room][0]: layer.title for layer in STACK for room in layer.rooms if room in cells}
    parts = []
    for row, title in titles.items():
        top, height = made.tops[row] - 10, made.heights[row] + 20
        parts.append(svg.rect(10, top, right - 10, height, "band"))
        parts.append(svg.text(27, top + height / 2, title, "layer middle", -90))
    for room, (row, column) in cells.items():
        if room in ASIDE.rooms:
            top, height = made.tops[row] - 10, made.heights[row] + 20
            parts.append(svg.rect(left_of(column) - 10, top, WIDTH + 20, height, "aside"))
    return parts


def _lines(made: Plan) -> list[str]:
    """Imports first, the way above them, and the badges where it arrives."""
    parts = [svg.line(points, "import") for link, points in made.lines.items() if link.number is None]
    way = {link.number: points for link, points in made.lines.items() if link.number is not None}
    parts += [svg.line(points, "way") for points in way.values()]
    for number, points in way.items():
        (x, y), came_from = points[-1], points[-2][1]
        parts.append(svg.badge(x, y + (19 if came_from > y else -19), number))
    return parts


def _ends(cells: Mapping[str, Cell], made: Plan, labels: Mapping[str, Label], way: Sequence[Stop]) -> list[str]:
    """Where the losses come in, and where the action comes out: at the left of the first and the last room."""
    parts = []
    for number, words in ((1, ("one round's", "losses")), (len(way), ("the next", "action"))):
        room = way[number - 1].room
        index = [n for n, _ in labels[room].stops].index(number)
        x, y = left_of(cells[room][1]), made.tops[cells[room][0]] + labels[room].stop_y(index)
        outer, inner = (x - LEFT + 36, y), (x, y)
        parts.append(svg.line([outer, inner] if number == 1 else [inner, outer], "way"))
        parts += [svg.text(x - LEFT + 36, y - 22 + 14 * i, line, "end") for i, line in enumerate(words)]
    return parts


def _box(room: str, cells: Mapping[str, Cell], made: Plan, label: Label) -> list[str]:
    row, column = cells[room]
    x, y = left_of(column), made.tops[row]
    parts = [f'<g class="room" id="room-{room}">', svg.rect(x, y, WIDTH, made.heights[row], "box")]
    parts.append(svg.text(x + 12, y + 21, room, "name"))
    parts += [svg.text(x + 12, y + 39 + LINE * i, line) for i, line in enumerate(label.sentence)]
    for i, (number, name) in enumerate(label.stops):
        middle = y + label.stop_y(i)
        parts += [svg.badge(x + 17, middle, number)] if number else []
        parts.append(svg.text(x + 30, middle + 4, name, "code"))
    return [*parts, "</g>"]


def _width(cells: Mapping[str, Cell]) -> float:
    """How wide the picture is: to the right edge of the last column, and a little more."""
    return left_of(1 + max(column for _, column in cells.values())) - GUTTER + EDGE


def _page(parts: Sequence[str], width: float, height: float, way: Sequence[Stop]) -> str:
    total = HEAD + height + FOOT
    told = "; ".join(f"{i} {stop.room}: {', '.join(stop.functions)}" for i, stop in enumerate(way, 1))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {total:g}" '
        f'width="{width:g}" height="{total:g}" role="img" aria-labelledby="title way">',
        f'<title id="title">{TITLE}</title>',
        f'<desc id="way">The way of a loss: {told}.</desc>',
        svg.STYLE,
        f"<defs>{svg.marker('import-tip', 7)}{svg.marker('way-tip', 10)}</defs>",
        svg.rect(0, 0, width, total, "paper", 10),
        svg.text(12, 30, TITLE, "head"),
        f'<g transform="translate(0 {HEAD})">',
        *parts,
        "</g>",
        *_legend(total - FOOT + 20),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _legend(y: float) -> list[str]:
    return [
        svg.line([(14, y), (54, y)], "import"),
        svg.text(64, y + 4, "imports; what already follows from other arrows is left out"),
        svg.line([(14, y + 22), (54, y + 22)], "way"),
        svg.text(
            64, y + 26, "recorded from PrivateLeader: one update that ends a block, then act; public functions only"
        ),
    ]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(draw(), encoding="utf-8")
