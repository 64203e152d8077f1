# SPDX-License-Identifier: Apache-2.0
"""The local socket of a node that stays up: a file in the directory of the node.

Only the owner of the directory can connect. The path of such a socket has at most 107
bytes; a longer one is reached through the descriptor of its directory.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import struct
from typing import TYPE_CHECKING, Final

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME: Final = "socket"
"""Its file in the directory of the node."""

_PATH_MAX: Final = 107
_BACKLOG: Final = 16
_CREDENTIALS = struct.Struct("iII")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class LocalError(MisuseError):
    """The local socket of a node cannot be used."""


def bound(folder: Path) -> socket.socket:
    """Return the listening socket of a node, whose state this process has locked.

    A file that was left by a process that was killed is replaced.

    Raises
    ------
    LocalError
        When it cannot be made, or others have access to the directory.
    """
    if folder.stat().st_mode & _OTHERS:
        message = f"others than its owner have access to {folder}; chmod 700 it"
        raise LocalError(message)
    (folder / NAME).unlink(missing_ok=True)
    listening = _made()
    try:
        # Without a moment in which others could connect.
        before = os.umask(0o177)
        try:
            with _address(folder) as address:
                listening.bind(address)
        finally:
            os.umask(before)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        message = f"the socket {folder / NAME} cannot be made: {error.strerror}"
        raise LocalError(message) from None
    listening.settimeout(0)
    return listening


def removed(folder: Path) -> None:
    """Remove the file of the socket, before the state of the node is unlocked."""
    (folder / NAME).unlink(missing_ok=True)


def connected(folder: Path, timeout_s: float) -> socket.socket | None:
    """Return a connection to the process that keeps a node up; None if none does.

    Raises
    ------
    LocalError
        When it cannot be reached.
    """
    connection = _made()
    try:
        connection.settimeout(timeout_s)
        with _address(folder) as address:
            connection.connect(address)
    except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
        connection.close()
        return None
    except OSError as error:
        connection.close()
        message = f"the socket {folder / NAME} cannot be used: {error.strerror}"
        raise LocalError(message) from None
    return connection


def is_allowed(connection: socket.socket) -> bool:
    """Whether the other process belongs to the same user, or to root."""
    credentials = connection.getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size
    )
    _, user, _ = _CREDENTIALS.unpack(credentials)
    return user in (os.geteuid(), 0)


def _made() -> socket.socket:
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)


@contextlib.contextmanager
def _address(folder: Path) -> Iterator[bytes]:
    """Give the path of the socket, as short as it must be."""
    path = os.fsencode(folder / NAME)
    if len(path) <= _PATH_MAX:
        yield path
        return
    directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield os.fsencode(f"/proc/self/fd/{directory}/{NAME}")
    finally:
        os.close(directory)
