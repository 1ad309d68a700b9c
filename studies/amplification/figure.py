"""The figure of this study: figure 1 of the paper, and where its curves part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from discreet.guarantees import GaussianDP
from studies.amplification.curves import ALPHAS, EPSILONS, Round
from studies.amplification.heuristic import guessed_law
from studies.figures import COLORS, panels


def figure(rounds: Sequence[Round], pairs: Sequence[Round]) -> Figure:
    """Trade-offs, deltas, and two actions with the rule of thumb."""
    drawn, (betas, deltas, two) = panels(3, width=11.5, height=3.9)
    _betas(betas, rounds, f"n = {rounds[0].model.n_actions}")
    _deltas(deltas, rounds)
    _betas(two, pairs, "n = 2")
    for place, one in enumerate(pairs):
        guess = guessed_law(one.model, one.t).trade_off(one.model.mu)
        powers = 1 - np.asarray(guess.trade_off(ALPHAS))
        two.plot(ALPHAS, powers, color=COLORS[place], linestyle=":", label=f"round {one.t:,}, rule of thumb")
    two.legend(fontsize=6)
    return drawn


def _betas(axes: Axes, rounds: Sequence[Round], title: str) -> None:
    without = 1 - np.asarray(GaussianDP(rounds[0].model.mu).trade_off(ALPHAS))
    axes.plot(ALPHAS, without, color="black", linewidth=0.8, label="no batches")
    for place, one in enumerate(rounds):
        seen = [one.seen_beta(alpha) for alpha in ALPHAS.tolist()]
        powers, errors = 1 - np.array([s.value for s in seen]), 1.96 * np.array([s.error for s in seen])
        color = COLORS[place]
        axes.plot(ALPHAS, 1 - one.proved_beta(ALPHAS), color=color, label=f"round {one.t:,}, analytic")
        axes.plot(ALPHAS, powers, color=color, linestyle="-.", label=f"round {one.t:,}, empirical")
        axes.fill_between(
            ALPHAS, np.maximum(powers - errors, 1e-9), powers + errors, color=color, alpha=0.2, linewidth=0
        )
    axes.set(xscale="log", yscale="log", xlabel="false positives, alpha", ylabel="power, 1 - beta", title=title)
    axes.legend(fontsize=6)


def _deltas(axes: Axes, rounds: Sequence[Round]) -> None:
    without = [GaussianDP(rounds[0].model.mu).delta(epsilon) for epsilon in EPSILONS.tolist()]
    axes.plot(EPSILONS, without, color="black", linewidth=0.8)
    for place, one in enumerate(rounds):
        proved = [one.proved_delta(epsilon) for epsilon in EPSILONS.tolist()]
        seen = [one.seen_delta(epsilon) for epsilon in EPSILONS.tolist()]
        values, errors = np.array([s.value for s in seen]), 1.96 * np.array([s.error for s in seen])
        axes.plot(EPSILONS, proved, color=COLORS[place])
        axes.plot(EPSILONS, values, color=COLORS[place], linestyle="-.")
        low = np.maximum(values - errors, 1e-15)
        axes.fill_between(EPSILONS, low, values + errors, color=COLORS[place], alpha=0.2, linewidth=0)
    axes.set(yscale="log", xlabel="epsilon", ylabel="delta", ylim=(1e-10, 1), title=f"n = {rounds[0].model.n_actions}")
