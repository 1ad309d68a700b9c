"""The sparse vector technique: which of many queries is the first above a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.entropy import Entropy
from discreet.exact import geometric
from discreet.guarantees import PureDP
from discreet.guarantees.rounding import up
from discreet.losses import UNITS, Units
from discreet.mechanisms.halting_law import halting_law
from discreet.mechanisms.laplace_noise import LaplaceNoise
from discreet.mechanisms.noise import FLOAT_ERROR, Floats, positive

Bools = NDArray[np.bool_]
#: Thresholds are at most so many losses from zero, so that their noise fits beside them.
FURTHEST = 2.0**40


@dataclass(frozen=True)
class AboveThreshold:
    """Tells of one query after another whether it is above a threshold, and stops for good at the first that is.

    **Rule.** The threshold gets discrete Laplace noise once, of scale `threshold_scale`; every query gets fresh noise
    of scale `query_scale`. A query is above where its noisy value is not below the noisy threshold. Scales, threshold
    and sensitivity are in losses, queries in whole units. With share s of epsilon for the threshold,
    threshold_scale = sensitivity / (s · epsilon), query_scale = 2 · sensitivity / ((1 - s) · epsilon).

    **Guarantee.** `PureDP(epsilon)` for all answers together, however many queries there are and however each depends
    on the answers before, where replacing a round moves every query by at most `sensitivity`, up or down. Fix the
    noise of the queries before the halt. Raise the threshold's noise by one sensitivity: a query that was below stays
    below after it has moved. Raise the noise of the halting query by two: it stays above. That costs
    sensitivity / threshold_scale + 2 · sensitivity / query_scale. If queries could only rise, half of the second part
    would do; replacing a round promises no such thing.

    **Accuracy.** Over T queries, with probability 1 - failure, no query is called above that lies
    threshold_scale · log(1/failure) + query_scale · log(T/failure) or more below the threshold.

    **Cost.** 128 random bits a query; logarithms for those few alone whose noise may be large enough.

    >>> from discreet.entropy import SeededEntropy
    >>> test = AboveThreshold(epsilon=1.0, threshold=30.0)
    >>> test.threshold_scale, test.query_scale, test.guarantee
    (2.0, 4.0, PureDP(epsilon=1.0))
    >>> watch = test.watch(SeededEntropy(1))
    >>> [watch.ask(query * UNITS) for query in (0, 0, 60)], watch.halted
    ([False, False, True], True)
    >>> test.law([0, 60 * UNITS]).round(4).tolist()  # halting at the first, at the second, never
    [0.0004, 0.9993, 0.0004]

    References: Dwork & Roth 2014, section 3.6; Lyu, Su & Li, Understanding the Sparse Vector Technique, 2017.
    """

    epsilon: float
    threshold: float
    sensitivity: float = 1.0
    share: float = 0.5

    def __post_init__(self) -> None:
        for name in ("epsilon", "sensitivity", "share"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))
        if not self.share < 1:
            raise ValueError(f"share is {self.share}; it must lie between 0 and 1")
        if isinstance(self.threshold, bool) or not -FURTHEST <= self.threshold <= FURTHEST:
            raise ValueError(f"threshold is {self.threshold}; it must lie within 2^40 losses of zero")
        object.__setattr__(self, "threshold", float(self.threshold))
        most = max(self.threshold_scale, self.query_scale)
        if not 2.0**-20 <= min(self.threshold_scale, self.query_scale) <= most <= 2.0**30:
            raise ValueError(f"epsilon is {self.epsilon}; noise of scale {most:.3g} is no use, or does not fit")

    @cached_property
    def threshold_scale(self) -> float:
        """The scale of the threshold's noise, rounded up."""
        return up(Fraction(self.sensitivity) / (Fraction(self.epsilon) * Fraction(self.share)))

    @cached_property
    def query_scale(self) -> float:
        """The scale of a query's noise, rounded up."""
        return up(2 * Fraction(self.sensitivity) / (Fraction(self.epsilon) * (1 - Fraction(self.share))))

    @property
    def level(self) -> Fraction:
        """The exact epsilon: sensitivity / threshold_scale + 2 · sensitivity / query_scale."""
        sensitivity = Fraction(self.sensitivity)
        return sensitivity / Fraction(self.threshold_scale) + 2 * sensitivity / Fraction(self.query_scale)

    @property
    def guarantee(self) -> PureDP:
        """`epsilon`: rounding scales up keeps the level at or below it."""
        return PureDP(self.epsilon)

    def watch(self, entropy: Entropy, runs: int | None = None) -> Watch:
        """A fresh test that takes queries one at a time."""
        return Watch(self, entropy, runs)

    def thresholds(self, runs: int, entropy: Entropy) -> Units:
        """Fresh noisy thresholds in units, one a run: to be kept secret, and for one test each."""
        middle = np.full(runs, round(self.threshold * UNITS), dtype=np.int64)
        return LaplaceNoise(self.threshold_scale).sample(middle, entropy)

    def first_above(self, queries: Units, thresholds: Units, entropy: Entropy) -> tuple[int, Bools]:
        """Ask the queries of several runs, (rounds, runs), until one is above or all are asked.

        Gives how many rounds were asked, and which runs were above in the last of them; possibly none, then the rest
        is to be asked anew. The draws are the same whether rounds are asked one at a time or many.
        """
        rounds, runs = queries.shape
        drawn = entropy.ahead(2 * queries.size, 64).reshape(rounds, 2, runs)
        row, run = (drawn[:, 0] <= self._furthest(queries.max(axis=0), thresholds)).nonzero()
        near = drawn[row, 0, run] <= self._furthest(queries[row, run], thresholds[run])  # by itself, however many asked
        row, run = row[near], run[near]
        low, high = self._bounds(drawn[row, :, run].T, queries[row, run], thresholds[run])
        maybe = ~(high < 0)
        last = int(row[maybe.argmax()]) if maybe.any() else rounds - 1
        words = drawn[last].copy()
        entropy.numbers(2 * runs * (last + 1), 64)
        above: Bools = np.zeros(runs, dtype=np.bool_)
        for place in ((row == last) & maybe).nonzero()[0].tolist():
            one = int(run[place])
            behind = int(thresholds[one]) - int(queries[last, one])
            plus, minus = (int(word) for word in words[:, one])
            above[one] = low[place] >= 0 or self._is_above(plus, minus, behind, entropy)
        return last + 1, above

    def _furthest(self, queries: Units, thresholds: Units) -> NDArray[np.uint64]:
        """For each query a word: with a larger one its noise is surely too small to take it above.

        So nearly all queries are told to be below without a logarithm. What is taken off the way up to the threshold is
        more than all rounding here.
        """
        asked, limits = queries.astype(np.float64), thresholds.astype(np.float64)
        way = (limits - asked) * (1 - 2.0**-10) - FLOAT_ERROR * (np.abs(asked) + np.abs(limits)) - 2
        scales = way / (self.query_scale * UNITS) - 2.0**-20
        words = (2.0**64 * np.exp(-np.maximum(scales, 2.0**-20))).astype(np.uint64)
        return np.where(scales > 2.0**-20, words, np.uint64(2**64 - 1))

    def _bounds(self, drawn: NDArray[Any], queries: Units, thresholds: Units) -> tuple[Floats, Floats]:
        """Numbers between which noisy query less noisy threshold surely lies; drawn: two words (2, n) for n queries."""
        scale, words = self.query_scale * UNITS, drawn.astype(np.float64)
        with np.errstate(divide="ignore"):
            noise, error = scale * -np.log((words + 0.5) * 2.0**-64), scale * (1 / words + FLOAT_ERROR)
        ahead = queries.astype(np.float64) - thresholds
        slack = error.sum(axis=0) + FLOAT_ERROR * (noise.sum(axis=0) + np.abs(queries) + np.abs(thresholds)) + 2
        middle = noise[0] - noise[1] + ahead
        return middle - slack, middle + slack

    def _is_above(self, plus: int, minus: int, behind: int, entropy: Entropy) -> bool:
        """Whether the noise makes up for how far the query lies behind, exactly."""
        scale = Fraction(self.query_scale) * UNITS
        return geometric(plus, 64, scale, entropy) - geometric(minus, 64, scale, entropy) >= behind

    def sample(self, queries: ArrayLike, entropy: Entropy) -> int | NDArray[np.int64]:
        """Where a fresh test halts on queries (n,), or (runs, n): the place of the query, n if it never does."""
        table = np.atleast_2d(np.asarray(queries, dtype=np.int64))
        watch = self.watch(entropy, len(table))
        places = np.full(len(table), table.shape[1])
        for place, column in enumerate(table.T):
            places[watch.ask(column)] = place
        return int(places[0]) if np.ndim(queries) == 1 else places

    def law(self, queries: ArrayLike) -> Floats:
        """The probability of halting at each of the queries (n,), in units, and of never halting: (n + 1,).

        Where a scale is thousands of units, to a relative error of about (n + 1) / scale^2, scale in units: 10^-12 at
        one loss. Below that to rounding.
        """
        behind = round(self.threshold * UNITS) - np.asarray(queries, dtype=np.int64)
        return halting_law(behind, self.threshold_scale * UNITS, self.query_scale * UNITS)


class Watch:
    """One test at work, or one for each run: it takes queries until it halts, and then says no to all of them."""

    def __init__(self, test: AboveThreshold, entropy: Entropy, runs: int | None = None) -> None:
        self._test, self._entropy, self._runs = test, entropy, runs
        self._thresholds = test.thresholds(runs or 1, entropy)
        self._halted = np.zeros(runs or 1, dtype=np.bool_)

    @property
    def halted(self) -> Any:
        """Whether a query was above; an array for many runs."""
        return bool(self._halted[0]) if self._runs is None else self._halted.copy()

    def ask(self, query: ArrayLike) -> Any:
        """Whether this query, in whole units, is above; one a run or one for all. After the halt: no, at no cost."""
        queries = np.broadcast_to(np.asarray(query), self._halted.shape)
        if queries.dtype.kind not in "iu":
            raise ValueError(f"queries are whole numbers of units, {UNITS} to a loss; got {queries.dtype}")
        above = np.zeros_like(self._halted)
        active = (~self._halted).nonzero()[0]
        if active.size:
            asked = queries[None, active].astype(np.int64)
            _, above[active] = self._test.first_above(asked, self._thresholds[active], self._entropy)
        self._halted = self._halted | above
        return bool(above[0]) if self._runs is None else above
