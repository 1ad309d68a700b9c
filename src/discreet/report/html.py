"""The owner's report: one HTML file that needs nothing else."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from pathlib import Path

from discreet import __version__
from discreet.replay.result import Result
from discreet.report import sections
from discreet.report.markup import text
from discreet.report.theme import variables
from discreet.report.words import NOT_PRIVATE

_MARK = '<meta name="generator" content="discreet {version}">'
_MARK_PATTERN = re.compile(rb'<meta name="generator" content="discreet [^"<>]*">')
_HEAD = 2048  # the mark stands within so many bytes


def render(result: Result) -> str:
    """The report as one page: no script, nothing loaded from elsewhere. It is not private."""
    return page(f"{NOT_PRIVATE.partition(':')[0]}: replay of {result.log}", sections.body(result))


def page(title: str, body: str) -> str:
    """A whole page with its style; the body is HTML, the title any text."""
    mark = _MARK.format(version=escape(__version__))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{mark}\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="robots" content="noindex">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{text(title)}</title>\n"
        f"<style>\n{variables()}{_css()}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def is_report(path: str | Path) -> bool:
    """Whether an existing file is such a report, so that a new one may take its place."""
    path = Path(path)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return head.startswith(b"<!DOCTYPE html>") and _MARK_PATTERN.search(head) is not None


def _css() -> str:
    return files("discreet.report").joinpath("page.css").read_text("utf-8")
