# SPDX-License-Identifier: Apache-2.0
"""What a demonstration starts is gone when it ends, however it ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from samara.demo.processes import ProgramError, Supervisor, interrupts_wait

LIMIT_S = 60.0
TALKER = (
    "import os; print(os.getpid(), flush=True); print(input(), flush=True); input()"
)
DEAF = (
    "import os, signal, subprocess, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "child = subprocess.Popen(['sleep', '1000'])\n"
    "print(os.getpid(), child.pid, flush=True)\n"
    "time.sleep(1000)\n"
)
# Starts programs as fast as it can, and tells where.
BUSY = (
    "import sys\n"
    "from samara.demo.processes import Supervisor\n"
    "with Supervisor() as supervisor:\n"
    "    print(supervisor.folder, flush=True)\n"
    "    while True:\n"
    "        program = supervisor.start('sh', '-c', 'echo $$; exec sleep 1000')\n"
    "        print(program.line(60), flush=True)\n"
)


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def wait_until_gone(pids: list[int]) -> None:
    end_s = time.monotonic() + LIMIT_S
    while any(map(is_running, pids)) and time.monotonic() < end_s:
        time.sleep(0.02)
    assert not [pid for pid in pids if is_running(pid)]


def test_a_program_speaks_and_ends() -> None:
    with Supervisor() as supervisor:
        program = supervisor.start(sys.executable, "-c", TALKER)
        pid = int(program.line(LIMIT_S))
        program.say("hello")
        assert program.line(LIMIT_S) == "hello"
        assert is_running(pid)
        folder = supervisor.folder
        assert folder.is_dir()
    assert not is_running(pid)
    assert not folder.exists()


@pytest.mark.slow
def test_one_that_will_not_end_is_ended_with_its_children() -> None:
    with Supervisor() as supervisor:
        pids = supervisor.start(sys.executable, "-c", DEAF).line(LIMIT_S).split()
    wait_until_gone([int(pid) for pid in pids])


def test_one_that_ends_early_is_reported_with_its_last_words() -> None:
    with Supervisor() as supervisor:
        program = supervisor.start("sh", "-c", "echo no such thing >&2; exit 3")
        for _ in range(2):
            with pytest.raises(ProgramError, match=r"ended \(3\): no such thing"):
                program.line(LIMIT_S)
        with pytest.raises(ProgramError, match="no such thing"):
            program.say("x" * 70_000)


def test_one_that_is_silent_is_reported() -> None:
    with (
        Supervisor() as supervisor,
        pytest.raises(ProgramError, match=r"nothing for 0\.1 s"),
    ):
        supervisor.start("sleep", "1000").line(0.1)


def test_an_interrupt_waits() -> None:
    done = []

    def work() -> None:
        with interrupts_wait():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("all")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("after_s", [0.0, 0.013, 0.031])
def test_nothing_is_left(number: signal.Signals, after_s: float) -> None:
    busy = subprocess.Popen(
        [sys.executable, "-c", BUSY],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with busy:
        assert busy.stdout is not None
        folder = Path(busy.stdout.readline().strip())
        time.sleep(after_s)
        busy.send_signal(number)
        lines = busy.stdout.read().split()
        busy.wait(LIMIT_S)
    wait_until_gone([int(line) for line in lines if line.isdigit()])
    # Nobody can tidy up after having been killed.
    if number is signal.SIGINT:
        assert not folder.exists()
    else:
        assert folder.name.startswith("samara-demo-")
        shutil.rmtree(folder)
