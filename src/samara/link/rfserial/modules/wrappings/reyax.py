# SPDX-License-Identifier: Apache-2.0
"""Modules of REYAX, such as the RYLR896: packets of LoRa as text in AT commands.

Source: REYAX, "LoRa AT command guide" of RYLR406 and RYLR896, 2022: AT+SEND and +RCV.
The data is text, and packets are therefore sent as hex digits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from samara.link.rfserial.modules.at_lines import Lines, bytes_of
from samara.link.rfserial.modules.wrapping import Session, Wrapping

if TYPE_CHECKING:
    from collections.abc import Mapping

_RECEIVED = re.compile(r"\+RCV=\d{1,5},(\d{1,3}),([0-9A-Fa-f]*),-?\d{1,3},-?\d{1,3}")
_NODE = re.compile(r"\d{1,5}")


class _Reyax(Session):
    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__()
        self._lines = Lines()
        self._to = options["to"]
        if not _NODE.fullmatch(self._to):
            message = f"to must be an address from 0 to 65535, not {self._to!r:.40}"
            raise ValueError(message)

    def wrap(self, packet: bytes) -> bytes:
        """Return the command that sends a packet."""
        self.is_busy = True
        digits = packet.hex().upper()
        return f"AT+SEND={self._to},{len(digits)},{digits}\r\n".encode()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the packets that were received, and note what became of those sent."""
        found = []
        for line in self._lines.feed(data):
            match = _RECEIVED.fullmatch(line)
            is_whole = match is not None and int(match[1]) == len(match[2])
            packet = bytes_of(match[2]) if match and is_whole else None
            if packet is not None:
                found.append(packet)
            elif line == "+OK":
                self.is_busy = False
            elif line.startswith("+ERR="):
                self.is_busy = False
                self.refused += 1
        self.damaged = self._lines.damaged
        return found


WRAPPING = Wrapping(
    name="reyax",
    title="hex digits in commands of a REYAX module",
    session=_Reyax,
    line_size=lambda size: 2 * size + len("AT+SEND=0,100,\r\n"),
    air_size=lambda size: 2 * size,
    options={"to": "0"},
)
