# SPDX-License-Identifier: Apache-2.0
"""KISS: frames between a host and a terminal node controller (TNC).

Source: Mike Chepponis K3MC and Phil Karn KA9Q, "The KISS TNC: A simple Host-to-TNC
communications protocol", 1987. FEND ends frames; the first byte of a frame has the
port in its upper half and the command in its lower half.

With `to` and `from`, each packet has the header of an AX.25 UI frame, without which
most TNCs do not send. Source: AX.25 Link Access Protocol, version 2.2, section 3.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from samara.link.rfserial.modules.wrapping import Session, Wrapping

if TYPE_CHECKING:
    from collections.abc import Mapping

FEND, FESC = 0xC0, 0xDB
_TFEND, _TFESC = 0xDC, 0xDD
SIZE_MAX: Final = 4096
"""Bytes of a frame, at most; a longer one is dropped."""
_DATA: Final = 0
_CALL = re.compile(r"([A-Z0-9]{1,6})(?:-([0-9]|1[0-5]))?")
_ADDRESS_SIZE, _DIGIPEATERS_MAX = 7, 8
_CALL_SIZE = 6
# An unnumbered information frame without a layer 3 protocol.
_UI, _NO_LAYER_3 = 0x03, 0xF0
_END_OF_ADDRESSES = 0x01
# Bits 5 and 6 of an SSID are reserved and set; bit 7 tells commands from responses.
_RESERVED, _COMMAND = 0x60, 0x80


def framed(command: int, contents: bytes) -> bytes:
    r"""Return a frame on the line.

    >>> framed(0, b"\xc0 \xdb").hex(" ")
    'c0 00 db dc 20 db dd c0'
    """
    escaped = bytes((command,)) + contents
    escaped = escaped.replace(bytes((FESC,)), bytes((FESC, _TFESC)))
    escaped = escaped.replace(bytes((FEND,)), bytes((FESC, _TFEND)))
    return bytes((FEND,)) + escaped + bytes((FEND,))


class Decoder:
    """Finds frames in the bytes of a line; what is damaged is counted and dropped."""

    def __init__(self) -> None:
        self._frame = bytearray()
        self._is_escaped = self._is_bad = False
        self.damaged = 0
        """Frames with a wrong escape, or longer than `SIZE_MAX`."""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the frames that end in these bytes, each with its command."""
        found = []
        for byte in data:
            if byte == FEND:
                found += self._ended()
            elif self._is_escaped:
                self._escaped(byte)
            elif byte == FESC:
                self._is_escaped = True
            else:
                self._add(byte)
        return found

    def _escaped(self, byte: int) -> None:
        self._is_escaped = False
        if byte == _TFEND:
            self._add(FEND)
        elif byte == _TFESC:
            self._add(FESC)
        else:
            self._is_bad = True

    def _add(self, byte: int) -> None:
        if len(self._frame) < SIZE_MAX:
            self._frame.append(byte)
        else:
            self._is_bad = True

    def _ended(self) -> list[bytes]:
        frame, is_bad = bytes(self._frame), self._is_bad or self._is_escaped
        self._frame.clear()
        self._is_escaped = self._is_bad = False
        if is_bad:
            self.damaged += 1
            return []
        # Frames may be ended twice.
        return [frame] if frame else []


def address_of(call: str, *, is_last: bool, is_destination: bool) -> bytes:
    """Return a call sign as a field of AX.25's addresses.

    >>> address_of("N0CALL-7", is_last=True, is_destination=False).hex(" ")
    '9c 60 86 82 98 98 6f'

    Raises
    ------
    ValueError
        When it is none.
    """
    match = _CALL.fullmatch(call)
    if match is None:
        message = f"{call!r:.20} is no call sign, such as N0CALL or N0CALL-7"
        raise ValueError(message)
    letters = match[1].ljust(_CALL_SIZE).encode()
    ssid = int(match[2] or 0) << 1 | _RESERVED
    # Of a command the destination has the bit, the source has not.
    ssid |= _COMMAND if is_destination else 0
    ssid |= _END_OF_ADDRESSES if is_last else 0
    return bytes(letter << 1 for letter in letters) + bytes((ssid,))


def information_of(frame: bytes) -> bytes | None:
    """Return what a UI frame carries; None if it is another frame, or damaged."""
    for count in range(2, 3 + _DIGIPEATERS_MAX):
        end = count * _ADDRESS_SIZE
        if len(frame) < end + 2:
            return None
        if frame[end - 1] & _END_OF_ADDRESSES:
            is_ui = frame[end] == _UI and frame[end + 1] == _NO_LAYER_3
            return frame[end + 2 :] if is_ui else None
    return None


class _Kiss(Session):
    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__()
        self._decoder = Decoder()
        self._header = _header(options["to"], options["from"])

    def wrap(self, packet: bytes) -> bytes:
        """Return a packet as a frame of data."""
        return framed(_DATA, self._header + packet)

    def feed(self, data: bytes) -> list[bytes]:
        """Return what frames of data carry."""
        found = []
        for frame in self._decoder.feed(data):
            if frame[0] != _DATA:
                continue
            contents: bytes | None = frame[1:]
            if self._header:
                contents = information_of(frame[1:])
            if contents is None:
                self._decoder.damaged += 1
            else:
                found.append(contents)
        self.damaged = self._decoder.damaged
        return found


def _header(to: str, source: str) -> bytes:
    """Return the header of an AX.25 UI frame; nothing without call signs."""
    if not to and not source:
        return b""
    return (
        address_of(to, is_last=False, is_destination=True)
        + address_of(source, is_last=True, is_destination=False)
        + bytes((_UI, _NO_LAYER_3))
    )


WRAPPING = Wrapping(
    name="kiss",
    title="frames of KISS",
    session=_Kiss,
    # Two ends and the command; a header of AX.25 is the module's overhead.
    line_size=lambda size: size + 3,
    options={"to": "", "from": ""},
)
