"""What a simulation gives: regret over rounds, for every run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from discreet.simulate.samples import Floats, Samples

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

Kind = Literal["pseudo", "realized"]

#: What each kind of regret is, in words; they are never mixed.
KINDS = {
    "pseudo": "pseudo-regret (expected losses of the actions played, less those of the best)",
    "realized": "realized regret (losses suffered, less those of the best fixed action in hindsight)",
}


@dataclass(frozen=True)
class RegretCurve(Samples):
    """Regret of one learner in one environment, at some horizons.

    `kind` says which regret: "pseudo" compares expected losses, "realized" the losses that were suffered with those
    of the fixed action that is best in hindsight, over the rounds up to each horizon.
    """

    horizons: NDArray[np.int64]
    regret: Floats = field(repr=False)  # (runs, horizons)
    kind: Kind
    learner: str
    environment: str
    title: str = ""

    def frame(self, level: float = 0.95) -> DataFrame:
        """A pandas table, one row a horizon: mean, its interval, and quantiles over runs. Needs pandas."""
        try:
            from pandas import DataFrame
        except ModuleNotFoundError:
            raise ModuleNotFoundError("a frame needs pandas: pip install 'discreet[frames]'") from None
        return DataFrame(self.columns(level))

    def columns(self, level: float = 0.95) -> dict[str, Any]:
        """The columns of `frame`, as arrays."""
        low, high = self.interval(level)
        quantiles = {f"q{100 * q:g}": self.quantile(q) for q in (0.05, 0.5, 0.95)}
        return {"horizon": self.horizons, "mean": self.mean, "low": low, "high": high} | quantiles

    def plot(self, ax: Axes | None = None, level: float = 0.95, **style: Any) -> Axes:
        """Draw the mean with its interval, marked at the horizons recorded, on axes given or new. Needs Matplotlib."""
        if ax is None:
            from matplotlib.figure import Figure

            ax = Figure(figsize=(7, 4.5), layout="constrained").subplots()
        style = dict[str, Any](marker="o", markersize=3, label=self.title or self.learner) | style
        (line,) = ax.plot(self.horizons, self.mean, **style)
        ax.fill_between(self.horizons, *self.interval(level), color=line.get_color(), alpha=0.2, lw=0)
        ax.set_xscale("log")
        ax.set_xlabel("rounds")
        ax.set_ylabel(f"{self.kind}{'-' if self.kind == 'pseudo' else ' '}regret, in losses")
        return ax


def spaced(rounds: int, per_decade: int = 8) -> NDArray[np.int64]:
    """Horizons up to `rounds`, spaced geometrically.

    >>> spaced(1000, per_decade=2).tolist()
    [1, 3, 10, 32, 100, 316, 1000]
    """
    steps = np.arange(np.floor(np.log10(rounds) * per_decade) + 1)
    return np.unique(np.append(np.rint(10 ** (steps / per_decade)).astype(np.int64), rounds))
