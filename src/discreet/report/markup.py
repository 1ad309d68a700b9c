"""Small pieces of HTML; whatever comes from outside is escaped here."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from discreet.report.words import plain


def text(value: str) -> str:
    """Text as HTML, on one line, with anything that could be markup made harmless.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    return escape(plain(value))


def table(caption: str, headings: Sequence[str], lines: Sequence[tuple[str, Sequence[str]]]) -> str:
    """A table that scrolls in its own box. Each line is a CSS class and its cells as HTML; the first is its heading."""
    head = "".join(f'<th scope="col">{heading}</th>' for heading in headings)
    body = "\n".join(_line(kind, cells) for kind, cells in lines)
    label = text(caption)
    return (
        f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">\n<table>\n'
        f"<caption>{label}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>"
    )


def _line(kind: str, cells: Sequence[str]) -> str:
    first, *others = cells
    opening = f'<tr class="{kind}">' if kind else "<tr>"
    return f'{opening}<th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in others)}</tr>'


def figure(drawings: dict[str, str], caption: str, more: str = "") -> str:
    """A figure in its wide and its narrow form, of which the page shows one."""
    forms = "\n".join(f'<div class="{form}">{drawing}</div>' for form, drawing in drawings.items())
    return f"<figure>\n{forms}\n<figcaption>{caption}</figcaption>\n{more}\n</figure>"


def section(key: str, heading: str, body: str) -> str:
    """A part of the page under its heading."""
    return f'<section aria-labelledby="{key}">\n<h2 id="{key}">{heading}</h2>\n{body}\n</section>'


def folded(summary: str, body: str) -> str:
    """Something that opens on request, without script."""
    return f"<details>\n<summary>{summary}</summary>\n{body}\n</details>"
