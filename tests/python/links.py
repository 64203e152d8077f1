# SPDX-License-Identifier: Apache-2.0
"""Running media, modems and nodes as programs of their own."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import tempfile
import threading
import time
import tty
from typing import TYPE_CHECKING, Any, Self

import forks
from shell import PROGRAM, TIMEOUT_S, environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import TracebackType


class Running(forks.Popen):
    """`samara` as a program of its own, whose output goes to a file."""

    def __init__(
        self,
        folder: Path,
        *arguments: str | Path,
        program: Sequence[str | Path] = (PROGRAM,),
    ) -> None:
        # Into a pipe that nobody reads, a long message would not fit.
        self.output = tempfile.TemporaryFile()  # noqa: SIM115 - closed at exit
        super().__init__(
            [*program, *arguments],
            cwd=folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=subprocess.PIPE,
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()
        super().__exit__(kind, value, traceback)
        self.output.close()

    def next_message(self) -> str:
        """Wait for the next line on stderr."""
        assert self.stderr is not None
        return self.stderr.readline().decode()

    def interrupted_after(self, lines: int) -> list[dict[str, Any]]:
        """Wait for so many JSON lines, send Ctrl-C, and return all."""
        end_s = time.monotonic() + TIMEOUT_S
        while self.lines_so_far() < lines and time.monotonic() < end_s:
            time.sleep(0.05)
        self.send_signal(signal.SIGINT)
        return self.events()

    def lines_so_far(self) -> int:
        """Return how many lines it has written."""
        # Not by the file's own position, which the program shares.
        return os.pread(self.output.fileno(), 1 << 24, 0).count(b"\n")

    def ended(self) -> tuple[bytes, bytes]:
        """Wait for the end; return the output, and what else was told."""
        _, complaints = self.communicate(timeout=TIMEOUT_S)
        self.output.seek(0)
        return self.output.read(), complaints

    def events(self) -> list[dict[str, Any]]:
        """Wait for the end; return the JSON lines that were written."""
        return [json.loads(line) for line in self.ended()[0].splitlines()]


@contextlib.contextmanager
def medium(folder: Path, *arguments: str) -> Iterator[int]:
    """Run `samara medium` on a free port, and return that."""
    with Running(folder, "medium", "--port", "0", *arguments) as process:
        yield int(process.next_message().split("port ")[1].split(";")[0])


class Cable:
    """Two serial ports, joined."""

    def __init__(self) -> None:
        self._ends = [pty.openpty() for _ in range(2)]
        for end in self._ends:
            tty.setraw(end[1])
        self.ports = [os.ttyname(end[1]) for end in self._ends]
        self._threads = [
            threading.Thread(target=self._carry, args=pair, daemon=True)
            for pair in ((0, 1), (1, 0))
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for ours, theirs in self._ends:
            os.close(theirs)
            os.close(ours)

    def _carry(self, source: int, target: int) -> None:
        # Ends when the ports are closed.
        with contextlib.suppress(OSError):
            while data := os.read(self._ends[source][0], 4096):
                os.write(self._ends[target][0], data)


def listening(
    folder: Path, *arguments: str, program: Sequence[str | Path] = (PROGRAM,)
) -> Running:
    """Run `samara node listen --json`, and wait until it does."""
    words = ("node", "listen", "--json", *arguments)
    process = Running(folder, *words, program=program)
    message = process.next_message()
    if message.startswith("samara: warning: "):
        # Of a cipher for research.
        message = process.next_message()
    assert "listens" in message
    return process
