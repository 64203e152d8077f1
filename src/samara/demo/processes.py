# SPDX-License-Identifier: Apache-2.0
"""Programs that run while a demonstration does, and not a moment longer.

Each is the leader of a process group of its own: an interrupt at the terminal
ends the demonstration, which then ends them, in the order it wants. An
interrupt that comes while one is being started or ended waits until that is done.

`samara.console.programs` does the same for the console. The two stay apart: a
demonstration waits for its programs, with signal handlers of its own; the console is
an asyncio loop, which must not wait and must not change how signals are handled. What
both need is in `samara.children`.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from samara import children
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

_INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
_STOP_TIMEOUT_S = 3.0
"""What a program gets to end by itself."""
_LOOK_S = 0.02
"""How often it is looked for what a program said."""
_LAST_WORDS = 400
"""Characters of what a program said last."""


class ProgramError(MisuseError):
    """A program ended, or was silent, when it should not; the text has why."""


@contextlib.contextmanager
def interrupts_wait() -> Iterator[None]:
    """Let interrupts of this process take effect only at the end of the block."""
    came: list[tuple[int, FrameType | None]] = []
    if threading.current_thread() is not threading.main_thread():
        # Interrupts do not get here.
        yield
        return
    before = {
        number: signal.signal(number, lambda *interrupt: came.append(interrupt))
        for number in _INTERRUPTS
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for interrupt in came[:1]:
        os.kill(os.getpid(), interrupt[0])


class Program:
    """A program that runs, and speaks in lines.

    Parameters
    ----------
    command
        The program and its arguments.
    name
        What it is called when something is told about it.
    said
        Where what it says on stderr goes.
    """

    def __init__(self, command: Sequence[str], name: str, said: Path) -> None:
        self._said = said
        self._name = name
        with said.open("wb") as errors:
            self._process = subprocess.Popen(  # noqa: S603 - our own programs
                children.tied(command, "TERM"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
                text=True,
                encoding="utf-8",
                bufsize=1,
            )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        if self._process.stdout is not None:
            with contextlib.suppress(ValueError, OSError):
                for line in self._process.stdout:
                    self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def say(self, line: str) -> None:
        """Write a line to the program.

        Raises
        ------
        ProgramError
            When it has ended.
        """
        try:
            if self._process.stdin is not None:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
        except OSError:
            raise ProgramError(self._how_it_ended()) from None

    def line(self, timeout_s: float) -> str:
        """Return the next line that it says.

        Raises
        ------
        ProgramError
            When it ends, or is silent for so long.
        """
        line = self.line_or_none(timeout_s)
        if line is None:
            message = f"{self._name} said nothing for {timeout_s:g} s"
            raise ProgramError(message)
        return line

    def line_or_none(self, timeout_s: float) -> str | None:
        """Return the next line that it says; None when it is silent for so long.

        Raises
        ------
        ProgramError
            When it ends.
        """
        try:
            line = self._lines.get(timeout=timeout_s)
        except queue.Empty:
            return None
        if line is None:
            # Whoever asks again is told again.
            self._lines.put(None)
            raise ProgramError(self._how_it_ended())
        return line

    def wait_for_words(self, words: str, timeout_s: float) -> str:
        """Return what it said on stderr when that contains some words.

        Raises
        ------
        ProgramError
            When it ends, or does not say so.
        """
        end_s = time.monotonic() + timeout_s
        while time.monotonic() < end_s:
            said = self.said()
            if words in said:
                return said
            if self._process.poll() is not None:
                raise ProgramError(self._how_it_ended())
            time.sleep(_LOOK_S)
        message = f"{self._name} did not say {words!r} for {timeout_s:g} s"
        raise ProgramError(message)

    def said(self) -> str:
        """Return what it has said on stderr so far."""
        return self._said.read_text(encoding="utf-8", errors="replace")

    def _how_it_ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_STOP_TIMEOUT_S)
        words = self.said().strip()[-_LAST_WORDS:]
        how = f"{self._name} ended ({self._process.returncode})"
        return f"{how}: {words}" if words else how

    def ask_to_end(self) -> None:
        """Ask the program, and all that it started, to end in good order."""
        # An interrupt would be ignored below a shell's background job.
        self._signal(signal.SIGTERM)

    def end(self, deadline_s: float) -> None:
        """Wait until it has ended; at the deadline, end it."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(max(deadline_s - time.monotonic(), 0.01))
        # Also when it ended: it may have left some of its own.
        self._signal(signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError, ValueError):
                    stream.close()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


class Supervisor:
    """Starts programs, and ends them and removes their folder when it is left."""

    def __init__(self) -> None:
        self._programs: list[Program] = []
        with interrupts_wait():
            self.folder = Path(tempfile.mkdtemp(prefix="samara-demo-"))
            # For an interrupt between the end of the block and __exit__.
            atexit.register(self.clear)

    def start(self, *command: str, name: str = "") -> Program:
        """Start a program; it ends with this supervisor."""
        said = self.folder / f"said-{len(self._programs)}"
        with interrupts_wait():
            program = Program(command, name or command[0], said)
            self._programs.append(program)
        return program

    def samara(self, *arguments: str) -> Program:
        """Start a command of samara."""
        words = [word for word in arguments[:2] if not word.startswith("-")]
        name = " ".join(("samara", *words))
        return self.start(sys.executable, "-m", "samara.cli", *arguments, name=name)

    def clear(self) -> None:
        """End all programs, the last one first, and remove the folder."""
        with interrupts_wait():
            for program in reversed(self._programs):
                program.ask_to_end()
            deadline_s = time.monotonic() + _STOP_TIMEOUT_S
            for program in reversed(self._programs):
                program.end(deadline_s)
            self._programs.clear()
            shutil.rmtree(self.folder, ignore_errors=True)
            atexit.unregister(self.clear)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()
