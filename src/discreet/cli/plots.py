"""Plots as files: where they may go, and how they are known again as made here."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: How a plot begins, and how it says that it was made here.
_MARKS = {
    ".svg": (b"<?xml", re.compile(rb"<dc:creator>\s*<cc:Agent>\s*<dc:title>discreet</dc:title>")),
    ".png": (b"\x89PNG", re.compile(rb"tEXtCreator\x00discreet")),
    ".pdf": (b"%PDF", re.compile(rb"/Creator \(discreet\)")),
}
_DATES = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}


def check_plot(path: Path) -> None:
    """Refuse, before any work, a plot that could not be written, or would replace what is no plot of ours."""
    from discreet.replay.release import check_writable

    if path.suffix.lower() not in _MARKS:
        raise ValueError(f"{path} has an unknown ending; a plot is .svg, .png or .pdf")
    check_writable(path)
    if os.path.lexists(path) and not is_plot(path):
        raise ValueError(f"{path} exists and is not a plot of discreet; it is left alone")


def is_plot(path: Path) -> bool:
    """Whether a file looks like a plot that was drawn here, in the format of its ending."""
    start, mark = _MARKS[path.suffix.lower()]
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return content.startswith(start) and mark.search(content) is not None


def drawn(figure: Figure, ending: str) -> bytes:
    """The same bytes for the same numbers: no dates, no random ids."""
    from discreet.report.simulation import drawing

    content = io.BytesIO()
    with drawing():
        figure.savefig(content, format=ending[1:], dpi=160, metadata=_DATES[ending] | {"Creator": "discreet"})
    return content.getvalue()
