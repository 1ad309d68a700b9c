"""The picture of a guarantee."""

import sys

import numpy as np
import pytest

from discreet.guarantees import ApproxDP, GaussianDP, Guarantee, NoGuarantee, PureDP, TradeOff

KINDS = [PureDP(1.0), ApproxDP(1.0, 0.1), GaussianDP(1.0), TradeOff((0, 1), (0.5, 0)), NoGuarantee("seeded")]


@pytest.mark.parametrize("promise", KINDS, ids=repr)
def test_the_curve_the_diagonal_and_the_labels(promise: Guarantee) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    axes = promise.plot()
    diagonal, curve = (np.asarray(line.get_xydata()) for line in axes.get_lines())
    assert diagonal.tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert np.array_equal(curve[:, 1], promise.trade_off(curve[:, 0]))
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("chance of a false alarm", "chance to miss")
    assert promise.plot(axes) is axes
    pyplot.close("all")


def test_without_matplotlib_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="a plot needs matplotlib: install it"):
        PureDP(1.0).plot()
