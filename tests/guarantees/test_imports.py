"""This room knows nothing of the others, and importing it is light."""

import subprocess
import sys


def test_importing_loads_neither_scipy_nor_matplotlib() -> None:
    code = (
        "import sys, discreet.guarantees as g\n"
        "g.GaussianDP(1.0).compose(g.GaussianDP(1.0)), g.PureDP(1.0).delta(0.0)\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('scipy', 'matplotlib')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
