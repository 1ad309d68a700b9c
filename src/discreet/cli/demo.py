"""`discreet demo`: an example log, and its replay."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.outputs import Outputs, replay_and_write
from discreet.cli.session import one_sentence

if TYPE_CHECKING:
    from discreet.environments.example import ExampleLog


def demo(
    folder: Annotated[Path, typer.Argument(help="Where the files go; it is made if need be.")] = Path("demo"),
    epsilon: Annotated[float, typer.Option(help="How much the released actions may reveal about one round.")] = 1.0,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an earlier demo (its losses are made up: no privacy is lost).")
    ] = False,
) -> None:
    """Write an example log of losses, replay it, and leave the release and the report.

    The log is made up: 12 ways to remind patients of an appointment, 20,000 patients, loss 1 for a visit missed
    without notice; losses of one patient are correlated, and two ways are nearly equally good.
    """
    with one_sentence():
        from discreet.environments import example_log
        from discreet.experts import PrivateLeader
        from discreet.replay import BadLog, open_log
        from discreet.replay.release import check_target, check_writable

        losses, actions, report = (folder / name for name in ("losses.parquet", "actions.csv", "report.html"))
        if folder.exists() and not folder.is_dir():
            raise BadLog(f"{folder} is a file; the demo wants a folder")
        check_writable(folder / "losses.parquet") if folder.exists() else check_writable(folder.absolute())
        if not force and any(os.path.lexists(path) for path in (losses, actions, report)):
            raise BadLog(f"{folder} holds a demo already; --force replaces it")
        learner = PrivateLeader(n_actions=12, epsilon=epsilon)
        folder.mkdir(exist_ok=True)
        check_target(actions, force)
        _write_losses(losses, example_log())
        typer.echo(f"An example log of losses: {losses}")
        replay_and_write(open_log(losses), learner, Outputs(actions, report, False, force, False), 200, 1, True)


def _write_losses(path: Path, log: ExampleLog) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table(dict(zip(log.names, log.losses.T, strict=True))), path)
