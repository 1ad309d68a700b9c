"""From a Matplotlib figure to SVG that lives inside the page: its fonts, its colors, its ids."""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from discreet.report.theme import LIGHT, stand_in

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

_VARIABLES = {stand_in(name): f"var(--{name})" for name in LIGHT}
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "discreet",  # the same ids each time
    "text.parse_math": False,  # a dollar in a name is a dollar
    "font.size": 12,
    "axes.unicode_minus": False,
    "axes.edgecolor": stand_in("edge"),
    "axes.labelcolor": stand_in("ink"),
    "text.color": stand_in("ink"),
    "xtick.color": stand_in("edge"),
    "ytick.color": stand_in("edge"),
    "xtick.labelcolor": stand_in("ink"),
    "ytick.labelcolor": stand_in("ink"),
    "grid.color": stand_in("rule"),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "path.simplify_threshold": 0.3,
}
_DIGIT, _APART = 7.5, 10.0  # pixels: of a digit, and between two labels


@contextmanager
def drawing() -> Iterator[None]:
    """Matplotlib with settings of ours alone, whatever the user's are; draw and save inside."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*missing from font.*")  # the browser has the fonts
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def figure(width: float, height: float) -> Figure:
    """An empty figure; one unit of length is one pixel of the page."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    made = Figure((width / 72, height / 72), facecolor="none")
    FigureCanvasSVG(made)
    return made


def axes(made: Figure, left: float, right: float, top: float, bottom: float) -> Axes:
    """Axes with margins in pixels."""
    width, height = (72 * float(inches) for inches in made.get_size_inches())
    box = (left / width, bottom / height, (width - left - right) / width, (height - top - bottom) / height)
    made_axes = made.add_axes(box, facecolor="none")
    made_axes.set_axisbelow(True)
    return made_axes


def inner_size(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in pixels."""
    made = ax.get_figure(root=True)
    assert made is not None
    width, height = (72 * float(inches) for inches in made.get_size_inches())
    box = ax.get_position()
    return width * float(box.width), height * float(box.height)


def log_rounds(ax: Axes, last: float) -> None:
    """An axis of rounds from 1 on, by factors of ten, or of as many tens as keep their labels apart."""
    from matplotlib.ticker import FixedLocator, NullFormatter

    ax.set_xscale("log")
    ax.set_xlim(1, last)
    decades, tens = math.log10(last), 1
    while not _apart([10.0**k for k in range(0, 1 + int(decades), tens)], inner_size(ax)[0] * tens / decades):
        tens += 1
    ax.xaxis.set_major_locator(FixedLocator([10**k for k in range(0, 1 + int(decades), tens)]))
    ax.xaxis.set_major_formatter(thousands())
    ax.xaxis.set_minor_formatter(NullFormatter())


def marks(ax: Axes, most: int) -> None:
    """Round marks on the horizontal axis; as few as it takes for their labels to stand apart."""
    from matplotlib.ticker import FixedLocator, Locator, MaxNLocator

    low, high = ax.get_xlim()
    for n in range(most, 0, -1):
        locator: Locator = MaxNLocator(n)
        places = [float(place) for place in locator.tick_values(low, high) if low <= place <= high]
        if len(places) < 2 or _apart(places, inner_size(ax)[0] * (places[1] - places[0]) / (high - low)):
            break
    else:
        locator = FixedLocator(places[:1])
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(thousands())


def label_width(label: str) -> float:
    """About how many pixels a number takes."""
    return _DIGIT * len(label)


def _apart(places: Sequence[float], step: float) -> bool:
    """Whether the labels of marks that stand so many pixels apart do not run together."""
    label = thousands()
    widths = [label_width(label(place)) for place in places]
    return all((left + right) / 2 + _APART <= step for left, right in pairwise(widths))


def thousands() -> FuncFormatter:
    """Marks as plain numbers; large ones with a K or M would need explaining."""
    from matplotlib.ticker import FuncFormatter

    return FuncFormatter(lambda value, _: f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}")


def inline(made: Figure, key: str, title: str) -> str:
    """The figure as an <svg> element; `key` sets its ids apart, `title` says what it shows."""
    buffer = io.StringIO()
    made.savefig(buffer, format="svg", metadata=_NO_METADATA, facecolor="none")
    root = ElementTree.fromstring(re.sub(r"<!DOCTYPE[^>]*>", "", buffer.getvalue()))
    _tidy(root, key)
    label = ElementTree.Element("title", {"id": f"{key}-title"})
    label.text = title
    root.insert(0, label)
    root.attrib = {
        "viewBox": root.attrib["viewBox"],
        "class": "drawing",
        "role": "img",
        "aria-labelledby": f"{key}-title",
    }
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)


def _tidy(root: ElementTree.Element, key: str) -> None:
    """Plain names, our colors, unique ids, no fonts, short paths; in place."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.endswith(("}metadata", "}style")):
                parent.remove(child)
    for element in root.iter():
        element.tag = _bare(element.tag)
        element.attrib = {_bare(name): value for name, value in element.attrib.items()}
    used = {target for element in root.iter() for target in _targets(element)}
    for element in root.iter():
        _rewrite(element, key, used)


def _bare(name: str) -> str:
    return name.rpartition("}")[2]


def _targets(element: ElementTree.Element) -> list[str]:
    return re.findall(r"#(\w+)", element.get("href", "") + element.get("clip-path", ""))


def _rewrite(element: ElementTree.Element, key: str, used: set[str]) -> None:
    attributes = element.attrib
    name = attributes.pop("id", None)
    if name in used:
        attributes["id"] = f"{key}-{name}"
    for reference in ("href", "clip-path"):
        if reference in attributes:
            attributes[reference] = attributes[reference].replace("#", f"#{key}-")
    if "d" in attributes:
        attributes["d"] = _short(attributes["d"])
    if "style" in attributes:
        attributes["style"] = _style(attributes["style"])
    if attributes.get("transform", "").startswith("rotate(-0 "):
        del attributes["transform"]
    if element.tag != "text":
        element.text = None
    element.tail = None


def _short(path: str) -> str:
    """A path with hundredths of a pixel.

    >>> _short("M 1.23456 2 L 3.0001 4")
    'M1.23 2L3 4'
    """
    rounded = re.sub(r"-?\d+\.\d+", lambda match: f"{float(match[0]):.2f}".rstrip("0").rstrip("."), path)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", " ".join(rounded.split()))


def _style(style: str) -> str:
    kept = [part for part in style.split("; ") if not part.startswith(("font-family", "font:"))]
    return re.sub(r"#0102[0-9a-f]{2}", lambda match: _VARIABLES.get(match[0], match[0]), ";".join(kept))
