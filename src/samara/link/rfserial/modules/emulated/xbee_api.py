# SPDX-License-Identifier: Apache-2.0
"""An XBee in API mode: it sends what requests carry, and says what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from samara.link.rfserial.modules.emulated.far_end import FarEnd
from samara.link.rfserial.modules.wrappings.xbee_api import Decoder, framed

if TYPE_CHECKING:
    from collections.abc import Mapping

_TRANSMIT, _TRANSMIT_64, _HEAD, _HEAD_64 = 0x10, 0x00, 14, 11
_TOO_LONG = 0x74
_OWN_ADDRESS = bytes.fromhex("0013a20040000001")


class _XBee(FarEnd):
    wrapping: ClassVar[str] = "xbee-api"

    def __init__(self, options: Mapping[str, str], packet: int) -> None:
        super().__init__(options, packet)
        self._is_escaped = options["escaped"] == "yes"
        self._decoder = Decoder(is_escaped=self._is_escaped)
        self._sending: list[tuple[int, int]] = []

    def take(self, byte: int) -> list[bytes]:
        """Return the packet of a request that a byte ends."""
        found = []
        for frame in self._decoder.feed(bytes((byte,))):
            size = {_TRANSMIT: _HEAD, _TRANSMIT_64: _HEAD_64}.get(frame[0])
            if size is None or len(frame) < size:
                continue
            packet = frame[size:]
            if len(packet) > self.packet:
                self.replies += self._status(frame[0], frame[1], _TOO_LONG)
            else:
                self._sending.append((frame[0], frame[1]))
                found.append(packet)
        return found

    def sent(self) -> bytes:
        """Return the status of the packet that has been sent."""
        return self._status(*self._sending.pop(0), 0) if self._sending else b""

    def received(self, packet: bytes) -> bytes:
        """Return a packet with the address of its sender."""
        if self.options["frames"] == "zigbee":
            head = b"\x90" + _OWN_ADDRESS + b"\xff\xfe\x01"
        else:
            # Signal strength of 40, and no options.
            head = b"\x80" + _OWN_ADDRESS + b"\x28\x00"
        return framed(head + packet, is_escaped=self._is_escaped)

    def _status(self, kind: int, number: int, status: int) -> bytes:
        if kind == _TRANSMIT:
            said = bytes((0x8B, number)) + b"\xff\xfe\x00" + bytes((status, 0))
        else:
            said = bytes((0x89, number, status))
        return framed(said, is_escaped=self._is_escaped)


FAR_END = _XBee
