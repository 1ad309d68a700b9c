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
#: Learners that go through the rounds.
_STEPPING = ("SparseVectorExperts", "AdaptiveSparseVectorExperts", "PotentialExperts")


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
        _measure_stepping(table, Path(folder) / "perfect.parquet", 20_000 if quick else 1_000_000)
    table.notes.append(
        "'release' is the learner over the log (`--no-compare`, 200 seeded runs and the private one); 'all' adds the "
        "four other private learners with 200 runs each, follow-the-leader and Hedge. The command's own start "
        "(about 0.5 s) is not counted. Peak memory is that of a process of its own that does the one thing, Python and "
        "its packages included. The last rows are for learners that go through the rounds, beside the release of "
        "`PrivateLeader`; 'perfect' is a log in which one action never loses, so that they soon stay with it."
    )
    return table


def _measure(table: Table, path: Path, rounds: int) -> None:
    base = seconds(lambda: _read_and_add(path), 1, repeats=3)
    table.rows.append([rounds, "read and add", base, base, 1.0, "", "", _peak("read", path)])
    for what in ("release", "all"):
        time = seconds(lambda what=what: _replay(path, what), 1, repeats=3)
        row = [_LIMIT, verdict(time / base, _LIMIT)] if what == "release" else ["", ""]
        table.rows.append([rounds, what, time, base, time / base, *row, _peak(what, path)])


def _measure_stepping(table: Table, path: Path, rounds: int) -> None:
    """Where no action is good, so that actions are drawn again and again, and where one never loses."""
    for kind in ("", ", perfect"):
        _write(path, rounds, perfect=bool(kind))
        base = seconds(lambda: _replay(path, "release"), 1, repeats=3)
        for what in _STEPPING:
            time = seconds(lambda what=what: _replay(path, what), 1, repeats=1)
            table.rows.append([rounds, what + kind, time, base, time / base, "", "", _peak(what, path)])


def _write(path: Path, rounds: int, perfect: bool = False) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(1)
    means, spread = rng.uniform(0.3, 0.9, _ACTIONS), np.full(_ACTIONS, 0.2)
    if perfect:
        means[0] = spread[0] = 0.0
    writer: parquet.ParquetWriter | None = None
    for start in range(0, rounds, _ROW_GROUP):
        n = min(_ROW_GROUP, rounds - start)
        columns = enumerate(zip(means, spread, strict=True))
        table = pa.table({f"a{j}": np.clip(rng.normal(*moments, n), 0, 1) for j, moments in columns})
        writer = writer or parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def _read_and_add(path: Path) -> float:
    """In batches and without buffering ahead, which is faster here, and smaller, than reading the table whole."""
    from pyarrow import parquet

    batches = parquet.ParquetFile(path, pre_buffer=False).iter_batches(batch_size=1 << 16)
    return float(sum(np.asarray(column).sum() for batch in batches for column in batch.columns))


def _replay(path: Path, what: str) -> None:
    """A release, with all others where that is asked for; or that of a learner that goes through the rounds."""
    from discreet import experts
    from discreet.replay import open_log, replay

    log = open_log(path)
    learner: experts.Learner = experts.PrivateLeader(_ACTIONS, epsilon=1.0)
    if what in _STEPPING:
        learner = getattr(experts, what)(_ACTIONS, epsilon=1.0, rounds=log.count())
    replay(log, learner, release=True, compare=what == "all")


def _peak(what: str, path: Path) -> float:
    """The peak memory in MB of a fresh process that does one thing with the log; 0 where the system does not say."""
    if not Path("/proc/self/status").exists():
        return 0.0
    call = f"_read_and_add(Path({str(path)!r}))" if what == "read" else f"_replay(Path({str(path)!r}), {what!r})"
    code = f"""
from pathlib import Path
from benchmarks.replaying import _read_and_add, _replay
{call}
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
    # Not getrusage: a child starts with the peak of the process that it was forked from.
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(done.stdout) / 1024
