# SPDX-License-Identifier: Apache-2.0
"""Running media, modems and nodes as programs of their own."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import threading
import tty
from typing import TYPE_CHECKING, Any, Self

from shell import PROGRAM, TIMEOUT_S, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextlib.contextmanager
def running(
    folder: Path, *arguments: str | Path, given: bytes | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run `samara`, and kill it in the end if it still runs."""
    with subprocess.Popen(
        [PROGRAM, *arguments],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def told(process: subprocess.Popen[bytes]) -> str:
    """Wait for the next line on a program's stderr."""
    assert process.stderr is not None
    return process.stderr.readline().decode()


@contextlib.contextmanager
def medium(
    folder: Path, *arguments: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run `samara medium` on a free port; return it and the port."""
    with running(folder, "medium", "--port", "0", *arguments) as process:
        yield process, int(told(process).split("port ")[1].split(";")[0])


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
    folder: Path, *arguments: str
) -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
    """Run `samara node listen --json`."""
    return running(folder, "node", "listen", "--json", *arguments)


def events(process: subprocess.Popen[bytes]) -> list[dict[str, Any]]:
    """Wait for a program's end; return the JSON lines that it has written."""
    output, _ = process.communicate(timeout=TIMEOUT_S)
    return [json.loads(line) for line in output.splitlines()]
