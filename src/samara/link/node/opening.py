# SPDX-License-Identifier: Apache-2.0
"""The node of a directory: of the process that keeps it up, or opened here."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from samara.errors import MisuseError
from samara.link.node import networks
from samara.link.node.local_client import RemoteNode
from samara.link.node.node import Node
from samara.records.parameters import spelled


def opened(
    folder: Path,
    link_options: Mapping[str, Any],
    *,
    receipts: bool = True,
    count: int | None = None,
    takes: bool = True,
) -> Node | RemoteNode:
    """Return the node of the process that keeps it up, or else open it here."""
    remote = RemoteNode.of(folder)
    if remote is None:
        if takes:
            return Node(folder, link_options)
        message = (
            f"--observe is for a node that `samara node up` keeps up, and no process "
            f"keeps {folder} up: start it, or leave --observe out"
        )
        raise MisuseError(message)
    remote.receipts, remote.count, remote.takes = receipts, count, takes
    if link_options:
        remote.close()
        message = (
            f"{folder} is kept up by `samara node up`: give "
            f"{spelled(min(link_options))} there, not here"
        )
        raise MisuseError(message)
    return remote


@contextlib.contextmanager
def members(folder: Path) -> Iterator[networks.Members | RemoteNode]:
    """Return what changes neighbours: the process that keeps a node up, or this one."""
    remote = RemoteNode.of(folder)
    if remote is None:
        with networks.members(folder) as of:
            yield of
    else:
        with remote:
            yield remote


def refuse_if_up(folder: Path, what: str) -> None:
    """Refuse what changes the files of a node that a process keeps up.

    Raises
    ------
    MisuseError
        When one does.
    """
    if (remote := RemoteNode.of(folder)) is not None:
        remote.close()
        message = (
            f"{what} changes the files of a node that is at rest: stop the `samara "
            f"node up` of {folder} first"
        )
        raise MisuseError(message)
