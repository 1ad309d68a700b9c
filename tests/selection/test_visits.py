"""Single rows are visited first: the law, every outcome at any gap, and what forgetting a coin would do."""

from __future__ import annotations

from itertools import chain, repeat
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.entropy import Entropy, ScriptedEntropy, SeededEntropy
from discreet.losses import UNITS
from discreet.selection import PermuteAndFlip, Softmax, permute_and_flip, softmax
from discreet.selection.base import RateSelection
from discreet.selection.coins import ACTIONS_A_VISIT, AT_A_TIME, FEW, LEAST_VISITS, first_head
from tests.chances import assert_fits, counts_of
from tests.selection import references

KINDS = (Softmax, PermuteAndFlip)
kinds = pytest.mark.parametrize("kind", KINDS)


def visit(action: int, n_actions: int, drawn: int = 0) -> str:
    """The bits that visit an action and begin its coin's U with drawn / (2^64 / n_actions)."""
    return f"{action * (2**64 // n_actions) + drawn:064b}"


def words_of(n_actions: int) -> int:
    """How many visits are drawn at a time."""
    return AT_A_TIME if n_actions <= FEW else max(LEAST_VISITS, n_actions // ACTIONS_A_VISIT)


def one_by_one(selection: RateSelection, totals: list[int], draws: int, seed: int) -> NDArray[np.int64]:
    """How often each action is drawn, a row at a time."""
    row, entropy = np.array(totals), SeededEntropy(seed)
    return counts_of(np.array([selection.sample(row, entropy) for _ in range(draws)]), len(totals))


ROWS = {
    "ties": [1.0, 1.0, 1.0],
    "close": [0.1, 0.0, 0.4, 0.4, 0.9],
    "one leader": [6.0, 6.0, 6.0, 0.0, 6.0, 6.0, 6.0, 6.0, 6.0, 6.0],
    "spread": [0.1, 0.5, 0.0, 2.0, 2.0, 3.5, 1.25, 0.1, 9.0, 0.3],
}


@pytest.mark.parametrize("losses", ROWS.values(), ids=ROWS.keys())
@pytest.mark.parametrize("rate", [0.3, 1.0, 4.0])
@kinds
def test_few_actions_follow_the_law(kind: type[RateSelection], rate: float, losses: list[float]) -> None:
    totals = [round(loss * UNITS) for loss in losses]
    exact = (references.softmax if kind is Softmax else references.permute_and_flip)(totals, rate)
    assert_fits(one_by_one(kind(rate), totals, 10_000, seed=1), [float(p) for p in exact])


def crowd(chance: float) -> list[int]:
    """One leader, and FEW actions with this chance of heads at rate 1."""
    return [0] + [round(-np.log(chance) * UNITS)] * FEW


@pytest.mark.parametrize("chance", [0.5, 0.2, 0.05, 0.001])
@kinds
def test_many_actions_follow_the_law_whether_visits_find_heads_or_not(kind: type[RateSelection], chance: float) -> None:
    totals, selection = crowd(chance), kind(1.0)
    counts = one_by_one(selection, totals, 10_000, seed=2)
    assert_fits(counts, selection.law(totals))  # held to independent calculation in test_laws.py
    assert_fits([counts[0], counts[1:].sum()], [selection.law(totals)[0], selection.law(totals)[1:].sum()])


def test_both_ways_are_taken_in_these_crowds() -> None:
    entropy = SeededEntropy(3)
    for chance, least, most in ((0.5, 0.03, 0.1), (0.2, 0.3, 0.5), (0.05, 0.65, 0.85)):
        gaps = np.array(crowd(chance), dtype=np.uint64)
        vain = np.mean([first_head(gaps, 1.0, entropy) is None for _ in range(2000)])
        assert least < vain < most


@pytest.mark.parametrize(("chance", "forgets"), [(0.3, "at once"), (0.1, "when looking at all")])
def test_permute_and_flip_that_flipped_a_coin_twice_would_be_found_out(
    chance: float, forgets: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(gaps: Any, rate: float, entropy: Entropy, tails: set[int]) -> int | None:
        return first_head(gaps, rate, entropy, None if forgets == "at once" else set())

    totals = crowd(chance)[: 4 if forgets == "at once" else None]
    leader = PermuteAndFlip(1.0).law(totals)[0]
    for planted in (False, True):
        if planted:
            monkeypatch.setattr(permute_and_flip, "first_head", forgetful)
        counts = one_by_one(PermuteAndFlip(1.0), totals, 40_000, seed=4)
        grouped = [counts[0], counts[1:].sum()], [leader, 1 - leader]
        if planted:
            with pytest.raises(AssertionError, match="p = "):
                assert_fits(*grouped)
        else:
            assert_fits(*grouped)


def test_softmax_that_remembered_its_coins_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(softmax, "first_head", lambda gaps, rate, entropy: first_head(gaps, rate, entropy, set()))
    totals = crowd(0.3)[:4]
    with pytest.raises(AssertionError, match="p = "):
        assert_fits(one_by_one(Softmax(1.0), totals, 10_000, seed=5), Softmax(1.0).law(totals))


@pytest.mark.parametrize("gap", [50.0, 700.0, 1000.0])
@pytest.mark.parametrize("rate", [0.05, 1.0, 7.3])
@pytest.mark.parametrize("n_actions", [3, 10, FEW + 1])
@kinds
def test_a_visit_can_take_an_action_far_behind(
    kind: type[RateSelection], n_actions: int, rate: float, gap: float
) -> None:
    behind = round(gap / rate * UNITS)
    totals = [0, behind] + [3 * behind] * (n_actions - 2)
    words = visit(1, n_actions) + visit(0, n_actions) * (words_of(n_actions) - 1)
    zeros = int(gap / 0.69) + 66
    assert kind(rate).sample(totals, ScriptedEntropy(words + "0" * (64 * -(-zeros // 64)))) == 1
    # Ones behind 64 zeros too few: tails, and the next visit is to the best.
    assert kind(rate).sample(totals, ScriptedEntropy(chain(map(int, words), repeat(0, zeros - 170), repeat(1)))) == 0


@pytest.mark.parametrize("n_actions", [2, 3, 10, FEW + 1])
@pytest.mark.parametrize("gap", [1, 1000, UNITS // 3, 2 * UNITS, 30 * UNITS])
@pytest.mark.parametrize("rate", [0.013, 1.0, 5.5])
@kinds
def test_an_undecided_visit_is_decided_on_the_right_side(
    kind: type[RateSelection], rate: float, gap: int, n_actions: int
) -> None:
    """The word is that of p itself, and so are 0, 64 or 128 bits more; only then U and p part."""
    totals = [0] + [gap] * (n_actions - 1)
    share = 2**64 // n_actions
    best = visit(0, n_actions) * (words_of(n_actions) - 1)
    with mpmath.workdps(300):
        p = share * mpmath.exp(-mpmath.mpf(rate) * gap / UNITS)
        for more in (0, 64, 128):
            edge = references.expansion(p, more)
            for drawn, lands in ((edge - 1, 1), (edge + 1, 0)):
                if 0 <= drawn < share << more:
                    first = visit(1, n_actions, drawn >> more)
                    refined = f"{drawn % 2**more:0{more}b}" if more and drawn >> more == edge >> more else ""
                    bits = chain(map(int, first + best + refined), repeat(lands))
                    assert kind(rate).sample(totals, ScriptedEntropy(bits)) == lands, (more, lands)


@pytest.mark.parametrize("n_actions", [1, 2, 3, 10, FEW, FEW + 1, 1000])
def test_the_first_and_last_word_of_every_action_visit_it(n_actions: int) -> None:
    gaps, share = np.zeros(n_actions, dtype=np.uint64), 2**64 // n_actions
    for action in {0, 1, n_actions // 2, n_actions - 1} & set(range(n_actions)):
        for drawn in (0, share - 1):
            script = ScriptedEntropy(chain(map(int, visit(action, n_actions, drawn)), repeat(0)))
            assert first_head(gaps, 1.0, script) == action


@pytest.mark.parametrize("n_actions", [3, 10, 1000])
def test_words_beyond_the_last_action_are_passed_over(n_actions: int) -> None:
    gaps = np.zeros(n_actions, dtype=np.uint64)
    beyond = visit(n_actions, n_actions)
    assert 2**64 % n_actions
    script = beyond + "1" * 64 + visit(2, n_actions) + "0" * 64 * AT_A_TIME
    assert first_head(gaps, 1.0, ScriptedEntropy(script)) == 2


def test_tails_are_passed_over_and_added() -> None:
    gaps = np.array([UNITS, 0, UNITS, UNITS], dtype=np.uint64)
    high = 2**62 - 1
    words = [visit(2, 4), visit(0, 4, high), visit(0, 4), visit(3, 4, high), visit(1, 4, high)]
    tails = {2}
    assert first_head(gaps, 1.0, ScriptedEntropy("".join(words) + "0" * 64 * AT_A_TIME), tails) == 1
    assert tails == {0, 2, 3}
    assert first_head(gaps, 1.0, ScriptedEntropy("".join(words) + "0" * 64 * AT_A_TIME)) == 2


@pytest.mark.parametrize("n_actions", [FEW + 1, 1000, 3 * ACTIONS_A_VISIT, 40 * ACTIONS_A_VISIT])
def test_visits_in_vain_come_to_an_end(n_actions: int) -> None:
    """Many actions: as many visits as stated, and no more bits are used."""
    gaps = np.full(n_actions, 100 * UNITS, dtype=np.uint64)
    script = visit(n_actions - 1, n_actions, 2**64 // n_actions - 1) * words_of(n_actions)
    assert first_head(gaps, 1.0, ScriptedEntropy(script)) is None


def test_few_actions_are_visited_until_the_best_is_found() -> None:
    gaps = np.array([100 * UNITS] * (FEW - 1) + [0], dtype=np.uint64)
    in_vain = visit(0, FEW, 2**64 // FEW - 1) * (5 * AT_A_TIME)
    script = ScriptedEntropy(in_vain + visit(FEW - 1, FEW, 1) * AT_A_TIME)
    assert first_head(gaps, 1.0, script, set()) == FEW - 1
