"""The subcommands put together."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet import __version__
from discreet.cli.audit import audit
from discreet.cli.bounds import bounds
from discreet.cli.compare import compare
from discreet.cli.demo import demo
from discreet.cli.privacy import privacy
from discreet.cli.privatize import privatize
from discreet.cli.replay import replay
from discreet.cli.simulate import simulate

app = typer.Typer(
    name="discreet",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="""Private decisions, again and again.

    Each round one of K actions is chosen; afterwards every action's loss is known, and the losses come from
    people. discreet chooses well, and the choices that it releases reveal almost nothing about any one round.

    Start with: discreet demo
    """,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"discreet {__version__}")
        raise typer.Exit


@app.callback()
def _discreet(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    pass


app.command()(demo)
app.command()(replay)
app.command()(privatize)
app.command()(simulate)
app.command()(compare)
app.command()(bounds)
app.command()(audit)
app.command()(privacy)
