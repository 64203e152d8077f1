# SPDX-License-Identifier: Apache-2.0
"""What calls leave of their secrets in memory and registers of simulated devices.

The same on this machine is the C test `residue`, in the stage `c`.
"""

from __future__ import annotations

import os

import pytest
from programs import JOBS, ROOT, VENV, ended

# A device of each family, with and without assembly, and each level.
USUAL = {
    "atmega328p-Os",
    "atmega4809-Os",
    "msp430f1611-O2",
    "msp430fr5969-Os",
    "cortex-m0-Os",
    "cortex-m4-O3",
    "ibex-O3",
}
DEVICES = sorted(path.parent.name for path in ROOT.glob("devices/*/device.toml"))
EVERY = [f"{device}-{level}" for device in DEVICES for level in ("Os", "O2", "O3")]


@pytest.mark.parametrize(
    "build",
    [
        pytest.param(name, marks=() if name in USUAL else pytest.mark.thorough)
        for name in EVERY
    ],
)
def test_calls_leave_no_secrets(build: str) -> None:
    device, _, level = build.rpartition("-")
    where = ("--device", device, "--opt", level)
    # Other processors run other tests already.
    jobs = "1" if "PYTEST_XDIST_WORKER" in os.environ else JOBS
    residue = (VENV / "python", "-m", "samara.bench.residue", f"--jobs={jobs}")
    done = ended(*residue, *where)
    # The last line counts the programs.
    print(done.stdout)
    assert done.returncode == 0


def test_the_usual_builds_exist() -> None:
    assert set(EVERY) > USUAL
