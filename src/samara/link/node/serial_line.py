# SPDX-License-Identifier: Apache-2.0
"""What is on its way out through a serial port: bounded, and never waited for blindly.

An operating system takes bytes for a serial port much faster than the line carries
them: a pseudo-terminal takes 64 KiB, more than a minute at 9600 baud. Whatever is
written then waits behind all of that, and a write ends in a time-out. Here the bytes
stay until it is their turn: no more than `AHEAD_S` of the line's time is given to the
system ahead of the line, and nothing is written that would have to wait.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import Final, Protocol

BITS_A_BYTE: Final = 10
"""Start, eight data bits, stop."""
AHEAD_S: Final = 0.5
"""How far writing is ahead of the line, in seconds of the line's time."""
STALL_S: Final = 10.0
"""After this long without a byte taken, a modem counts as gone."""
# As little is written at once as is worth a call.
_LEAST_BYTES: Final = 32


class StallError(Exception):
    """The port has taken no byte for `STALL_S`."""


class Port(Protocol):
    """What is needed of a serial port."""

    baudrate: int

    def fileno(self) -> int:
        """Return its descriptor."""
        ...


class Line:
    """The way out of a serial port.

    Parameters
    ----------
    port
        An open port that does not block.
    """

    def __init__(self, port: Port) -> None:
        self._port = port
        self._unwritten = bytearray()
        self._free_at_s = self._taken_at_s = time.monotonic()
        self._is_stalled = False

    @property
    def ready_s(self) -> float:
        """When all that was put will have been written, at the baud rate.

        By `time.monotonic`. The modem may be slower: ask again then.
        """
        if not self._unwritten:
            return 0.0
        behind_s = len(self._unwritten) * self.byte_s
        return max(self._free_at_s - AHEAD_S + behind_s, time.monotonic() + self.wait_s)

    @property
    def free_at_s(self) -> float:
        """When the line has carried all that was written, by `time.monotonic`."""
        return self._free_at_s

    @property
    def byte_s(self) -> float:
        """How long a byte is on the line, in seconds."""
        return BITS_A_BYTE / self._port.baudrate

    @property
    def unwritten(self) -> int:
        """How many bytes were put and not yet written."""
        return len(self._unwritten)

    def put(self, data: bytes) -> None:
        """Add bytes behind those that were put before, and write what can be."""
        if not self._unwritten and not self._is_stalled:
            self._taken_at_s = time.monotonic()
        self._unwritten += data
        self.work()

    def clear(self) -> None:
        """Drop what was put and not yet written."""
        self._unwritten.clear()

    def work(self) -> None:
        """Write what is due and fits.

        Raises
        ------
        StallError
            When the port has taken nothing for too long; what was put is dropped.
        OSError
            When the port is gone.
        """
        while size := min(self._due_bytes(), len(self._unwritten)):
            taken = 0
            with contextlib.suppress(BlockingIOError):
                taken = os.write(self._port.fileno(), self._unwritten[:size])
            if not taken:
                self._check_stall()
                return
            del self._unwritten[:taken]
            self._is_stalled = False
            now_s = self._taken_at_s = time.monotonic()
            self._free_at_s = max(self._free_at_s, now_s) + taken * self.byte_s

    def wait(self) -> None:
        """Wait until all is written; raises as `work` does."""
        while True:
            self.work()
            if not self._unwritten:
                return
            time.sleep(self.wait_s)

    def _due_bytes(self) -> int:
        """Return how many bytes may be given to the system now."""
        ahead_s = max(self._free_at_s - time.monotonic(), 0.0)
        room = int((AHEAD_S - ahead_s) / self.byte_s)
        return room if room >= min(_LEAST_BYTES, len(self._unwritten)) else 0

    @property
    def wait_s(self) -> float:
        """How long to wait before `work` is worth a call, in seconds."""
        least_s = min(_LEAST_BYTES, len(self._unwritten)) * self.byte_s
        due_s = self._free_at_s + least_s - AHEAD_S
        return min(max(due_s - time.monotonic(), 0.001), 0.1)

    def _check_stall(self) -> None:
        if time.monotonic() - self._taken_at_s > STALL_S:
            dropped = len(self._unwritten)
            self._unwritten.clear()
            # The next attempt finds out at once whether the modem is back.
            self._is_stalled = True
            message = f"it takes no bytes ({dropped} were dropped after {STALL_S:g} s)"
            raise StallError(message)
