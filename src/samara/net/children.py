# SPDX-License-Identifier: Apache-2.0
"""Processes that do one task, and end when the process that started them ends.

They are copies of this process, so that twenty of them start in a second. What they
have to say goes through a pipe, one JSON object a line.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
import time
import traceback
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable

_PR_SET_PDEATHSIG = 1
_READ_SIZE = 65_536
_STOP_TIMEOUT_S = 3.0
_FAILED = 2


class ChildError(MisuseError):
    """A process failed, or was silent for too long; the text has why."""


class Child:
    """A process that was started to do a task.

    Parameters
    ----------
    name
        What it is called in errors.
    task
        Called in the process with two functions: one tells this process something,
        the other tells the task whether it is to end.
    """

    def __init__(
        self,
        name: str,
        task: Callable[[Callable[[dict[str, Any]], None], Callable[[], bool]], None],
    ) -> None:
        self.name = name
        reading, writing = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reading)
            _run(task, writing, parent)
        os.close(writing)
        self._pipe, self._rest = reading, b""
        self._has_ended = False

    def hear(self, timeout_s: float) -> dict[str, Any]:
        """Return the next thing that it tells.

        Raises
        ------
        ChildError
            When it ended, failed, or told nothing.
        """
        end_s = time.monotonic() + timeout_s
        while b"\n" not in self._rest:
            left_s = max(end_s - time.monotonic(), 0.0)
            readable, _, _ = select.select([self._pipe], [], [], left_s)
            if not readable:
                message = f"{self.name} said nothing for {timeout_s:g} s"
                raise ChildError(message)
            new = os.read(self._pipe, _READ_SIZE)
            if not new:
                message = f"{self.name} ended"
                raise ChildError(message)
            self._rest += new
        line, _, self._rest = self._rest.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            message = f"{self.name}: {answer['error']}"
            raise ChildError(message)
        return answer

    def has_ended(self) -> bool:
        """Tell whether the process is gone."""
        if not self._has_ended:
            pid, _ = os.waitpid(self.pid, os.WNOHANG)
            self._has_ended = pid != 0
        return self._has_ended

    def ask_to_end(self) -> None:
        """Ask it to end."""
        if not self.has_ended():
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        if not self.has_ended():
            os.kill(self.pid, signal.SIGKILL)
        self.end()

    def end(self) -> None:
        """Wait until it has ended; after some seconds, end it."""
        end_s = time.monotonic() + _STOP_TIMEOUT_S
        while not self.has_ended() and time.monotonic() < end_s:
            time.sleep(0.01)
        if not self.has_ended():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self._has_ended = True
        with contextlib.suppress(OSError):
            os.close(self._pipe)


def _run(
    task: Callable[[Callable[[dict[str, Any]], None], Callable[[], bool]], None],
    pipe: int,
    parent: int,
) -> None:
    """Do the task in the new process, and end it."""
    status = _FAILED
    try:
        is_over = _dies_with(parent)

        def tell(fields: dict[str, Any]) -> None:
            # Whoever asked may have gone.
            with contextlib.suppress(BrokenPipeError):
                os.write(pipe, json.dumps(fields).encode() + b"\n")

        try:
            task(tell, is_over)
            status = 0
        except MisuseError as error:
            tell({"error": str(error)})
        except OSError as error:
            tell({"error": error.strerror or str(error)})
    except BaseException:  # noqa: BLE001 - nothing may get out of this process
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _dies_with(parent: int) -> Callable[[], bool]:
    """End with the process that started this one; return what tells of a request."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(_FAILED)
    asked = False

    def note(*_: object) -> None:
        nonlocal asked
        asked = True

    # Ctrl-C goes to all processes of a terminal: the first one then ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, note)
    return lambda: asked
