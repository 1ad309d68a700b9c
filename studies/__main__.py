"""Run the studies: all of them, or those that are named; `--quick` makes them small."""

from __future__ import annotations

import argparse
import os
import time
from importlib import import_module
from pathlib import Path

from studies.figures import style
from studies.page import Page, index, write

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
)


def main() -> None:
    """Run, print what came out, and write a page, a figure and a JSON file for each study."""
    options = _options()
    for name in options.names or STUDIES:
        started = time.monotonic()
        print(f"== {name}", flush=True)
        with style():
            page = run(name, options.quick, options.jobs)
            write(page, options.out, name, options.quick)
        for finding in page.findings:
            print(f"   {'agrees   ' if finding.agrees else 'DISAGREES'} {finding.seen}")
        print(f"   {time.monotonic() - started:.0f} s; {options.out / name}.md", flush=True)
    made = [name for name in STUDIES if (options.out / f"{name}.json").exists()]
    (options.out / "index.md").write_text(index(options.out, made), encoding="utf-8")


def run(name: str, quick: bool, jobs: int) -> Page:
    """One study."""
    page: Page = import_module(f"studies.{name.replace('-', '_')}").study(quick, jobs)
    return page


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m studies", description=__doc__)
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
