# SPDX-License-Identifier: Apache-2.0
"""Runs the console until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import socket
from typing import TYPE_CHECKING, NamedTuple

import uvicorn

from samara.console.access import Access
from samara.console.answers.pool import Answers
from samara.console.api import PAGE, ConsoleParts, app_of
from samara.console.guard import Guard
from samara.console.laboratory import Laboratory
from samara.console.nodes import ShownNodes
from samara.console.requests import HOST
from samara.console.sessions import Sessions
from samara.errors import MisuseError
from samara.link.node import witness

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["PAGE", "bound", "default_folder", "serve"]
_PORTS_TRIED = 10
_PORT_LAST = 65_535


def default_folder() -> Path:
    """Return where conversations are kept when no directory is given.

    Raises
    ------
    samara.link.node.witness.WitnessError
        When the user has no home directory.
    """
    return witness.default_folder() / "console"


def bound(host: str, port: int) -> socket.socket:
    """Return a listening socket at a port, or at the next free one.

    Raises
    ------
    MisuseError
        When none of ten is free, or the host is not of this machine.
    """
    last = min(port + _PORTS_TRIED - 1, _PORT_LAST)
    for number in range(port, last + 1) if port else (0,):
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
        except OSError as error:
            listening.close()
            if error.errno == errno.EADDRINUSE:
                continue
            message = f"cannot listen on {host} port {number}: {error.strerror}"
            raise MisuseError(message) from None
        return listening
    message = f"ports {port} to {last} are taken: give another --port"
    raise MisuseError(message)


def serve(  # noqa: PLR0913 - the last ones by name
    folder: Path,
    host: str,
    port: int,
    tell_address: Callable[[str], None],
    *,
    nodes: Sequence[Path] = (),
    tell_taken: Callable[[int], None] | None = None,
    commands: str = "",
) -> None:
    """Serve the console until SIGINT or SIGTERM; then end all that it started.

    Parameters
    ----------
    nodes
        Directories of nodes to show.
    tell_taken
        Called with the port that is used when the one that was asked for is taken.
    commands
        As `samara.console.answers.pool.Answers` takes it.
    tell_address
        Called with the address for the first browser, and with another one whenever
        one was used.

    Raises
    ------
    MisuseError
        As `bound`; or a directory of a node is not there.
    """
    for each in nodes:
        if not each.is_dir():
            message = f"there is no directory {each}: give those of nodes, or none"
            raise MisuseError(message)
    with bound(host, port) as listening:
        used = listening.getsockname()[1]
        if tell_taken is not None and port not in (0, used):
            tell_taken(used)
        made = _Made(Sessions(folder), Laboratory(folder), commands, ShownNodes(nodes))
        asyncio.run(_serve(listening, made, host, tell_address))


class _Made(NamedTuple):
    """What a console is made of."""

    sessions: Sessions
    laboratory: Laboratory
    commands: str
    nodes: ShownNodes


async def _serve(
    listening: socket.socket,
    made: _Made,
    host: str,
    tell_address: Callable[[str], None],
) -> None:
    port = listening.getsockname()[1]
    access, answers = Access(), Answers(made.commands)
    names = {host, "localhost"} if host == HOST else {host}
    hosts = [f"{name}:{port}" for name in names]
    cookie = f"samara-{port}"
    shown = ConsoleParts(made.sessions, made.laboratory, answers, made.nodes)
    inner = app_of(shown, access, cookie)
    app = Guard(inner, access, hosts, cookie)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
    )
    # Ours, below, end the children first.
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    # A program that was killed does not read what is written to it: an error of that
    # program, not the end of the console. Its children get the signal's default.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    telling = asyncio.create_task(_tell(access, f"http://{host}:{port}", tell_address))
    getting_ready = asyncio.create_task(answers.get_ready())
    await asyncio.wait(
        {serving, asyncio.create_task(stop.wait())},
        return_when=asyncio.FIRST_COMPLETED,
    )
    telling.cancel()
    getting_ready.cancel()
    await asyncio.gather(
        made.sessions.close_all(),
        made.laboratory.close(),
        made.nodes.close(),
        answers.close(),
    )
    server.should_exit = True
    with contextlib.suppress(asyncio.CancelledError):
        await serving


async def _tell(access: Access, base: str, tell: Callable[[str], None]) -> None:
    """Tell an address, and the next one when that was used."""
    token = ""
    while True:
        if access.token != token:
            token = access.token
            tell(f"{base}/#{token}")
        await asyncio.sleep(0.2)
