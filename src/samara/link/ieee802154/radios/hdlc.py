# SPDX-License-Identifier: Apache-2.0
"""HDLC-lite: how frames are told apart on the serial line of a radio co-processor.

A flag byte ends each frame; bytes that mean something to the line are escaped; a check
sequence of 16 bits, CRC-16/X-25 with its low byte first, ends the contents. Source: the
Spinel protocol (draft-rquattle-spinel-unified-00, appendix A), as OpenThread's radio
co-processors speak it.
"""

from __future__ import annotations

import binascii

FLAG = 0x7E
_ESCAPE = 0x7D
_ESCAPED_XOR = 0x20
# Flag, escape, XON, XOFF and a byte that vendors use.
_SPECIAL = frozenset((FLAG, _ESCAPE, 0x11, 0x13, 0xF8))
_CHECK_SIZE = 2
_REVERSED = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))

SIZE_MAX = 8192
"""The longest frame that is read, in bytes; OpenThread's own limit is lower."""


def check_of(contents: bytes) -> bytes:
    """Return the check sequence of contents: CRC-16/X-25, 2 bytes.

    >>> check_of(b"123456789").hex()
    '6e90'
    """
    # The library's CRC-CCITT takes the highest bit first, X-25 the lowest.
    remainder = binascii.crc_hqx(contents.translate(_REVERSED), 0xFFFF) ^ 0xFFFF
    high, low = remainder >> 8, remainder & 0xFF
    return bytes((_REVERSED[high], _REVERSED[low]))


def encoded(contents: bytes) -> bytes:
    """Return contents as a frame on the line, with a flag at both ends."""
    line = bytearray((FLAG,))
    for byte in contents + check_of(contents):
        if byte in _SPECIAL:
            line += bytes((_ESCAPE, byte ^ _ESCAPED_XOR))
        else:
            line.append(byte)
    line.append(FLAG)
    return bytes(line)


class Decoder:
    """Finds frames in the bytes of a line; what is damaged is counted and dropped."""

    def __init__(self) -> None:
        self._frame = bytearray()
        self._is_escaped = self._is_too_long = False
        self.damaged = 0
        """Frames that were dropped: damaged, or longer than `SIZE_MAX`."""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the contents of the frames that end in these bytes."""
        found = []
        for byte in data:
            if byte == FLAG:
                found += self._ended()
            elif byte == _ESCAPE:
                self._is_escaped = True
            elif len(self._frame) >= SIZE_MAX + _CHECK_SIZE:
                self._is_too_long = True
            else:
                self._frame.append(byte ^ (_ESCAPED_XOR if self._is_escaped else 0))
                self._is_escaped = False
        return found

    def _ended(self) -> list[bytes]:
        """Return the frame that a flag ends, if it is whole."""
        frame, is_aborted = bytes(self._frame), self._is_escaped
        is_too_long = self._is_too_long
        self._frame.clear()
        self._is_escaped = self._is_too_long = False
        if not frame:
            # Flags may follow each other.
            return []
        contents, check = frame[:-_CHECK_SIZE], frame[-_CHECK_SIZE:]
        if is_aborted or is_too_long or check_of(contents) != check:
            self.damaged += 1
            return []
        return [contents]
