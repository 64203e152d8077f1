# SPDX-License-Identifier: Apache-2.0
"""Directories of nodes that were there before the console, and what it may do there.

Each is shown. The console starts the node of a directory that no process uses, and ends
what it has started itself; another process is somebody else's. A message goes through
the process that keeps the node up, whose ever that is. A directory of another user is
not touched: files that this user makes there would lock the owner out.
"""

from __future__ import annotations

import asyncio
import os
import pwd
from typing import TYPE_CHECKING, Final

from samara.console.conversation import RefusedError
from samara.console.node_records import NodeShown
from samara.console.node_socket import NodeEndedError, NodeSocket
from samara.console.programs import Program, started
from samara.errors import MisuseError
from samara.link.node.sending import RETRIES
from samara.link.node.status import status_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from samara.link.node.status import NodeStatus

_START_S: Final = 30.0
_SEND_S: Final = 20.0


class UnknownNodeError(Exception):
    """The console was given no such directory."""


class ShownNodes:
    """The directories that a console was given.

    Parameters
    ----------
    folders
        They are there.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._folders = tuple(folders)
        self._programs: dict[int, Program] = {}
        self._turns = [asyncio.Lock() for _ in self._folders]

    async def listed(self) -> list[NodeShown]:
        """Return what is known of each."""
        return [await self._shown(number) for number in range(len(self._folders))]

    async def start(self, number: int) -> str:
        """Keep a node up, as `samara node up` does; return a sentence.

        Raises
        ------
        RefusedError
            When a process keeps it up, or the directory is another user's.
        ProgramEndedError
            When it does not start.
        UnknownNodeError
            When there is no such directory.
        """
        folder = self._own(number)
        async with self._free_turn(number):
            status = await asyncio.to_thread(status_of, folder)
            if status.in_use:
                pid = f"process {status.service.pid}" if status.service else "a process"
                message = f"{pid} uses {folder.name} already"
                raise RefusedError(message)
            words = ["node", "up", str(folder)]
            program = await started(folder.name, words, _nobody)
            self._programs[number] = program
            await program.wait_for_words(" is up;", _START_S)
        return f"{folder.name} is up; it ends with this console."

    async def end(self, number: int, *, kills: bool = False) -> str:
        """End the process of a node that this console has started; return a sentence.

        Parameters
        ----------
        kills
            Whether at once, as by a loss of power.

        Raises
        ------
        RefusedError
            When it has started none that runs.
        UnknownNodeError
            When there is no such directory.
        """
        folder = self._own(number)
        program = self._programs.get(number)
        if program is None or not program.is_running:
            message = (
                f"this console has not started {folder.name}, and ends only what it has"
                " started itself"
            )
            raise RefusedError(message)
        async with self._free_turn(number):
            await (program.kill() if kills else program.end())
        how = "was killed: it could store nothing more" if kills else "has ended"
        return f"The process of {folder.name} {how}."

    async def send(self, number: int, text: str, *, acknowledged: bool) -> str:
        """Send a message of a node that is up; return what became of it.

        Raises
        ------
        RefusedError
            When no process keeps it up, it does not answer, or cannot send.
        UnknownNodeError
            When there is no such directory.
        """
        folder = self._own(number)
        try:
            async with (
                asyncio.timeout(_SEND_S),
                await NodeSocket.connected(folder) as node,
            ):
                answer = await node.ask(
                    type="send",
                    hex=text.encode().hex(),
                    to=None,
                    acknowledged=acknowledged,
                    retries=RETRIES,
                )
        except NodeEndedError:
            message = f"no process keeps {folder.name} up: start it first"
            raise RefusedError(message) from None
        except TimeoutError:
            message = f"{folder.name} has not answered for {_SEND_S:g} s"
            raise RefusedError(message) from None
        if answer["type"] != "sent":
            raise RefusedError(answer["text"])
        if not acknowledged:
            return "Sent."
        return "Acknowledged." if answer["acknowledged"] else "Not acknowledged."

    async def close(self) -> None:
        """End all processes that this console has started."""
        await asyncio.gather(*(each.end() for each in self._programs.values()))

    async def _shown(self, number: int) -> NodeShown:
        folder, program = self._folders[number], self._programs.get(number)
        status, reason = await asyncio.to_thread(_known, folder)
        runs = program is not None and program.is_running
        words = () if program is None or runs else tuple(program.last_words)
        return NodeShown(number, str(folder), status, reason, runs, words)

    def _own(self, number: int) -> Path:
        """Return a directory, which this user owns."""
        if not 0 <= number < len(self._folders):
            message = f"this console shows no directory with the number {number}"
            raise UnknownNodeError(message)
        folder = self._folders[number]
        if reason := _why_not_ours(folder):
            raise RefusedError(reason)
        return folder

    def _free_turn(self, number: int) -> asyncio.Lock:
        if self._turns[number].locked():
            message = "something else is happening: wait until it has"
            raise RefusedError(message)
        return self._turns[number]


def _known(folder: Path) -> tuple[NodeStatus | None, str]:
    """Return the status of a node, or why there is none."""
    if reason := _why_not_ours(folder):
        return None, reason
    try:
        return status_of(folder), ""
    except (MisuseError, OSError) as error:
        return None, str(error)


def _why_not_ours(folder: Path) -> str:
    """Return why a directory is not touched; empty when it is this user's."""
    try:
        owner = folder.stat().st_uid
    except OSError as error:
        return f"{folder} cannot be read: {error.strerror}"
    if owner == os.geteuid():
        return ""
    try:
        name = pwd.getpwuid(owner).pw_name
    except KeyError:
        name = str(owner)
    return f"{folder} belongs to the user {name}: only a console of that user shows it"


def _nobody(_: Program) -> None:
    """Tell nobody: the list says it."""
