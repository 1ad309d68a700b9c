"""Replaying a Parquet log against reading the same columns with pyarrow and adding them up with NumPy."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.timing import seconds, verdict
from tools.table import Table

_ACTIONS = 100
_ROW_GROUP = 100_000
_LIMIT = 2.0


def measure(quick: bool = False) -> Table:
    """Time the replay of 10^6 x 100 losses, and its peak memory there and at 10^7 rounds."""
    title = "Replay of a Parquet log, 100 actions, against reading with pyarrow and adding up with NumPy"
    table = Table(title, ["rounds", "what", "seconds", "read and add", "ratio", "at most", "met", "peak memory, MB"])
    with tempfile.TemporaryDirectory() as folder:
        for rounds in (20_000,) if quick else (1_000_000, 10_000_000):
            path = Path(folder) / f"{rounds}.parquet"
            _write(path, rounds)
            _measure(table, path, rounds)
            path.unlink()
    table.notes.append(
        "'release' is the learner over the log (`--no-compare`, 200 seeded runs and the private one); 'all' adds the "
        "four other private learners with 200 runs each, follow-the-leader and Hedge. The command's own start "
        "(about 0.5 s) is not counted. Peak memory is that of a process of its own that does the one thing, Python and "
        "its packages included."
    )
    return table


def _measure(table: Table, path: Path, rounds: int) -> None:
    base = seconds(lambda: _read_and_add(path), 1, repeats=3)
    table.rows.append([rounds, "read and add", base, base, 1.0, "", "", _peak("read", path)])
    for what in ("release", "all"):
        time = seconds(lambda what=what: _replay(path, compare=what == "all"), 1, repeats=3)
        row = [_LIMIT, verdict(time / base, _LIMIT)] if what == "release" else ["", ""]
        table.rows.append([rounds, what, time, base, time / base, *row, _peak(what, path)])


def _write(path: Path, rounds: int) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(1)
    means = rng.uniform(0.3, 0.9, _ACTIONS)
    writer: parquet.ParquetWriter | None = None
    for start in range(0, rounds, _ROW_GROUP):
        n = min(_ROW_GROUP, rounds - start)
        table = pa.table({f"a{j}": np.clip(rng.normal(mean, 0.2, n), 0, 1) for j, mean in enumerate(means)})
        writer = writer or parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def _read_and_add(path: Path) -> float:
    """In batches and without buffering ahead, which is faster here, and smaller, than reading the table whole."""
    from pyarrow import parquet

    batches = parquet.ParquetFile(path, pre_buffer=False).iter_batches(batch_size=1 << 16)
    return float(sum(np.asarray(column).sum() for batch in batches for column in batch.columns))


def _replay(path: Path, compare: bool) -> None:
    from discreet.experts import PrivateLeader
    from discreet.replay import open_log, replay

    replay(open_log(path), PrivateLeader(_ACTIONS, epsilon=1.0), release=True, compare=compare)


def _peak(what: str, path: Path) -> float:
    """The peak memory in MB of a fresh process that does one thing with the log; 0 where the system does not say."""
    if not Path("/proc/self/status").exists():
        return 0.0
    call = f"_read_and_add(Path({str(path)!r}))" if what == "read" else f"_replay(Path({str(path)!r}), {what == 'all'})"
    code = f"""
from pathlib import Path
from benchmarks.replaying import _read_and_add, _replay
{call}
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
    # Not getrusage: a child starts with the peak of the process that it was forked from.
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(done.stdout) / 1024
