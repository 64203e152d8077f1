# SPDX-License-Identifier: Apache-2.0
"""What carries the messages of simulated boards, by kind of link."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.firmware.project import BAUD, SERIAL

if TYPE_CHECKING:
    from pathlib import Path

    from samara.demo.processes import Program, Supervisor
    from samara.firmware.project import Project

START_S = 30.0
"""What a program gets to begin."""
_PORT = re.compile(r"127\.0\.0\.1 port (\d+)")


@dataclass(frozen=True, slots=True)
class Air:
    """A pair of modems, or a medium, that runs."""

    program: Program
    board: str
    """Where a board sends to."""
    node: tuple[str, ...]
    """Options of the node that hears it."""
    title: str
    """What takes bytes of the board."""


def air(supervisor: Supervisor, project: Project) -> Air:
    """Start what the link of a project needs, and return it when it runs."""
    return (
        _modems(supervisor, project) if project.link == SERIAL else _medium(supervisor)
    )


def host_port(supervisor: Supervisor) -> Path:
    """Return the port of the second modem."""
    return supervisor.folder / "host"


def _modems(supervisor: Supervisor, project: Project) -> Air:
    board, host = supervisor.folder / "device", host_port(supervisor)
    modem = supervisor.samara(
        *("modem", "--json", "--baud", str(BAUD)),
        *("--packet-size", str(project.packet_size)),
        *("--link-a", str(board), "--link-b", str(host)),
    )
    modem.line(START_S)
    words = ("--port", str(host), "--baud", str(BAUD))
    return Air(modem, str(board), words, "the modem")


def _medium(supervisor: Supervisor) -> Air:
    medium = supervisor.samara("medium", "--port", "0", "--json")
    medium.wait_for_words("press Ctrl-C", START_S)
    found = _PORT.search(medium.said())
    assert found is not None  # noqa: S101 - the medium has just told it
    port = found[1]
    return Air(medium, f"zep:{port}", ("--medium", f"127.0.0.1:{port}"), "the radio")
