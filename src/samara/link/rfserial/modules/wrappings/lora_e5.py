# SPDX-License-Identifier: Apache-2.0
"""LoRa-E5 (Wio-E5) in its test mode: packets of LoRa as hex digits in AT commands.

Source: LoRa-E5 AT command specification 1.0, AT+TEST; from memory, not read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from samara.link.rfserial.modules.at_lines import Lines, bytes_of
from samara.link.rfserial.modules.wrapping import Session, Wrapping

if TYPE_CHECKING:
    from collections.abc import Mapping

_RECEIVED = re.compile(r'\+TEST: ?RX ?"([0-9A-Fa-f]*)"')
_RADIO = re.compile(
    r"[0-9.]{3,7},SF(?:7|8|9|10|11|12),(?:125|250|500),\d{1,3},\d{1,3},\d{1,2}"
)
_LISTEN = b"AT+TEST=RXLRPKT\r\n"


class _LoraE5(Session):
    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__()
        self._lines = Lines()
        self._radio = options["radio"]
        if not _RADIO.fullmatch(self._radio):
            message = f"radio must be as 868.1,SF7,125,8,8,14, not {self._radio!r:.40}"
            raise ValueError(message)

    def begin(self) -> list[bytes]:
        """Return what sets the radio, and lets it listen."""
        config = f"AT+TEST=RFCFG,{self._radio},ON,OFF,OFF\r\n"
        return [b"AT+MODE=TEST\r\n", config.encode(), _LISTEN]

    def wrap(self, packet: bytes) -> bytes:
        """Return the command that sends a packet."""
        self.is_busy = True
        return f'AT+TEST=TXLRPKT,"{packet.hex().upper()}"\r\n'.encode()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the packets that were received; after one was sent, listen again."""
        found = []
        for line in self._lines.feed(data):
            match = _RECEIVED.fullmatch(line)
            packet = bytes_of(match[1]) if match else None
            if packet is not None:
                found.append(packet)
            elif line.startswith("+TEST: TX DONE"):
                self.is_busy = False
                self.replies += _LISTEN
            elif line.startswith("+TEST: ERROR"):
                self.is_busy = False
                self.refused += 1
        self.damaged = self._lines.damaged
        return found


WRAPPING = Wrapping(
    name="lora-e5",
    title="hex digits in commands of a LoRa-E5",
    session=_LoraE5,
    line_size=lambda size: 2 * size + len('AT+TEST=TXLRPKT,""\r\n'),
    options={"radio": "868.1,SF7,125,8,8,14"},
)
