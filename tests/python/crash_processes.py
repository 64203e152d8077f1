# SPDX-License-Identifier: Apache-2.0
"""Processes of nodes to kill: forks of one that has imported everything."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@contextlib.contextmanager
def own_folder() -> Iterator[Path]:
    """Yield a directory for nodes, in which their witnesses are, too."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = str(Path(folder) / "state")
        yield Path(folder)


@dataclass
class NodeProcess:
    """A process of a node, which runs until it is killed."""

    handle: int

    def kill(self) -> None:
        """Kill it, and wait until it is gone."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)
        select.select([self.handle], [], [])
        os.close(self.handle)


class ForkServer:
    """The process that those of nodes are forked from.

    Parameters
    ----------
    program
        Is run with `--fork-server`, and calls `serve` then.
    """

    def __init__(self, program: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, program, "--fork-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def start(self, order: Mapping[str, Any]) -> NodeProcess:
        """Start a process with these parameters."""
        orders, numbers = self._process.stdin, self._process.stdout
        assert orders is not None
        assert numbers is not None
        print(json.dumps(order), file=orders, flush=True)
        return NodeProcess(os.pidfd_open(int(numbers.readline())))


def serve(run: Callable[..., None]) -> None:
    """Start a process for each line of stdin; answer with its number."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            try:
                run(**order)
            finally:
                os._exit(1)
        print(pid, flush=True)
