# SPDX-License-Identifier: Apache-2.0
"""Commands of an HC-12, taken while its pin SET is low.

Source: HC-12 user manual 2.3B, list of AT commands. Each is answered ``OK`` with what
was set, or ``ERROR``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from samara.link.rfserial.modules.emulated.commands import Commands

if TYPE_CHECKING:
    from samara.link.rfserial.modules.emulated.settings import ModuleSettings

_BAUDS = {"1200", "2400", "4800", "9600", "19200", "38400", "57600", "115200"}
_CHANNELS, _MODES, _POWERS = range(1, 128), range(1, 5), range(1, 9)


class _Hc12(Commands):
    modules: ClassVar[tuple[str, ...]] = ("hc-12", "hc-12-fu4")

    def __init__(self, settings: ModuleSettings) -> None:
        super().__init__(settings)
        self.power = 8

    def take(self, byte: int) -> tuple[bytes, bool]:
        """Take a byte of a command, which ends with a line feed."""
        line = self._line_with(byte, ord("\n"))
        if line is None:
            return b"", False
        return f"{self._answer(line)}\r\n".encode("latin-1"), False

    def _answer(self, line: str) -> str:
        if line == "AT":
            return "OK"
        match = re.fullmatch(r"AT\+(B|C|FU|P)(\d{1,6})", line)
        if match is None:
            return "ERROR"
        letter, digits = match.groups()
        number = int(digits)
        if letter == "C" and number in _CHANNELS and len(digits) == len("001"):
            self.set(channel=number)
        elif letter == "FU" and number in _MODES:
            self.set(mode=number)
        elif letter == "P" and number in _POWERS:
            self.power = number
        elif letter != "B" or digits not in _BAUDS:
            return "ERROR"
        return f"OK+{letter}{digits}"


DIALECTS = (_Hc12,)
