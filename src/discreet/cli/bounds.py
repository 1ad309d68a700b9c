"""`discreet bounds`: what is proved about regret, at one instance, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.amounts import whole_number
from discreet.cli.session import one_sentence
from discreet.cli.telling import to_json

if TYPE_CHECKING:
    from rich.table import Table

    from discreet.bounds import Order, Row


def bounds(
    actions: Annotated[
        int, typer.Option(parser=whole_number, metavar="K", help="How many actions there are, such as 100 or 1e6.")
    ],
    gap: Annotated[
        float, typer.Option(help="How far the mean loss of the second-best action lies above the best, up to 1.")
    ],
    epsilon: Annotated[float, typer.Option(help="How much the actions may reveal about any one round.")] = 1.0,
    rounds: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            metavar="T",
            help="The horizon, such as 1e6; without it, what holds at every horizon.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print every regret bound for a gap and an epsilon, upper and lower, and say when privacy is free.

    An explicit bound is a number of losses, and expected regret must be on the right side of it. An order, shown as
    c · value, has a constant c that the theorem does not name: compare it from instance to instance, not with a regret.

    Examples:

    discreet bounds --actions 100 --gap 0.1 --epsilon 1

    discreet bounds --actions 100 --gap 0.1 --epsilon 0.01 --rounds 1e6 --json
    """
    with one_sentence():
        from discreet.bounds import side_by_side

        rows = side_by_side(actions, gap, epsilon, rounds)
        instance = {"n_actions": actions, "gap": gap, "epsilon": epsilon, "rounds": rounds}
        if as_json:
            facts = instance | _privacy(gap, epsilon) | {"bounds": [_facts(row) for row in rows]}
            typer.echo(to_json(facts))
        else:
            _print(rows, gap, epsilon)


def _privacy(gap: float, epsilon: float) -> dict[str, object]:
    """When privacy is free, as numbers and in words."""
    from discreet.bounds import free_privacy_gap, price_of_privacy

    free, price = free_privacy_gap(epsilon), price_of_privacy(gap, epsilon)
    here = "it is free" if gap <= free else "privacy is what costs"
    words = (
        f"Up to constants, privacy with epsilon {epsilon:g} is free for gaps up to {free:g}: there log(K)/epsilon is "
        f"at most log(K)/gap. At gap {gap:g} {here}: the best rate is {price:.4g} times the one without privacy "
        "(1 + gap/epsilon)."
    )
    return {"free_up_to_gap": free, "price_of_privacy": price, "words": words}


def _facts(row: Row) -> dict[str, object]:
    from discreet.bounds import Order

    order = isinstance(row.value, Order)
    return {
        "name": row.name,
        "function": row.function,
        "losses": row.losses,
        "side": row.side,
        "learner": row.learner,
        "kind": "does not apply" if row.value is None else "order" if order else "explicit",
        "value": row.value.value if isinstance(row.value, Order) else row.value,
        "formula": row.value.formula if isinstance(row.value, Order) else None,
        "note": row.note,
    }


def _print(rows: list[Row], gap: float, epsilon: float) -> None:
    from rich.console import Console

    console = Console()
    for losses in dict.fromkeys(row.losses for row in rows):
        console.print(_table(losses, [row for row in rows if row.losses == losses]))
    said = _privacy(gap, epsilon)["words"]
    console.print(f"c stands for a constant that the theorem does not name.\n{said}", highlight=False)


def _table(title: str, rows: list[Row]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("bound", "side", "kind"):
        table.add_column(name)
    table.add_column("regret", justify="right", no_wrap=True)
    table.add_column("holds for")
    for row in rows:
        table.add_row(row.name, row.side, *_shown(row.value), _remark(row))
    return table


def _shown(value: float | Order | None) -> tuple[str, str]:
    """The kind of a bound, and its size."""
    if value is None:
        return "", ""
    return ("explicit", _size(value)) if isinstance(value, float) else ("order", f"c · {_size(value.value)}")


def _size(value: float) -> str:
    return f"{value:,.0f}" if 100 <= value < 1e12 else f"{value:.3g}"


def _remark(row: Row) -> str:
    if row.value is None:
        return f"does not apply: {row.note}"
    return f"{row.learner}; {row.note}" if row.note else row.learner
