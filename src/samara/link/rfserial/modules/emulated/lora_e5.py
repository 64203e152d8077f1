# SPDX-License-Identifier: Apache-2.0
"""A LoRa-E5: it hears nothing until it is told to listen, each time it has sent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from samara.link.rfserial.modules.at_lines import Lines
from samara.link.rfserial.modules.emulated.far_end import FarEnd

if TYPE_CHECKING:
    from collections.abc import Mapping

_SEND = re.compile(r'AT\+TEST=TXLRPKT, ?"((?:[0-9A-F]{2})+)"')


class _LoraE5(FarEnd):
    wrapping: ClassVar[str] = "lora-e5"

    def __init__(self, options: Mapping[str, str], packet: int) -> None:
        super().__init__(options, packet)
        self._lines = Lines()
        self._is_in_test = self._listens = self._is_sending = False

    def take(self, byte: int) -> list[bytes]:
        """Return the packet of a command that a byte ends."""
        found = []
        for line in self._lines.feed(bytes((byte,))):
            packet = self._done(line)
            found += [packet] if packet else []
        return found

    def _done(self, line: str) -> bytes | None:
        """Do what a command says; return a packet to be sent."""
        if line == "AT+MODE=TEST":
            self._is_in_test = True
            self._say("+MODE: TEST")
        elif not self._is_in_test or self._is_sending:
            self._say("+TEST: ERROR(-12)")
        elif line.startswith("AT+TEST=RFCFG,"):
            self._say("+TEST: RFCFG F:868100000, SF7, BW125K")
        elif line == "AT+TEST=RXLRPKT":
            self._listens = True
            self._say("+TEST: RXLRPKT")
        elif match := _SEND.fullmatch(line):
            packet = bytes.fromhex(match[1])
            if len(packet) <= self.packet:
                self._listens, self._is_sending = False, True
                self._say(f'+TEST: TXLRPKT "{match[1]}"')
                return packet
            self._say("+TEST: ERROR(-1)")
        else:
            self._say("+TEST: ERROR(-1)")
        return None

    def _say(self, line: str) -> None:
        self.replies += f"{line}\r\n".encode()

    def sent(self) -> bytes:
        """Say that a packet has been sent."""
        self._is_sending = False
        return b"+TEST: TX DONE\r\n"

    def received(self, packet: bytes) -> bytes:
        """Return a packet as hex digits; nothing while the module does not listen."""
        if not self._listens:
            return b""
        head = f"+TEST: LEN:{len(packet)}, RSSI:-70, SNR:10\r\n"
        return f'{head}+TEST: RX "{packet.hex().upper()}"\r\n'.encode()


FAR_END = _LoraE5
