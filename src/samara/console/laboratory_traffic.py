# SPDX-License-Identifier: Apache-2.0
"""Programs of others that send something through a laboratory: ping, CoAP and TFTP."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from samara import children
from samara.console.laboratory_records import TrafficEnded
from samara.console.programs import ProgramEndedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_LONGEST_S: Final = 20.0
_SERVER_S: Final = 0.3
_SAID_MAX: Final = 300
_FILE: Final = "reading"
_CONTENT: Final = "21.5 C at noon, 19.0 C at dusk, 12.5 C at night. " * 4


@dataclass(frozen=True, slots=True)
class Traffic:
    """A program that asks, and the one that answers."""

    label: str
    client: Callable[[str, Path], Sequence[str]]
    """Its command, from the address of the other node and a directory."""
    server: Callable[[str, Path], Sequence[str]] | None = None


def _ping(address: str, _: Path) -> Sequence[str]:
    return ["ping", "-c", "3", "-i", "0.5", "-W", "3", address]


def _coap_get(address: str, _: Path) -> Sequence[str]:
    return ["coap-client-notls", "-B", "10", f"coap://[{address}]/time"]


def _coap_server(address: str, _: Path) -> Sequence[str]:
    return ["coap-server-notls", "-A", address]


def _tftp_get(address: str, folder: Path) -> Sequence[str]:
    got = str(folder / "got")
    return ["tftp", "-6", "-m", "octet", address, "-c", "get", _FILE, got]


def _tftp_server(address: str, folder: Path) -> Sequence[str]:
    options = ["--foreground", "--user", "root", "--ipv6", "--secure"]
    return ["in.tftpd", *options, "--address", f"[{address}]:69", str(folder)]


TRAFFIC: Final[Mapping[str, Traffic]] = {
    "ping": Traffic("ping, three times", _ping),
    "coap": Traffic("CoAP GET", _coap_get, _coap_server),
    "tftp": Traffic("TFTP get", _tftp_get, _tftp_server),
}
"""What can be sent, by name."""


async def carried(
    name: str, source: Mapping[str, Any], destination: Mapping[str, Any]
) -> TrafficEnded:
    """Let a program at a node ask another node; return what came of it.

    Parameters
    ----------
    source, destination
        Nodes as `samara ip lab` has printed them.

    Raises
    ------
    ProgramEndedError
        When a program is not installed.
    """
    traffic = TRAFFIC[name]
    with tempfile.TemporaryDirectory(prefix="samara-console-") as made:
        folder, address = Path(made), str(destination["address"])
        (folder / _FILE).write_text(_CONTENT, encoding="ascii")
        client = traffic.client(address, folder)
        async with contextlib.AsyncExitStack() as stack:
            if traffic.server is not None:
                server = await _started(destination, traffic.server(address, folder))
                stack.push_async_callback(_ended, server)
                await asyncio.sleep(_SERVER_S)
            process = await _started(source, client)
            stack.push_async_callback(_ended, process)
            said, is_in_time = await _heard(process)
        if name == "tftp":
            # It ends with 0 whatever came of it.
            got = folder / "got"
            size = got.stat().st_size if got.exists() else 0
            succeeded = size == len(_CONTENT)
            said = said or f"{size} of {len(_CONTENT)} bytes arrived."
        else:
            succeeded = process.returncode == 0 and bool(said)
    if not is_in_time:
        succeeded, said = False, f"No answer within {_LONGEST_S:g} s."
    return TrafficEnded(
        client[0], str(source["node"]), str(destination["node"]), succeeded, said
    )


async def _started(
    node: Mapping[str, Any], command: Sequence[str]
) -> asyncio.subprocess.Process:
    if shutil.which(command[0]) is None:
        message = f"the program {command[0]} is not installed on this machine"
        raise ProgramEndedError(message)
    there = ("nsenter", "--net", "--target", str(node["pid"]))
    return await asyncio.create_subprocess_exec(
        *children.tied([*there, *command], "TERM"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )


async def _heard(process: asyncio.subprocess.Process) -> tuple[str, bool]:
    """Return the end of what a program said, and whether it ended in time."""
    try:
        async with asyncio.timeout(_LONGEST_S):
            said, _ = await process.communicate()
    except TimeoutError:
        return "", False
    return said.decode(errors="replace").strip()[-_SAID_MAX:], True


async def _ended(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
