# SPDX-License-Identifier: Apache-2.0
"""An RNode: it is off until its host has set it, and repeats each setting."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from samara.link.rfserial.modules.emulated.far_end import FarEnd
from samara.link.rfserial.modules.wrappings.kiss import Decoder, framed

if TYPE_CHECKING:
    from collections.abc import Mapping

_DATA, _STATE, _DETECT, _RSSI, _SNR = 0x00, 0x06, 0x08, 0x23, 0x24
_PLATFORM, _CONTROLLER, _VERSION = 0x48, 0x49, 0x50
_SETTINGS = range(0x01, 0x07)
_ERROR, _NOT_ON = 0x90, 0x02
_NEEDED = {0x01, 0x02, 0x03, 0x04, 0x05}


class _RNode(FarEnd):
    wrapping: ClassVar[str] = "rnode"

    def __init__(self, options: Mapping[str, str], packet: int) -> None:
        super().__init__(options, packet)
        self._decoder = Decoder()
        self._set: dict[int, bytes] = {}

    def take(self, byte: int) -> list[bytes]:
        """Return the packet of a frame that a byte ends, if the radio is on."""
        found = []
        for frame in self._decoder.feed(bytes((byte,))):
            command, value = frame[0], frame[1:]
            if command in _SETTINGS:
                self._set[command] = value
                self.replies += framed(command, value)
            elif command == _DETECT:
                self.replies += framed(_DETECT, b"\x46")
            elif command in (_PLATFORM, _CONTROLLER):
                self.replies += framed(command, b"\x80")
            elif command == _VERSION:
                self.replies += framed(command, b"\x01\x52")
            elif command == _DATA and self._is_on:
                found.append(value)
            elif command == _DATA:
                self.replies += framed(_ERROR, bytes((_NOT_ON,)))
        return found

    @property
    def _is_on(self) -> bool:
        return set(self._set) >= _NEEDED and self._set.get(_STATE) == b"\x01"

    def received(self, packet: bytes) -> bytes:
        """Return a packet, behind its signal strength."""
        strength = framed(_RSSI, b"\x6b") + framed(_SNR, b"\x28")
        return strength + framed(_DATA, packet)


FAR_END = _RNode
