# SPDX-License-Identifier: Apache-2.0
"""The serial line to the measuring program on a board: firmware/measure/board/board.c.

What the other end sends is not trusted: an answer counts if its CRC is right.
"""

from __future__ import annotations

import binascii
import struct
import time
from typing import TYPE_CHECKING, Protocol, Self

from samara.errors import MisuseError
from samara.extras import needed
from samara.serial_ports import not_opened

if TYPE_CHECKING:
    from collections.abc import Callable

PAYLOAD_MAX = 64
_BEGIN_REQUEST, _BEGIN_ANSWER = 0xA5, 0x5A
_CRC_INITIAL = 0xFFFF
_HEAD, _CRC = 2, 2
_NUMBER_SIZE = 4
_READ_SIZE = 256
_PATIENCE_S = 1.0
_TRIES = 3
_START_S = 8.0
"""How long a board may take until it answers: a boot loader comes first."""
_AGAIN_S = 0.5


class BoardError(Exception):
    """The board does not answer, or not as the measuring program does."""


class Stream(Protocol):
    """A serial port: reading returns what came within some milliseconds."""

    def read(self, size: int, /) -> bytes:
        """Return what came."""
        ...

    def write(self, data: bytes, /) -> int | None:
        """Send bytes."""
        ...

    def close(self) -> None:
        """End."""
        ...


def framed(begin: int, command: int, payload: bytes) -> bytes:
    """Return a request or an answer as it is on the line."""
    body = bytes((command, len(payload))) + payload
    crc = binascii.crc_hqx(body, _CRC_INITIAL)
    return bytes((begin,)) + body + crc.to_bytes(_CRC, "big")


def answer_in(came: bytearray) -> tuple[int, bytes] | None:
    """Take the first answer out of what came, with all that is before it.

    None: there is none yet, and what may become one is left.
    """
    while (start := came.find(_BEGIN_ANSWER)) >= 0:
        del came[:start]
        if len(came) < 1 + _HEAD:
            return None
        command, size = came[1], came[2]
        end = 1 + _HEAD + size + _CRC
        if size <= PAYLOAD_MAX:
            if len(came) < end:
                return None
            payload = bytes(came[1 + _HEAD : end - _CRC])
            if bytes(came[:end]) == framed(_BEGIN_ANSWER, command, payload):
                del came[:end]
                return command, payload
        # Not the beginning of an answer.
        del came[:1]
    came.clear()
    return None


class Line:
    """A board with the measuring program, at a serial port."""

    def __init__(
        self, port: Stream, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._port, self._clock = port, clock
        self._came = bytearray()
        self.count = 0
        """Bytes that came."""

    @classmethod
    def opened(cls, path: str, baud: int) -> Self:
        """Open a serial port.

        Raises
        ------
        MisuseError
            If there is none, or another program has it.
        """
        with needed("serial"):
            import serial  # noqa: PLC0415 - late
        try:
            return cls(serial.Serial(path, baud, timeout=0.02, exclusive=True))
        except (OSError, ValueError) as error:
            message = (
                f"{not_opened(path, error)}; give the board's by --port, such as "
                "/dev/ttyACM0"
            )
            raise MisuseError(message) from None

    def greet(self) -> bytes:
        """Return what the program tells of itself, when it has started.

        Raises
        ------
        BoardError
            If it does not answer; the text says whether anything came.
        """
        end = self._clock() + _START_S
        while self._clock() < end:
            self._send("i", b"")
            found = self._answer(_AGAIN_S)
            if found is not None and found[0] == ord("i"):
                return found[1]
        if self.count:
            message = (
                f"the board sent {self.count} bytes, and no answer among them: its"
                " program is another one, or --baud is not the rate that it was"
                " built with"
            )
        else:
            message = (
                "the board is silent: write the measuring program to it, and see that"
                " --port is its port"
            )
        raise BoardError(message)

    def ask(
        self, command: str, payload: bytes = b"", patience_s: float = _PATIENCE_S
    ) -> bytes:
        """Send a request and return the answer; what was damaged is sent again.

        Raises
        ------
        BoardError
            If there is no answer.
        """
        for _ in range(_TRIES):
            self._send(command, payload)
            found = self._answer(patience_s)
            if found is not None and found[0] == ord(command):
                return found[1]
            if found is None and command == "g":
                # It may be at work still: a second request would start it again.
                break
        message = f"the board did not answer within {patience_s:.3g} s: is it running?"
        raise BoardError(message)

    def _send(self, command: str, payload: bytes) -> None:
        self._came.clear()
        try:
            self._port.write(framed(_BEGIN_REQUEST, ord(command), payload))
        except OSError as error:
            raise _gone(error) from None

    def _answer(self, patience_s: float) -> tuple[int, bytes] | None:
        end = self._clock() + patience_s
        while self._clock() < end:
            try:
                read = self._port.read(_READ_SIZE)
            except OSError as error:
                raise _gone(error) from None
            self.count += len(read)
            self._came += read
            if found := answer_in(self._came):
                return found
        return None

    def close(self) -> None:
        """Close the port."""
        self._port.close()


def _gone(error: OSError) -> BoardError:
    return BoardError(f"the serial port is gone: {error.strerror or error}")


def number(value: int) -> bytes:
    """Return an address or count as it is on the line."""
    return struct.pack("<I", value)


def numbers(payload: bytes, count: int) -> tuple[int, ...]:
    """Return addresses or counts.

    Raises
    ------
    BoardError
        If they are more or fewer.
    """
    size = _NUMBER_SIZE * count
    if len(payload) != size:
        message = f"the board answered with {len(payload)} bytes, not {size}"
        raise BoardError(message)
    return struct.unpack(f"<{count}I", payload)
