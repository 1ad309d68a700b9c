"""The audit of reports and of learners on them: honest ones pass, each planted mistake is caught by a named check."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike

from discreet import audit
from discreet.entropy import SeededEntropy
from discreet.guarantees import GaussianDP, Guarantee, NoGuarantee
from discreet.local import GaussianReport, RandomWalkLeader
from discreet.local.gaussian_report import Floats
from discreet.mechanisms import GaussianNoise
from tests.local.learners import CASES, Case


class HalfTheNoise(GaussianReport):
    """Noise of half the scale."""

    def __init__(self, n_actions: int, mu: float, sensitivity: float | None = None, seed: int | None = None) -> None:
        super().__init__(n_actions, mu, sensitivity, seed)
        self.noise = GaussianNoise(self.scale / 2, self.unit)


class OneActionMoves(HalfTheNoise):
    """The noise that would do if a round moved the loss of one action only."""

    def __init__(self, n_actions: int, mu: float, sensitivity: float | None = None, seed: int | None = None) -> None:
        super().__init__(n_actions, mu, sensitivity, seed)
        self.noise = GaussianNoise(1 / mu, self.unit)


class LessThanItSays(GaussianReport):
    """Calls its scale what it should be, and adds less."""

    def privatize(self, losses: ArrayLike) -> Floats:
        """Reports pulled towards the losses, on the grid."""
        reports, losses = super().privatize(losses), np.asarray(losses)
        return np.asarray(np.rint((losses + 0.9 * (reports - losses)) / self.unit) * self.unit)


class OneDrawARound(GaussianReport):
    """The same noise for all actions of a round."""

    def privatize(self, losses: ArrayLike) -> Floats:
        """Losses plus the noise of the first action."""
        noise = super().privatize(np.zeros(np.shape(losses)))
        return np.asarray(np.rint(np.asarray(losses) / self.unit) * self.unit + noise[..., :1])


class OneDrawForAllRounds(GaussianReport):
    """The same noise in all rounds of a table."""

    def privatize(self, losses: ArrayLike) -> Floats:
        """Losses plus the noise of the first round."""
        noise = super().privatize(np.zeros(np.shape(losses)))
        return np.asarray(np.rint(np.asarray(losses) / self.unit) * self.unit + np.atleast_2d(noise)[0])


class SameNoiseEachCall(GaussianReport):
    """Calls itself private and draws every table from one seed."""

    def privatize(self, losses: ArrayLike) -> Floats:
        """Reports with the noise of the call before."""
        private, self._entropy = self._entropy, SeededEntropy(1)
        reports = super().privatize(losses)
        self._entropy = private
        return reports


class NoiseOfFloats(GaussianReport):
    """Losses plus a float: right on average, and off the grid."""

    def privatize(self, losses: ArrayLike) -> Floats:
        """Losses plus noise, added in floats."""
        return np.asarray(losses) + super().privatize(np.zeros(np.shape(losses)))


class PromisesWithASeed(GaussianReport):
    """Forgets that a seed makes noise predictable."""

    @property
    def guarantee(self) -> Guarantee:
        """The claim, always."""
        return self.claim


MISTAKES = [
    (HalfTheNoise, "noise"),
    (OneActionMoves, "noise"),
    (LessThanItSays, "law"),
    (OneDrawARound, "fresh noise"),
    (OneDrawForAllRounds, "fresh noise"),
    (SameNoiseEachCall, "fresh noise"),
    (NoiseOfFloats, "grid"),
    (PromisesWithASeed, "promise"),
]


@pytest.mark.parametrize("report", [GaussianReport(2, 1.0), GaussianReport(30, 0.1), GaussianReport(4, 3.0, 0.01)])
def test_honest_reports_pass(report: GaussianReport) -> None:
    """The law fails an honest report once in a million; the other checks never do."""
    found = audit.check(report)
    assert not found.failures
    assert [finding.check for finding in found.findings] == ["noise", "law", "fresh noise", "grid", "promise"]


@pytest.mark.parametrize(("kind", "caught_by"), MISTAKES, ids=lambda value: getattr(value, "__name__", value))
def test_mistakes_of_reports_are_caught(kind: type[GaussianReport], caught_by: str) -> None:
    assert caught_by in [finding.check for finding in audit.check(kind(3, 0.5)).failures]


def test_reports_are_judged_by_another_claim() -> None:
    report = GaussianReport(3, 0.5)
    assert audit.check(report, claim=GaussianDP(0.5)).passed
    assert [one.check for one in audit.check(report, claim=GaussianDP(0.49)).failures] == ["noise"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_learners_on_reports_pass(case: Case) -> None:
    found = audit.check(case.make(mu=1.0), runs=4000)
    assert not found.failures
    assert found.claim == GaussianDP(1.0)
    assert isinstance(audit.check(case.make(), runs=4000).claim, NoGuarantee)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_claim_below_what_actions_reveal_is_rejected(case: Case) -> None:
    """Reports at mu 3 whose first round is turned round: no learner here hides that well enough for mu 0.5."""
    learner = case.make(mu=3.0)
    assert "statistics" in [one.check for one in audit.check(learner, claim=GaussianDP(0.5), runs=4000).failures]


def test_a_sampler_of_a_learner_on_reports_takes_losses() -> None:
    pair = [[0.0, 1.0]], [[1.0, 0.0]]
    sampler = audit.sampler(RandomWalkLeader(2, 2**0.5, mu=1.0))
    assert sampler(pair[0], 7).shape == (7, 2)
    assert audit.test(sampler, [pair], GaussianDP(0.3), 40_000).rejected
    assert not audit.test(sampler, [pair], GaussianDP(1.0), 40_000).rejected
    with pytest.raises(ValueError, match="give it mu"):
        audit.sampler(RandomWalkLeader(2, 1.0))
