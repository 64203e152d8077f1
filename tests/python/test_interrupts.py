# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C at any moment, while other work slows the machine down.

All of it shares one processor, so that a second one would not make up for that work.

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
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from shell import PROGRAM, TIMEOUT_S, environment

if TYPE_CHECKING:
    from collections.abc import Iterator

TIMES, TIMES_THOROUGH = 2, 50
"""For each command."""
# Python starts, modules are imported, processes begin, tasks run, all of it ends.
LATEST_S = 3.0
COMMANDS = {
    "randomness": "randomness run aes128-ctr --bits 100000 --sequences 200 --jobs 3",
    "ber": "phy ber --ebn0 0:6:1 --errors 2000 --frames 200000 --workers 3",
    "simulate": "energy simulate --nodes 60 --hours 5000 --runs 9 --workers 3",
    "bench": "bench run --device msp430f1611 --suite grain128aead --message 1224"
    " --opt O2 --opt O3 --jobs 3 --store figures",
    "seal": "seal grain128aead --key @key -i message -o sealed",
}
# What a command that ends leaves, and what one that is interrupted may leave.
MADE, KEPT = ("sealed", "figures"), ("figures",)
BUSY = "while True: pass"


class Stage(Enum):
    """How far a command has come: of how many signals it has handlers."""

    BEGINNING = 0
    """Nothing of Python yet; also while `main` imports and reads options."""
    PYTHON = 1
    """Of SIGINT: it is Python's."""
    COMMAND = 2
    """Of SIGINT and SIGTERM."""


class Moment(NamedTuple):
    """When Ctrl-C is pressed: so long after `main`, or the command, has begun."""

    stage: str
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


def stage_of(pid: int) -> Stage | None:
    """Tell how far a process has come; None after its end."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    values = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    if values["State"][0] in "ZX":
        return None
    caught = int(values["SigCgt"], 16)
    return Stage(sum(caught >> (n - 1) & 1 for n in (signal.SIGINT, signal.SIGTERM)))


def wait_for(pid: int, stage: str) -> None:
    """Wait until `main`, or the command, has begun, or the process has ended.

    On a busy machine this process may sleep through a stage.
    """
    end = time.monotonic() + TIMEOUT_S
    seen = set()
    while (now := stage_of(pid)) not in (Stage.COMMAND, None):
        seen.add(now)
        if stage == "main" and now is Stage.BEGINNING and Stage.PYTHON in seen:
            return
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
        wait_for(running.pid, moment.stage)
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


@contextmanager
def on_a_busy_processor() -> Iterator[None]:
    """Let this process and what it starts share one processor with a program."""
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(processors)})
    try:
        with subprocess.Popen([sys.executable, "-c", BUSY]) as busy:
            try:
                yield
            finally:
                busy.kill()
    finally:
        os.sched_setaffinity(0, processors)


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
    with on_a_busy_processor():
        for _ in range(times):
            stage = moments.choice(("main", "command", "command", "command"))
            moment = Moment(stage, moments.uniform(0, LATEST_S))
            status, said = press(COMMANDS[name], moment, tmp_path)
            assert_ended(status, said)
            statuses.append(status)
            for made in MADE:
                if status == 0 or made in KEPT:
                    (tmp_path / made).unlink(missing_ok=True)
    assert sorted(tmp_path.iterdir()) == before
    print(name, statuses)
