"""A guarantee as a picture."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from discreet.guarantees.base import Guarantee


def plot(guarantee: "Guarantee", ax: "Axes | None" = None) -> "Axes":
    """Draw the trade-off curve on ``ax`` (a new one if none is given) and return the axes."""
    if ax is None:
        ax = _new_axes()
    alphas = np.unique(np.concatenate([[0.0], np.logspace(-8, 0, 201), np.linspace(0, 1, 801)]))
    ax.plot([0, 1], [1, 0], linestyle="--", color="gray", label="nothing revealed")
    ax.plot(alphas, guarantee.trade_off(alphas), label="at best, for the one who guesses")
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="chance of a false alarm", ylabel="chance to miss")
    ax.legend()
    return ax


def _new_axes() -> "Axes":
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("a plot needs matplotlib: install it with `pip install matplotlib`") from error
    return pyplot.subplots()[1]
