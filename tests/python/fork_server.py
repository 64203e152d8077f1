# SPDX-License-Identifier: Apache-2.0
"""A process that has imported all commands, and becomes `samara` when it is asked to.

`forks` starts it, and asks over a socket. To import takes most of the time of a
command that is refused. What a copy of this process does from then on is what the
program does: `samara.cli.main` with arguments, streams, directory and variables of its
own, in a process that its caller waits for.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import signal
import socket
import sys
import threading
from typing import Any, NoReturn

STREAMS = 3
LENGTH_BYTES = 8
# What many commands import when they need it, and takes 0.2 s to 1 s of CPU time.
# jsonschema compiles a grammar when it is imported, if the package for that is there.
LATER = ("jsonschema", "matplotlib.figure", "scipy.signal", "sigmf")


def import_all() -> None:
    """Import what commands import when they are called."""
    from samara import cli  # noqa: PLC0415 - not in whoever imports this file

    for found in pkgutil.walk_packages(cli.__path__, "samara.cli."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    for name in LATER:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def serve(line: socket.socket) -> None:
    """Start programs until the other end of the socket is closed."""
    while request := received(line):
        # A child of a process that has ended belongs to the caller then: see `forks`.
        between = os.fork()
        if between == 0:
            child = os.fork()
            if child == 0:
                become(*request, line)
            line.sendall(child.to_bytes(LENGTH_BYTES, "big"))
            os._exit(0)
        os.waitpid(between, 0)
        line.sendall(b"\0")
        for stream in request[1]:
            os.close(stream)


def received(line: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Return a request and its streams; None at the end."""
    head, streams, _, _ = socket.recv_fds(line, LENGTH_BYTES, STREAMS)
    if not head:
        return None
    missing = int.from_bytes(head, "big")
    text = bytearray()
    while len(text) < missing:
        text += line.recv(missing - len(text))
    return json.loads(text), list(streams)


def become(
    request: dict[str, Any], streams: list[int], line: socket.socket
) -> NoReturn:
    """Be the program of a request."""
    line.close()
    if request["session"]:
        os.setsid()
    for wanted, given in enumerate(streams):
        os.dup2(given, wanted)
        os.close(given)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = request["words"]
    sys.stdin = sys.__stdin__ = _opened(0, "r", sys.stdin)  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = _opened(1, "w", sys.stdout)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _opened(2, "w", sys.stderr)  # type: ignore[misc]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from samara.cli import main  # noqa: PLC0415 - as the program does

    try:
        main()
    except SystemExit as end:
        _end(end)


def _end(end: SystemExit) -> NoReturn:
    """Do what Python does at its end, but for taking apart all that was imported."""
    if not isinstance(end.code, int):
        raise end
    threading._shutdown()  # type: ignore[attr-defined] # noqa: SLF001 - awaits threads
    atexit._run_exitfuncs()  # noqa: SLF001
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        # Python has words for it, and an exit code.
        raise end from None
    os._exit(end.code)


def _opened(number: int, mode: str, like: Any) -> io.TextIOWrapper:  # noqa: ANN401
    """Open a stream as Python does when it starts."""
    binary = open(number, f"{mode}b", closefd=False)  # noqa: SIM115 - to stay
    is_shown = number == STREAMS - 1 or os.isatty(number)
    return io.TextIOWrapper(
        binary,
        encoding=like.encoding,
        errors=like.errors,
        newline=None if mode == "r" else "\n",
        line_buffering=mode == "w" and is_shown,
    )


if __name__ == "__main__":
    import_all()
    # Copies share what nobody looks through.
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as opened:
        serve(opened)
