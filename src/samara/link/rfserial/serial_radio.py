# SPDX-License-Identifier: Apache-2.0
"""One emulated serial radio: its serial line, its packets and its command mode."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Protocol

from samara.link.rfserial.modem_commands import CommandMode

if TYPE_CHECKING:
    from collections.abc import Callable

UART_BITS = 10
"""A start bit, eight data bits, a stop bit."""
GUARD_S = 1.0
"""Silence in front of the characters that start command mode, in seconds."""
GUARD_CHARACTER = ord("+")
GUARD_COUNT = 3
COMMAND_SILENCE_S = 5.0
"""Silence after which command mode ends by itself, in seconds."""


class Side(IntEnum):
    """One of the two modems."""

    A = 0
    B = 1

    @property
    def other(self) -> Side:
        """The other one."""
        return Side(1 - self)


@dataclass(slots=True)
class Statistics:
    """What one modem did."""

    bytes_in: int = 0
    """From its serial line, commands included."""
    bytes_out: int = 0
    """To its serial line, answers included."""
    packets_sent: int = 0
    packets_not_full: int = 0
    """Of these, those that waited for the time-out."""
    air_s: float = 0.0
    """How long it was sending."""
    packets_received: int = 0
    lost: int = 0
    """Packets to it that were lost on the air."""
    damaged: int = 0
    """Packets to it with wrong bits."""
    too_long: int = 0
    """Packets to it of more bytes than its own packet size."""
    not_heard: int = 0
    """Packets to it that its settings, or command mode, kept it from hearing."""


class Settings(Protocol):
    """What a modem works by."""

    @property
    def baud(self) -> int:
        """Bit/s of the serial line."""
        ...

    @property
    def packet_size(self) -> int:
        """Bytes of a packet."""
        ...

    @property
    def timeout_ms(self) -> int:
        """How long a packet that is not full waits after its last byte."""
        ...

    @property
    def air_bits_per_s(self) -> float:
        """Bit/s on the air."""
        ...

    def hears(self, other: Any) -> bool:  # noqa: ANN401 - settings of the same kind
        """Tell whether what a modem set as `other` sends can be understood."""
        ...


class Commands(Protocol):
    """What takes the commands of a modem, and keeps what they set."""

    settings: Any
    """The `Settings` that are in effect."""
    guards: bool
    """Whether three guard characters after silence begin command mode."""

    def enter(self) -> bytes:
        """Begin; return the answer to the three guard characters."""
        ...

    def take(self, byte: int) -> tuple[bytes, bool]:
        """Take a byte; return the answer, and whether that was the end."""
        ...


class World(Protocol):
    """What surrounds a modem: time, the air, and the program at the serial port."""

    now_s: float
    air_free_s: float
    """When the packets that are on the air, or wait for it, will have been sent."""

    def at(self, time_s: float, action: Callable[..., None], *given: object) -> None:
        """Call `action` at a time."""
        ...

    def transmit(self, modem: Modem, packet: bytes) -> float:
        """Send a packet on the air, and return how long it takes, in seconds."""
        ...

    def output(self, modem: Modem, data: bytes, time_s: float) -> None:
        """Hand bytes to the program when the last of them has left the line."""
        ...


@dataclass(slots=True)
class Modem:
    """One serial radio."""

    side: Side
    world: World
    commands: Commands
    statistics: Statistics = field(default_factory=Statistics)
    packet: bytearray = field(default_factory=bytearray)
    """Bytes of the packet that is not sent yet."""
    guards: int = 0
    """Guard characters that are kept back."""
    last_byte_s: float = -GUARD_S
    """When the serial line last carried a byte to the modem."""
    line_in_free_s: float = 0.0
    line_out_free_s: float = 0.0
    in_command_mode: bool = False
    timer: int = 0
    """Counts the bytes: a time-out of an earlier count is void."""

    @property
    def settings(self) -> Settings:
        """The settings that are in effect."""
        settings: Settings = self.commands.settings
        return settings

    def restarted(self) -> Modem:
        """Return the modem as it is switched on, with the settings that it stored."""
        commands = self.commands
        if isinstance(commands, CommandMode):
            commands = CommandMode(commands.stored)
        return Modem(self.side, self.world, commands, self.statistics)

    @property
    def byte_s(self) -> float:
        """How long a byte is on the serial line, in seconds."""
        return UART_BITS / self.settings.baud

    # The serial line to the modem.

    def write(self, data: bytes) -> None:
        """Put bytes on the serial line, now."""
        for byte in data:
            start_s = max(self.world.now_s, self.line_in_free_s)
            self.line_in_free_s = start_s + self.byte_s
            self.world.at(self.line_in_free_s, self._take, byte)

    def _take(self, byte: int) -> None:
        self.statistics.bytes_in += 1
        silence_s = self.world.now_s - self.last_byte_s
        self.last_byte_s = self.world.now_s
        self.timer += 1
        if self.in_command_mode:
            self._command(byte)
        elif byte == GUARD_CHARACTER and (self.guards or _is_guard(silence_s)):
            self._guard()
        else:
            self._data(self._released() + bytes([byte]))

    def _guard(self) -> None:
        self.guards += 1
        if self.guards < GUARD_COUNT:
            self.world.at(self.world.now_s + GUARD_S, self._guard_over, self.timer)
            return
        self.guards = 0
        self.in_command_mode = True
        self._put_out(self.commands.enter())
        self._watch_command_mode()

    def _guard_over(self, timer: int) -> None:
        if timer == self.timer:
            self._data(self._released())

    def _released(self) -> bytes:
        kept = bytes([GUARD_CHARACTER]) * self.guards
        self.guards = 0
        return kept

    def _command(self, byte: int) -> None:
        answer, done = self.commands.take(byte)
        if answer:
            self._put_out(answer)
        self.in_command_mode = not done
        self._watch_command_mode()

    def _watch_command_mode(self) -> None:
        time_s = self.world.now_s + COMMAND_SILENCE_S
        self.world.at(time_s, self._leave_command_mode, self.timer)

    def _leave_command_mode(self, timer: int) -> None:
        if timer == self.timer:
            self.in_command_mode = False

    def _data(self, data: bytes) -> None:
        for byte in data:
            self.packet.append(byte)
            if len(self.packet) >= self.settings.packet_size:
                self._send()
        if self.packet:
            time_s = self.world.now_s + self.settings.timeout_ms / 1000
            self.world.at(time_s, self._time_out, self.timer)

    def _time_out(self, timer: int) -> None:
        if timer == self.timer and self.packet:
            self.statistics.packets_not_full += 1
            self._send()

    def _send(self) -> None:
        packet = bytes(self.packet)
        self.packet.clear()
        time_s = self.world.transmit(self, packet)
        self.statistics.packets_sent += 1
        self.statistics.air_s += time_s

    # The air to the modem, and the serial line from it.

    def takes(self, packet: bytes, sent_as: Settings) -> bool:
        """Tell whether the modem receives a packet at all, and count it if not."""
        if self.in_command_mode or not self.settings.hears(sent_as):
            self.statistics.not_heard += 1
        elif len(packet) > self.settings.packet_size:
            self.statistics.too_long += 1
        else:
            return True
        return False

    def receive(self, packet: bytes) -> None:
        """Pass a packet on to the serial line."""
        self.statistics.packets_received += 1
        self._put_out(packet)

    def _put_out(self, data: bytes) -> None:
        start_s = max(self.world.now_s, self.line_out_free_s)
        self.line_out_free_s = start_s + len(data) * self.byte_s
        self.statistics.bytes_out += len(data)
        self.world.output(self, data, self.line_out_free_s)


def _is_guard(silence_s: float) -> bool:
    # Sums of the times of bytes are not exact.
    return silence_s > GUARD_S - 1e-9
