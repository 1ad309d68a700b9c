"""Everything that can be checked of one learner, in one report."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from discreet.audit import nodes, online
from discreet.audit.betting import test
from discreet.audit.branches import completed
from discreet.audit.claims import HIGHEST, whole_claim
from discreet.audit.courses import reveals_little
from discreet.audit.findings import Finding, Report
from discreet.audit.goodness import matches
from discreet.audit.law import law
from discreet.audit.lower_bound import lower_bound
from discreet.audit.noise import of_reports
from discreet.audit.playing import sampler
from discreet.audit.reach import reached
from discreet.audit.reporting import certified, of_learner
from discreet.audit.small import small, turned, visible
from discreet.audit.trees import Laws, judged
from discreet.audit.worst import WorstLoss, laws_of, worst_loss, worst_of_laws
from discreet.experts import Learner
from discreet.experts.blocks import BlockLearner
from discreet.experts.tree import TreeExperts
from discreet.experts.tree_leader import TreeLeader
from discreet.experts.watching import WatchingLearner
from discreet.guarantees import ApproxDP, Guarantee, NoGuarantee, PureDP
from discreet.local import GaussianReport, ReportLearner

Table = NDArray[np.float64]

#: Numbers of actions and of blocks for which worst losses are computed, losses 0 and 1.
SIZES = ((2, 3), (3, 3))
#: Rounds of the longest table of which the worst loss is computed, unless its first block is longer.
_LONGEST = 1 << 11
#: Rounds of the longest table that is drawn from many times, and of those for learners without blocks.
_LONG, _SHORT = 127, 6
#: Rounds of the longest tables on which totals are watched; of those for watching learners, by number of actions.
_FURTHER, _FEW = 1000, {2: 4, 3: 2}
_CONFIDENCE, _FALSE_ALARM = 0.95, 1e-6
_LOOKS = {
    "act twice": online.draws_once,
    "one rule": online.acts_as_it_plays,
    "resume": online.keeps_its_choice,
    "own chance": online.draws_on_its_own,
    "promise": online.promises_its_claim,
}
#: Runs, one by one, of learners that have a single run each.
_ALONE = 1500


def check(
    learner: Learner | GaussianReport, claim: Guarantee | None = None, runs: int = 40_000, seed: int = 1
) -> Report:
    """Audit a learner: compute its worst loss on small tables, draw from it, and watch it at work.

    learner: its parameters are what counts; small copies of it are made, with 2 and 3 actions. Of reports, their noise
    is looked at; of a learner on reports, reports are made that promise its `mu`, and what is released is judged by it.
    claim: the guarantee to be judged by; what the learner claims on system entropy unless given.
    runs: samples drawn for the statistical checks, all told. seed: of those samples.

    >>> from discreet import experts
    >>> check(experts.NoisyLeader(5, epsilon=1.0, noise="gumbel"), runs=2000).passed
    True
    >>> printed = experts.NoisyLeader(5, epsilon=1.0, noise="exponential", calibration="paper")
    >>> check(printed, claim=PureDP(1.0), runs=2000).failures[0].said
    '2 actions, 7 rounds: the worst loss is 2, above 1'
    """
    _auditable(learner)
    promised = learner.claim if claim is None else whole_claim(claim)
    if isinstance(learner, GaussianReport):
        return Report(repr(learner), promised, {}, None, tuple(of_reports(learner, promised, runs, seed)))
    if isinstance(learner, ReportLearner):
        found = tuple(of_learner(learner, promised, runs // 2, seed))
        return Report(repr(learner), promised, {}, certified(learner, runs // 2, seed), found)
    laws = dict(_laws(learner))
    worst = dict(_worst(learner, laws))
    pairs = _pairs(learner, worst)
    draw = sampler(visible(learner), seed)
    sure, share = 1 - (1 - _CONFIDENCE) / len(pairs), runs // (2 * len(pairs))  # sure of all of them at once
    bound = max((lower_bound(draw, *pair, share, sure) for pair in pairs), key=lambda found: found.epsilon)
    findings = [
        *_exact(worst, promised),
        *_reacting(laws, promised),
        *_drawn(learner, promised, pairs, runs // 2, seed),
        *_at_work(learner, promised),
    ]
    return Report(repr(learner), promised, worst, bound, tuple(findings))


def _auditable(one: object) -> None:
    """Refuse what there is no audit of."""
    if not isinstance(one, Learner | GaussianReport):
        raise ValueError(
            f"{one!r} cannot be audited here: learners of discreet.experts and discreet.local can, and GaussianReport"
        )


def _laws(learner: Learner) -> Iterator[tuple[tuple[int, int], Laws]]:
    """The laws of small watching learners on all tables, by numbers of actions and rounds."""
    if isinstance(learner, WatchingLearner):
        for n_actions, rounds in _FEW.items():
            yield (n_actions, rounds), laws_of(small(learner, n_actions), rounds, [0, 1])


def _worst(learner: Learner, laws: dict[tuple[int, int], Laws]) -> Iterator[tuple[tuple[int, int], WorstLoss]]:
    for (n_actions, rounds), seen in laws.items():
        yield (n_actions, rounds), worst_of_laws(small(learner, n_actions), seen)
    if not isinstance(learner, BlockLearner):
        return
    for n_actions, blocks in SIZES:
        few = small(learner, n_actions)
        rounds = _rounds(few, blocks)
        yield (n_actions, rounds), worst_loss(few, rounds, [0, 1])


def _rounds(few: BlockLearner, blocks: int) -> int:
    """How long the tables are: some whole blocks, as far as tables can be gone through."""
    fitting = int(np.searchsorted(few.schedule.ends, _LONGEST, side="right"))
    return int(few.schedule.ends[max(1, min(blocks, fitting)) - 1])


def _exact(worst: dict[tuple[int, int], WorstLoss], promised: Guarantee) -> Iterator[Finding]:
    """The worst losses against a pure claim."""
    if not isinstance(promised, PureDP):
        return
    for (n_actions, rounds), found in worst.items():
        size = f"{n_actions} actions, {rounds} rounds"
        passed = found.lower <= promised.epsilon
        said = f"{size}: the worst loss is {found.lower:.6g}, {'within' if passed else 'above'} {promised.epsilon:g}"
        yield Finding("worst loss", passed, said)


def _reacting(laws: dict[tuple[int, int], Laws], promised: Guarantee) -> Iterator[Finding]:
    """What adversaries that react to the actions can draw out."""
    if isinstance(promised, PureDP | ApproxDP):
        for (n_actions, rounds), seen in laws.items():
            passed, said = judged(seen, promised)
            yield Finding("adversaries", passed, f"{n_actions} actions, {rounds} rounds: {said}")


def _pairs(learner: Learner, worst: dict[tuple[int, int], WorstLoss]) -> list[tuple[Table, Table]]:
    """Neighboring tables of two actions: a round turned round at the start, and the worst pair that was computed."""
    pairs = turned(learner)
    for (n_actions, rounds), found in worst.items():
        if n_actions == 2 and rounds <= _LONG:
            seen = found.witness
            tables = np.zeros((2, rounds, 2))
            where = slice(seen.first_round, seen.first_round + len(seen.losses))
            tables[0, where], tables[1, where] = seen.losses, seen.neighbor
            pairs.append((tables[0], tables[1]))
    return pairs


def _drawn(
    learner: Learner, promised: Guarantee, pairs: list[tuple[Table, Table]], runs: int, seed: int
) -> Iterator[Finding]:
    """What samples say: of the claim, and of the exact law."""
    few = visible(learner)
    if not isinstance(promised, NoGuarantee) and promised.epsilon(0.5) < HIGHEST:
        verdict = test(sampler(few, seed + 1), pairs, promised, runs, _FALSE_ALARM)
        yield Finding("statistics", not verdict.rejected, str(verdict))
    try:
        table = np.random.default_rng(seed).choice([0.0, 0.5], size=(_drawable(learner), 2))
        table[:, 1] += 0.5  # so that gaps grow from block to block: even totals would hide a wrong rate
        exact = law(few, table)
    except ValueError:
        return  # its law cannot be written down
    found = matches(sampler(few, seed + 2), exact, runs, table, _FALSE_ALARM)
    yield Finding("law", found.fits, f"{runs} runs against the exact law: p = {found.p_value:.2g}")
    alone = min(runs, _ALONE)
    found = matches(sampler(few, seed + 3, alone=True), exact, alone, table, _FALSE_ALARM)
    yield Finding("release", found.fits, f"{alone} single releases against the exact law: p = {found.p_value:.2g}")


def _drawable(learner: Learner) -> int:
    """The length of a table with a law of a few actions."""
    if not isinstance(learner, BlockLearner):
        return _SHORT
    ends = learner.schedule.ends
    return int(small(learner, 2).schedule.ends[2] if ends[2] <= _LONG else ends[0])


def _at_work(learner: Learner, promised: Guarantee) -> Iterator[Finding]:
    """What a learner does with its draws, and how far one round moves its totals."""
    few = small(learner, 3)
    ends = few.schedule.ends if isinstance(few, BlockLearner) else (_LONG,)
    rounds = min(_LONG, int(ends[min(3, len(ends) - 1)]))
    for name, look in _LOOKS.items():
        seen = look(few, rounds)
        yield Finding(name, seen is None, seen or "as it should be")
    if isinstance(few, TreeExperts) and isinstance(promised, PureDP):
        seen = reveals_little(few, _LONG, promised)
        yield Finding("influence", seen is None, seen or "a course reveals no more of a round than is promised")
    if isinstance(few, TreeLeader) and not isinstance(promised, NoGuarantee):
        seen = nodes.reveals_little(few, _LONG, promised)
        yield Finding("influence", seen is None, seen or "no round moves nodes by more than the promised mu pays for")
    if isinstance(few, BlockLearner):
        longer = int(few.schedule.ends[completed(few, _FURTHER) - 1]) if completed(few, _FURTHER) else rounds
        seen = online.moves_little(few, rounds) or online.moves_little(few, longer)
        yield Finding("influence", seen is None, seen or "one round moves totals by no more than the claim pays for")
    if isinstance(few, BlockLearner | TreeExperts | WatchingLearner):
        selections = [stage.selection for stage in few.stages] if isinstance(few, WatchingLearner) else [few.selection]
        missing = {action for selection in selections for action in set(range(3)) - reached(selection)}
        yield Finding("reach", not missing, f"out of reach: {missing}" if missing else "every action can be taken")
