"""The numbers of a report: each is defined here, once, for the page, the table and the JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.replay.result import Curve, Result, Shown

#: The confidence of an interval for a mean, and the share of runs that a range holds.
LEVEL = 0.95
#: The ends of that range, as quantiles over runs.
LOW, HIGH = (1 - LEVEL) / 2, (1 + LEVEL) / 2


@dataclass(frozen=True)
class Row:
    """One line of the table of learners; the interval and the range are None where there is only one number."""

    name: str
    title: str
    private: bool
    exact: bool
    runs: int
    loss: float
    regret: float
    per_thousand: float
    interval: tuple[float, float] | None
    spread: tuple[float, float] | None


def row(curve: Curve, rounds: int) -> Row:
    """What one curve comes to at the end of the log."""
    regret = float(curve.mean[-1])
    several = curve.runs > 1
    return Row(
        name=curve.name,
        title=curve.title,
        private=curve.private,
        exact=curve.exact,
        runs=curve.runs,
        loss=float(curve.loss.mean()),
        regret=regret,
        per_thousand=1000 * regret / rounds,
        interval=_ends(*curve.interval(LEVEL)) if several else None,
        spread=_ends(curve.quantile(LOW), curve.quantile(HIGH)) if several else None,
    )


def rows(result: Result) -> list[Row]:
    """One row a learner, the chosen one first."""
    return [row(curve, result.rounds) for curve in result.curves]


def released_row(result: Result) -> Row | None:
    """The run that was released, where one was."""
    return None if result.released is None else row(result.released, result.rounds)


def promises(result: Result) -> bool:
    """Whether the chosen learner promises anything at all."""
    return not result.guarantee.startswith("NoGuarantee")


def played(result: Shown) -> NDArray[np.int64]:
    """In how many rounds of the timeline each action was played."""
    lengths = np.diff(np.append(result.timeline.starts, result.timeline.rounds))
    counts = np.zeros(len(result.actions), dtype=np.int64)
    np.add.at(counts, result.timeline.actions, lengths)
    return counts


def as_dict(result: Result) -> dict[str, Any]:
    """All numbers of the report as JSON-able data; the owner's view, not private."""
    chosen = released_row(result)
    return {
        "private": False,
        "owner_view": True,
        "log": result.log,
        "rounds": result.rounds,
        "seed": result.seed,
        "learner": result.learner,
        "parameters": result.parameters,
        "reading": result.reading,
        "guarantee": {"value": result.guarantee, "words": result.guarantee_words},
        "bound": {"value": finite(result.bound), "words": result.bound_words},
        "best": {
            "action": result.actions[result.best],
            "index": result.best,
            "total": finite(result.totals[result.best]),
        },
        "learners": [_learner(curve, line) for curve, line in zip(result.curves, rows(result), strict=True)],
        "released": None if chosen is None or result.released is None else _learner(result.released, chosen),
        "actions": _actions(result),
    }


def _actions(result: Result) -> dict[str, Any]:
    counts = played(result)
    each = zip(result.actions, result.totals, counts, strict=True)
    return {
        "played_in": "the released run" if result.timeline.released else "one simulated run",
        "each": [{"action": name, "total": finite(total), "played": int(count)} for name, total, count in each],
    }


def _learner(curve: Curve, line: Row) -> dict[str, Any]:
    return {
        "name": line.name,
        "title": line.title,
        "private": line.private,
        "exact_expectation": line.exact,
        "runs": line.runs,
        "mean_loss": finite(line.loss),
        "mean_regret": finite(line.regret),
        "regret_per_1000_rounds": finite(line.per_thousand),
        "interval_95": None if line.interval is None else [finite(end) for end in line.interval],
        "range_95": None if line.spread is None else [finite(end) for end in line.spread],
        "curve": _curve(curve),
    }


def _curve(curve: Curve) -> dict[str, Any]:
    low, high = (None, None) if curve.runs == 1 else (_numbers(curve.quantile(q)) for q in (LOW, HIGH))
    return {"rounds": curve.rounds.tolist(), "mean": _numbers(curve.mean), "low": low, "high": high}


def _numbers(values: NDArray[np.float64]) -> list[float | None]:
    return [finite(value) for value in values]


def finite(value: float | None) -> float | None:
    """A plain float that JSON can hold, or None."""
    return float(value) if value is not None and math.isfinite(value) else None


def _ends(low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[float, float]:
    return float(low[-1]), float(high[-1])
