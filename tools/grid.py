"""Boxes on a grid, and lines between them that run in the gaps: where everything goes in the picture of the rooms.

Rows of boxes are parted by channels, columns by gutters. A line leaves its box at a port, runs in a lane of its own
in a channel, and, where it passes a row, in a track of its own in a gutter. So lines cross, but never run over
boxes, or over each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LEFT, WIDTH, GUTTER, LANE, SLOT = 106, 176, 24, 9, 8
CLEAR = 14  # between a box and the nearest lane; with a badge on the way, `BADGE` more
BADGE = 20

Cell = tuple[int, int]
Point = tuple[float, float]


@dataclass(frozen=True)
class Link:
    """A line from one box to another; a number makes it a leg of the way of a loss, with a badge where it arrives."""

    source: str
    target: str
    number: int | None = None


@dataclass(frozen=True)
class Leg:
    """A horizontal piece of a line, in one channel (channel c lies above row c)."""

    link: Link
    channel: int
    start: float
    stop: float


@dataclass(frozen=True)
class Plan:
    """The picture: where each row begins and how high it is, the height in all, and the corners of each line."""

    tops: tuple[float, ...]
    heights: tuple[float, ...]
    height: float
    lines: dict[Link, list[Point]]


def left_of(column: int) -> float:
    """The left edge of a column of boxes."""
    return LEFT + column * (WIDTH + GUTTER)


def plan(cells: Mapping[str, Cell], heights: Sequence[float], links: Sequence[Link]) -> Plan:
    """Place everything: boxes by their cells (row, column), rows by their heights, and the lines around them."""
    ports = _ports(cells, links)
    legs = [leg for link in links for leg in _legs(link, cells, ports, _tracks(cells, links))]
    lanes = _lanes(legs)
    clears = [_clear(cells, links, channel) for channel in range(len(heights) + 1)]
    tops, offsets, y = [], [], 0.0
    for channel, (above, below) in enumerate(clears):
        used = [lane for leg, lane in lanes.items() if leg.channel == channel]
        offsets.append(y + above)
        y += above + below + LANE * max(used, default=0) if used else CLEAR
        if channel < len(heights):
            tops.append(y)
            y += heights[channel]
    lines = {}
    for link in links:
        mine = [(leg, offsets[leg.channel] + LANE * lanes[leg]) for leg in legs if leg.link == link]
        lines[link] = _corners(link, mine, cells, tops, heights)
    return Plan(tuple(tops), tuple(heights), y, lines)


def _sides(link: Link, cells: Mapping[str, Cell]) -> tuple[str, str]:
    """The sides at which a line leaves its box and enters the other."""
    source, target = cells[link.source][0], cells[link.target][0]
    return "bottom" if target > source else "top", "bottom" if target < source else "top"


def _channels(link: Link, cells: Mapping[str, Cell]) -> tuple[int, int]:
    """The channels in which a line leaves and arrives."""
    (source, _), (target, _) = cells[link.source], cells[link.target]
    leaves, arrives = _sides(link, cells)
    return source + (leaves == "bottom"), target + (arrives == "bottom")


def _ports(cells: Mapping[str, Cell], links: Sequence[Link]) -> dict[tuple[Link, int], float]:
    """The x of both ends of each line: on every side spread out, in the order of where the lines come from.

    Ports above and below a channel lie on alternating slots, so that no two vertical pieces meet in it.
    """
    ends = defaultdict(list)
    for link in links:
        for end, (room, other) in enumerate(((link.source, link.target), (link.target, link.source))):
            ends[room, _sides(link, cells)[end]].append((cells[other][1], cells[other][0], end, link))
    slots = max(9, *map(len, ends.values()))
    step = (WIDTH - 2 * SLOT) / (2 * slots + 1)
    ports = {}
    for (room, side), found in ends.items():
        for i, (_, _, end, link) in enumerate(sorted(found, key=lambda e: (e[:2], e[2], e[3].number or 0))):
            slot = int((i + 0.5) * slots / len(found))
            ports[link, end] = left_of(cells[room][1]) + SLOT + step * (2 * slot + (0.5 if side == "top" else 1.5))
    return ports


def _tracks(cells: Mapping[str, Cell], links: Sequence[Link]) -> dict[Link, float]:
    """The x in a gutter of each line that passes a row: beside its target, on the side from which it comes."""
    gutters = defaultdict(list)
    for link in links:
        leaves, arrives = _channels(link, cells)
        if leaves != arrives:
            source, target = cells[link.source][1], cells[link.target][1]
            gutters[target if source < target else target + 1].append(link)
    return {
        link: left_of(gutter) - GUTTER * (i + 1) / (len(found) + 1)
        for gutter, found in gutters.items()
        for i, link in enumerate(found)
    }


def _legs(
    link: Link, cells: Mapping[str, Cell], ports: Mapping[tuple[Link, int], float], tracks: Mapping[Link, float]
) -> list[Leg]:
    leaves, arrives = _channels(link, cells)
    start, stop = ports[link, 0], ports[link, 1]
    if leaves == arrives:
        return [Leg(link, leaves, start, stop)]
    return [Leg(link, leaves, start, tracks[link]), Leg(link, arrives, tracks[link], stop)]


def _lanes(legs: Sequence[Leg]) -> dict[Leg, int]:
    """A lane for each piece, the first in which it keeps clear of the others; long pieces choose last."""
    lanes: dict[Leg, int] = {}
    for leg in sorted(legs, key=lambda leg: (leg.channel, abs(leg.stop - leg.start), min(leg.start, leg.stop))):
        taken = {lane for other, lane in lanes.items() if other.channel == leg.channel and _touch(leg, other)}
        lanes[leg] = next(lane for lane in range(len(legs)) if lane not in taken)
    return lanes


def _touch(one: Leg, other: Leg) -> bool:
    (a, b), (c, d) = sorted((one.start, one.stop)), sorted((other.start, other.stop))
    return a <= d + SLOT and c <= b + SLOT


def _clear(cells: Mapping[str, Cell], links: Sequence[Link], channel: int) -> tuple[float, float]:
    """The room above and below the lanes of a channel, for badges where the way arrives."""
    arriving = {_sides(k, cells)[1] for k in links if k.number is not None and _channels(k, cells)[1] == channel}
    return CLEAR + BADGE * ("bottom" in arriving), CLEAR + BADGE * ("top" in arriving)


def _corners(
    link: Link,
    legs: Sequence[tuple[Leg, float]],
    cells: Mapping[str, Cell],
    tops: Sequence[float],
    heights: Sequence[float],
) -> list[Point]:
    """The corners of a line, from box to box."""
    leaves, arrives = (
        tops[cells[room][0]] + (heights[cells[room][0]] if side == "bottom" else 0)
        for room, side in zip((link.source, link.target), _sides(link, cells), strict=True)
    )
    bends = [point for leg, y in legs for point in ((leg.start, y), (leg.stop, y))]
    return [(legs[0][0].start, leaves), *bends, (legs[-1][0].stop, arrives)]
