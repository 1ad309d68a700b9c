"""The figure of this study."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from discreet.bounds import asi_theorem_5_sharp
from studies.figures import line_style, panels
from studies.realizable.cases import LEARNERS
from studies.realizable.nearly import WORLDS, general
from studies.realizable.results import Results


def figure(results: Results) -> Figure:
    """Over rounds, over L*, and the tail."""
    drawn, (rounds, near, tail) = panels(3, width=11.5, height=3.8)
    _rounds(rounds, results)
    _near(near, results)
    _tail(tail, results)
    return drawn


def _rounds(axes: Axes, results: Results) -> None:
    for place, learner in enumerate(LEARNERS):
        row = results.row("rounds", learner, "halving")
        axes.plot([case.rounds for case in row], [case.mean for case in row], **line_style(place), label=learner)
    k, epsilon = results.cases["rounds"][0].n_actions, results.cases["rounds"][0].epsilon
    axes.axhline(asi_theorem_5_sharp(k, epsilon), color="black", linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlabel="rounds T", ylabel="regret, in losses", title="halving")
    axes.legend(fontsize=6, loc="upper left")


def _near(axes: Axes, results: Results) -> None:
    mine = [one for one in results.near if one.world == WORLDS[0]]
    for place, name in enumerate(mine[0].regrets):
        regrets = [one.regrets[name][0] for one in mine]
        axes.plot([one.best_loss for one in mine], regrets, **line_style(place), label=name)
    axes.axhline(
        general(10, mine[0].rounds), color="black", linewidth=0.8, linestyle="--", label="order for any losses"
    )
    axes.set(yscale="log", xlabel="loss of the best action, L*", ylabel="regret, in losses")
    axes.set_xscale("symlog", linthresh=10)
    axes.set_xlim(left=-1)
    axes.set_title("the best pays first")
    axes.legend(fontsize=6, loc="center left")


def _tail(axes: Axes, results: Results) -> None:
    for place, kind in enumerate(("tight", "paper")):
        found: dict[int, float] = {}
        for one in results.switches:
            if one.constants == kind:
                for k, share, _ in one.tail():
                    found[k] = max(found.get(k, 0.0), share)
        seen = {k: share for k, share in sorted(found.items()) if share > 0}
        axes.plot(list(seen), list(seen.values()), **line_style(place), label=kind)
    ends = range(1, 1 + max(2, *(len(one.tail()) for one in results.switches)))
    axes.plot(list(ends), [(2 / 3) ** k for k in ends], color="black", linewidth=0.8, label="lemma 3.1: (2/3)^k")
    axes.set(yscale="log", xlabel="k", ylabel="share of runs with k + 1 draws", title="draws during one halving")
    axes.set_xticks(list(ends))
    axes.legend(fontsize=7)
