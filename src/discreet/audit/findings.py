"""What an audit says: single findings, and the report that they make."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.audit.lower_bound import LowerBound
from discreet.audit.worst import WorstLoss
from discreet.guarantees import Guarantee


@dataclass(frozen=True)
class Finding:
    """One check: its name, whether it was passed, and what was seen."""

    check: str
    passed: bool
    said: str


@dataclass(frozen=True)
class Report:
    """What an audit found of a learner.

    `worst` are exact or bounded worst losses by number of actions and of rounds, `bound` is what samples certify. A
    check that is passed shows that this mistake was not found, at these sizes; a check that fails shows a mistake.
    """

    learner: str
    claim: Guarantee
    worst: dict[tuple[int, int], WorstLoss]
    bound: LowerBound | None
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether every check was."""
        return all(finding.passed for finding in self.findings)

    @property
    def failures(self) -> tuple[Finding, ...]:
        """The checks that failed."""
        return tuple(finding for finding in self.findings if not finding.passed)
