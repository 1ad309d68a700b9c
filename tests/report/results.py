"""Results of replays, made up but of the right shape."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from discreet.replay.result import Curve, Result, Timeline

LEARNERS = (
    ("PrivateLeader", True, 12.0),
    ("PrefixSoftmax (rate capped at 1/8)", True, 85.0),
    ("NoisyLeader (laplace)", True, 16.0),
    ("NoisyLeader (gumbel)", True, 16.5),
    ("NoisyLeader (exponential, resampled)", True, 14.0),
    ("TreeLeader", True, 4000.0),
    ("FollowTheLeader", False, 1.5),
    ("Hedge", False, 3.0),
    ("AdaHedge", False, 2.0),
)
NASTY = (
    "<script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    '"><svg onload="alert(1)">',
    "$\\frac{1}{0}$ costs $5",
    'style="fill: #010200" http://evil.example',
    "two\nlines\t\x00\x1b[31m\ufffe",
    "[red]markup[/red] [link=x]",
    "\u202egnitset",
    "",
    "&amp; ]]> <!-- {mean} %s",
    "天気予報 🌧️",
    "x" * 300,
)


def result(
    n_actions: int = 12,
    rounds: int = 20_000,
    runs: int = 200,
    learners: int = 9,
    released: bool = True,
    names: tuple[str, ...] | None = None,
) -> Result:
    """A replay like a real one."""
    rng = np.random.default_rng(1)
    totals = rounds * np.sort(rng.uniform(0.2, 0.5, n_actions))[rng.permutation(n_actions)]
    best = float(totals.min())
    curves = tuple(curve(*of, best, rounds, runs) for of in LEARNERS[:learners])
    release = replace(curve(*LEARNERS[0], best, rounds, 2), regret=curves[0].regret[:1], loss=curves[0].loss[:1])
    return Result(
        log="losses.parquet",
        actions=names or tuple(f"model {j + 1}" for j in range(n_actions)),
        rounds=rounds,
        totals=totals,
        learner="PrivateLeader",
        guarantee="PureDP(epsilon=1.0)",
        guarantee_words="any one round's losses may be replaced: every set of released actions changes little.",
        bound=1258.19,
        bound_words="expected regret over 20,000 rounds, if the rounds were independent draws",
        curves=curves,
        timeline=timeline(totals, rounds, released),
        released=release if released else None,
        seed=7,
    )


def curve(title: str, private: bool, level: float, best: float, rounds: int, runs: int) -> Curve:
    """Regret that grows and flattens, to about the level."""
    rng = np.random.default_rng(len(title))
    at = np.unique(np.append(np.geomspace(1, rounds, 300).astype(np.int64), rounds))
    scales = rng.gamma(4.0, level / 4, (runs if private else 1, 1))
    regret = scales * (1 - np.exp(-at / 800)) if level < 1000 else scales * at / rounds
    return Curve(title.partition(" ")[0], title, private, at, regret, best + regret[:, -1], exact=not private)


def timeline(totals: np.ndarray[tuple[int], np.dtype[np.float64]], rounds: int, released: bool) -> Timeline:
    """Growing blocks that end with the best action."""
    starts = np.unique((2.4 ** np.arange(30)).astype(np.int64) - 1)
    starts = starts[starts < rounds]
    actions = np.random.default_rng(2).integers(len(totals), size=len(starts))
    actions[len(starts) // 2 :] = totals.argmin()
    return Timeline(starts, actions, rounds, released)


def constant() -> Result:
    """Every action loses the same, so nobody has regret."""
    made = result(3, 100, 5)
    flat = tuple(replace(c, regret=0 * c.regret, loss=np.full(c.runs, 50.0)) for c in made.curves)
    one = replace(flat[0], regret=flat[0].regret[:1], loss=flat[0].loss[:1])
    return replace(made, totals=np.full(3, 50.0), curves=flat, released=one)


def restless() -> Result:
    """A run that changes its action nearly each round."""
    made = result(30)
    actions = np.random.default_rng(3).integers(30, size=made.rounds)
    return replace(made, timeline=Timeline(np.arange(made.rounds), actions, made.rounds, True))
