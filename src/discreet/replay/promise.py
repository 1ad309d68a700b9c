"""What a file of reports says of itself: how they were made, and what that promises."""

from __future__ import annotations

import decimal
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from discreet import __version__
from discreet.guarantees import GaussianDP
from discreet.guarantees.rounding import root_up, up
from discreet.local import GaussianReport
from discreet.mechanisms.noise import positive
from discreet.replay.formats import open_file
from discreet.replay.log import Log
from discreet.replay.opened import REPORTS, BadLog

_WHAT = "reports"
_PLAIN_MU, _PLAIN_SCALE = 6.0, 1e-3  # above it, and below it, what reports hide is hardly worth the name
_SLACK = Fraction(1, 1 << 49)  # of a loss, for what floats round on the way from a log's numbers to losses


#: What is assumed of all reports.
ONCE = "Each round is reported once: a second file of reports of the same losses reveals again."


@dataclass(frozen=True)
class Promise:
    """How reports were made, and what each promises of the losses of its round.

    `sensitivity` and `scale`, that of the noise, are in losses, from 0 to 1. `claim` is what was claimed of the log in
    its own numbers, which went from `low` to `high`: how far what is hidden can move one round; None for nothing.
    """

    n_actions: int
    mu: float
    sensitivity: float
    scale: float
    unit: float
    claim: float | None = None
    low: float = 0.0
    high: float = 1.0
    gains: bool = False
    clipped: bool = False
    index: tuple[str, ...] = ()
    version: str = __version__

    @property
    def guarantee(self) -> GaussianDP:
        """To whoever has the reports, and of all that is made from them."""
        return GaussianDP(self.mu) if self.claim is None else GaussianDP(self.mu, within=self.sensitivity)

    def metadata(self) -> dict[bytes, bytes]:
        """The promise as it stands in a file's schema: a JSON under `discreet`."""
        fields = vars(self) | {"index": list(self.index)}
        facts = {"what": _WHAT, **fields, "guarantee": self.guarantee.describe()}
        return {REPORTS: json.dumps(facts, allow_nan=False).encode()}

    def words(self) -> list[str]:
        """The promise in plain words: what reports are, of what, and what is assumed."""
        kind = "gains, read as losses (1 less the gain)" if self.gains else "losses"
        span = f" from {self.low:g} to {self.high:g}, brought to 0 to 1" * ((self.low, self.high) != (0.0, 1.0))
        clipped = "; values outside were clipped" * self.clipped
        made = (
            f"Each report is one round of {kind}{span}{clipped}, plus normal noise of standard deviation "
            f"{self.scale:.6g} losses for each of {self.n_actions:,} actions, rounded to multiples of {self.unit:.3g}."
        )
        return [made, *self.assumed()]

    def hardly_hidden(self) -> list[str]:
        """Why these reports hide hardly anything; nothing where they hide something."""
        why = []
        if self.mu > _PLAIN_MU:
            missed = self.guarantee.trade_off(0.01)
            why.append(
                f"A mu of {self.mu:g} lets a test tell two possible rounds apart nearly surely: one that accuses "
                f"wrongly 1% of the time may miss as little as {missed:.2g} of what is there."
            )
        if self.scale < _PLAIN_SCALE:
            why.append(
                f"With noise of scale {self.scale:.3g} a report shows its loss to within {2 * self.scale:.2g}, "
                f"nineteen times in twenty."
            )
        return why

    def assumed(self) -> list[str]:
        """What the promise rests on that no program can check."""
        nothing = "Nothing is claimed about the losses but that they lie between 0 and 1."
        claim = nothing if self.claim is None else self._claimed(self.claim)
        return [claim, ONCE]

    def _claimed(self, claim: float) -> str:
        in_losses = f", which is {_at_most(self.sensitivity)} in losses" * ((self.low, self.high) != (0.0, 1.0))
        return (
            "Claimed by whoever made them: what is to be hidden, such as one person, moves one round by at most "
            f"{_at_most(claim)} in Euclidean norm, in the numbers of the log{in_losses}. What moves it further is "
            "hidden less."
        )


def _at_most(distance: float) -> str:
    """A distance in up to nine digits, rounded down: what is said is about no more than is promised.

    >>> _at_most(12.0), _at_most(0.30000000000000004), _at_most(0.1234565199)
    ('12', '0.3', '0.123456519')
    """
    digits = decimal.Context(9, decimal.ROUND_FLOOR).plus(decimal.Decimal(repr(distance)))
    return f"{digits.normalize():f}" if 1e-6 < distance < 1e9 else repr(distance)


def promise_of(path: str | Path) -> Promise | None:
    """What a file says of the reports in it; None where it says nothing, as a log of losses does.

    The file is taken at its word: what matters is who made it.
    """
    path = Path(path)
    return read_promise(path, open_file(path).metadata)


def read_promise(path: Path, metadata: Mapping[bytes, bytes]) -> Promise | None:
    """The promise in a file's metadata, checked; None where there is none."""
    if REPORTS not in metadata:
        return None
    try:
        facts = json.loads(metadata[REPORTS])
        promise = Promise(**{name: facts[name] for name in Promise.__dataclass_fields__} | {"index": _names(facts)})
        _check(promise, facts)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise BadLog(f"{path} says that it holds reports, but what it says of them makes no sense") from None
    return promise


def _names(facts: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(map(str, facts["index"]))


def _check(promise: Promise, facts: Mapping[str, Any]) -> None:
    """Raise `ValueError` where a promise contradicts itself: less noise than its mu needs, or another guarantee."""
    numbers = (promise.mu, promise.sensitivity, promise.scale, promise.unit)
    if not all(isinstance(number, float) and 0 < number < math.inf for number in numbers):
        raise ValueError("these are no scales")
    enough = Fraction(promise.scale) * Fraction(promise.mu) >= Fraction(promise.sensitivity)
    covered = promise.claim is not None or Fraction(promise.sensitivity) ** 2 >= promise.n_actions
    if facts["what"] != _WHAT or not (enough and covered and promise.low < promise.high):
        raise ValueError("this is not what was promised")
    if facts["guarantee"] != promise.guarantee.describe():
        raise ValueError("this is another guarantee")


def reporting(
    log: Log, mu: float, sensitivity: float | None = None, index: tuple[str, ...] = ()
) -> tuple[GaussianReport, Promise]:
    """What makes the reports of a log, and what they promise; `index` are the columns that go along.

    `sensitivity` is in the numbers of the log. Losses are made from these in floats, so two rounds that lie that far
    apart may lie a little further apart as losses. Each of reading a number, subtracting `low`, dividing, and taking a
    gain off 1 rounds by at most 2^-53 of what it gives: of max(|low|, |high|) for the first, of high - low for others,
    which itself is rounded once. In losses that is below 2^-50 r an action, r = max(1, |low|, |high| over high - low),
    and twice that between two rounds. So a claim is widened by 2^-49 r sqrt(n). Clipping brings rounds closer only.
    """
    everything = root_up(Fraction(log.n_actions))  # how far apart two vectors in [0, 1]^n can be
    claimed = everything if sensitivity is None else _in_losses(log, positive("sensitivity", sensitivity))
    whole = math.nextafter(claimed, math.inf) >= everything  # a root may have been rounded down
    report = GaussianReport(log.n_actions, mu, None if whole else _widened(log, claimed, everything))
    if report.scale < report.unit:
        raise BadLog(
            f"mu is {mu:g}: noise of scale {report.scale:.3g} would vanish between the steps of reports, "
            f"{report.unit:.3g} of a loss; choose a smaller mu, or a larger sensitivity"
        )
    promise = Promise(
        n_actions=log.n_actions,
        mu=report.mu,
        sensitivity=everything if whole else claimed,
        scale=report.scale,
        unit=report.unit,
        claim=None if whole or sensitivity is None else float(sensitivity),
        low=log.scale.low,
        high=log.scale.high,
        gains=log.gains,
        clipped=log.scale.clip,
        index=index,
    )
    return report, promise


def _in_losses(log: Log, distance: float) -> float:
    """A distance in the numbers of the log as one in losses, rounded up."""
    return up(Fraction(distance) / (Fraction(log.scale.high) - Fraction(log.scale.low)))


def _widened(log: Log, claimed: float, everything: float) -> float:
    """The claim and what floats may add to it."""
    low, high = Fraction(log.scale.low), Fraction(log.scale.high)
    reach = max(Fraction(1), max(abs(low), abs(high)) / (high - low))
    return up(Fraction(claimed) + _SLACK * reach * Fraction(everything))
