# SPDX-License-Identifier: Apache-2.0
"""The wires of a board that receives: from its modem, and to its display."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import time
import tty
from pathlib import Path
from typing import TYPE_CHECKING

from samara.demo.processes import ProgramError

if TYPE_CHECKING:
    from collections.abc import Iterator

_BYTES = 4096
_LONGEST_LINE = 1024
"""A board that never ends its line is cut here."""


class Wire:
    """Carries what a modem hears to a board, and lines of the board to us.

    Parameters
    ----------
    modem
        Descriptor of the port of the modem.
    board
        Descriptor of our end of the board's serial port.
    port
        The port of the board.
    """

    def __init__(self, modem: int, board: int, port: Path) -> None:
        self._modem, self._board = modem, board
        self.port = port
        self._line = b""

    def carry(self, wait_s: float) -> list[bytes]:
        """Wait for bytes of either end, carry them, and return lines of the board.

        Raises
        ------
        ProgramError
            When the port of the modem is gone.
        """
        ready, _, _ = select.select([self._modem, self._board], [], [], wait_s)
        if self._modem in ready:
            os.write(self._board, self._heard())
        return self._lines() if self._board in ready else []

    def _heard(self) -> bytes:
        try:
            heard = os.read(self._modem, _BYTES)
        except OSError:
            heard = b""
        if not heard:
            message = "samara modem ended, and its port is gone: run it again"
            raise ProgramError(message)
        return heard

    def rest(self, silence_s: float, longest_s: float) -> Iterator[bytes]:
        """Yield lines until there were none for so long."""
        now = time.monotonic()
        end_s, silent_s = now + longest_s, now + silence_s
        while (now := time.monotonic()) < min(end_s, silent_s):
            if lines := self.carry(silence_s):
                silent_s = now + silence_s
                yield from lines

    def _lines(self) -> list[bytes]:
        *lines, self._line = (self._line + os.read(self._board, _BYTES)).split(b"\n")
        if len(self._line) > _LONGEST_LINE:
            lines, self._line = [*lines, self._line], b""
        return [line.removesuffix(b"\r") for line in lines]


@contextlib.contextmanager
def wired(modem: Path) -> Iterator[Wire]:
    """Open the port of a modem, and make one for a board beside it."""
    with contextlib.ExitStack() as stack:
        port = os.open(modem, os.O_RDWR | os.O_NOCTTY)
        stack.callback(os.close, port)
        tty.setraw(port)
        board, far = pty.openpty()
        for each in (board, far):
            stack.callback(os.close, each)
        tty.setraw(far)
        yield Wire(port, board, Path(os.ttyname(far)))
