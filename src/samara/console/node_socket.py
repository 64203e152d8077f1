# SPDX-License-Identifier: Apache-2.0
"""The local socket of a node that stays up, for a loop of asyncio.

docs/nodes.md has the lines; `samara.link.node.local_lines` reads and writes them.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final, Self

from samara.link.node import local_lines, local_socket

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator
    from pathlib import Path

_CONNECT_S: Final = 5.0
_LINE_MAX = 1 << 22


class NodeEndedError(Exception):
    """The process that keeps the node up has ended, or does not run."""


class NodeSocket:
    """A connection to the process of a node: `async with await connected(...)`."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def connected(cls, folder: Path) -> Self:
        """Connect to the process that keeps the node of a directory up.

        Raises
        ------
        NodeEndedError
            When none does.
        """
        connecting = asyncio.create_task(
            asyncio.to_thread(local_socket.connected, folder, _CONNECT_S)
        )
        try:
            connection = await asyncio.shield(connecting)
        except asyncio.CancelledError:
            # The thread goes on, and may connect when nobody waits for that.
            connecting.add_done_callback(_close)
            raise
        if connection is None:
            message = f"no process keeps {folder.name} up"
            raise NodeEndedError(message)
        connection.setblocking(False)  # noqa: FBT003 - the standard library's
        streams = await asyncio.open_unix_connection(sock=connection, limit=_LINE_MAX)
        node = cls(*streams)
        try:
            # It says which format it speaks.
            await node.line()
        except BaseException:
            node.close()
            raise
        return node

    async def ask(self, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - as JSON has
        """Send a request, and return the line that answers it."""
        await self.tell(**fields)
        return await self.line()

    async def tell(self, **fields: Any) -> None:  # noqa: ANN401 - as JSON has
        """Send a line that is not answered."""
        try:
            self._writer.write(local_lines.line_of(fields))
            await self._writer.drain()
        except OSError:
            raise NodeEndedError from None

    async def line(self) -> dict[str, Any]:
        """Return the next line.

        Raises
        ------
        NodeEndedError
            When the process has ended.
        """
        try:
            line = await self._reader.readline()
        except (OSError, ValueError):
            line = b""
        if not line:
            raise NodeEndedError
        return local_lines.parse(line)

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """Listen, and yield each event; a message is taken when the next is asked for.

        Raises
        ------
        NodeEndedError
            When the process has ended.
        """
        await self.ask(type="listen", receipts=True, takes=True, count=None)
        while True:
            event = await self.line()
            yield event
            if event["type"] == "received":
                await self.tell(type="taken", ids=[event["id"]])

    async def __aenter__(self) -> Self:
        return self

    def close(self) -> None:
        """Close the connection, without waiting for that."""
        self._writer.close()

    async def __aexit__(self, *_: object) -> None:
        self.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


def _close(connecting: asyncio.Task[socket.socket | None]) -> None:
    if not connecting.cancelled() and connecting.exception() is None:
        connection = connecting.result()
        if connection is not None:
            connection.close()
