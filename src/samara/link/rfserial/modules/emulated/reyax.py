# SPDX-License-Identifier: Apache-2.0
"""A REYAX module: it answers each command with ``+OK`` or ``+ERR``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from samara.link.rfserial.modules.at_lines import Lines
from samara.link.rfserial.modules.emulated.far_end import FarEnd

if TYPE_CHECKING:
    from collections.abc import Mapping

_SEND = re.compile(r"AT\+SEND=(\d{1,5}),(\d{1,3}),(.*)")
_SET = re.compile(
    r"AT(?:\+(?:ADDRESS|NETWORKID|BAND|PARAMETER|CRFOP|MODE|IPR)=[0-9,]{1,20})?"
)
_TEXT_MAX: Final = 240
_TOO_LONG, _UNKNOWN = 13, 4


class _Reyax(FarEnd):
    wrapping: ClassVar[str] = "reyax"

    def __init__(self, options: Mapping[str, str], packet: int) -> None:
        super().__init__(options, packet)
        self._lines = Lines()

    def take(self, byte: int) -> list[bytes]:
        """Return the packet of a command that a byte ends."""
        found = []
        for line in self._lines.feed(bytes((byte,))):
            match = _SEND.fullmatch(line)
            if match and int(match[2]) == len(match[3]) <= _TEXT_MAX:
                # The air carries the text itself.
                found.append(match[3].encode("latin-1"))
            elif match:
                self._say(f"+ERR={_TOO_LONG}")
            else:
                self._say("+OK" if _SET.fullmatch(line) else f"+ERR={_UNKNOWN}")
        return found

    def _say(self, line: str) -> None:
        self.replies += f"{line}\r\n".encode()

    def sent(self) -> bytes:
        """Say that a packet has been sent."""
        return b"+OK\r\n"

    def received(self, packet: bytes) -> bytes:
        """Return a packet behind the address of its sender and its length."""
        return b"+RCV=1,%d,%s,-50,40\r\n" % (len(packet), packet)


FAR_END = _Reyax
