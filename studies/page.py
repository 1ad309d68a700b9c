"""What a study gives: what was asked, tables, a figure, and what came out; and how that is written down."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from studies.figures import save
from tools.table import Table


@dataclass(frozen=True)
class Finding:
    """One claim: what was expected, what was seen, and whether they agree."""

    expected: str
    seen: str
    agrees: bool


@dataclass(frozen=True)
class Page:
    """A study's results. `about` says in Markdown what is asked and how it is answered; `caption` what is drawn."""

    title: str
    about: str
    tables: list[Table]
    figure: Figure
    caption: str
    findings: list[Finding]

    def as_dict(self, name: str, quick: bool) -> dict[str, Any]:
        """All of it but the figure, as JSON holds it."""
        return {
            "name": name,
            "quick": quick,
            "title": self.title,
            "about": self.about,
            "caption": self.caption,
            "findings": [vars(finding) for finding in self.findings],
            "tables": [table.as_dict() for table in self.tables],
        }


def write(page: Page, folder: Path, name: str, quick: bool) -> None:
    """The page as NAME.md, its figure as NAME.svg, its numbers as NAME.json."""
    folder.mkdir(parents=True, exist_ok=True)
    facts = page.as_dict(name, quick)
    save(page.figure, folder / f"{name}.svg")
    (folder / f"{name}.json").write_text(json.dumps(facts, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    # Read back, so that the page says what the file says, to the last digit.
    written = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    (folder / f"{name}.md").write_text(markdown(written), encoding="utf-8")


def command(facts: dict[str, Any]) -> str:
    """The command that makes a page."""
    return f"python -m studies {facts['name']}{' --quick' if facts['quick'] else ''}"


def markdown(facts: dict[str, Any]) -> str:
    """The page of a study, from what its JSON file holds."""
    parts = [f"# {facts['title']}", facts["about"].strip(), f"Made by `{command(facts)}`."]
    if facts["quick"]:
        parts.append("**These are the quick sizes: they show that the study runs, not what it finds.**")
    parts += ["## What came out", *(_finding(finding) for finding in facts["findings"])]
    parts += [f"![{facts['caption']}]({facts['name']}.svg)", f"*{facts['caption']}*"]
    parts += [str(Table.from_dict(table)).strip() for table in facts["tables"]]
    return "\n\n".join(parts) + "\n"


def _finding(finding: dict[str, Any]) -> str:
    verdict = "They agree." if finding["agrees"] else "**They do not agree.**"
    return f"- **Expected:** {finding['expected']}\n  **Seen:** {finding['seen']} {verdict}"


def index(folder: Path, names: list[str]) -> str:
    """The page that lists the studies that a folder holds."""
    lines = [
        "# Studies",
        "The claims of the papers, made again as numbers, and a few guesses of our own. Each page says what was "
        "expected and by whom, what was seen, and whether they agree; all of them are made by `make studies`, one by "
        "`python -m studies NAME`.",
        "| study | expected | seen |\n| --- | --- | --- |",
    ]
    unmet = ["## What did not come out as expected"]
    for name in names:
        facts = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        agree = sum(finding["agrees"] for finding in facts["findings"])
        lines[-1] += f"\n| [{facts['title']}]({name}.md) | {len(facts['findings'])} | {agree} |"
        missed = [one["expected"] for one in facts["findings"] if not one["agrees"]]
        unmet += [f"- [{facts['title']}]({name}.md): {expected}" for expected in missed]
    contents = "```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```"
    return "\n\n".join([*lines, f"{unmet[0]}\n\n" + "\n".join(unmet[1:]), contents]) + "\n"
