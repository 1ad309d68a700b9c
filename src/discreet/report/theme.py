"""The colors of the page and its figures, light and dark, as CSS variables."""

from __future__ import annotations

#: On `paper`, and on `panel`: text has a contrast of 4.5 at least. `line-*` are the learners in order: every
#: line also has dashes and a number of its own, so that no one needs to tell the colors apart.
LIGHT = {
    "paper": "#ffffff",
    "panel": "#f3f5f7",
    "ink": "#16202b",
    "soft": "#4d5967",
    "rule": "#d3d9df",
    "edge": "#78838f",
    "alarm": "#a3140f",
    "on-alarm": "#ffffff",
    "chosen": "#e3effc",
    "line-0": "#0058a8",
    "line-1": "#a84300",
    "line-2": "#00694f",
    "line-3": "#94347a",
    "line-4": "#7a5a00",
    "line-5": "#4b5563",
    "line-6": "#7b2d26",
    "line-7": "#4c3fa8",
}
DARK = {
    "paper": "#11161c",
    "panel": "#1b222b",
    "ink": "#edf1f5",
    "soft": "#b1bcc8",
    "rule": "#36414d",
    "edge": "#7f8b98",
    "alarm": "#ffb4a8",
    "on-alarm": "#3b0703",
    "chosen": "#16304b",
    "line-0": "#6cb6ff",
    "line-1": "#ff9a57",
    "line-2": "#4fd1a5",
    "line-3": "#f19bd6",
    "line-4": "#e6c24a",
    "line-5": "#aab4c0",
    "line-6": "#f2938a",
    "line-7": "#b3a8ff",
}
#: Dashes of the lines, in order; the chosen learner's is solid.
DASHES = ("", "6 2", "2 2", "8 2 2 2", "4 2 1 2 1 2", "10 3", "1 2", "6 2 1 2 1 2 1 2", "12 2 3 2")
_LINES = sum(name.startswith("line-") for name in LIGHT)


def line_color(place: int) -> str:
    """The variable for the learner at a place in the table."""
    return f"line-{place if place < _LINES else 1 + (place - _LINES) % (_LINES - 1)}"


def line_dashes(place: int) -> str:
    """The dashes for the learner at a place in the table, as an SVG stroke-dasharray."""
    return DASHES[place if place < len(DASHES) else 1 + (place - len(DASHES)) % (len(DASHES) - 1)]


def stand_in(name: str) -> str:
    """A color that stands for a variable while Matplotlib draws."""
    return f"#0102{list(LIGHT).index(name):02x}"


def variables() -> str:
    """CSS that sets the variables for both themes."""
    light, dark = (";".join(f"--{name}:{color}" for name, color in theme.items()) for theme in (LIGHT, DARK))
    return (
        f":root{{color-scheme:light dark;{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    )
