"""Planted mistakes: each a small change to a real learner that breaks its promise. The audit must find all of them.

    python -m tests.audit.mutants docs/mutants.md

writes the table of mutants, and of the checks that caught them, into the docs.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.audit import Report, check
from discreet.entropy import Entropy, SeededEntropy
from discreet.experts import Learner, NoisyLeader, PrefixSoftmax, PrivateLeader, SparseVectorExperts
from discreet.experts.blocks import Source
from discreet.guarantees import ApproxDP, PureDP
from discreet.losses import UNITS, Units
from discreet.schedules import Counts
from discreet.selection import NoisyMax, PermuteAndFlip, Selection, Softmax
from discreet.selection.base import Floats
from tests.audit.mutants_at_work import (
    ChunksOverlap,
    CopiesShareDraws,
    DrawsAgainWhenAsked,
    DrawsAgainWhenResumed,
    ForgetsRuns,
    HighLossesCountMore,
    LearnsTwiceAlone,
    LongMemory,
    LooksTwiceAtABlock,
    OneRowAtAnotherRate,
    Promising,
    ResamplesAlike,
    ResumingCountsTwice,
    SharedSeed,
    StateKeepsBytes,
)
from tests.audit.mutants_of_trees import (
    MU,
    DrawsNodesTwice,
    ForgetsLevels,
    ForgetsRounding,
    HalvesTheMove,
    MovesByOneLoss,
    SumsInEveryTree,
)

EPSILON = 1.0


class HalfTheNoise(Promising, NoisyLeader):
    """Laplace noise of half the scale."""

    def _reset(self) -> None:
        self.selection = NoisyMax(1 / self.epsilon)
        super()._reset()


class RateWithoutTheTwo(Promising, PrefixSoftmax):
    """Softmax at rate epsilon: a loss vector that is replaced moves weights and their sum."""

    def _reset(self) -> None:
        self.selection = Softmax(self.epsilon)
        super()._reset()


class OneSidedCalibration(Promising, NoisyLeader):
    """Exponential noise of mean 1/epsilon: right only if losses could move one way."""

    def _reset(self) -> None:
        self.selection = PermuteAndFlip(self.epsilon)
        super()._reset()


@dataclass(frozen=True)
class NoiseOnLosses(Selection):
    """One-sided exponential noise added to losses, smallest taken: another mechanism than noise on negated totals."""

    rate: float

    @property
    def level(self) -> Fraction:
        """What its author believes."""
        return 2 * Fraction(self.rate)

    @property
    def error_rate(self) -> float:
        """What its author believes."""
        return self.rate

    def _sample_rows(self, totals: Units, entropy: Entropy) -> NDArray[np.int64]:
        uniform = (entropy.numbers(totals.size, 64) + 0.5) * 2.0**-64
        return np.asarray((totals / UNITS - np.log(uniform.reshape(totals.shape)) / self.rate).argmin(axis=1))

    def _law_rows(self, totals: Units) -> Floats:
        """P(j) = integral over x > t_j of rate · exp(-rate · sum over i of (x - t_i)+), piece by piece."""
        return np.array([self._law_of(row / UNITS) for row in totals])

    def _law_of(self, losses: Floats) -> Floats:
        order = np.sort(losses)
        law = np.zeros(len(losses))
        for n, (low, high) in enumerate(zip(order, [*order[1:], np.inf], strict=True), start=1):
            # Between two totals n noises compete at n times the rate, and each of the n is as likely to win.
            start = np.exp(-self.rate * (n * low - order[:n].sum()))
            end = 0.0 if high == np.inf else np.exp(-self.rate * (n * high - order[:n].sum()))
            law[losses <= low] += (start - end) / n
        return law


class ArgminOfOneSidedNoise(Promising, NoisyLeader):
    """One-sided noise on losses, followed by argmin: leaks K - 1 times as much."""

    def _reset(self) -> None:
        self.selection = NoiseOnLosses(self.epsilon / 2)
        super()._reset()


class PrefixFromTheData(Promising, PrefixSoftmax):
    """Stops counting a block early once action 0 has lost."""

    def _source(self, units: Units) -> Source:
        inner, first = super()._source(units), self._rounds

        def source(start: int, counts: Counts) -> Units:
            rows = units[start - first :]
            lost = rows[0, ..., 0] > UNITS // 2 if len(rows) else np.zeros(1, dtype=bool)
            return inner(start, np.where(lost, np.minimum(counts, 1), counts))

        return source


class LastRoundTwice(Promising, NoisyLeader):
    """Blocks that begin one round early, so that the last round of a block is used again."""

    def _source(self, units: Units) -> Source:
        inner, first = super()._source(units), self._rounds

        def source(start: int, counts: Counts) -> Units:
            before = units[start - first - 1] if start > first else 0 * units[0]
            return np.asarray(inner(start, counts) + before)

        return source


class TotalsNotReset(Promising, NoisyLeader):
    """A new block goes on from the totals of the one before."""

    def _selected(self, totals: Units) -> dict[str, Units]:
        return super()._selected(totals) | {"_totals": totals}


class WeightsBeyondTheBudget(Promising, PrivateLeader):
    """Carries a block over with the rate of learners that do not."""

    def _reset(self) -> None:
        self.weights = (2, 1)
        self.selection = PermuteAndFlip(self.epsilon / 4)
        super()._reset()


class LossesCountedTwice(Promising, NoisyLeader):
    """Adds every loss twice."""

    def _source(self, units: Units) -> Source:
        inner = super()._source(units)
        return lambda start, counts: 2 * inner(start, counts)


class FirstChoiceWithoutNoise(Promising, NoisyLeader):
    """Forgets the noise of the first selection."""

    def _selected(self, totals: Units) -> dict[str, Units]:
        if self._rounds == 0:
            return super()._selected(2**20 * totals)
        return super()._selected(totals)


class RateFromTheData(Promising, NoisyLeader):
    """Saves noise where the leader is clear."""

    def _weighted(self, newest: Units) -> Units:
        score = super()._weighted(newest)
        ahead = np.partition(score, 1, axis=1)[:, 1] - score.min(axis=1) > UNITS
        return np.where(ahead[:, None], 2 * score, score)


class RateGrowsWithActions(Promising, NoisyLeader):
    """A rate that is right for two actions and multiplied for more."""

    def _reset(self) -> None:
        self.selection = Softmax(self.epsilon / 4 * self.n_actions)
        super()._reset()


class ClaimsHalf(NoisyLeader):
    """Claims half of what is true."""

    @property
    def claim(self) -> PureDP:
        """Half of the truth."""
        return PureDP(self.epsilon / 2)


class ClaimsWhatTablesShow(SparseVectorExperts):
    """Claims the delta that is the worst of all tables fixed in advance; for losses that react it is more."""

    @property
    def claim(self) -> ApproxDP:
        """0.0298 at epsilon 2 for two actions and four rounds, at a threshold of 0."""
        return ApproxDP(2.0, 0.03)


@dataclass(frozen=True)
class BetterOfTwo(PermuteAndFlip):
    """Draws two actions and releases the better one."""

    def _sample_rows(self, totals: Units, entropy: Entropy) -> NDArray[np.int64]:
        pair = np.stack([super(BetterOfTwo, self)._sample_rows(totals, entropy) for _ in range(2)])
        losses = np.take_along_axis(totals.T, pair, axis=0)
        return np.asarray(np.where(losses[1] < losses[0], pair[1], pair[0]))

    def _law_rows(self, totals: Units) -> Floats:
        law = super()._law_rows(totals)
        better = totals[:, :, None] > totals[:, None, :]  # action k beats j
        same = ~better & ~better.transpose(0, 2, 1)
        # j is released when it is drawn twice, or once with one that it beats, or first of two equals.
        return np.asarray(law * ((2 * better.transpose(0, 2, 1) + same) @ law[:, :, None])[:, :, 0])


class ReleasesTheBetterOfTwo(Promising, NoisyLeader):
    """Two draws, of which the better is released."""

    def _reset(self) -> None:
        self.selection = BetterOfTwo(self.epsilon / 2)
        super()._reset()


@dataclass(frozen=True)
class CutOff(PermuteAndFlip):
    """Coins that are rarer than one in a hundred are not flipped."""

    def _sample_rows(self, totals: Units, entropy: Entropy) -> NDArray[np.int64]:
        return super()._sample_rows(self._cut(totals), entropy)

    def _law_rows(self, totals: Units) -> Floats:
        law = super()._law_rows(totals)
        kept = np.where(self._far(totals), 0.0, law)
        return np.asarray(kept / kept.sum(axis=1, keepdims=True))

    def _far(self, totals: Units) -> NDArray[np.bool_]:
        return np.asarray((totals - totals.min(axis=1, keepdims=True)) * self.rate / UNITS > np.log(100))

    def _cut(self, totals: Units) -> Units:
        return np.where(self._far(totals), totals.min(axis=1, keepdims=True) + 2**55, totals)


class NoiseCutOff(Promising, NoisyLeader):
    """Noise without tails."""

    def _reset(self) -> None:
        self.selection = CutOff(self.epsilon / 2)
        super()._reset()


@dataclass(frozen=True)
class FloatSoftmax(Softmax):
    """Inverse distribution function in floats."""

    def _sample_rows(self, totals: Units, entropy: Entropy) -> NDArray[np.int64]:
        sums = np.cumsum(self.law(totals), axis=1)
        uniform = (entropy.numbers(len(totals), 64) >> np.uint64(11))[:, None] * 2.0**-53
        return np.asarray(np.minimum((sums <= uniform * sums[:, -1:]).sum(axis=1), totals.shape[1] - 1))


class SoftmaxInFloats(Promising, NoisyLeader):
    """Draws by adding up float probabilities: far actions are lost beside 1."""

    def _reset(self) -> None:
        self.selection = FloatSoftmax(self.epsilon / 2)
        super()._reset()


@dataclass(frozen=True)
class NotItsLaw(Softmax):
    """Draws at another rate than its law says."""

    def _sample_rows(self, totals: Units, entropy: Entropy) -> NDArray[np.int64]:
        return np.asarray(Softmax(1.3 * self.rate).sample(totals, entropy))


class DrawsAtAnotherRate(Promising, NoisyLeader):
    """A sampler and a law that have drifted apart."""

    def _reset(self) -> None:
        self.selection = NotItsLaw(self.epsilon / 2)
        super()._reset()


class SameNoiseEachBlock(Promising, NoisyLeader):
    """Draws its noise once and uses it in every block."""

    def _selected(self, totals: Units) -> dict[str, Units]:
        own, drawn = self._entropy, self.__dict__.get("_noise_seed")
        if drawn is None:
            drawn = self.__dict__["_noise_seed"] = own.word()
        self._entropy = SeededEntropy(drawn)
        selected = super()._selected(totals)
        self._entropy = own
        return selected


#: The mutants, each with a check that must catch it.
MUTANTS: list[tuple[Learner, str]] = [
    (HalfTheNoise(3, EPSILON), "worst loss"),
    (RateWithoutTheTwo(3, EPSILON, capped=False), "worst loss"),
    (OneSidedCalibration(3, EPSILON), "worst loss"),
    (ArgminOfOneSidedNoise(3, EPSILON), "worst loss"),
    (PrefixFromTheData(3, EPSILON, capped=False), "worst loss"),
    (LastRoundTwice(3, EPSILON, noise="exponential"), "worst loss"),
    (TotalsNotReset(3, EPSILON, noise="exponential"), "influence"),
    (WeightsBeyondTheBudget(3, EPSILON), "influence"),
    (LossesCountedTwice(3, EPSILON, noise="gumbel"), "worst loss"),
    (FirstChoiceWithoutNoise(3, EPSILON), "worst loss"),
    (RateFromTheData(3, EPSILON, noise="gumbel"), "worst loss"),
    (RateGrowsWithActions(3, EPSILON), "worst loss"),
    (ClaimsHalf(3, EPSILON), "worst loss"),
    (ClaimsWhatTablesShow(3, 4.0, 9, switches=3, threshold=0.0), "adversaries"),
    (ReleasesTheBetterOfTwo(3, EPSILON), "worst loss"),
    (NoiseCutOff(3, EPSILON), "reach"),
    (SoftmaxInFloats(3, EPSILON), "reach"),
    (DrawsAtAnotherRate(3, EPSILON), "law"),
    (SameNoiseEachBlock(3, EPSILON), "law"),
    (DrawsAgainWhenAsked(3, EPSILON), "act twice"),
    (DrawsAgainWhenResumed(3, EPSILON), "resume"),
    (SharedSeed(3, EPSILON), "own chance"),
    (ResamplesAlike(3, EPSILON), "own chance"),
    (CopiesShareDraws(3, EPSILON), "own chance"),
    (LooksTwiceAtABlock(3, EPSILON), "one rule"),
    (OneRowAtAnotherRate(3, EPSILON), "release"),
    (LearnsTwiceAlone(3, EPSILON, noise="gumbel"), "release"),
    (ChunksOverlap(3, EPSILON, noise="gumbel"), "influence"),
    (LongMemory(3, EPSILON, noise="gumbel"), "influence"),
    (HighLossesCountMore(3, EPSILON, noise="gumbel"), "worst loss"),
    (StateKeepsBytes(3, EPSILON, noise="gumbel"), "own chance"),
    (ResumingCountsTwice(3, EPSILON, noise="gumbel"), "resume"),
    (ForgetsRuns(3, EPSILON, noise="gumbel"), "promise"),
    (ForgetsLevels(3, 1000, MU), "influence"),
    (HalvesTheMove(3, 1000, MU), "statistics"),
    (MovesByOneLoss(3, 1000, MU), "influence"),
    (ForgetsRounding(3, 1000, MU, sensitivity=1e-6), "influence"),
    (DrawsNodesTwice(3, 1000, MU), "influence"),
    (SumsInEveryTree(3, 1000, MU), "influence"),
]


def table(reports: list[Report]) -> str:
    """The table for the docs."""
    lines = ["| mistake | what it does | caught by | what the first of them said |", "| --- | --- | --- | --- |"]
    for (mutant, _), report in zip(MUTANTS, reports, strict=True):
        what = (type(mutant).__doc__ or "").strip().splitlines()[0].rstrip(".")
        caught = ", ".join(dict.fromkeys(finding.check for finding in report.failures))
        said = report.failures[0].said if report.failures else "nothing: a gap to close"
        lines.append(f"| `{type(mutant).__name__}` | {what} | {caught} | {said} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Audit every mutant and write the table."""
    text = table([check(mutant) for mutant, _ in MUTANTS])
    Path(sys.argv[1]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
