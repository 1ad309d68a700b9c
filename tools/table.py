"""What a benchmark or a study gives: rows of numbers, and notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self


@dataclass
class Table:
    """A table that prints as Markdown."""

    title: str
    columns: list[str]
    rows: list[list[Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"\n## {self.title}\n", _line(self.columns), _line(["---"] * len(self.columns))]
        lines += [_line([_shown(value) for value in row]) for row in self.rows]
        return "\n".join([*lines, "", *(f"{note}\n" for note in self.notes)])

    def as_dict(self) -> dict[str, Any]:
        """The same for JSON."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": self.notes}

    @classmethod
    def from_dict(cls, facts: dict[str, Any]) -> Self:
        """The table of which `as_dict` told."""
        rows = [list(row.values()) for row in facts["rows"]]
        return cls(facts["title"], list(facts["rows"][0]) if rows else [], rows, facts["notes"])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
