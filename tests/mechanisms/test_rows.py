"""Rows of Gaussian noise at once, and many rounds of a tree at once: the same as one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.entropy import Entropy, ScriptedEntropy, SeededEntropy
from discreet.guarantees import GaussianDP
from discreet.losses import UNITS
from discreet.mechanisms import GaussianNoise, RunningSums
from discreet.mechanisms.tree_stretch import Stretch

WORD = "{:064b}".format


class Sparse(SeededEntropy):
    """A stream of which every eighth word or so is zero: such a draw needs further words."""

    def _fetch(self, n: int) -> bytes:
        words = np.frombuffer(super()._fetch(n), dtype="<u8")
        return np.where(words % 8 == 0, 0, words).astype("<u8").tobytes()


def one_by_one(noise: GaussianNoise, rows: NDArray[Any], entropy: Entropy) -> NDArray[np.int64]:
    return np.array([noise.sample(row, entropy) for row in rows])


@pytest.mark.parametrize("make", [SeededEntropy, Sparse])
@pytest.mark.parametrize("width", [1, 3, 40])
def test_rows_are_drawn_as_one_by_one(make: type[SeededEntropy], width: int) -> None:
    """Whether or not draws need more bits than their words; then the next word is the same too."""
    noise, rows = GaussianNoise(5.0), np.arange(60 * width).reshape(60, width)
    one, other = make(3), make(3)
    assert noise.sample_rows(rows, one).tolist() == one_by_one(noise, rows, other).tolist()
    assert one.word() == other.word()
    assert one.position == other.position


def test_the_stream_with_zeros_tells_another_order_of_words_apart() -> None:
    """The planted mistake: all words first, further ones after them."""
    noise, rows = GaussianNoise(5.0), np.zeros((60, 3), dtype=np.int64)
    flat = noise.sample(rows.ravel(), Sparse(3)).reshape(rows.shape)
    assert flat.tolist() != one_by_one(noise, rows, Sparse(3)).tolist()


@pytest.mark.parametrize("zeros", [(), (0,), (1,), (0, 1), (2,), (1, 2, 4), (5,), (0, 1, 2, 3, 4, 5)])
def test_where_bits_run_out_further_ones_come_after_the_row(zeros: tuple[int, ...]) -> None:
    words, further = np.random.default_rng(7).integers(1, 2**63, (2, 12), dtype=np.uint64).tolist()
    script = ""
    for row in range(3):
        places = [2 * row, 2 * row + 1]
        script += "".join(WORD(0 if place in zeros else words[place]) for place in places)
        script += "".join(WORD(further[place]) for place in places if place in zeros)
    script += WORD(99)
    noise, rows = GaussianNoise(10.0, grid=0.5), np.linspace(-4, 4, 6).reshape(3, 2)
    one, other = ScriptedEntropy(script), ScriptedEntropy(script)
    assert noise.sample_rows(rows, one).tolist() == one_by_one(noise, rows, other).tolist()
    assert one.word() == other.word() == 99


def test_with_floats_that_decide_nothing_rows_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    noise, rows = GaussianNoise(5.0, grid=1.0), np.zeros((20, 5), dtype=np.int64)
    filtered = noise.sample_rows(rows, Sparse(9))
    monkeypatch.setattr(GaussianNoise, "_cells", lambda _, u, toward: (np.zeros(len(u)), np.full(len(u), 1e6)))
    assert noise.sample_rows(rows, Sparse(9)).tolist() == filtered.tolist()


@pytest.mark.parametrize("levels", [1, 2, 5])
def test_nodes_are_sums_of_the_rounds_that_they_cover(levels: int) -> None:
    """A tree gone through in pieces of all sizes, against sums of slices."""
    rng, rounds = np.random.default_rng(levels), 2**levels - 1
    rows = rng.integers(0, 100, (rounds, 2, 3))
    expected = [rows[end - (end & -end) : end].sum(axis=0).tolist() for end in range(1, rounds + 1)]
    for size in range(1, rounds + 1):
        kept, kept_sums = np.zeros((2, levels, 2, 3), dtype=np.int64)
        nodes, sums = [], []
        for start in range(0, rounds, size):
            stretch = Stretch(start, len(rows[start : start + size]), levels)
            finished, kept = stretch.nodes(kept, rows[start : start + size])
            added, kept_sums = stretch.sums(kept_sums, finished)
            nodes += finished.tolist()
            sums += added.tolist()
        assert nodes == expected
        assert sums == np.cumsum(rows, axis=0).tolist()
        assert kept.tolist() == kept_sums.tolist()


def test_noisy_sums_are_those_of_running_sums() -> None:
    """The same noise on the same nodes, from the same bits."""
    rows = np.random.default_rng(2).integers(0, UNITS + 1, (31, 2, 3))
    sums = RunningSums(5, GaussianDP(1.0), (2, 3), norm=2 * UNITS)
    entropy, kept = SeededEntropy(4), np.zeros((5, 2, 3), dtype=np.int64)
    released = [sums.add(row, entropy).tolist() for row in rows]
    stretch = Stretch(0, 31, 5)
    assert isinstance(sums.noise, GaussianNoise)
    noisy = sums.noise.sample_rows(stretch.nodes(kept, rows)[0].reshape(31, -1), SeededEntropy(4))
    assert stretch.sums(kept, noisy.reshape(31, 2, 3))[0].tolist() == released
