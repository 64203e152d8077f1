# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C at any moment, while other work slows the machine down.

Any moment after `samara.cli.main` was called: before it, Python itself begins, and
prints a traceback of its own.

`./test --all` presses it 200 times.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from shell import PROGRAM, TIMEOUT_S, environment

TIMES, TIMES_THOROUGH = 2, 50
"""For each command."""
# Python starts, modules are imported, processes begin, tasks run, all of it ends.
LATEST_S = 3.0
COMMANDS = {
    "randomness": "randomness run aes128-ctr --bits 100000 --sequences 200 --jobs 3",
    "ber": "phy ber --ebn0 0:6:1 --errors 2000 --frames 200000 --workers 3",
    "simulate": "energy simulate --nodes 60 --hours 5000 --runs 9 --workers 3",
    "seal": "seal grain128aead --key @key -i message -o sealed",
}
BUSY = "while True: pass"
# Python sets a handler, `main` takes it away, the command sets its own.
MAIN = (True, False)
COMMAND = (True, False, True)


class Moment(NamedTuple):
    """When Ctrl-C is pressed: so long after the last of these steps."""

    steps: tuple[bool, ...]
    after_s: float


def in_group(group: int) -> list[str]:
    """Return the command lines of the processes of a group that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
            line = (stat.parent / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        if int(its_group) == group and state not in "ZX":
            found.append(line)
    return found


def catches(pid: int) -> bool:
    """Tell whether a process has a handler of SIGINT."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (caught,) = (int(line[7:], 16) for line in lines if line.startswith("SigCgt"))
    return bool(caught >> (signal.SIGINT - 1) & 1)


def wait_for(pid: int, *steps: bool) -> None:
    """Wait until a process has a handler of SIGINT, or none, for each step."""
    end = time.monotonic() + TIMEOUT_S
    for wanted in steps:
        while catches(pid) != wanted:
            assert time.monotonic() < end
            time.sleep(0.001)


def press(command: str, moment: Moment, folder: Path) -> tuple[int, str]:
    """Run a command, press Ctrl-C as a terminal does; return status and stderr."""
    with subprocess.Popen(
        [PROGRAM, *command.split()],
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        wait_for(running.pid, *moment.steps)
        time.sleep(moment.after_s)
        # To all processes of the group.
        os.killpg(running.pid, signal.SIGINT)
        _, err = running.communicate(timeout=TIMEOUT_S)
    end = time.monotonic() + TIMEOUT_S
    while left := in_group(running.pid):
        assert time.monotonic() < end, left
        time.sleep(0.01)
    return running.returncode, err.decode()


def assert_ended(status: int, said: str) -> None:
    """Before the command has begun or after its end, the signal itself ends it."""
    assert "Traceback" not in said, said
    assert "Exception ignored" not in said, said
    assert "defect" not in said, said
    assert status in (130, -signal.SIGINT, 0), (status, said)
    if status == 130:
        assert said.rstrip().splitlines()[-1].startswith("samara: "), said


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_at_any_moment(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    times = TIMES_THOROUGH if request.config.getoption("--all") else TIMES
    (tmp_path / "key").write_bytes(bytes(16))
    (tmp_path / "key").chmod(0o600)
    with (tmp_path / "message").open("wb") as file:
        file.truncate(1 << 30)
    before = sorted(tmp_path.iterdir())
    moments = random.Random(name)  # noqa: S311 - the same moments in each run

    statuses = []
    with (
        subprocess.Popen([sys.executable, "-c", BUSY]) as one,
        subprocess.Popen([sys.executable, "-c", BUSY]) as other,
    ):
        try:
            for _ in range(times):
                steps = moments.choice((MAIN, COMMAND, COMMAND, COMMAND))
                moment = Moment(steps, moments.uniform(0, LATEST_S))
                status, said = press(COMMANDS[name], moment, tmp_path)
                assert_ended(status, said)
                statuses.append(status)
                if status == 0:
                    (tmp_path / "sealed").unlink(missing_ok=True)
        finally:
            one.kill()
            other.kill()
    assert sorted(tmp_path.iterdir()) == before
    print(name, statuses)
