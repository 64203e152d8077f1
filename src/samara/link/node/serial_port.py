# SPDX-License-Identifier: Apache-2.0
"""The serial port of a node, which is opened again after its device was gone.

The number of a pseudo-terminal is given to the next program that wants one, such as a
terminal in which somebody works. One is therefore opened again only by a link that
`samara modem` has reserved; a node at any other one ends with its modem.
"""

from __future__ import annotations

import os
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING

from samara import locks
from samara.extras import needed
from samara.link.node.link import LinkError
from samara.link.node.reachability import Reachability
from samara.link.node.serial_line import Line
from samara.serial_ports import not_opened

if TYPE_CHECKING:
    from collections.abc import Sequence

with needed("serial"):
    import serial

GONE = (OSError, termios.error)
"""What is raised when the modem is gone."""

_AGAIN_S = 1.0
_READ_SIZE = 65_536
_PSEUDO_TERMINALS = Path("/dev/pts")


class SerialPort:
    """A serial port that does not block, and the way out of it.

    Parameters
    ----------
    path
        None: it is not known yet.
    baud
        In bits a second.
    device
        What is at the port, in words.
    flow_control
        Whether the device says by CTS when it takes no more bytes.

    Raises
    ------
    LinkError
        When the port cannot be opened.
    """

    def __init__(
        self,
        path: str | None,
        baud: int,
        device: str = "modem",
        *,
        flow_control: bool = False,
    ) -> None:
        if path is None:
            message = "this node has no serial port yet: give --port"
            raise LinkError(message)
        self._path, self._baud, self._flow_control = path, baud, flow_control
        self._name = f"the {device} at {path}"
        self._reachability = Reachability(self._name)
        self._again_s = 0.0
        self.times_opened = 0
        """How often the port was opened, or tried to be: a device may be another."""
        try:
            self._port = self._opened()
        except (*GONE, ValueError) as error:
            raise LinkError(not_opened(path, error)) from None
        self._may_return = _is_lasting(Path(path))
        # What is waited for while there is no port.
        self._nothing = os.eventfd(0, os.EFD_CLOEXEC)
        self.out = Line(self._port)
        """The way out."""

    def _opened(self) -> serial.Serial:
        self.times_opened += 1
        return serial.Serial(
            self._path,
            self._baud,
            timeout=0,
            exclusive=True,
            rtscts=self._flow_control,
        )

    def fileno(self) -> int:
        """Return the descriptor that is readable when something has arrived."""
        return int(self._port.fileno()) if self._port.is_open else self._nothing

    @property
    def is_there(self) -> bool:
        """Whether the port is open."""
        return bool(self._port.is_open)

    def check(self) -> None:
        """Raise `LinkError` when the modem is away."""
        self.look()
        if not self._port.is_open:
            message = f"{self._name} is away: is it connected, or running?"
            raise LinkError(message)

    def look(self) -> None:
        """Open the port again, if the modem was away and it is time."""
        if self._port.is_open or time.monotonic() < self._again_s:
            return
        self._again_s = time.monotonic() + _AGAIN_S
        if not _is_lasting(Path(self._path)):
            return
        try:
            self._port = self._opened()
        except GONE:
            return
        self.out = Line(self._port)
        self._reachability.regained()

    def read(self) -> bytes:
        """Return what has arrived.

        Raises
        ------
        LinkError
            When the modem is gone, and cannot come back.
        """
        if not self._port.is_open:
            return b""
        try:
            return bytes(self._port.read(_READ_SIZE))
        except GONE as error:
            self.lose(error)
            return b""

    def drain(self) -> None:
        """Wait until the system has given all to the line; raises `GONE`."""
        self._port.flush()

    def lose(self, error: Exception) -> None:
        """Note that the modem is gone.

        Raises
        ------
        LinkError
            When it cannot come back.
        """
        if not self._may_return:
            raise self.explained(error)
        self._port.close()
        self.out.clear()
        self._reachability.lost(str(error))

    def explained(self, error: Exception) -> LinkError:
        """Return a failure of the port in words."""
        return LinkError(f"{self._name} does not answer: {error}")

    def notices(self) -> Sequence[str]:
        """Return what happened to the modem since the last call."""
        return self._reachability.notices()

    def close(self) -> None:
        """Let others use the port."""
        self._port.close()
        if self._nothing >= 0:
            os.close(self._nothing)
            self._nothing = -1


def _is_lasting(path: Path) -> bool:
    """Tell whether a path leads to nothing but a modem, also later."""
    if path.resolve().parent != _PSEUDO_TERMINALS:
        return True
    return path.is_symlink() and locks.is_held(path)
