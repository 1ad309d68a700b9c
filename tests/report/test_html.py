"""The page: whole, harmless, readable, the same each time."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from discreet import __version__
from discreet.replay.result import Result
from discreet.report import is_report, render
from discreet.report.data import released_row, rows
from discreet.report.theme import DARK, LIGHT, line_color, line_dashes
from discreet.report.words import between, number, plain, runs
from tests.report import results as made_up

_VOID = {"meta", "br", "img", "link", "input", "hr"}


class Page(HTMLParser):
    """Tags in order, text, and whether all that is opened is closed."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[tuple[str, str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.words.append((self.open[-1] if self.open else "", data.strip()))

    @property
    def text(self) -> str:
        return " ".join(word for tag, word in self.words if tag != "style")


CASES = {
    "usual": lambda: made_up.result(),
    "two actions": lambda: made_up.result(2),
    "many actions": lambda: made_up.result(1000),
    "no release": lambda: made_up.result(released=False),
    "one run": lambda: made_up.result(runs=1),
    "one round": lambda: made_up.result(2, 1, 1, 1),
    "constant": lambda: made_up.constant(),
    "restless": lambda: made_up.restless(),
    "nasty names": lambda: made_up.result(12, names=made_up.NASTY),
    "no bound": lambda: replace(made_up.result(), bound=None, bound_words="no bound is proved: there are ties"),
    "infinite bound": lambda: replace(made_up.result(), bound=float("inf")),
    "alone": lambda: made_up.result(learners=1),
    "long": lambda: made_up.result(rounds=10**9),
}


@pytest.fixture(params=CASES, scope="module")
def case(request: pytest.FixtureRequest) -> tuple[Result, str, Page]:
    result = CASES[request.param]()
    html = render(result)
    return result, html, Page(html)


def test_all_tags_are_closed_and_ids_are_unique(case: tuple[Result, str, Page]) -> None:
    _, _, page = case
    assert page.open == []
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_references_inside_the_page_lead_somewhere(case: tuple[Result, str, Page]) -> None:
    _, _, page = case
    ids = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    for _, attrs in page.tags:
        for name in ("href", "clip-path"):
            assert name not in attrs or re.findall(r"#([\w-]+)", attrs[name] or "")[0] in ids
        assert attrs.get("aria-labelledby") in ids | {None}


def test_nothing_is_loaded_or_run(case: tuple[Result, str, Page]) -> None:
    _, _, page = case
    assert not {tag for tag, _ in page.tags} & {"script", "img", "link", "iframe", "object", "image", "base", "form"}
    for _, attrs in page.tags:
        for name, value in attrs.items():
            assert not name.startswith("on")
            assert name not in ("src", "srcset", "action", "xmlns")
            assert name not in ("href", "xlink:href") or (value or "").startswith("#")
            assert "http" not in (value or "").replace("http://evil.example", "")
    style = " ".join(word for tag, word in page.words if tag == "style")
    assert "url(" not in style
    assert "@import" not in style


def test_the_warning_comes_first(case: tuple[Result, str, Page]) -> None:
    _, _, page = case
    tags = [tag for tag, _ in page.tags]
    assert tags[tags.index("body") + 1] == "header"
    first = " ".join(word for tag, word in page.words if tag not in ("style", "title"))
    assert first.startswith("NOT PRIVATE for the data's owner only All of this is computed from the raw losses")


def test_every_learner_and_every_number_is_there(case: tuple[Result, str, Page]) -> None:
    result, _, page = case
    released = released_row(result)
    for line in rows(result) + ([released] if released else []):
        for said in (number(line.loss), number(line.regret), between(line.interval), between(line.spread), runs(line)):
            assert any(word == said for tag, word in page.words if tag == "td"), said
        assert any(word == line.title for tag, word in page.words if tag == "bdi")
    promised = (result.guarantee, f"{result.rounds:,} round", f"seed {result.seed}", plain(result.actions[result.best]))
    for words in promised:
        assert words in page.text


def test_headings_of_tables_have_a_scope_and_figures_a_name(case: tuple[Result, str, Page]) -> None:
    _, _, page = case
    assert all(attrs.get("scope") in ("col", "row") for tag, attrs in page.tags if tag == "th")
    drawings = [attrs for tag, attrs in page.tags if tag == "svg" and "aria-hidden" not in attrs]
    assert len(drawings) == 6
    assert all(attrs["role"] == "img" and "viewbox" in attrs for attrs in drawings)


def test_figures_use_the_colors_of_the_theme_alone(case: tuple[Result, str, Page]) -> None:
    _, _, page = case
    for tag, attrs in page.tags:
        if tag not in ("th", "td"):
            assert not re.search(r"#[0-9a-f]{3,6}\b", attrs.get("style") or "")
            assert "font-family" not in (attrs.get("style") or "")


def test_names_are_shown_and_not_obeyed() -> None:
    html = render(made_up.result(12, names=made_up.NASTY))
    page = Page(html)
    for name in made_up.NASTY:
        assert any(word == plain(name) for tag, word in page.words if tag == "th")
    labels = [word for tag, word in page.words if tag == "text"]
    assert "$\\frac{1}{0}$ costs $5" in labels
    assert 'style="fill: #010200" htt…' in labels
    assert not re.search(r"[\x00-\x08\x0b-\x1f\ufffe\u202e]", html)


def test_learners_guarantees_and_logs_are_escaped_too() -> None:
    evil = "<script>alert(1)</script>"
    made = made_up.result(learners=1)
    curve = replace(made.curves[0], title=evil, name=evil)
    made = replace(made, curves=(curve,), released=curve, log=evil, learner=evil, bound_words=evil)
    html = render(replace(made, guarantee=evil, guarantee_words=evil))
    assert "<script" not in html
    assert Page(html).text.count(evil) >= 8


def test_the_same_result_gives_the_same_page_whatever_the_users_settings() -> None:
    import matplotlib

    first = render(made_up.result())
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.hashsalt": "other"}):
        assert render(made_up.result()) == first
        assert matplotlib.rcParams["font.size"] == 30
    assert not re.search(r"20\d\d-\d\d-\d\d", first)


def test_both_themes_are_there() -> None:
    html = render(made_up.result())
    assert "prefers-color-scheme:dark" in html
    assert LIGHT.keys() == DARK.keys()
    for theme in (LIGHT, DARK):
        assert all(f"--{name}:{color}" in html for name, color in theme.items())
    used = set(re.findall(r"var\(--([\w-]+)\)", html))
    assert used <= LIGHT.keys()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast_is_enough_to_read(theme: dict[str, str]) -> None:
    texts = [name for name in theme if name in ("ink", "soft") or name.startswith("line-")]
    pairs = [(name, ground) for name in texts for ground in ("paper", "chosen")]
    pairs += [("soft", "panel"), ("ink", "panel"), ("on-alarm", "alarm")]
    for name, ground in pairs:
        assert _contrast(theme[name], theme[ground]) >= 4.5, (name, ground)
    assert _contrast(theme["edge"], theme["paper"]) >= 3


def _contrast(one: str, other: str) -> float:
    def light(color: str) -> float:
        parts = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_no_two_lines_look_alike() -> None:
    looks = [(line_color(i), line_dashes(i)) for i in range(40)]
    assert len(set(looks)) == len(looks)
    assert line_dashes(0) == ""
    assert "" not in [dashes for _, dashes in looks[1:]]


def test_many_actions_are_cut_and_it_says_so() -> None:
    page = Page(render(made_up.result(1000)))
    assert "993 other actions were never played" in page.text
    assert "The 30 best are shown; 970 others reach up to" in page.text


def test_lines_that_dwarf_the_chosen_learner_leave_at_the_top_and_say_so() -> None:
    page = Page(render(made_up.result()))
    assert "Lines marked ↑ leave the figure at the top." in page.text
    assert "6↑  TreeLeader: 3,867.6" in page.text
    assert "↑" not in Page(render(made_up.result(learners=2))).text


_DIGIT = 7.0  # pixels, about: a digit of 12 pixels
_LABEL = re.compile(
    r'<text style="[^"]*text-anchor: (start|middle|end)[^"]*" x="([-\d.]+)" y="([-\d.]+)">([-\d.,]+)</text>'
)


@pytest.mark.parametrize("rounds", [2, 1000, 24_000, 50_000, 10**6, 10**9, 10**12])
def test_no_number_of_a_figure_runs_into_the_next_or_out_of_the_figure(rounds: int) -> None:
    html = render(made_up.result(rounds=rounds, learners=2))
    drawings = re.findall(r'<svg viewBox="0 0 ([\d.]+) [\d.]+" class="drawing"(.*?)</svg>', html, re.S)
    assert len(drawings) == 6
    for width, drawing in drawings:
        marks: dict[str, list[tuple[float, float]]] = {}
        for anchor, x, y, label in _LABEL.findall(drawing):
            half = _DIGIT * len(label) / 2
            middle = float(x) + {"start": half, "middle": 0.0, "end": -half}[anchor]
            if anchor == "middle":
                marks.setdefault(y, []).append((middle - half, middle + half))
            else:
                assert middle - half >= 0, label
                assert middle + half <= float(width), label
        (row,) = marks.values()
        assert len(row) >= (2 if 10 <= rounds <= 10**9 else 1)
        assert all(left[1] + 4 <= right[0] for left, right in pairwise(sorted(row))), row


def test_a_learner_that_promises_nothing_says_so_at_the_top() -> None:
    page = Page(render(replace(made_up.result(), guarantee="NoGuarantee(reason='it looks')")))
    assert "its actions are not private either" in page.text
    assert "only private output" not in page.text


def test_only_a_report_is_taken_for_one(tmp_path: Path) -> None:
    html = render(made_up.result(2, 10, 2, 1))
    assert f'<meta name="generator" content="discreet {__version__}">' in html
    (tmp_path / "report.html").write_text(html, "utf-8")
    (tmp_path / "other.html").write_text("<!DOCTYPE html><title>discreet</title>", "utf-8")
    (tmp_path / "bytes.html").write_bytes(b"\xff\xfe\x00")
    assert is_report(tmp_path / "report.html")
    assert is_report(str(tmp_path / "report.html"))
    for name in ("other.html", "bytes.html", "missing.html", "."):
        assert not is_report(tmp_path / name)
