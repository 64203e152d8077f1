# SPDX-License-Identifier: Apache-2.0
"""Frames of XBee modules in API mode (AP = 1), or with escaped bytes (AP = 2).

Source: XBee user guides of Digi, chapter "API operation". A frame is a delimiter, two
bytes of length, its data, and a check byte that makes the sum of the data 0xFF.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from samara.link.rfserial.modules.wrapping import Session, Wrapping

if TYPE_CHECKING:
    from collections.abc import Mapping

DELIMITER, _ESCAPE, _ESCAPED_XOR = 0x7E, 0x7D, 0x20
_SPECIAL = frozenset((DELIMITER, _ESCAPE, 0x11, 0x13))
SIZE_MAX: Final = 1024
"""Bytes of the data of a frame, at most; modules send far fewer."""
_TRANSMIT, _TRANSMIT_64, STATUS, _STATUS_64 = 0x10, 0x00, 0x8B, 0x89
_RECEIVED: Final = {0x90: 12, 0x80: 11, 0x81: 5}
"""Types of frames that bring a packet, and the bytes in front of it."""
_NO_16_BIT_ADDRESS = b"\xff\xfe"
_ADDRESS_SIZE = 8
_IDS = 255
_HEAD_SIZE, _SUM = 3, 0xFF


def framed(data: bytes, *, is_escaped: bool = False) -> bytes:
    r"""Return a frame on the line.

    >>> framed(b"\x08\x01NJ").hex(" ")
    '7e 00 04 08 01 4e 4a 5e'
    """
    check = _SUM - sum(data) % 0x100
    rest = len(data).to_bytes(2, "big") + data + bytes((check,))
    if is_escaped:
        rest = b"".join(
            bytes((_ESCAPE, byte ^ _ESCAPED_XOR))
            if byte in _SPECIAL
            else bytes((byte,))
            for byte in rest
        )
    return bytes((DELIMITER,)) + rest


def _escaped(byte: int) -> bytes:
    if byte in _SPECIAL:
        return bytes((_ESCAPE, byte ^ _ESCAPED_XOR))
    return bytes((byte,))


class Decoder:
    """Finds frames in the bytes of a line; what is damaged is counted and dropped."""

    def __init__(self, *, is_escaped: bool) -> None:
        self._is_escaped = is_escaped
        self._kept = bytearray()
        self._is_after_escape = False
        self.damaged = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Return the data of the frames that end in these bytes."""
        found = []
        for byte in data:
            if self._add(byte):
                found += self._found()
        return found

    def _add(self, byte: int) -> bool:
        """Keep a byte; tell whether a frame may have ended."""
        if not self._is_escaped:
            self._kept.append(byte)
            return True
        if byte == DELIMITER:
            # It is in no frame: what was before it has not ended.
            self.damaged += bool(self._kept)
            self._kept[:] = bytes((byte,))
            self._is_after_escape = False
        elif byte == _ESCAPE:
            self._is_after_escape = True
        else:
            self._kept.append(byte ^ (_ESCAPED_XOR if self._is_after_escape else 0))
            self._is_after_escape = False
        return byte not in (DELIMITER, _ESCAPE)

    def _found(self) -> list[bytes]:
        """Return the frames in what is kept, and keep what may become one."""
        found, kept = [], self._kept
        while kept:
            start = kept.find(DELIMITER)
            del kept[: start if start >= 0 else len(kept)]
            if len(kept) < _HEAD_SIZE:
                break
            size = int.from_bytes(kept[1:_HEAD_SIZE], "big")
            end = _HEAD_SIZE + size + 1
            if 0 < size <= SIZE_MAX and len(kept) < end:
                break
            data = bytes(kept[_HEAD_SIZE : end - 1])
            if 0 < size <= SIZE_MAX and sum(kept[_HEAD_SIZE:end]) % 0x100 == _SUM:
                found.append(data)
                del kept[:end]
            else:
                self.damaged += 1
                # Escaped, only the line's own delimiters begin frames.
                del kept[: len(kept) if self._is_escaped else 1]
        return found


class _XBee(Session):
    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__()
        self._is_escaped = _choice(options, "escaped", ("no", "yes")) == "yes"
        self._is_16_bit = _choice(options, "frames", ("zigbee", "802.15.4")) == "zigbee"
        self._address = bytes.fromhex(options["address"])
        if len(self._address) != _ADDRESS_SIZE:
            message = f"address must have 16 hex digits, not {options['address']!r:.40}"
            raise ValueError(message)
        self._decoder = Decoder(is_escaped=self._is_escaped)
        self._id = 0

    def wrap(self, packet: bytes) -> bytes:
        """Return a request to transmit a packet."""
        self._id = self._id % _IDS + 1
        self.is_busy = True
        if self._is_16_bit:
            head = bytes((_TRANSMIT, self._id)) + self._address + _NO_16_BIT_ADDRESS
            head += bytes(2)
        else:
            head = bytes((_TRANSMIT_64, self._id)) + self._address + bytes(1)
        return framed(head + packet, is_escaped=self._is_escaped)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the packets that were received, and note what became of those sent."""
        found = []
        for frame in self._decoder.feed(data):
            size = _RECEIVED.get(frame[0])
            if size is not None and len(frame) >= size:
                found.append(frame[size:])
            elif frame[0] in (STATUS, _STATUS_64):
                self._take_status(frame)
        self.damaged = self._decoder.damaged
        return found

    def _take_status(self, frame: bytes) -> None:
        place = {STATUS: 5, _STATUS_64: 2}[frame[0]]
        if len(frame) > place and frame[1] == self._id:
            self.is_busy = False
            self.refused += frame[place] != 0


def _choice(options: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    if options[name] not in choices:
        message = f"{name} must be {' or '.join(choices)}, not {options[name]!r:.40}"
        raise ValueError(message)
    return options[name]


WRAPPING = Wrapping(
    name="xbee-api",
    title="frames of XBee modules in API mode",
    session=_XBee,
    # Delimiter, length and check byte; request, identifier, addresses and options.
    line_size=lambda size: size + 4 + 14,
    options={"address": "000000000000ffff", "frames": "zigbee", "escaped": "no"},
)
