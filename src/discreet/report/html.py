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
_OWNERS = b"<title>" + NOT_PRIVATE.partition(":")[0].encode()  # how the title of a page that is not private begins
_HEAD = 2048  # the mark and the title stand within so many bytes


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
    """Whether an existing file is a page of discreet."""
    head = _head(path)
    return head.startswith(b"<!DOCTYPE html>") and _MARK_PATTERN.search(head) is not None


def is_owners_report(path: str | Path) -> bool:
    """Whether it is one that is made from losses, and so not for anyone but their owner."""
    return is_report(path) and _OWNERS in _head(path)


def _head(path: str | Path) -> bytes:
    if not Path(path).is_file():
        return b""
    with Path(path).open("rb") as file:
        return file.read(_HEAD)


def _css() -> str:
    return files("discreet.report").joinpath("page.css").read_text("utf-8")
