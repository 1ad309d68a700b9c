"""`discreet privatize`: a log of losses becomes reports, which can be given to anyone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.files import printing, same_file
from discreet.cli.logs import ClipOption, GainsOption, IndexOption, ScaleOption
from discreet.cli.session import one_sentence, progress_bar

if TYPE_CHECKING:
    from discreet.replay import Promise

_PROMISE, _OUT = "The promise", "Results"


def privatize(
    log: Annotated[
        Path,
        typer.Argument(
            metavar="LOG",
            help="A table of losses: .parquet, .arrow, .feather, .csv, .csv.gz or .npy; rows are rounds, "
            "columns are actions.",
        ),
    ],
    mu: Annotated[
        float,
        typer.Option(
            help="How much a report may reveal of its round: telling two possible rounds apart is at least as hard as "
            "telling two normal variables apart whose means differ by mu standard deviations. 1 is usual, 0.25 strict.",
            rich_help_panel=_PROMISE,
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="Where the reports go: .parquet, .arrow or .feather, which can also say what was promised.",
            rich_help_panel=_OUT,
        ),
    ],
    sensitivity: Annotated[
        float | None,
        typer.Option(
            help="Your claim about the log: how far what is to be hidden, such as one person, can move the numbers of "
            "one round, in Euclidean norm; not how far one round lies from another. In the numbers of the log as they "
            "stand there (with --scale 0 200, from 0 to 200). For patients per bed, sqrt(2) over the fewest beds: "
            "0.1414 for 10 beds (local.sensitivity_from_counts). The noise has standard deviation sensitivity/mu. "
            "Nobody can check it, and only what moves a round no further is hidden. Without it whatever moves a round: "
            "the square root of the number of actions, times HIGH less LOW.",
            rich_help_panel=_PROMISE,
        ),
    ] = None,
    index: IndexOption = None,
    gains: GainsOption = False,
    scale: ScaleOption = None,
    clip: ClipOption = False,
    keep_index: Annotated[
        bool,
        typer.Option(
            "--keep-index",
            help="Copy the index columns into the reports. Nothing hides them: do this with labels that are public.",
            rich_help_panel=_OUT,
        ),
    ] = False,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Replace earlier reports. If anybody has seen them, the losses are revealed again.",
            rich_help_panel=_OUT,
        ),
    ] = False,
) -> None:
    """Turn a log of losses into reports: losses plus noise, made where the losses are, for anyone to use.

    A report is the loss of every action in a round plus Gaussian noise, exact and from the system's randomness. Whoever
    has the reports learns little about any round, and so does whoever sees what is made from them: discreet replay FILE
    --reports chooses actions from them. The log stays where it is. What was promised is written into the file;
    discreet privacy FILE says it.

    Example: discreet privatize gains.parquet --gains --mu 1 --sensitivity 0.3 --out reports.parquet
    """
    with one_sentence():
        from discreet.losses import Scale
        from discreet.replay import open_log, save_reports
        from discreet.replay.privatized import check_reports_target

        if same_file(log, out):
            raise ValueError("the log and the reports must be different files")
        if keep_index and not index:
            raise ValueError("--keep-index needs --index to say which column it is")
        check_reports_target(out, force)
        opened = open_log(log, index=index or [], gains=gains, scale=Scale(*(scale or (0.0, 1.0)), clip=clip))
        with progress_bar("making reports", opened.rows) as progress:
            promise = save_reports(opened, out, mu, sensitivity, keep_index, force, progress)
        with printing([out]):
            _show(promise, log, out)


def _show(promise: Promise, log: Path, out: Path) -> None:
    from rich.console import Console
    from rich.text import Text

    from discreet.cli.telling import say

    console = Console()
    weak = promise.hardly_hidden()
    if weak:
        console.print(Text(" THESE REPORTS HIDE HARDLY ANYTHING ", style="bold reverse"))
        console.print(Text(" ".join(weak)), "")
    say(console, "Reports", f"{out}. {promise.words()[0]}")
    say(console, "Promised", f"{promise.guarantee!r}: {promise.guarantee.words()}")
    say(console, "Assumed", " ".join(promise.assumed()))
    labels = f", its labels ({', '.join(promise.index)}), which nothing hides," if promise.index else ""
    say(console, "For anyone", f"{out}{labels} and whatever is made from it")
    say(console, "Not for anyone", f"{log}, which holds the losses")
