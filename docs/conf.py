"""How Sphinx makes the pages: `make docs`."""

from __future__ import annotations

import re

from numpy.typing import ArrayLike
from sphinx.application import Sphinx
from sphinx.util.typing import stringify_annotation

from discreet import __version__

project = "discreet"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
suppress_warnings = ["toc.not_readable"]  # a page that the contents name may not be written yet

exclude_patterns = ["audit-table.md", "mutants.md"]  # parts of a page

html_theme = "furo"
html_title = "discreet"
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False

# Docstrings are plain text: `code` in single backticks, **bold** openings of paragraphs, doctests.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
autodoc_type_aliases = {"ArrayLike": "ArrayLike"}
maximum_signature_line_length = 88

_ARRAY_LIKE = stringify_annotation(ArrayLike, "smart")
_ARRAY = re.compile(r"~numpy\.ndarray\[~?(?:typing\.)?tuple\[~typing\.Any, \.\.\.\], ~numpy\.dtype\[([^\]]*)\]\]")


def setup(app: Sphinx) -> None:
    """Read docstrings as they are written, and show types as they are written."""
    app.connect("autodoc-process-docstring", _bars_are_bars)
    app.connect("autodoc-process-signature", _short_types)


def _bars_are_bars(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """|x| is an absolute value here, not a substitution; backticks and doctests, up to a blank line, are left alone."""
    doctest = False
    for i, line in enumerate(lines):
        doctest = bool(line.strip()) and (doctest or line.lstrip().startswith(">>>"))
        if not doctest:
            lines[i] = re.sub(r"(`[^`]*`)|\|", lambda found: found[1] or r"\|", line)


def _short_types(
    app: Sphinx, what: str, name: str, obj: object, options: object, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """`ArrayLike` and `NDArray[...]` instead of what NumPy makes of them."""
    return _shortened(signature), _shortened(returns)


def _shortened(types: str | None) -> str | None:
    return types and _ARRAY.sub(r"NDArray[\1]", types.replace(_ARRAY_LIKE, "ArrayLike"))
