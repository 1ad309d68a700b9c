"""The entry point of the command."""

from __future__ import annotations

import io
import signal
import sys
from types import FrameType

_INTERRUPTED = 130


def main() -> None:
    """Run the command: 0 for done, 2 with one sentence for wrong usage or bad input, 130 for an interruption.

    SIGTERM and SIGHUP interrupt it as Ctrl-C does.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name that cannot be printed must not stop a release half-way
    try:
        from discreet.cli.app import app
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("discreet"):
            raise
        sys.exit(f"discreet: the command needs {error.name}; install it with: pip install 'discreet[command]'")
    _end_as_an_interruption_does()
    sys.exit(_run(app))


def _end_as_an_interruption_does() -> None:
    """Let what asks the command to end have it tidy up first; what is ignored (nohup) stays ignored."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # not every system has all of them
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _interrupt)


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


def _run(app: object) -> int:
    from typer import Abort
    from typer.main import get_command

    try:
        code = int(get_command(app).main(standalone_mode=False) or 0)  # type: ignore[arg-type]
    except (Abort, KeyboardInterrupt):
        code = _INTERRUPTED
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        # Wrong usage, as the command line's parser found it; nothing to say where it has printed the help.
        sentence = " ".join(error.format_message().split()).replace("Value error, ", "")
        if sentence:
            print(f"discreet: {sentence}", file=sys.stderr)
        code = int(getattr(error, "exit_code", 2))
    if code == _INTERRUPTED:  # the parser may have made an exit code of the interruption
        print("discreet: interrupted; files are written whole or not at all", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
