"""What an audit found, for people and for machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from discreet.cli.learners import DELTA
from discreet.cli.telling import to_json

if TYPE_CHECKING:
    from discreet.audit import Report
    from discreet.experts import Learner
    from discreet.local import GaussianReport

HEADINGS = ("epsilon", "learner", "claims", "worst loss", "certified", "verdict")


@dataclass(frozen=True)
class Audited:
    """A learner and the report on it."""

    learner: Learner | GaussianReport
    report: Report

    @property
    def row(self) -> tuple[str, ...]:
        """What stands in the table: the epsilon asked for, the learner, its claim, and what was found."""
        from discreet.experts.titles import title

        bound = self.report.bound
        return (
            self.asked,
            title(self.learner),
            self.claims,
            self.worst,
            "" if bound is None else f"{bound.epsilon:.3f}",
            self.verdict,
        )

    @property
    def asked(self) -> str:
        """The epsilon that was asked for, or what a mu proves at `DELTA`."""
        from discreet.guarantees import GaussianDP

        if isinstance(self.report.claim, GaussianDP):
            return f"{self.report.claim.epsilon(DELTA):.3g}"
        epsilon = getattr(self.learner, "epsilon", None)
        return "" if epsilon is None else f"{epsilon:g}"

    @property
    def claims(self) -> str:
        """The epsilon, or the mu."""
        from discreet.guarantees import GaussianDP

        claim = self.report.claim
        if isinstance(claim, GaussianDP):
            return f"mu {claim.mu:.4g}"
        claimed = getattr(claim, "epsilon", None)
        return f"{claimed:g}" if isinstance(claimed, float) else "nothing"

    @property
    def worst(self) -> str:
        """The largest computed loss, and the bound above it where it was not gone through to the end."""
        found = self.report.worst.values()
        if not found:
            return "–"
        low, high = max(one.lower for one in found), max(one.upper for one in found)
        return f"{low:.4f}" if high - low < 1e-6 else f"{low:.4f} to {high:.4f}"

    @property
    def verdict(self) -> str:
        """In a word or two: without a computed worst loss, only samples have had their say."""
        from discreet.guarantees import NoGuarantee

        if isinstance(self.report.claim, NoGuarantee):
            return "no claim"
        if not self.report.passed:
            return "VIOLATED"
        return "holds" if self.report.worst else "not refuted"

    def facts(self) -> dict[str, Any]:
        """The same, and every check, for JSON."""
        report = self.report
        worst = [
            {"actions": actions, "rounds": rounds, "lower": found.lower, "upper": found.upper, "how": found.how}
            for (actions, rounds), found in report.worst.items()
        ]
        return {
            "learner": report.learner,
            "claim": report.claim.describe(),
            "worst_loss": worst,
            "certified_epsilon": None if report.bound is None else report.bound.epsilon,
            "holds": report.passed,
            "checks": [vars(finding) for finding in report.findings],
        }


def as_facts(done: list[Audited]) -> str:
    """JSON."""
    return to_json([one.facts() for one in done])


def in_markdown(done: list[Audited]) -> str:
    """The table in Markdown."""
    rows = [HEADINGS, ("---",) * len(HEADINGS), *(one.row for one in done)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def show(done: list[Audited]) -> None:
    """The table and what it means, on the terminal."""
    from rich.console import Console

    console = Console()
    console.print(_table(done))
    for one in done:
        for finding in one.report.failures:
            console.print(f"VIOLATED: {one.report.learner}, {finding.check}: {finding.said}", soft_wrap=True)
    for line in _explained(done):
        console.print(line)


def _table(done: list[Audited]) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in HEADINGS:
        words = heading in ("learner", "verdict")
        table.add_column(heading, justify="left" if words else "right", no_wrap=heading != "learner", overflow="fold")
    for place, one in enumerate(done):
        if place and one.row[0] != done[place - 1].row[0]:
            table.add_section()
        table.add_row(*one.row)
    return table


def _explained(done: list[Audited]) -> list[str]:
    sizes = sorted({size for one in done for size in one.report.worst})
    tried = "; ".join(f"{actions} actions, {rounds} rounds" for actions, rounds in sizes)
    worst = f"Worst loss: computed by each learner's own code over all neighboring tables of losses 0 and 1 ({tried})."
    if any(" to " in one.worst for one in done):
        worst += " Where two numbers stand, it lies between what a search of tables found and what is proved."
    certified = (
        "Certified: with 95% confidence in each row, no smaller epsilon is true. Small sizes can hide mistakes that "
        "larger ones show."
    )
    gaussian = f"A mu is that of Gaussian privacy; the epsilon in its row is what it proves at delta {DELTA:g}."
    sampled = (
        '"not refuted": no worst loss is computed of such a learner, so samples alone have had their say, and none of '
        'them contradicts what is claimed; that is less than "holds".'
    )
    doubts = [sampled] * any(one.verdict == "not refuted" for one in done)
    found = [worst] * bool(tried) + doubts + [gaussian] * any(one.claims.startswith("mu") for one in done)
    return [*found, certified]
