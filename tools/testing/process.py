# SPDX-License-Identifier: Apache-2.0
"""Running commands so that each of them, with its children, can be ended."""

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

#: Exit code of a command whose program does not exist, as in a shell.
NOT_FOUND = 127
#: Exit code of a command that was ended because it took too long.
TIMED_OUT = 124

# Seconds between asking a process to end and ending it.
_GRACE_S = 3.0


@dataclass(frozen=True)
class CommandResult:
    """What became of a command; its output is in a file."""

    command: tuple[str, ...]
    exit_code: int
    seconds: float
    log: Path
    #: CPU time of it and of its children, in seconds.
    busy_s: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether it ended with 0."""
        return self.exit_code == 0

    @property
    def output(self) -> str:
        """What it printed, on both its streams."""
        return self.log.read_text(errors="replace")

    def why(self) -> str:
        """Say how the command ended, in a few words."""
        if self.exit_code == NOT_FOUND:
            return f"{self.command[0]} is not there"
        if self.exit_code == TIMED_OUT:
            return f"ended after {self.seconds:.0f} s: it took too long"
        if self.exit_code < 0:
            return f"ended by {signal.Signals(-self.exit_code).name}"
        return f"exit code {self.exit_code}"


class StoppedError(Exception):
    """A command was to be started after everything had been told to stop."""


class Children:
    """The processes that run now, each the leader of a group of its own.

    Being in groups of their own they do not see a Ctrl-C typed on the
    terminal: `stop` ends them, and their children, in an orderly way.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    def run(
        self,
        command: Sequence[str],
        *,
        log: Path,
        folder: Path,
        environment: Mapping[str, str],
        timeout_s: float,
    ) -> CommandResult:
        """Run a command to its end, its output going to `log`."""
        start = time.monotonic()
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as sink:
            try:
                process = self._start(command, sink.fileno(), folder, environment)
            except FileNotFoundError as error:
                sink.write(f"{error}\n".encode())
                exit_code, busy_s = NOT_FOUND, 0.0
            else:
                exit_code, busy_s = self._wait(process, timeout_s)
        seconds = time.monotonic() - start
        return CommandResult(tuple(command), exit_code, seconds, log, busy_s)

    def stop(self) -> None:
        """End everything that runs and start nothing more."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for process in running:
            _end(process)

    def _start(
        self,
        command: Sequence[str],
        output: int,
        folder: Path,
        environment: Mapping[str, str],
    ) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._stopped:
                raise StoppedError
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=environment,
                start_new_session=True,
            )
            self._running.add(process)
        return process

    def _wait(
        self, process: subprocess.Popen[bytes], timeout_s: float
    ) -> tuple[int, float]:
        """Return the exit code and the CPU time in seconds."""
        # On KeyboardInterrupt the process stays in `_running`, for `stop`.
        if _has_ended(process.pid, timeout_s):
            busy_s = _busy_s(process.pid)
            exit_code = process.wait()
        else:
            busy_s = _busy_s(process.pid)
            _end(process)
            exit_code = TIMED_OUT
        with self._lock:
            self._running.discard(process)
        return exit_code, busy_s


def _has_ended(pid: int, timeout_s: float) -> bool:
    """Wait for a process to end, and leave its entry in /proc in place."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(timeout_s * 1000))
    finally:
        os.close(descriptor)


def _busy_s(pid: int) -> float:
    """Return the CPU time of a process and of its children that have ended.

    Several stages run at once, so that the sum over all children of this
    process, which `getrusage` tells, belongs to none of them.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    # What follows the name in parentheses begins with field 3 of proc(5); the
    # times are the fields 14 to 17.
    fields = text.rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its whole group: first asked, then forced."""
    _signal_group(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_S)
    _signal_group(process, signal.SIGKILL)
    process.wait()


def _signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
