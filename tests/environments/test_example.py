from __future__ import annotations

import numpy as np

from discreet.environments import example_log


def test_the_example_is_what_it_says() -> None:
    log = example_log()
    assert log.losses.shape == (20_000, 12)
    assert len(set(log.names)) == 12
    assert log.losses.min() >= 0
    assert log.losses.max() <= 1
    means = np.sort(log.losses.mean(axis=0))
    assert 0 < means[1] - means[0] < 0.03  # two near-best,
    assert means[2] - means[1] > 0.1  # the others well behind
    correlations = np.asarray(np.corrcoef(log.losses.T))
    assert 0.5 < correlations[np.triu_indices(12, 1)].mean() < 0.7


def test_the_example_repeats() -> None:
    np.testing.assert_array_equal(example_log(100).losses, example_log(100).losses)
    assert not np.array_equal(example_log(100).losses, example_log(100, seed=1).losses)
