# SPDX-License-Identifier: Apache-2.0
"""Command mode of XBee and LoRaSerial: silence, ``+++``, and lines that begin with AT.

Sources: XBee user guides, "Command mode"; docs.sparkfun.com, SparkFun LoRaSerial, AT
commands.
"""

from __future__ import annotations

import re
from typing import ClassVar

from samara.link.rfserial.modules.emulated.commands import Commands

_XBEE_SET = re.compile(r"AT(ID|CH|AP|DL|DH|BD)([0-9A-F]{1,8})")
_LORASERIAL_SET = re.compile(r"AT-([A-Za-z]+)=(\d{1,6})")


class _XBee(Commands):
    modules: ClassVar[tuple[str, ...]] = ("xbee", "xbee-api")
    guards = True

    def enter(self) -> bytes:
        """Begin command mode; return the answer."""
        super().enter()
        return b"OK\r"

    def take(self, byte: int) -> tuple[bytes, bool]:
        """Take a byte of a command, which ends with a carriage return."""
        line = self._line_with(byte)
        if line is None:
            return b"", False
        return self._answer(line.upper()), line.upper() == "ATCN"

    def _answer(self, line: str) -> bytes:
        if match := _XBEE_SET.fullmatch(line):
            name, number = match.groups()
            if name in ("ID", "CH"):
                self.set(**{name.lower(): int(number, 16)})
            return b"OK\r"
        return b"OK\r" if line in ("AT", "ATWR", "ATCN", "ATAC") else b"ERROR\r"


class _LoRaSerial(Commands):
    modules: ClassVar[tuple[str, ...]] = ("loraserial",)
    guards = True

    def enter(self) -> bytes:
        """Begin command mode; return the answer."""
        super().enter()
        return b"\r\nOK\r\n"

    def take(self, byte: int) -> tuple[bytes, bool]:
        """Take a byte of a command, which ends with a carriage return."""
        line = self._line_with(byte)
        if line is None:
            return b"", False
        return self._answer(line), line.upper() in ("ATO", "ATZ")

    def _answer(self, line: str) -> bytes:
        if match := _LORASERIAL_SET.fullmatch(line):
            name, number = match.groups()
            if name.lower() in ("netid", "airspeed"):
                self.set(**{name.lower(): int(number)})
            return b"\r\nOK\r\n"
        known = line.upper() in ("AT", "ATW", "ATO", "ATZ", "ATF")
        return b"\r\nOK\r\n" if known else b"\r\nERROR\r\n"


DIALECTS = (_XBee, _LoRaSerial)
