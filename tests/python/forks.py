# SPDX-License-Identifier: Apache-2.0
"""Starting `samara` as a copy of a process that has imported it (`fork_server`).

Such a copy is a child of this process as any other, with streams, a directory and an
environment of its own. With SAMARA_TEST_FORKS=no in the environment, which ./test --all
sets, every program starts from nothing.
"""

from __future__ import annotations

import atexit
import ctypes
import inspect
import json
import os
import socket
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fork_server

if TYPE_CHECKING:
    from collections.abc import Mapping

PROGRAM = Path(sys.executable).parent / "samara"
# What Python, the libraries of C and samara read when they start, or once.
_READ_AT_START = (
    "SAMARA_ROOT",
    "PYTHON",
    "LC_",
    "LANG",
    "LD_",
    "MALLOC_",
    "OPENBLAS_",
    "OMP_",
)
AT_IMPORT = dict(os.environ)
"""Before any test has changed it."""
_SET_CHILD_SUBREAPER = 36
_STARTS = subprocess.Popen._execute_child  # type: ignore[attr-defined] # noqa: SLF001
_NAMES = tuple(inspect.signature(_STARTS).parameters)[1:]
"""Names of what subprocess gives to the method that starts a program."""
_USUAL = {
    "executable": None,
    "preexec_fn": None,
    "close_fds": True,
    "pass_fds": (),
    "shell": False,
    "gid": None,
    "uid": None,
    "umask": -1,
    "process_group": -1,
}
_PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")


class Popen(subprocess.Popen[bytes]):
    """subprocess's, for which `samara` need not be imported again."""

    def _execute_child(self, *given: Any) -> None:  # noqa: ANN401 - as it is called
        named = dict(zip(_NAMES, given, strict=True))
        if not _can_fork(named):
            super()._execute_child(*given)  # type: ignore[misc]
            return
        streams = [named["p2cread"], named["c2pwrite"], named["errwrite"]]
        self.pid = _server().started(
            {
                "words": _words(named["args"]),
                "folder": str(Path(named["cwd"] or ".").absolute()),
                "environment": _environment(named),
                "session": named["start_new_session"],
            },
            [number if at == -1 else at for number, at in enumerate(streams)],
        )
        self._child_created = True
        self._close_pipe_fds(*(named[name] for name in _PIPES))  # type: ignore[attr-defined]


def _can_fork(named: Mapping[str, Any]) -> bool:
    """Return whether a program is `samara`, as it is usually started."""
    words = _words(named["args"])
    return (
        os.environ.get("SAMARA_TEST_FORKS") != "no"
        and Path(words[0]) == PROGRAM
        and all(named[name] == value for name, value in _USUAL.items())
        and read_at_start(_environment(named)) == _server().read_at_start
    )


def _words(arguments: Any) -> list[str]:  # noqa: ANN401 - what subprocess takes
    is_one = isinstance(arguments, str | bytes | os.PathLike)
    return [os.fsdecode(word) for word in ([arguments] if is_one else arguments)]


def _environment(named: Mapping[str, Any]) -> dict[str, str]:
    given = os.environ if named["env"] is None else named["env"]
    return {os.fsdecode(name): os.fsdecode(value) for name, value in given.items()}


def read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a process cannot take after it has begun."""
    return {n: v for n, v in environment.items() if n.startswith(_READ_AT_START)}


class _Server:
    """The process that is copied, with a socket to it."""

    def __init__(self) -> None:
        self.read_at_start = read_at_start(AT_IMPORT)
        self._lock = threading.Lock()
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._line, theirs = socket.socketpair()
        with theirs:
            self._program = subprocess.Popen(
                [sys.executable, fork_server.__file__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=AT_IMPORT,
            )
        atexit.register(self._end)

    def _end(self) -> None:
        self._line.close()
        self._program.wait()

    def started(self, request: Mapping[str, Any], streams: list[int]) -> int:
        """Return the number of the process that a request has started."""
        text = json.dumps(request).encode()
        size = len(text).to_bytes(fork_server.LENGTH_BYTES, "big")
        with self._lock:
            # The server's grandchild, whose parent has ended, is adopted here.
            self._adopt(1)
            socket.send_fds(self._line, [size], streams)
            self._line.sendall(text)
            number = self._line.recv(fork_server.LENGTH_BYTES, socket.MSG_WAITALL)
            assert self._line.recv(1) == b"\0", "the server of copies has ended"
            self._adopt(0)
        return int.from_bytes(number, "big")

    def _adopt(self, wanted: int) -> None:
        assert self._libc.prctl(_SET_CHILD_SUBREAPER, wanted, 0, 0, 0) == 0


@cache
def _server() -> _Server:
    return _Server()
