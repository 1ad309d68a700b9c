"""Run the benchmarks: all of them, or those that are named; `--quick` makes them small."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks import learners, local_model, noises, realizable, regret, replaying, selections, simulating
from tools.table import Table

BENCHMARKS = {
    "selections": selections.measure,
    "noises": noises.measure,
    "learners": learners.measure,
    "local": local_model.measure,
    "replay": replaying.measure,
    "simulate": simulating.measure,
    "regret": regret.measure,
    "realizable": realizable.measure,
}


def main() -> None:
    """Measure, print one table a benchmark, and write them to build/bench.json."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(BENCHMARKS)}; all when left out")
    parser.add_argument("--quick", action="store_true", help="small sizes: does it run, not what does it show")
    parser.add_argument("--out", type=Path, default=Path("build/bench.json"), help="where the numbers go")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    tables: dict[str, Table] = {}
    for name in options.names or BENCHMARKS:
        tables[name] = BENCHMARKS[name](quick=options.quick)
        print(tables[name], flush=True)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps({name: table.as_dict() for name, table in tables.items()}, indent=2) + "\n")


if __name__ == "__main__":
    main()
