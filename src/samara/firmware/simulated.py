# SPDX-License-Identifier: Apache-2.0
"""Copies of projects that run in a simulator, with keys of their own.

The record of a project is for a board: in a simulator, too, it would count from 0, and
nonces would repeat.
"""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from samara.errors import MisuseError
from samara.firmware.ends import make_boards, make_ends
from samara.firmware.project import HOST, RECORD, SIMULATED
from samara.firmware.templates import RECEIVER, SENSOR
from samara.locks import PathLock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.firmware.project import Project

MEMORY = "eeprom"
"""The file of key and counters of a simulated board."""


def _copied(project: Project, folder: Path) -> Project:
    """Return a copy of the project as it is now, without its keys."""
    folder.mkdir(mode=0o700, exist_ok=True)
    left_out = shutil.ignore_patterns(
        *(RECORD, HOST, SIMULATED, f"{SIMULATED}.lock", "*.elf", "build", ".pio")
    )
    # With their times: what has not changed is not built again.
    shutil.copytree(project.folder, folder, ignore=left_out, dirs_exist_ok=True)
    return replace(project, folder=folder)


@contextlib.contextmanager
def _reserved(project: Project) -> Iterator[Path]:
    """Give the place of a project's copy, which no other process uses meanwhile.

    Two boards with one memory would send different messages with the same number.
    """
    place = project.folder / SIMULATED
    try:
        lock = PathLock(place)
    except BlockingIOError:
        message = f"{project.folder} is simulated by another process: stop that first"
        raise MisuseError(message) from None
    with contextlib.closing(lock):
        yield place


@contextlib.contextmanager
def simulated(project: Project) -> Iterator[Project]:
    """Give a copy of the project as it is now, which has keys of its own.

    Raises
    ------
    MisuseError
        When another process uses it.
    """
    with _reserved(project) as place:
        copy = _copied(project, place)
        host = copy.folder / HOST
        if not host.exists():
            _forget(copy)
            make_ends(host, _record(copy), project.link, project.options)
        yield copy


@contextlib.contextmanager
def simulated_pair(
    sensor: Project, receiver: Project
) -> Iterator[tuple[Project, Project]]:
    """Give copies of both projects as they are now, with keys of their own.

    Raises
    ------
    MisuseError
        When the second receives nothing, or nothing of the first, or another process
        uses them.
    """
    _check_pair(sensor, receiver)
    with _reserved(receiver) as own:
        folder = own / sensor.name
        for each in (own, folder):
            each.mkdir(mode=0o700, exist_ok=True)
        copies = (
            _copied(sensor, folder / SENSOR),
            _copied(receiver, folder / RECEIVER),
        )
        first, second = map(_record, copies)
        if not (first.exists() and second.exists()):
            for copy in copies:
                _forget(copy)
            make_boards(first, second, sensor.link, sensor.options)
        yield copies


def _check_pair(sensor: Project, receiver: Project) -> None:
    if receiver.role != RECEIVER:
        message = (
            f"{receiver.folder} does not receive: give a project of"
            " samara firmware new --receiver"
        )
        raise MisuseError(message)
    for name in ("link", "suite", "packet_size"):
        ours, theirs = getattr(sensor, name), getattr(receiver, name)
        if ours != theirs:
            message = (
                f"{receiver.folder} has {name} {theirs}, and {sensor.folder} {ours}:"
                " make both by one samara firmware new --receiver"
            )
            raise MisuseError(message)


def _record(project: Project) -> Path:
    return project.folder / project.build.code / RECORD


def _forget(copy: Project) -> None:
    """Remove what an earlier start left that was cut off."""
    _record(copy).unlink(missing_ok=True)
    (copy.folder / MEMORY).unlink(missing_ok=True)
