"""Run the studies: all of them, or those that are named; `--quick` makes them small."""

from __future__ import annotations

import argparse
import os
import time
from importlib import import_module
from pathlib import Path

from studies.figures import style
from studies.page import Page, index, write
from studies.recorded import ELSEWHERE, AbsentError

#: The studies in the order in which they are read; each is a module here with `study(quick, jobs) -> Page`.
STUDIES = (
    "prefix-regret",
    "why-prefix",
    "noisy-variants",
    "resampling",
    "deterministic",
    "conjecture",
    "hardest",
    "realizable",
    "smooth",
    "amplification",
    "batches",
    "meta-bound",
    "hospitals",
    "central-local",
)
_EPILOG = (
    f"Studies of recorded data read ../shared/data beside the checkout, or the folder that {ELSEWHERE} names; "
    "without it they are left out."
)


def main() -> None:
    """Make a page, a figure and a JSON file for each study; those whose recorded data is not there are left out."""
    options = _options()
    absent = [name for name in options.names or STUDIES if not _make(name, options)]
    made = [name for name in STUDIES if (options.out / f"{name}.json").exists()]
    if made:
        (options.out / "index.md").write_text(index(options.out, made), encoding="utf-8")
    if options.names and absent:
        raise SystemExit(1)


def _make(name: str, options: argparse.Namespace) -> bool:
    """Run one study, print what came out and write its page; False where its data is not there."""
    started = time.monotonic()
    print(f"== {name}", flush=True)
    try:
        with style():
            page = run(name, options.quick, options.jobs)
            write(page, options.out, name, options.quick)
    except AbsentError as why:
        print(f"   {why}", flush=True)
        return False
    for finding in page.findings:
        print(f"   {'agrees   ' if finding.agrees else 'DISAGREES'} {finding.seen}")
    print(f"   {time.monotonic() - started:.0f} s; {options.out / name}.md", flush=True)
    return True


def run(name: str, quick: bool, jobs: int) -> Page:
    """One study."""
    page: Page = import_module(f"studies.{name.replace('-', '_')}").study(quick, jobs)
    return page


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m studies", description=__doc__, epilog=_EPILOG)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(STUDIES)}; all when left out")
    parser.add_argument("--quick", action="store_true", help="small sizes: does it run, not what does it show")
    parser.add_argument("--out", type=Path, default=Path("build/studies"), help="where the pages go")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes; the numbers do not depend on it"
    )
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in STUDIES]
    if unknown:
        parser.error(f"there is no study {unknown[0]!r}; there are {', '.join(STUDIES)}")
    return options


if __name__ == "__main__":
    main()
