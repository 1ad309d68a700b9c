"""All bounds at one instance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from typing import Literal

from discreet.bounds import cesari_colomboni as cc
from discreet.bounds import hu, without_privacy, wu_wang, wu_wang_constant, wu_wang_lower
from discreet.bounds.conditions import needs_actions, needs_epsilon, needs_gap, needs_rounds
from discreet.bounds.order import Order

Losses = Literal["i.i.d. losses, this gap", "i.i.d. losses, any gap", "losses that never change"]
Side = Literal["upper", "lower", "both"]


@dataclass(frozen=True)
class Row:
    """One bound: whose it is, its function here, for which losses and learner, on which side, and how large.

    `value` is a float where the bound is explicit, an `Order` where it has no constant, and None where it does not
    apply; then `note` says what it needs.
    """

    name: str
    function: str
    losses: Losses
    side: Side
    learner: str
    value: float | Order | None = None
    note: str = ""


_THIS: Losses = "i.i.d. losses, this gap"
_ANY: Losses = "i.i.d. losses, any gap"
_NEVER: Losses = "losses that never change"
_EVERY, _PREFIX = "every private learner", "PrefixSoftmax"
_RESAMPLED = "NoisyLeader, resampling; actions independent of each other"
_ONE_SIDED = "NoisyLeader, Gumbel or exponential"

_TABLE: tuple[tuple[Callable[..., float | Order], str, Losses, Side, str], ...] = (
    (cc.cesari_colomboni_theorem_1, "Cesari & Colomboni, theorem 1 (1)", _THIS, "upper", _PREFIX),
    (cc.cesari_colomboni_theorem_1_simple, "Cesari & Colomboni, theorem 1 (2)", _THIS, "upper", _PREFIX),
    (wu_wang.wu_wang_theorem_3, "Wu & Wang, theorem 3", _THIS, "upper", _RESAMPLED),
    (hu.hu_upper, "Hu et al., as quoted", _THIS, "upper", "NoisyLeader, Laplace"),
    (hu.hu_lower, "Hu et al., as quoted", _THIS, "lower", _EVERY),
    (without_privacy.follow_the_leader, "Without privacy, proved here", _THIS, "upper", "FollowTheLeader"),
    (without_privacy.non_private_rate, "Without privacy, as quoted", _THIS, "both", "the best without privacy"),
    (wu_wang.wu_wang_corollary_5, "Wu & Wang, corollary 5", _ANY, "upper", _RESAMPLED),
    (hu.hu_upper_any_gap, "Hu et al., as quoted", _ANY, "upper", "NoisyLeader, Laplace"),
    (hu.hu_lower_any_gap, "Hu et al., as quoted", _ANY, "lower", _EVERY),
    (wu_wang.wu_wang_corollary_10, "Wu & Wang, corollary 10", _NEVER, "upper", "NoisyLeader without resampling"),
    (wu_wang.wu_wang_theorem_11, "Wu & Wang, theorem 11", _NEVER, "upper", _ONE_SIDED),
    (wu_wang_constant.wu_wang_theorem_11_explicit, "Theorem 11 with its constant", _NEVER, "upper", _ONE_SIDED),
    (wu_wang_lower.wu_wang_theorem_7, "Wu & Wang, theorem 7", _NEVER, "lower", _EVERY),
    (wu_wang_lower.wu_wang_theorem_7_sharp, "Theorem 7 made sharper", _NEVER, "lower", _EVERY),
)


def side_by_side(n_actions: int, gap: float, epsilon: float, rounds: int | None = None) -> list[Row]:
    """Every bound at one instance; without `rounds`, those that hold at every horizon.

    >>> for row in side_by_side(n_actions=4, gap=0.1, epsilon=1.0)[-3:]:
    ...     print(f"{row.function}: {row.note}")
    wu_wang_theorem_11_explicit: at rate epsilon/2
    wu_wang_theorem_7: needs 6 actions or more; got 4
    wu_wang_theorem_7_sharp: on its own instance
    """
    needs_actions(n_actions)
    needs_gap(gap)
    needs_epsilon(epsilon)
    if rounds is not None:
        needs_rounds(rounds)
    given = {"n_actions": n_actions, "gap": gap, "epsilon": epsilon, "rate": epsilon / 2, "rounds": rounds}
    return [
        _filled(Row(name, function.__name__, losses, side, learner), function, given)
        for function, name, losses, side, learner in _TABLE
    ]


def _filled(row: Row, function: Callable[..., float | Order], given: dict[str, float | None]) -> Row:
    """The row with its value, or with what it needs."""
    wanted = signature(function).parameters
    if given["rounds"] is None and "rounds" in wanted and wanted["rounds"].default is Parameter.empty:
        return replace(row, note="needs a number of rounds")
    try:
        value = function(**{name: given[name] for name in wanted})
    except ValueError as error:
        return replace(row, note=str(error))
    return replace(row, value=value, note="; ".join(_notes(row, value, given)))


def _notes(row: Row, value: float | Order, given: dict[str, float | None]) -> list[str]:
    rounds = given["rounds"]
    assert given["epsilon"] is not None
    notes = []
    if row.learner == _PREFIX and given["epsilon"] > 2 * cc.LARGEST_RATE:
        notes.append(f"the learner spends epsilon = {2 * cc.LARGEST_RATE:g} only")
    if row.function == "wu_wang_theorem_11_explicit":
        notes.append("at rate epsilon/2")
    if row.losses == _NEVER and row.side == "lower":
        notes.append("on its own instance")
    if isinstance(value, float) and row.side == "upper" and rounds is not None and value >= rounds:
        notes.append(f"no less than the {rounds:,} rounds: it says nothing here")
    return notes
