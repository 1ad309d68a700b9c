"""What came out, beside what was expected."""

from __future__ import annotations

from itertools import pairwise
from math import log, sqrt

from discreet.local import GaussianReport
from studies.central_local.cases import PURE, TREE, WALK, Cost
from studies.central_local.equivalent import READINGS
from studies.central_local.results import Results, Row
from studies.page import Finding

#: A claim counts as seen only where it is so by so many standard errors.
SIGMAS = 4.5
GUESS, TAIL = READINGS


def findings(results: Results) -> list[Finding]:
    """All of them."""
    made = [_same_mu(results), _pure(results), _inverse(results), _bound(results), _batches(results)]
    return [*made, _lot(results), _desk(results)]


def _beyond(one: Cost, other: Cost) -> bool:
    """Whether one costs more than the other, beyond chance."""
    return one.mean - other.mean > SIGMAS * sqrt(one.error**2 + other.error**2)


def _same_mu(results: Results) -> Finding:
    rows = results.all_rows()
    ratios = [row.local.walk.mean / row.tree.mean for row in rows]
    good = [row for row in rows if _beyond(row.local.walk, row.tree)]
    rounds = len(results.data.losses)
    return Finding(
        f"At the same mu the local model costs more than the central one: {WALK} more than {TREE}.",
        f"in {len(good)} of {len(rows)} cases, {min(ratios):.1f} to {max(ratios):.1f} times as much. After "
        f"all {rounds:,} rounds the deviation of a local total is {sqrt(rounds):.0f} sensitivities / mu, that of a "
        f"central one {_levels(rounds)} at most.",
        len(good) == len(rows),
    )


def _levels(rounds: int) -> int:
    """The deviation of the noisiest sum of a tree, in sensitivities / mu: as many as it has levels."""
    return (rounds - 1).bit_length()


def _pure(results: Results) -> Finding:
    shown, failing = [], []
    for reading in READINGS:
        rows = results.rows(reading)
        ratios = [row.local.walk.mean / one.mean for row in rows for one in row.pure]
        failing += [row for row in rows for one in row.pure if not _beyond(row.local.walk, one)]
        shown.append(f"{min(ratios):.1f} to {max(ratios):.1f} times as much by {reading}")
    return Finding(
        f"By both readings of what mu is as much as epsilon it costs more than {' and '.join(PURE)} too.",
        f"{'; '.join(shown)}{_where(failing)}.",
        not failing,
    )


def _inverse(results: Results) -> Finding:
    rows = results.rows(GUESS)
    powers = [_power(one, other) for one, other in pairwise(rows)]
    return Finding(
        "Table 1 has sqrt(T n log n) / mu for the local model: its regret is inversely proportional to mu (a power of "
        "-1 to within 0.1 from each mu to the next).",
        f"powers {', '.join(f'{power:.2f}' for power in powers)}, from mu {rows[0].mu:.2f} to {rows[-1].mu:.2f}. Near "
        f"the regret of a team drawn by lot, {results.data.by_lot:.0f}, more noise cannot hurt much more; and that is "
        "the order of the worst case, whose gaps between actions depend on mu. Here they are what they are.",
        all(abs(power + 1) <= 0.1 for power in powers),
    )


def _power(one: Row, other: Row) -> float:
    return log(other.local.walk.mean / one.local.walk.mean) / log(other.mu / one.mu)


def _bound(results: Results) -> Finding:
    rounds, k = results.data.losses.shape
    parts, held = [], []
    for one in results.local:
        scale = GaussianReport(k, one.walk.level).scale
        bound = (scale + 2 / scale) * sqrt(2 * rounds * log(k))
        parts.append(one.walk.mean / bound)
        held.append(one.walk.mean + SIGMAS * one.walk.error <= bound)
    return Finding(
        f"{WALK} costs at most (scale + 2 / scale) sqrt(2 T log n), scale = sqrt(n) / mu (section 3).",
        f"{min(parts):.3f} to {max(parts):.3f} of it.",
        all(held),
    )


def _batches(results: Results) -> Finding:
    differing, choices = (sum(getattr(one, part) for one in results.local) for part in ("differing", "choices"))
    most = max(abs(one.batch.mean - one.walk.mean) / one.walk.mean for one in results.local)
    return Finding(
        "Corollary 2: batches cost at most a two-hundredth more (tolerance 0.01), on the same reports.",
        f"the two differ in {differing:,} of {choices:,} choices, and by at most {most:.2%} in regret.",
        most <= 0.005,
    )


def _lot(results: Results) -> Finding:
    lot = results.data.by_lot
    worst = max((one.walk for one in results.local), key=lambda cost: cost.mean)
    failing = [row for row in results.all_rows() if lot - row.local.walk.mean <= SIGMAS * row.local.walk.error]
    return Finding(
        "Even so the local model is better than drawing a team by lot each round.",
        f"that costs {lot:.1f}; the local model at most {worst} (mu {worst.level:.3f}){_where(failing)}.",
        not failing,
    )


def _desk(results: Results) -> Finding:
    lot, rounds = results.data.by_lot, len(results.data.losses)
    guess, tail = (results.row(reading, 1.0) for reading in READINGS)
    price = results.mu_for(guess.pure[0].mean)
    given = "more than was played" if price is None else f"mu {price:.1f}"
    return Finding(
        "Our own, for a forecaster's desk: at epsilon 1, by best guess, the local model keeps more than half of what "
        "choosing the best team is worth against drawing one by lot.",
        f"it keeps {_kept(guess.local.walk, lot)} of {lot:.0f} (mean loss "
        f"{(results.data.best + guess.local.walk.mean) / rounds:.3f} where the best team has "
        f"{results.data.best / rounds:.3f} and the lot {(results.data.best + lot) / rounds:.3f}); by delta 10^-6 "
        f"{_kept(tail.local.walk, lot)}; `PrivateLeader`, which has to be trusted with the losses, "
        f"{_kept(guess.pure[0], lot)}. To lose as little as that, the local model would need {given}. So: with a "
        "trusted place for the losses, use a central learner. Without one, "
        + (
            "the local model at a mu about 1 still finds the good teams, and well below it finds little."
            if _worth(guess, lot) > 0.5 > _worth(tail, lot)
            else "see the tables for what is left."
        ),
        _worth(guess, lot) > 0.5,
    )


def _worth(row: Row, lot: float) -> float:
    return 1 - row.local.walk.mean / lot


def _kept(cost: Cost, lot: float) -> str:
    return f"{1 - cost.mean / lot:.0%}"


def _where(failing: list[Row]) -> str:
    if not failing:
        return ""
    places = dict.fromkeys(f"epsilon {row.epsilon:g} by {row.reading}" for row in failing)
    return f"; not beyond chance at {', '.join(places)}"
