"""The entry point of the command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command, or say what to install where its packages are missing."""
    try:
        from discreet.cli.app import app
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("discreet"):
            raise
        sys.exit(f"discreet: the command needs {error.name}; install it with: pip install 'discreet[command]'")
    app()


if __name__ == "__main__":
    main()
