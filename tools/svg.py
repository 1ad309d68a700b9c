"""Pieces of SVG, and the colors of the picture, light and dark.

Colors are plain rules, set again where the reader prefers dark: viewers that know no media queries show the light
ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

RADIUS = 5

_LIGHT = {
    "paper": "#ffffff", "band": "#f3f5f8", "aside": "#faf7f0", "box": "#ffffff", "rim": "#b8c0cc",
    "ink": "#1c2330", "quiet": "#586273", "import": "#a3adbb", "way": "#c2410c", "on": "#ffffff",
}  # fmt: skip
_DARK = {
    "paper": "#14171c", "band": "#1b1f26", "aside": "#211f1a", "box": "#252b34", "rim": "#4a5463",
    "ink": "#e8ecf2", "quiet": "#a4aebd", "import": "#6b7686", "way": "#fb923c", "on": "#1a1206",
}  # fmt: skip

_FONTS = """
text { font-family: "Helvetica Neue", Arial, "Liberation Sans", Roboto, sans-serif; font-size: 12px }
.head { font-size: 17px; font-weight: 600 } .name { font-size: 14px; font-weight: 600 } .layer { letter-spacing: .06em }
.code { font-family: Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; font-size: 11px }
.number { font-size: 10.5px; font-weight: 700; text-anchor: middle } .middle { text-anchor: middle }
.import, .way { fill: none; stroke-linejoin: round } .import { stroke-width: 1.2 } .way { stroke-width: 2.4 }
.aside { stroke-dasharray: 4 3 }
"""


def _colors(c: dict[str, str]) -> str:
    return (
        f".paper {{ fill: {c['paper']} }} .band {{ fill: {c['band']} }} "
        f".aside {{ fill: {c['aside']}; stroke: {c['rim']} }} .box {{ fill: {c['box']}; stroke: {c['rim']} }} "
        f".head, .name, .code {{ fill: {c['ink']} }} .text, .layer {{ fill: {c['quiet']} }} "
        f".import {{ stroke: {c['import']} }} .import-tip {{ fill: {c['import']} }} "
        f".way {{ stroke: {c['way']} }} .way-tip, .badge, .end {{ fill: {c['way']} }} .number {{ fill: {c['on']} }}"
    )


STYLE = f"<style>{_FONTS}{_colors(_LIGHT)}\n@media (prefers-color-scheme: dark) {{ {_colors(_DARK)} }}\n</style>"


def marker(name: str, size: float) -> str:
    """An arrowhead whose tip is the end of the line."""
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="{size}" markerHeight="{size}" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path class="{name}" d="M0 0 L10 5 L0 10 Z"/></marker>'
    )


def text(x: float, y: float, words: str, kind: str = "text", turn: float = 0) -> str:
    """A line of text, turned around its place where an angle is given."""
    turned = f' transform="rotate({turn:.5g} {x:.5g} {y:.5g})"' if turn else ""
    return f'<text class={quoteattr(kind)} x="{x:.5g}" y="{y:.5g}"{turned}>{escape(words)}</text>'


def rect(x: float, y: float, width: float, height: float, kind: str, radius: float = 8) -> str:
    """A rectangle with round corners."""
    return f'<rect class="{kind}" x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}" rx="{radius:.5g}"/>'


def badge(x: float, y: float, number: int) -> str:
    """A number in a disk."""
    return f'<circle class="badge" cx="{x:.5g}" cy="{y:.5g}" r="7.5"/>' + text(x, y + 3.8, str(number), "number")


def line(points: Sequence[tuple[float, float]], kind: str) -> str:
    """A line through corners, each rounded, with an arrowhead at its end."""
    kept = [p for i, p in enumerate(points) if not i or p != points[i - 1]]
    d = [f"M{kept[0][0]:.5g} {kept[0][1]:.5g}"]
    for before, corner, after in zip(kept, kept[1:], kept[2:], strict=False):
        (a, b), (c, e) = _short_of(corner, before), _short_of(corner, after)
        d.append(f"L{a:.5g} {b:.5g} Q{corner[0]:.5g} {corner[1]:.5g} {c:.5g} {e:.5g}")
    d.append(f"L{kept[-1][0]:.5g} {kept[-1][1]:.5g}")
    return f'<path class="{kind}" d="{" ".join(d)}" marker-end="url(#{kind}-tip)"/>'


def _short_of(corner: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """The point a radius before a corner on the way from another one, or half the way where that is nearer."""
    dx, dy = other[0] - corner[0], other[1] - corner[1]
    length = abs(dx) + abs(dy)  # one of them is 0
    step = min(RADIUS, length / 2) / length
    return corner[0] + dx * step, corner[1] + dy * step
