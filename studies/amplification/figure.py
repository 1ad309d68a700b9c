"""The figure of this study: figure 1 of the paper, and where its curves part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from discreet.guarantees import GaussianDP
from studies.amplification.curves import ALPHAS, EPSILONS, Floats, Round, Seen
from studies.amplification.heuristic import guessed_law
from studies.figures import COLORS, panels


@dataclass(frozen=True)
class Lines:
    """A proved curve and a seen one, with its band."""

    xs: Floats
    proved: Floats
    seen: Floats
    band: Floats

    @classmethod
    def of(cls, xs: Floats, proved: Floats, seen: Sequence[Seen]) -> Lines:
        """From what each point says."""
        errors = np.array([one.error for one in seen])
        return cls(xs, proved, np.array([one.value for one in seen]), 1.96 * errors)

    def draw(self, axes: Axes, place: int, name: str) -> None:
        """Solid and dash-dotted, in the color of a place."""
        color = COLORS[place]
        axes.plot(self.xs, self.proved, color=color, linewidth=1.2, label=f"{name}, analytic")
        axes.plot(self.xs, self.seen, color=color, linewidth=1.2, linestyle="-.", label=f"{name}, empirical")
        low, high = np.maximum(self.seen - self.band, 1e-15), self.seen + self.band
        axes.fill_between(self.xs, low, high, color=color, alpha=0.2, linewidth=0)


def figure(rounds: Sequence[Round], pairs: Sequence[Round]) -> Figure:
    """Trade-offs, deltas, and powers beside those without batches, of 25 actions and of two."""
    drawn, (betas, deltas, powers, two) = panels(4, width=14.5, height=3.7)
    _betas(betas, rounds)
    _deltas(deltas, rounds)
    _powers(powers, rounds)
    _powers(two, pairs)
    for place, one in enumerate(pairs):
        guess = 1 - np.asarray(guessed_law(one.model, one.t).trade_off(one.model.mu).trade_off(ALPHAS))
        label = f"round {one.t:,}, rule of thumb"
        two.plot(ALPHAS, guess / _without(one), color=COLORS[place], linestyle=":", label=label)
    two.legend(fontsize=6)
    return drawn


def _betas(axes: Axes, rounds: Sequence[Round]) -> None:
    alphas = np.linspace(0.002, 0.998, 100)
    without = np.asarray(GaussianDP(rounds[0].model.mu).trade_off(alphas))
    axes.plot(alphas, without, color="black", linewidth=0.8, label="no batches")
    for place, one in enumerate(rounds):
        seen = [one.seen_beta(alpha) for alpha in alphas.tolist()]
        Lines.of(alphas, one.proved_beta(alphas), seen).draw(axes, place, f"round {one.t:,}")
    title = f"trade-off, n = {rounds[0].model.n_actions}"
    axes.set(xlabel="false positives, alpha", ylabel="false negatives, beta", title=title)
    axes.legend(fontsize=6)


def _deltas(axes: Axes, rounds: Sequence[Round]) -> None:
    without = [GaussianDP(rounds[0].model.mu).delta(epsilon) for epsilon in EPSILONS.tolist()]
    axes.plot(EPSILONS, without, color="black", linewidth=0.8)
    for place, one in enumerate(rounds):
        proved = np.array([one.proved_delta(epsilon) for epsilon in EPSILONS.tolist()])
        seen = [one.seen_delta(epsilon) for epsilon in EPSILONS.tolist()]
        Lines.of(EPSILONS, proved, seen).draw(axes, place, f"round {one.t:,}")
    title = f"(epsilon, delta), n = {rounds[0].model.n_actions}"
    axes.set(yscale="log", xlabel="epsilon", ylabel="delta", ylim=(1e-10, 1), title=title)


def _powers(axes: Axes, rounds: Sequence[Round]) -> None:
    for place, one in enumerate(rounds):
        without = _without(one)
        seen = [
            Seen((1 - found.value) / power, found.error / power)
            for found, power in zip(map(one.seen_beta, ALPHAS.tolist()), without.tolist(), strict=True)
        ]
        proved = (1 - one.proved_beta(ALPHAS)) / without
        Lines.of(ALPHAS, proved, seen).draw(axes, place, f"round {one.t:,}")
    axes.set(xscale="log", xlabel="false positives, alpha", ylabel="power / power without batches", ylim=(0, 1.05))
    axes.set_title(f"power, n = {rounds[0].model.n_actions}")


def _without(one: Round) -> Floats:
    """The power of tests without batches."""
    powers: Floats = 1 - np.asarray(GaussianDP(one.model.mu).trade_off(ALPHAS))
    return powers
