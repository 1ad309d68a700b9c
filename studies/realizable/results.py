"""All that this study measures, in one place for findings, tables and figure."""

from __future__ import annotations

from dataclasses import dataclass

from studies.realizable.cases import Case, power, variable
from studies.realizable.grown import Grown
from studies.realizable.lower import Hard
from studies.realizable.nearly import Near
from studies.realizable.switches import Switching

#: Where the fit over rounds begins.
FIT_FROM = 10_000


@dataclass(frozen=True)
class Results:
    """Cases over rounds, actions, epsilon; further ones; noise that grows; nearly perfect; switches; lower bounds."""

    cases: dict[str, list[Case]]
    far: list[Case]
    grown: list[Grown]
    near: list[Near]
    switches: list[Switching]
    hard: list[Hard]

    def row(self, what: str, learner: str, sequence: str) -> list[Case]:
        """The cases of one learner on one sequence, over rounds, actions or epsilon."""
        return [case for case in self.cases[what] if (case.learner, case.sequence) == (learner, sequence)]

    def settled(self, learner: str, sequence: str) -> list[Case]:
        """Those over rounds from which the exponent is fitted; all of them where too few are that long."""
        row = self.row("rounds", learner, sequence)
        long = [case for case in row if case.rounds >= FIT_FROM]
        return long if len(long) > 1 else row

    def power(self, what: str, learner: str, sequence: str) -> tuple[float, float]:
        """The power of T, log K or epsilon, with its standard error."""
        row = self.settled(learner, sequence) if what == "rounds" else self.row(what, learner, sequence)
        return power([variable(what, case) for case in row], row)

    def growth(self, learner: str, sequence: str) -> tuple[float, float]:
        """Regret at the most rounds over regret where the fit begins, and its standard error."""
        row = self.settled(learner, sequence)
        return growth(row[0], row[-1])


def growth(first: Case, last: Case) -> tuple[float, float]:
    """One mean over another, and its standard error."""
    ratio = last.mean / first.mean
    return ratio, ratio * float(((first.error / first.mean) ** 2 + (last.error / last.mean) ** 2) ** 0.5)
