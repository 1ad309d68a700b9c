"""`discreet privacy`: what a guarantee means, and what becomes of it."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.plots import check_plot
from discreet.cli.session import one_sentence
from discreet.cli.telling import to_json

if TYPE_CHECKING:
    from discreet.guarantees import Guarantee
    from discreet.replay import Promise

_DELTAS = (1e-3, 1e-6, 1e-9)


def privacy(
    reports: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Reports, as discreet privatize writes them: what they promise."),
    ] = None,
    epsilon: Annotated[float | None, typer.Option(help="A pure guarantee, or with --delta an approximate one.")] = None,
    delta: Annotated[float | None, typer.Option(help="The delta that goes with --epsilon.")] = None,
    mu: Annotated[float | None, typer.Option(help="A Gaussian guarantee.")] = None,
    group: Annotated[int, typer.Option(min=1, help="One person is in so many rounds.")] = 1,
    releases: Annotated[int, typer.Option(min=1, help="So many releases are made from the same rounds.")] = 1,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the trade-off curve (.svg, .png or .pdf).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what a guarantee means in plain words, for groups and repeated releases too, and convert it.

    Examples:

    discreet privacy --epsilon 1

    discreet privacy --mu 0.25 --group 3 --plot curve.svg

    discreet privacy reports.parquet
    """
    with one_sentence():
        if plot is not None:
            check_plot(plot)
        made = None if reports is None else _made(reports, epsilon, delta, mu)
        one = _given(epsilon, delta, mu) if made is None else made.guarantee
        promised = one.compose(*[one] * (releases - 1))
        promised = promised.for_group(group)
        said = _said(promised, group, releases)
        if plot is not None:
            _draw(promised, plot)
        facts = _facts(promised) | {"group": group, "releases": releases, "words": said}
        if made is not None:
            facts |= {"reports": vars(made)}
        typer.echo(to_json(facts) if as_json else _text(promised, said, [] if made is None else made.words()))


def _made(path: Path, *named: float | None) -> Promise:
    """What a file says that it promises."""
    from discreet.replay import promise_of

    if any(value is not None for value in named):
        raise ValueError(f"{path} says what it promises; leave out --epsilon, --delta and --mu")
    promise = promise_of(path)
    if promise is None:
        raise ValueError(f"{path} says nothing of a promise; discreet privatize writes reports that do")
    return promise


def _given(epsilon: float | None, delta: float | None, mu: float | None) -> Guarantee:
    from discreet.guarantees import ApproxDP, GaussianDP, PureDP

    if (epsilon is None) == (mu is None):
        raise ValueError("name one guarantee: --epsilon (with --delta or without), or --mu")
    if mu is not None:
        if delta is not None:
            raise ValueError("--delta goes with --epsilon, not with --mu")
        return GaussianDP(mu)
    assert epsilon is not None
    return PureDP(epsilon) if delta is None else ApproxDP(epsilon, delta)


def _facts(promised: Guarantee) -> dict[str, object]:
    epsilons = {f"{delta:g}": float(promised.epsilon(delta)) for delta in _DELTAS}
    return promised.describe() | {
        "epsilon_at_delta": {delta: value if value < float("inf") else None for delta, value in epsilons.items()},
        "errors": {str(alpha): float(promised.trade_off(alpha)) for alpha in (0.01, 0.05, 0.1)},
    }


def _said(promised: Guarantee, group: int, releases: int) -> str:
    """The guarantee in plain words, about the group and the releases that were asked for."""
    words = promised.words()
    if group > 1:
        words = words.replace("any one round's losses", f"the losses of any {group} rounds, such as one person's,")
    return f"{releases} releases together: {words}" if releases > 1 else words[:1].upper() + words[1:]


def _text(promised: Guarantee, said: str, made: list[str]) -> str:
    lines = [repr(promised), "", *textwrap.wrap(said, 79), ""]
    lines += [
        f"but for an excess probability of {delta:g}, epsilon is {float(promised.epsilon(delta)):.4g}"
        for delta in _DELTAS
    ]
    lines += [
        f"a test that accuses wrongly {alpha:.0%} of the time misses at least {float(promised.trade_off(alpha)):.1%}"
        for alpha in (0.01, 0.05, 0.1)
    ]
    for sentence in made:
        lines += ["", *textwrap.wrap(sentence, 79)]
    return "\n".join(lines)


def _draw(promised: Guarantee, path: Path) -> None:
    from matplotlib.figure import Figure

    from discreet.cli.plots import drawn
    from discreet.replay.release import whole_file
    from discreet.report.simulation import drawing

    with drawing():
        figure = Figure(figsize=(5, 5), layout="constrained")
        promised.plot(figure.subplots())
    content = drawn(figure, path.suffix.lower())
    with whole_file(path) as file:
        file.write(content)
