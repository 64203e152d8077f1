# SPDX-License-Identifier: Apache-2.0
"""A serial port that cannot be opened is reported alike wherever one is opened."""

from __future__ import annotations

import errno
import os
import pty
from typing import TYPE_CHECKING

import pytest
import serial

from samara.bench.serial_boards.line import Line
from samara.errors import MisuseError
from samara.link.node.serial_port import SerialPort
from samara.link.rfserial.modules import measuring, programming
from samara.serial_ports import not_opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def measured(path: str) -> None:
    request = measuring.MeasureRequest(port=path, other=path)
    list(measuring.measure(request))


def programmed(path: str) -> None:
    with programming._opened(path, 9600):  # noqa: SLF001 - asks nobody
        pass


OPENERS: list[Callable[[str], object]] = [
    lambda path: SerialPort(path, 9600),
    lambda path: Line.opened(path, 9600),
    measured,
    programmed,
]


@pytest.fixture
def used() -> Iterator[str]:
    """Return a port that another program uses."""
    master, slave = pty.openpty()
    name = os.ttyname(slave)
    with serial.Serial(name, 9600, exclusive=True):
        yield name
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize("opened", OPENERS)
def test_why_a_port_cannot_be_opened(
    opened: Callable[[str], object], used: str, tmp_path: Path
) -> None:
    (tmp_path / "plain").write_bytes(b"")
    for path, reason in (
        (used, "another program uses it"),
        (str(tmp_path / "none"), "No such file or directory"),
        (str(tmp_path / "plain"), "it is no serial port"),
    ):
        with pytest.raises(MisuseError) as raised:
            opened(path)
        said = str(raised.value)
        assert said.startswith(f"the serial port {path} cannot be opened: {reason}")
        assert "Errno" not in said


def test_who_may_not_use_a_port_is_told_who_may() -> None:
    said = not_opened("/dev/null", serial.SerialException(errno.EACCES, "no"))
    assert said.endswith("opened: you may not use it; members of the group root may")
    said = not_opened("/none", serial.SerialException(errno.EACCES, "no"))
    assert said.endswith("members of the group dialout may")
