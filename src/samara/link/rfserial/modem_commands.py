# SPDX-License-Identifier: Apache-2.0
"""What a serial radio can be told, and its command mode: `AT` and two letters.

A command ends with a carriage return; numbers are hexadecimal. Without a number
a command answers what is set. Each answer ends with ``OK`` or ``ERR`` and a
carriage return.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from samara.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping

AIR_RATES: Mapping[int, int] = {1: 250_000, 2: 38_400, 3: 1_200, 4: 100_000, 5: 50_000}
"""Bit/s on the air by the number that ATDR takes."""
UART_RATES = (1_200, 2_400, 4_800, 9_600, 31_250, 38_400, 57_600, 115_200)
"""Bit/s that ATBD takes."""
TIMEOUTS_MS = range(0x10000)
"""Milliseconds that ATRO takes."""
OK, ERROR = b"OK\r", b"ERR\r"

_COMMAND_SIZE_MAX = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one modem is told by its commands; as it comes from the factory."""

    pan: int = 0x5AA5
    """ATID: only modems with the same one hear each other."""
    channel: int = 0
    """ATCN."""
    baud: int = 9_600
    """ATBD: bit/s of the serial line."""
    air_rate: int = 1
    """ATDR: a key of `AIR_RATES`."""
    packet_size: int = 12
    """ATPK: bytes of a packet."""
    timeout_ms: int = 16
    """ATRO: how long a packet that is not full waits after its last byte."""
    encryption: int = 0
    """ATEE: 1 when the modem encrypts by itself."""
    key: int = int.from_bytes(range(16), "big")
    """ATEK: the key of that."""

    def __post_init__(self) -> None:
        for option in _OPTIONS.values():
            value = getattr(self, option.field)
            if value not in option.values:
                name = option.field.replace("_", " ")
                message = f"the {name} of a modem is {option.choice}, not {value}"
                raise ArgumentError(message)

    @property
    def air_bits_per_s(self) -> int:
        """Bit/s on the air."""
        return AIR_RATES[self.air_rate]

    def hears(self, other: Settings) -> bool:
        """Tell whether what a modem set as `other` sends can be understood."""
        return self._channel == other._channel

    @property
    def _channel(self) -> tuple[int, ...]:
        key = self.key if self.encryption else 0
        return self.pan, self.channel, self.air_rate, self.encryption, key


@dataclass(frozen=True, slots=True)
class _Option:
    """A setting behind a command."""

    field: str
    values: range | tuple[int, ...]
    digits: int = 1
    """Hex digits of the answer at least."""
    applied: bool = False
    """Whether it waits for ATAC."""

    @property
    def choice(self) -> str:
        """What it can be, in words."""
        if isinstance(self.values, range):
            return f"{self.values[0]} to {self.values[-1]}"
        *others, last = map(str, self.values)
        return f"{', '.join(others)} or {last}"


_OPTIONS: Mapping[str, _Option] = {
    "ID": _Option("pan", range(0x10000), 4),
    "CN": _Option("channel", range(0x100), applied=True),
    "BD": _Option("baud", UART_RATES, applied=True),
    "DR": _Option("air_rate", tuple(AIR_RATES), applied=True),
    "PK": _Option("packet_size", range(1, 0xF1), 2),
    "RO": _Option("timeout_ms", TIMEOUTS_MS),
    "EE": _Option("encryption", range(2)),
    "EK": _Option("key", range(2**128), 32),
}


class CommandMode:
    """Answers commands, and keeps what they set.

    Parameters
    ----------
    settings
        What is set when the modem is switched on.

    Attributes
    ----------
    settings
        What the modem works by.
    stored
        What it will work by when it is switched on the next time (ATWR).
    """

    guards = True

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.stored = settings
        self._chosen = settings
        self._line = bytearray()

    def enter(self) -> bytes:
        """Begin; return the answer to the three guard characters."""
        self._line.clear()
        self._chosen = self.settings
        return OK

    def take(self, byte: int) -> tuple[bytes, bool]:
        """Take a byte; return the answer, and whether that was the end."""
        if byte == ord("\n"):
            return b"", False
        if byte != ord("\r"):
            # What is too long is wrong already, and takes no memory.
            if len(self._line) < _COMMAND_SIZE_MAX:
                self._line.append(byte)
            return b"", False
        line = self._line.decode("latin-1").strip().upper()
        self._line.clear()
        return self._answer(line), line == "ATDN"

    def _answer(self, line: str) -> bytes:
        match = re.fullmatch(r"AT(?:([A-Z]{2}) ?([0-9A-F]{0,32}))?", line)
        if match is None:
            return ERROR
        name, number = match.groups()
        if name is None:
            return OK
        if name in _OPTIONS:
            return self._option(_OPTIONS[name], number)
        return self._action(name) if not number else ERROR

    def _action(self, name: str) -> bytes:
        match name:
            case "AC":
                self.settings = self._chosen
            case "WR":
                self.stored = self._chosen
            case "DN":
                pass
            case _:
                return ERROR
        return OK

    def _option(self, option: _Option, number: str) -> bytes:
        if not number:
            value = getattr(self._chosen, option.field)
            return f"{value:0{option.digits}X}\r".encode() + OK
        value = int(number, 16)
        if value not in option.values:
            return ERROR
        self._chosen = replace(self._chosen, **{option.field: value})
        if not option.applied:
            self.settings = replace(self.settings, **{option.field: value})
        return OK
