"""Block learners: which rounds enter which selection, with what weight, and that this stays within epsilon."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.experts import NoisyLeader, PrefixSoftmax, PrivateLeader, resampling
from discreet.experts.blocks import BlockLearner, rate_for, scale_for
from discreet.guarantees import PureDP
from discreet.losses import MAX_ROUNDS, UNITS, to_units
from discreet.schedules import Counts
from discreet.selection import NoisyMax, PermuteAndFlip, Softmax
from tests.chances import MILLION_SIGMA, assert_fits, counts_of
from tests.experts.checks import losses
from tests.experts.learners import BLOCK_CASES, SUMMING_CASES, Case

blocks = pytest.mark.parametrize("case", BLOCK_CASES, ids=[case.name for case in BLOCK_CASES])
summing = pytest.mark.parametrize("case", SUMMING_CASES, ids=[case.name for case in SUMMING_CASES])


def lengths_of(case: Case) -> Iterator[int]:
    """The block lengths as the docstrings state them, worked out here."""
    parameters = dict(case.parameters)
    if case.kind is not PrivateLeader:
        length = 1
        while True:
            yield length
            length *= 2
    epsilon = Fraction(parameters["epsilon"])
    growth = Fraction(2) if epsilon >= 3 else Fraction(12, 5)
    length = 2 + math.floor(4 / epsilon)
    yield 1
    while True:
        yield length
        length = math.ceil(length * growth)


def weights_of(case: Case) -> tuple[int, ...]:
    parameters = dict(case.parameters)
    if case.kind is not PrivateLeader:
        return (1,)
    given = parameters.get("weights")
    return tuple(given) if given else ((4, 1) if parameters["epsilon"] >= 3 else (1,))


class Recorder:
    """Stands where a selection stands, and keeps the scores that it was asked to draw from."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.seen = inner, []  # type: ignore[var-annotated]

    def sample(self, totals: NDArray[np.int64], entropy: Entropy) -> Any:
        self.seen.append(totals.copy())
        return self.inner.sample(totals, entropy)


def recorded(learner: BlockLearner) -> list[NDArray[np.int64]]:
    recorder = Recorder(learner.selection)
    learner.selection = recorder  # type: ignore[assignment]
    return recorder.seen


@summing
def test_each_selection_draws_from_weighted_totals_of_the_blocks_before(case: Case) -> None:
    runs, table = 3, losses(700, seed=3)
    units = to_units(table, 3)
    learner = case.make(seed=1, runs=runs)
    prefixes = np.broadcast_to(learner.state_dict()["prefixes"], (runs, len(learner.schedule.ends)))
    scores = recorded(learner)
    for part in np.split(table, [1, 2, 5, 6, 100, 431]):
        learner.play(part)
    lengths: list[int] = []
    for length in lengths_of(case):
        if sum(lengths) + length > len(table):
            break
        lengths.append(length)
    assert len(scores) == len(lengths) >= 4
    starts = np.cumsum([0, *lengths])
    for run in range(runs):
        totals: list[NDArray[np.int64]] = []
        for block, score in enumerate(scores):
            counted = int(prefixes[run, block])
            if case.kind is not PrefixSoftmax:
                assert counted == lengths[block]
            assert lengths[block] // 2 < counted <= lengths[block] or lengths[block] == 1
            totals.insert(0, units[starts[block] : starts[block] + counted].sum(axis=0))
            expected = sum(weight * total for weight, total in zip(weights_of(case), totals, strict=False))
            assert score[run].tolist() == np.asarray(expected).tolist()


@summing
def test_the_score_counts_rounds_as_they_arrive(case: Case) -> None:
    table = losses(150, seed=4)
    units = to_units(table, 3)
    learner = case.make(seed=1)
    prefixes = learner.state_dict()["prefixes"][0]
    starts = np.cumsum([0, *islice(lengths_of(case), 12)])
    for seen, row in enumerate(table):
        block = int(np.searchsorted(starts, seen, side="right")) - 1
        expected = np.zeros(3, dtype=np.int64)
        for age, weight in enumerate(weights_of(case)):
            if block - age >= 0:
                start = starts[block - age]
                expected += weight * units[start : min(seen, start + prefixes[block - age])].sum(axis=0)
        assert learner.score()[0].tolist() == expected.tolist(), seen
        learner.update(row)


@summing
@pytest.mark.parametrize("weighted", [False, True])
def test_no_round_weighs_more_over_all_selections_than_the_budget(case: Case, weighted: bool) -> None:
    """A single loss of 1 in one round: over all selections it enters the scores with weight W at most."""
    if weighted and case.kind is PrivateLeader:
        case = Case(PrivateLeader, (*((n, v) for n, v in case.parameters if n != "weights"), ("weights", (5, 0, 2))))
    starts = np.cumsum([0, *islice(lengths_of(case), 9)])
    budget = sum(weights_of(case))
    ends = [int(start) + shift for start in starts[:6] for shift in (-1, 0, 1)]
    full = []
    for impulse in sorted({0, 1, 2, 3, 4, 5, *(end for end in ends if end >= 0)}):
        learner = case.make(seed=1)
        scores = recorded(learner)
        table = np.zeros((int(starts[-1]), 3))
        table[impulse, 1] = 1.0
        learner.play(table)
        entered = np.sum(scores, axis=0)[0]
        assert entered[0] == entered[2] == 0
        assert entered[1] <= budget * UNITS, impulse
        full.append(entered[1] == budget * UNITS)
        assert sum(score[0, 1] != 0 for score in scores) <= len(weights_of(case))
    assert all(full) or case.kind is PrefixSoftmax  # there, what the prefix leaves out weighs nothing
    assert any(full)


@blocks
def test_the_budget_is_kept_exactly(case: Case) -> None:
    random = np.random.default_rng(8)
    awkward = [0.1, 1 / 3, 0.7, 1e-9, 123.456, 2.0, 3.0, math.nextafter(3, 0), math.nextafter(0.1, 1)]
    epsilons = [*awkward, *(10 ** random.uniform(-4, 3, 150)).tolist()]
    for epsilon in epsilons:
        learner = case.make(epsilon=epsilon)
        doubled = case.claims is not None and case.kind is NoisyLeader and case.claims > 1
        spent = learner.selection.level * sum(learner.weights)
        allowed = Fraction(epsilon) * (2 if doubled else 1)
        assert spent <= allowed
        if isinstance(learner.selection, NoisyMax):
            assert 2 / Fraction(learner.selection.scale) * sum(learner.weights) <= allowed
        else:
            assert 2 * Fraction(learner.selection.rate) * sum(learner.weights) <= allowed
        capped = case.kind is PrefixSoftmax and learner.capped
        if capped:
            assert learner.selection.rate == min(1 / 8, epsilon / 2)
            assert learner.claim == PureDP(min(epsilon, 0.25))
        else:
            assert spent >= allowed * (1 - Fraction(1, 2**50))  # and nothing to speak of is left over
            assert learner.claim == PureDP(float(allowed))


EPSILONS = st.floats(1e-290, 1e290)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(EPSILONS, st.sampled_from([(1,), (2,), (4, 1), (3, 2, 1), (7, 0, 3), (10**9, 7)]))
def test_the_rate_is_the_largest_float_within_epsilon(epsilon: float, weights: tuple[int, ...]) -> None:
    rate = rate_for(epsilon, weights)
    assert 2 * Fraction(rate) * sum(weights) <= Fraction(epsilon)
    assert 2 * Fraction(math.nextafter(rate, math.inf)) * sum(weights) > Fraction(epsilon)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(EPSILONS)
def test_the_scale_is_the_smallest_float_within_epsilon(epsilon: float) -> None:
    scale = scale_for(epsilon)
    assert 2 / Fraction(scale) <= Fraction(epsilon)
    assert 2 / Fraction(math.nextafter(scale, 0)) > Fraction(epsilon)


def test_the_selections_are_those_of_the_docstrings() -> None:
    assert PrefixSoftmax(3, 0.1).selection == Softmax(0.05)
    assert PrefixSoftmax(3, 4.0).selection == Softmax(0.125)
    assert PrefixSoftmax(3, 4.0, capped=False).selection == Softmax(2.0)
    for resample in (False, True):
        assert NoisyLeader(3, 0.5, "laplace", resample).selection == NoisyMax(4.0)
        assert NoisyLeader(3, 0.5, "gumbel", resample).selection == Softmax(0.25)
        assert NoisyLeader(3, 0.5, "exponential", resample).selection == PermuteAndFlip(0.25)
        assert NoisyLeader(3, 0.5, "exponential", resample, "paper").selection == PermuteAndFlip(0.5)
        assert NoisyLeader(3, 0.5, "laplace", resample, "paper").selection == NoisyMax(4.0)
        assert NoisyLeader(3, 0.5, "gumbel", resample, "paper").selection == Softmax(0.25)
    assert PrivateLeader(3, 1.0).selection == PermuteAndFlip(0.5)
    assert PrivateLeader(3, 5.0).selection == PermuteAndFlip(0.5)
    assert NoisyLeader(3, 0.3, "exponential", calibration="paper").claim == PureDP(0.6)
    assert NoisyLeader(3, 0.3, "exponential").claim == PureDP(0.3)
    assert PrefixSoftmax(3, 1).claim == PureDP(0.25)


@blocks
def test_permuting_the_actions_permutes_the_law_exactly(case: Case) -> None:
    order = [2, 0, 1]
    straight, permuted = case.make(seed=1), case.make(seed=1)
    table = losses(100, seed=6)
    if ("resample", True) in case.parameters:  # losses that resampling leaves alone
        table = np.rint(table)
    straight.play(table)
    permuted.play(table[:, order])
    assert permuted.score()[0].tolist() == straight.score()[0, order].tolist()
    law = straight.selection.law(straight.score()[0])
    assert permuted.selection.law(permuted.score()[0]).tolist() == pytest.approx(law[order].tolist(), rel=1e-11)


@blocks
def test_one_action_a_block_and_a_new_one_after_it(case: Case) -> None:
    learner = case.make(seed=5, runs=400)
    starts = np.cumsum([0, *islice(lengths_of(case), 5)])
    actions = learner.play(losses(int(starts[-1])))
    for start, end in pairwise(starts.tolist()):
        assert (actions[start:end] == actions[start]).all()
        changed = (actions[start] != actions[start - 1]).mean() if start else 1.0
        assert changed > 0.05  # near the uniform law about two thirds change


@summing
@pytest.mark.parametrize("runs", [None, 4])
def test_totals_from_a_source_are_as_good_as_rows(case: Case, runs: int | None) -> None:
    table = losses(600, seed=7)
    sums = np.concatenate([np.zeros((1, 3), dtype=np.int64), np.cumsum(to_units(table, 3), axis=0)])
    asked: list[tuple[int, int]] = []

    def source(start: int, counts: Counts) -> NDArray[np.int64]:
        asked.extend((start, start + int(count)) for count in counts)
        return np.asarray(sums[start + counts] - sums[start])

    played, advanced = case.make(seed=9, runs=runs), case.make(seed=9, runs=runs)
    expected = played.play(table)
    stretches = []
    for rounds in (1, 4, 200, 395):
        stretches += [np.broadcast_to(action, (n, runs or 1)) for n, action in advanced.advance(rounds, source)]
    actions = np.concatenate(stretches)
    assert actions.tolist() == expected.reshape(600, -1).tolist()
    assert advanced.state_dict() == played.state_dict()
    places = {place for pair in asked for place in pair}
    assert places - {0, 1, 5, 205, 600} <= {0, *case.make(seed=9, runs=runs).cuts(600).tolist()}


@blocks
def test_only_learners_that_resample_need_every_round(case: Case) -> None:
    assert case.make().needs_rounds == (("resample", True) in case.parameters)


@blocks
def test_as_many_rounds_fit_as_stated_and_no_more(case: Case) -> None:
    learner = case.make(seed=1)
    assert learner.max_rounds == MAX_ROUNDS // max(weights_of(case))

    def source(start: int, counts: Counts) -> NDArray[np.int64]:
        return np.outer(counts, [UNITS, 0, UNITS])

    with pytest.raises(ValueError, match="rounds fit") as caught:
        list(learner.advance(learner.max_rounds + 1, source))
    assert "\n" not in str(caught.value)
    assert learner.rounds == 0
    scores = recorded(learner)
    rounds = sum(n for n, _ in learner.advance(learner.max_rounds, source))
    assert rounds == learner.rounds == learner.max_rounds
    assert min(score.min() for score in scores) >= 0  # nothing has wrapped around
    assert learner.act() == 1
    with pytest.raises(ValueError, match="rounds fit"):
        learner.update([0.0, 0.0, 0.0])


# PrivateLeader's parameters


@pytest.mark.parametrize(
    "bad",
    [{"weights": (0, 1)}, {"weights": (-1,)}, {"weights": (2, -1)}, {"weights": (1.5,)}, {"weights": (True,)},
     {"weights": ()}, {"weights": 3}, {"weights": ("1",)}, {"growth": 1}, {"growth": 0}, {"growth": 0.5},
     {"growth": -2}, {"growth": float("nan")}, {"growth": float("inf")}, {"growth": "much"}],
    ids=str,
)  # fmt: skip
def test_bad_weights_and_growths_are_refused_in_one_sentence(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"weight|growth") as caught:
        PrivateLeader(3, 1.0, **bad)
    assert "\n" not in str(caught.value)


def test_the_rule_follows_epsilon_when_epsilon_is_changed() -> None:
    changed = PrivateLeader(3, 1.0).set_params(epsilon=4.0)
    assert changed == PrivateLeader(3, 4.0)
    assert changed.weights == (4, 1)
    assert PrivateLeader(3, 4.0).set_params(epsilon=1.0) == PrivateLeader(3, 1.0)


def test_growth_may_be_a_fraction_or_a_float() -> None:
    assert PrivateLeader(3, 1.0, growth=2.5).schedule == PrivateLeader(3, 1.0, growth=Fraction(5, 2)).schedule
    assert PrivateLeader(3, 1.0, growth=3).schedule.lengths.tolist()[:4] == [1, 6, 18, 54]


@pytest.mark.parametrize("bad", [{"noise": "normal"}, {"noise": None}, {"calibration": "best"}, {"calibration": None}])
def test_bad_noises_and_calibrations_are_refused_in_one_sentence(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be '") as caught:
        NoisyLeader(3, 1.0, **bad)
    assert "\n" not in str(caught.value)


# Laws


@pytest.mark.parametrize("n_actions", [2, 3])
@pytest.mark.parametrize("epsilon", [0.25, 4.0])
@pytest.mark.parametrize("block", [1, 2, 3, 4])
def test_the_action_after_a_block_has_the_law_of_a_random_prefix(n_actions: int, epsilon: float, block: int) -> None:
    """The mixture of softmaxes over prefixes of the second half, worked out here; chi-square, 1e-6."""
    length = 2**block
    table = np.zeros((2 * length - 1, n_actions))
    # Early losses speak against action 0, late ones much more against the others: prefixes matter.
    table[length - 1 :, 0] = np.arange(length) < length / 2
    table[length - 1 :, 1:] = (np.arange(length) >= length / 2)[:, None]
    rows = table[length - 1 :]
    starts = [1] if block == 0 else range(length // 2 + 1, length + 1)
    law = np.zeros(n_actions)
    for prefix in starts:
        weights = np.exp(-epsilon / 2 * rows[:prefix].sum(axis=0))
        law += weights / weights.sum() / len(starts)
    learner = PrefixSoftmax(n_actions, epsilon, capped=False, seed=5, runs=20_000)
    learner.play(table)
    assert_fits(counts_of(learner.act(), n_actions), law)
    counts = learner.schedule.prefix_counts(block)
    mixture = [learner.selection.law(to_units(rows[:count], n_actions).sum(axis=0)) for count in counts]
    assert np.mean(mixture, axis=0).tolist() == pytest.approx(law.tolist(), rel=1e-9)


@summing
def test_the_action_after_whole_blocks_has_the_law_of_the_selection(case: Case) -> None:
    if case.kind is PrefixSoftmax:
        case = Case(PrefixSoftmax, (("epsilon", 1.0),))  # its law over prefixes is tested above
    starts = np.cumsum([0, *islice(lengths_of(case), 4)])
    table = losses(int(starts[-1]), seed=11) * [0.5, 0.6, 0.7]
    learner = case.make(seed=5, runs=20_000)
    scores = recorded(learner)
    learner.play(table)
    law = learner.selection.inner.law(np.unique(scores[-1], axis=0))
    _, which = np.unique(scores[-1], axis=0, return_inverse=True)
    shares = np.bincount(which.ravel()) / len(which.ravel())
    assert_fits(counts_of(learner.act(), 3), shares @ law)


# Resampling


def block_totals(losses_of_a_round: list[float], rounds: int, runs: int, seed: int) -> NDArray[np.int64]:
    """The resampled totals of some rounds in the middle of a block, for each run."""
    learner = NoisyLeader(len(losses_of_a_round), 1.0, resample=True, seed=seed, runs=runs)
    learner.play(np.zeros((63, len(losses_of_a_round))))
    learner.play(np.tile(losses_of_a_round, (rounds, 1)))
    return np.array(learner.state_dict()["totals"])


def test_resampled_totals_are_whole_losses_of_the_binomial_law() -> None:
    chances, rounds = [0.3, 0.5, 0.95, 0.0, 1.0], 10
    totals = block_totals(chances, rounds, 20_000, seed=3)
    ones, rest = np.divmod(totals, UNITS)
    assert not rest.any()
    for column, chance in zip(ones.T, chances, strict=True):
        law = [math.comb(rounds, n) * chance**n * (1 - chance) ** (rounds - n) for n in range(rounds + 1)]
        assert_fits(np.bincount(column, minlength=rounds + 1), law)
    # Actions and runs are resampled each on their own.
    centered = ones[:, :3] - ones[:, :3].mean(axis=0)
    correlations = np.corrcoef(centered.T)[np.triu_indices(3, 1)]
    assert np.abs(correlations).max() < MILLION_SIGMA / math.sqrt(20_000)
    assert abs(np.corrcoef(ones[:-1, 0], ones[1:, 0])[0, 1]) < MILLION_SIGMA / math.sqrt(20_000)


def test_resampled_totals_have_the_mean_and_variance_of_coins() -> None:
    chances, rounds, runs = np.array([0.123, 0.777]), 50, 20_000
    ones = block_totals(chances.tolist(), rounds, runs, seed=4) / UNITS
    variances = rounds * chances * (1 - chances)
    assert (np.abs(ones.mean(axis=0) - rounds * chances) < MILLION_SIGMA * np.sqrt(variances / runs)).all()
    # The variance of a sample variance is about 2 / runs, relatively.
    assert (np.abs(ones.var(axis=0) / variances - 1) < MILLION_SIGMA * np.sqrt(2.1 / runs)).all()


class Given(Entropy):
    """Bytes that are given."""

    def __init__(self, given: bytes) -> None:
        super().__init__()
        self.given = given

    def _fetch(self, n: int) -> bytes:
        taken, self.given = self.given[:n], self.given[n:]
        return taken


@pytest.mark.parametrize("units", [(1, UNITS - 1), (0, UNITS), (UNITS // 2, 333_333)])
def test_a_resampled_loss_is_one_for_exactly_as_many_draws_as_it_has_units(units: tuple[int, int]) -> None:
    """All 2^20 draws, for each of two actions."""
    draws = np.repeat(np.arange(UNITS, dtype="<u4"), 2) << 12
    totals = resampling.sample(np.tile(np.array(units), (UNITS, 1)), 1, Given(draws.tobytes()))
    assert totals.tolist() == [[units[0] * UNITS, units[1] * UNITS]]


def test_resampling_mends_what_the_paper_says_it_mends() -> None:
    """Losses (0.3) against (0 or 0.4, mean 0.32): after one round the better action is the likelier one."""
    runs = 20_000
    second = np.where(np.random.default_rng(1).random(runs) < 0.8, 0.4, 0.0)
    rows = np.stack([np.full(runs, 0.3), second], axis=1)
    rightly = NoisyLeader(2, 100.0, "exponential", resample=True, seed=2, runs=runs)
    wrongly = NoisyLeader(2, 100.0, "exponential", resample=False, seed=2, runs=runs)
    for learner in (rightly, wrongly):
        learner.update(rows)
    assert wrongly.act().mean() < 0.25  # 0.2: without resampling, action 1 only where its loss was 0
    assert abs(rightly.act().mean() - 0.49) < 0.02
