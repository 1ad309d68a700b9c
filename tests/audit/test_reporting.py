"""The audit of reports and of learners on them: honest ones pass, each planted mistake is caught by a named check."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike

from discreet import audit
from discreet.entropy import SeededEntropy
from discreet.guarantees import ApproxDP, GaussianDP, Guarantee, NoGuarantee, PureDP, TradeOff
from discreet.local import AdaptiveBatchLeader, GaussianReport, RandomWalkLeader
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


class HidesAllButTheEnds(GaussianReport):
    """No noise where a loss is 0 or 1."""

    def privatize(self, losses: ArrayLike) -> Floats:
        """Reports, and the ends as they are."""
        reports, table = super().privatize(losses), np.asarray(losses)
        return np.where((table == 0) | (table == 1), table, reports)


class TrustsSingleRounds(GaussianReport):
    """Half the noise for a round that comes alone."""

    def privatize(self, losses: ArrayLike) -> Floats:
        """Reports, nearer to the losses where there is one round of them."""
        reports, table = super().privatize(losses), np.asarray(losses)
        pulled = np.rint((table + 0.5 * (reports - table)) / self.unit) * self.unit
        return np.asarray(pulled if table.ndim == 1 else reports)


class OppositeNoise(GaussianReport):
    """Every second round carries the noise of the one before, turned round: two rounds add up to their losses."""

    def privatize(self, losses: ArrayLike) -> Floats:
        """Losses plus noise whose sign goes to and fro."""
        table = np.asarray(losses, dtype=np.float64)
        noise = super().privatize(np.zeros(table.shape))
        if table.ndim == 2:
            noise[1::2] = -noise[: 2 * (len(noise) // 2) : 2]
        return np.asarray(np.rint(table / self.unit) * self.unit + noise)


class BitTells(GaussianReport):
    """The lowest bit of a report is that of the loss: on the grid, by nearly the right law."""

    def privatize(self, losses: ArrayLike) -> Floats:
        """Reports that are even where the loss is at most 1/2."""
        cells = np.rint(super().privatize(losses) / self.unit).astype(np.int64)
        return np.asarray(((cells & ~1) | (np.asarray(losses) > 0.5)) * self.unit)


class ChunksRepeat(GaussianReport):
    """Long tables begin anew with the noise of their beginning."""

    def privatize(self, losses: ArrayLike) -> Floats:
        """Losses plus noise that repeats itself after 2^18 numbers."""
        table = np.asarray(losses, dtype=np.float64)
        noise, long = super().privatize(np.zeros(table.shape)), (1 << 18) // self.n_actions
        if table.ndim == 2 and len(noise) > long:
            noise[long:] = noise[: len(noise) - long]
        return np.asarray(np.rint(table / self.unit) * self.unit + noise)


MISTAKES = [
    (HalfTheNoise, "noise"),
    (OneActionMoves, "noise"),
    (LessThanItSays, "law"),
    (OneDrawARound, "fresh noise"),
    (OneDrawForAllRounds, "fresh noise"),
    (SameNoiseEachCall, "fresh noise"),
    (NoiseOfFloats, "grid"),
    (PromisesWithASeed, "promise"),
    (HidesAllButTheEnds, "law"),
    (TrustsSingleRounds, "law"),
    (OppositeNoise, "fresh noise"),
    (BitTells, "law"),
    (ChunksRepeat, "fresh noise"),
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


@pytest.mark.parametrize(
    "claim",
    [GaussianDP(1.0), PureDP(50.0), ApproxDP(3.0, 1e-9), TradeOff((0.0, 1.0), (1.0, 0.0)), GaussianDP(1.0, within=0.4)],
)
def test_a_claim_about_more_than_the_noise_hides_fails(claim: Guarantee) -> None:
    """Noise for losses that move by 0.3 at mu 1: of all losses of 25 actions it hides mu 16.7."""
    assert "noise" in [one.check for one in audit.check(GaussianReport(25, 1.0, 0.3), claim=claim).failures]
    assert "noise" in [one.check for one in audit.check(RandomWalkLeader(25, 0.3, mu=1.0), claim=claim).failures]


@pytest.mark.parametrize(
    "claim", [GaussianDP(17.0), ApproxDP(3.0, 1.0), GaussianDP(1.0, within=0.25), GaussianDP(1.0).for_group(17)]
)
def test_a_claim_about_no_more_than_that_holds(claim: Guarantee) -> None:
    assert audit.check(GaussianReport(25, 1.0, 0.3), claim=claim).passed


def test_a_claim_about_one_round_is_not_judged_as_one_about_all() -> None:
    learner = AdaptiveBatchLeader(2, 2**0.5, mu=1.0)
    with pytest.raises(ValueError, match="round 100 alone"):
        audit.check(learner, claim=learner.amplified(100))


class ClaimsUntold(RandomWalkLeader):
    """Promises something that nobody told it."""

    @property
    def claim(self) -> Guarantee:
        """A level out of nowhere."""
        return GaussianDP(10.0)


class LooksEveryRound(AdaptiveBatchLeader):
    """Keeps counting batches down, and follows the leader all the same."""

    def update(self, losses: ArrayLike) -> None:
        """Learn, and look."""
        super().update(losses)
        self._action = self._totals.argmin(axis=1)


def test_mistakes_of_learners_on_reports_are_caught() -> None:
    assert "promise" in [one.check for one in audit.check(ClaimsUntold(3, 1.0)).failures]
    assert "batches" in [one.check for one in audit.check(LooksEveryRound(3, 1.0, mu=1.0)).failures]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_learners_on_reports_pass(case: Case) -> None:
    found = audit.check(case.make(mu=1.0), runs=4000)
    assert not found.failures
    assert found.claim == case.make(mu=1.0).guarantee
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
