"""The entry point of the command."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command: 0 for done, 2 with one sentence for wrong usage or bad input, 130 for an interruption."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name that cannot be printed must not stop a release half-way
    try:
        from discreet.cli.app import app
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("discreet"):
            raise
        sys.exit(f"discreet: the command needs {error.name}; install it with: pip install 'discreet[command]'")
    sys.exit(_run(app))


def _run(app: object) -> int:
    from typer import Abort
    from typer.main import get_command

    try:
        return int(get_command(app).main(standalone_mode=False) or 0)  # type: ignore[arg-type]
    except (Abort, KeyboardInterrupt):
        print("discreet: interrupted; files are written whole or not at all", file=sys.stderr)
        return 130
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        # Wrong usage, as the command line's parser found it; nothing to say where it has printed the help.
        sentence = " ".join(error.format_message().split())
        if sentence:
            print(f"discreet: {sentence}", file=sys.stderr)
        return int(getattr(error, "exit_code", 2))


if __name__ == "__main__":
    main()
