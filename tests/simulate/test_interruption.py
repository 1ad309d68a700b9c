"""Ctrl-C ends a simulation at once, and its workers with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

_LONG = """
from discreet import environments, experts, simulate
print("started", flush=True)
simulate.regret(experts.Hedge(100), environments.one_gap(100, 0.1), rounds=10**6, runs=100, jobs=2)
"""


def test_an_interruption_leaves_no_process_behind() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-c", _LONG], start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == b"started\n"
    time.sleep(3)  # the workers are up
    assert worker.poll() is None
    os.killpg(worker.pid, signal.SIGINT)  # what a terminal sends
    assert worker.wait(timeout=30) != 0
    worker.stdout.close()
    for _ in range(100):
        if not _alive(worker.pid):
            return
        time.sleep(0.1)
    raise AssertionError("processes of the simulation are still there")


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
