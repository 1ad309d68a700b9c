from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def test_the_benchmarks_run_small(tmp_path: Path) -> None:
    out = tmp_path / "bench.json"
    root = Path(__file__).parents[2]
    subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick", "--out", out], check=True, cwd=root, capture_output=True
    )
    tables = json.loads(out.read_text())
    names = ["selections", "noises", "learners", "local", "replay", "simulate", "regret", "realizable"]
    assert list(tables) == names
    assert len(tables["regret"]["rows"]) == 24
    assert all(table["rows"] for table in tables.values())
