"""Where the results of a replay go: checked before any work, written whole, shown last."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from discreet.cli.files import printing, same_file
from discreet.cli.session import progress_bar

if TYPE_CHECKING:
    from discreet.experts import Learner
    from discreet.replay import Log, Replay, Timeline


@dataclass(frozen=True)
class Outputs:
    """Where results go."""

    actions: Path | None
    report: Path | None
    keep_index: bool
    force: bool
    as_json: bool


def check_outputs(outputs: Outputs, log: Path, index: Sequence[str], owners: bool = True, **why: str) -> None:
    """Everything that can be known to be wrong about the results before any work; why no release is replaced.

    owners: whether the report will be one for the owner of losses alone.
    """
    from discreet.replay.opened import BadLog
    from discreet.replay.release import check_target

    paths = [path for path in (log, outputs.actions, outputs.report) if path is not None]
    if any(same_file(one, two) for one, two in combinations(paths, 2)):
        raise BadLog("the log, the actions and the report must be different files")
    if outputs.actions is None and (outputs.force or outputs.keep_index):
        raise BadLog(f"{'--force' if outputs.force else '--keep-index'} goes with --actions")
    if outputs.actions is not None:
        check_target(outputs.actions, outputs.force, **why)
    if outputs.keep_index and not index:
        raise BadLog("--keep-index needs --index to say which column it is")
    for taken in {"round", "action"}.intersection(index if outputs.keep_index else []):
        raise BadLog(f"an index column named {taken!r} cannot be kept: the release has a column of that name")
    if outputs.report is not None:
        _check_report(outputs.report, owners)


def _check_report(path: Path, owners: bool) -> None:
    """Refuse to replace what is no report, or one that is for others to see than this one."""
    from discreet.replay.opened import BadLog
    from discreet.replay.release import check_writable
    from discreet.report import is_owners_report, is_report

    if not path.name.lower().endswith((".html", ".htm")):
        raise BadLog(f"{path} has an unknown ending; a report is an .html file")
    check_writable(path)
    if not os.path.lexists(path):
        return
    if not is_report(path):
        raise BadLog(f"{path} exists and is not a report of discreet; it is left alone")
    if is_owners_report(path) != owners:
        kinds = ("a page for anyone, made from reports", "a page for the owner of losses alone")
        raise BadLog(
            f"{path} exists and is {kinds[not owners]}, and this one would be {kinds[owners]}; name another file"
        )


def replay_and_write(
    log: Log, learner: Learner, outputs: Outputs, runs: int, seed: int, compare: bool, most: int | None = None
) -> None:
    """Replay, write the files whole, and print the owner's view; nothing where there are more rounds than were said."""
    from discreet.replay import replay as run
    from discreet.replay.opened import BadLog

    with progress_bar("reading rounds", log.rows) as progress:
        done = run(log, learner, runs, seed, outputs.actions is not None, compare, progress)
    if most is not None and done.result.rounds > most:
        raise BadLog(f"{log.path} has {done.result.rounds:,} rounds, more than the {most:,} that --rounds says")
    write_files(log, done.release, lambda: _page(done), outputs)
    with printing([path for path in (outputs.actions, outputs.report) if path is not None]):
        _show(done, outputs)


def _page(done: Replay) -> str:
    from discreet.report import render

    return render(done.result)


def write_files(
    log: Log, release: Timeline | None, page: Callable[[], str], outputs: Outputs, shared: bool = False
) -> None:
    """Write both files beside their names first. Then the release gets its name: if it cannot, neither is written."""
    from discreet.replay.opened import BadLog
    from discreet.replay.release import whole_file, write_release

    released = False
    try:
        with _report(page, outputs.report, shared):
            if outputs.actions is not None and release is not None:
                with whole_file(outputs.actions, outputs.force) as file:
                    write_release(file, outputs.actions, log, release, outputs.keep_index)
                released = True
    except BadLog as error:
        if not released:
            raise
        typer.echo(f"discreet: {error}; written: {outputs.actions}", err=True)
        raise typer.Exit(1) from error


@contextmanager
def _report(page: Callable[[], str], path: Path | None, shared: bool) -> Iterator[None]:
    """The report, whole on the disk before the block, and under its name after it."""
    from discreet.replay.release import whole_file

    if path is None:
        yield
        return
    with whole_file(path, shared=shared) as file:
        file.write(page().encode())
        file.flush()
        os.fsync(file.fileno())
        yield


def _show(done: Replay, outputs: Outputs) -> None:
    from discreet.report import as_dict, print_table

    if outputs.as_json:
        typer.echo(json.dumps(as_dict(done.result), indent=2, allow_nan=False))
        return
    from rich.console import Console

    print_table(done.result, Console())
    if outputs.actions is not None:
        typer.echo(f"The release, the only private output: {outputs.actions}")
    if outputs.report is not None:
        typer.echo(f"The owner's report, not private: {outputs.report}")
