# SPDX-License-Identifier: Apache-2.0
"""Two serial radios and the air between them, as a model of time and bytes.

The model does no input or output and knows no clock: who uses it says what is
written and how late it is. `samara.link.rfserial.modem_ports` puts it behind two pseudo
terminals.

What is known of the modem is in `samara.link.rfserial.modem_commands` and below;
what its vendor never published is assumed, and `ASSUMPTIONS` names every piece of it.

>>> from samara.link import modem
>>> pair = modem.Pair(modem.Settings(baud=115_200))
>>> pair.write(modem.Side.A, b"Mary had a little lamb")
>>> [(out.side.name, out.data, f"{out.time_s * 1e3:.2f} ms") for out in pair.advance(1)]
[('B', b'Mary had a l', '2.88 ms'), ('B', b'ittle lamb', '19.51 ms')]
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections import deque
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from samara.link.rfserial.modem_commands import CommandMode, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ASSUMPTIONS", "Air", "Assumption", "Output", "Pair", "Settings", "Side"]

UART_BITS = 10
"""A start bit, eight of data, a stop bit."""
GUARD_S = 1.0
"""The silence before the characters that begin command mode."""
GUARD_CHARACTER = ord("+")
GUARD_COUNT = 3
COMMAND_SILENCE_S = 5.0
"""The silence after which command mode ends by itself."""
PACKET_OVERHEAD = 13
"""Bytes that the radio sends around those of a packet. Assumed."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that the vendor never published."""

    name: str
    value: str
    why: str


ASSUMPTIONS = (
    Assumption(
        "preamble and sync word",
        "4 + 4 bytes",
        "the usual setting of the transceiver that these modems are built on",
    ),
    Assumption(
        "length, PAN identity and checksum",
        "1 + 2 + 2 bytes",
        "a packet has a length that varies, modems of another PAN do not hear it,"
        " and no damaged byte was ever reported",
    ),
    Assumption(
        "checksum",
        "a damaged packet is dropped whole",
        "as above; --no-crc hands damaged packets on",
    ),
    Assumption("retries", "none", "nothing is acknowledged: the modem says nothing"),
    Assumption(
        "access to the air",
        "one packet at a time; the other waits for its end",
        "transceivers of this kind sense the carrier; collisions are not modelled",
    ),
    Assumption(
        "turnaround and processing", "no time", "nothing was published to put here"
    ),
    Assumption(
        "time-out",
        "counted from the last byte of a packet that is not full",
        "the paper says that the modem waits for more data",
    ),
    Assumption(
        "guard characters",
        "kept back for up to a second, and then sent as data",
        "the modem cannot know earlier whether a third will follow",
    ),
    Assumption(
        "radio in command mode",
        "nothing is heard",
        "the serial line then carries answers",
    ),
    Assumption(
        "settings in command mode",
        "ATCN, ATBD, ATDR act with ATAC; all others at once",
        "the command list says so of these three",
    ),
    Assumption(
        "encryption by the modem (ATEE, ATEK)",
        "modems hear each other when both are set alike; it adds no bytes",
        "its mode was never published",
    ),
)


class Side(IntEnum):
    """One of the two modems."""

    A = 0
    B = 1

    @property
    def other(self) -> Side:
        """The other one."""
        return Side(1 - self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Air:
    """What happens to packets between the modems.

    Raises
    ------
    ValueError
        When a chance is not between 0 and 1.
    """

    loss: float = 0.0
    """Chance that a packet is not heard at all."""
    bit_errors: float = 0.0
    """Chance that a bit on the air arrives as its opposite."""
    checksum: bool = True
    """Whether damaged packets are dropped; assumed."""
    packet_overhead: int = PACKET_OVERHEAD
    """Bytes that the radio sends around each packet; assumed."""

    def __post_init__(self) -> None:
        for name in ("loss", "bit_errors"):
            if not 0 <= getattr(self, name) <= 1:
                message = f"{name.replace('_', ' ')} is a chance, from 0 to 1"
                raise ValueError(message)


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


@dataclass(frozen=True, slots=True)
class Output:
    """Bytes that have left the serial line of a modem."""

    side: Side
    time_s: float
    """When the last of them has."""
    data: bytes


def air_time_s(size: int, settings: Settings, air: Air) -> float:
    """Return how long a packet with so many bytes is on the air."""
    return (size + air.packet_overhead) * 8 / settings.air_bits_per_s


@dataclass(slots=True)
class _Modem:
    """The state of one modem."""

    commands: CommandMode
    statistics: Statistics = field(default_factory=Statistics)
    packet: bytearray = field(default_factory=bytearray)
    guards: int = 0
    """Guard characters that were kept back."""
    last_byte_s: float = -GUARD_S
    """When the serial line last carried something in."""
    line_in_free_s: float = 0.0
    line_out_free_s: float = 0.0
    in_command_mode: bool = False
    timer: int = 0
    """Counts up with every byte: an older time-out means nothing any more."""

    @property
    def settings(self) -> Settings:
        return self.commands.settings

    @property
    def byte_s(self) -> float:
        return UART_BITS / self.settings.baud


class Pair:
    """Two modems that hear each other, and nobody else.

    Parameters
    ----------
    settings
        Of both, when they are switched on.
    air
        What happens between them.
    seed
        Another seed, other losses.

    Attributes
    ----------
    now_s
        The time of the model; it moves by `advance` alone.
    """

    def __init__(
        self, settings: Settings, air: Air | None = None, seed: int = 0
    ) -> None:
        self.now_s = 0.0
        self.air = Air() if air is None else air
        self._chance = random.Random(seed)  # noqa: S311 - repeatable losses
        self._modems = [_Modem(CommandMode(settings)) for _ in Side]
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._air_free_s = 0.0
        self._outputs: deque[Output] = deque()

    def settings(self, side: Side) -> Settings:
        """Return what a modem is set to now."""
        return self._modems[side].settings

    def statistics(self, side: Side) -> Statistics:
        """Return what a modem has done."""
        return self._modems[side].statistics

    def as_json(self) -> dict[str, Any]:
        """Return all statistics by name."""
        return {
            side.name.lower(): {
                name: round(value, 9)
                for name, value in asdict(self.statistics(side)).items()
            }
            for side in Side
        }

    def switch_off_and_on(self, side: Side) -> None:
        """Begin anew with what was stored (ATWR)."""
        old = self._modems[side]
        self._modems[side] = _Modem(CommandMode(old.commands.stored), old.statistics)

    def backlog_s(self, side: Side) -> float:
        """Return how long the serial line needs for what was written to it."""
        return max(self._modems[side].line_in_free_s - self.now_s, 0.0)

    def line_free_s(self, side: Side) -> float:
        """Return when the serial line will have carried all of that."""
        return max(self._modems[side].line_in_free_s, self.now_s)

    @property
    def next_event_s(self) -> float | None:
        """When something will happen next; None when nothing will by itself."""
        return self._events[0][0] if self._events else None

    def write(self, side: Side, data: bytes) -> None:
        """Put bytes on the serial line of a modem, now."""
        modem = self._modems[side]
        for byte in data:
            start_s = max(self.now_s, modem.line_in_free_s)
            modem.line_in_free_s = start_s + modem.byte_s
            self._at(modem.line_in_free_s, self._take, modem, side, byte)

    def advance(self, to_s: float) -> list[Output]:
        """Let time pass; return what came out of the serial lines by then."""
        while self._events and self._events[0][0] <= to_s:
            self.now_s, _, happen = heapq.heappop(self._events)
            happen()
        self.now_s = max(self.now_s, to_s)
        outputs = list(self._outputs)
        self._outputs.clear()
        return outputs

    def _at(self, time_s: float, action: Callable[..., None], *given: object) -> None:
        event = (time_s, next(self._order), lambda: action(*given))
        heapq.heappush(self._events, event)

    # The serial line into a modem.

    def _take(self, modem: _Modem, side: Side, byte: int) -> None:
        modem.statistics.bytes_in += 1
        silence_s = self.now_s - modem.last_byte_s
        modem.last_byte_s = self.now_s
        modem.timer += 1
        if modem.in_command_mode:
            self._command(modem, side, byte)
        elif byte == GUARD_CHARACTER and (modem.guards or _is_guard(silence_s)):
            self._guard(modem, side)
        else:
            self._data(modem, side, self._released(modem) + bytes([byte]))

    def _guard(self, modem: _Modem, side: Side) -> None:
        modem.guards += 1
        if modem.guards < GUARD_COUNT:
            self._at(self.now_s + GUARD_S, self._guard_over, modem, side, modem.timer)
            return
        modem.guards = 0
        modem.in_command_mode = True
        self._answer(modem, side, modem.commands.enter())
        self._watch_command_mode(modem)

    def _guard_over(self, modem: _Modem, side: Side, timer: int) -> None:
        if timer == modem.timer:
            self._data(modem, side, self._released(modem))

    @staticmethod
    def _released(modem: _Modem) -> bytes:
        kept = bytes([GUARD_CHARACTER]) * modem.guards
        modem.guards = 0
        return kept

    def _command(self, modem: _Modem, side: Side, byte: int) -> None:
        answer, done = modem.commands.take(byte)
        if answer:
            self._answer(modem, side, answer)
        modem.in_command_mode = not done
        self._watch_command_mode(modem)

    def _watch_command_mode(self, modem: _Modem) -> None:
        time_s = self.now_s + COMMAND_SILENCE_S
        self._at(time_s, self._leave_command_mode, modem, modem.timer)

    @staticmethod
    def _leave_command_mode(modem: _Modem, timer: int) -> None:
        if timer == modem.timer:
            modem.in_command_mode = False

    def _answer(self, modem: _Modem, side: Side, answer: bytes) -> None:
        self._put_out(modem, side, answer)

    def _data(self, modem: _Modem, side: Side, data: bytes) -> None:
        for byte in data:
            modem.packet.append(byte)
            if len(modem.packet) >= modem.settings.packet_size:
                self._send(modem, side)
        if modem.packet:
            time_s = self.now_s + modem.settings.timeout_ms / 1000
            self._at(time_s, self._time_out, modem, side, modem.timer)

    def _time_out(self, modem: _Modem, side: Side, timer: int) -> None:
        if timer == modem.timer and modem.packet:
            modem.statistics.packets_not_full += 1
            self._send(modem, side)

    # The air.

    def _send(self, modem: _Modem, side: Side) -> None:
        packet = bytes(modem.packet)
        modem.packet.clear()
        time_s = air_time_s(len(packet), modem.settings, self.air)
        self._air_free_s = max(self.now_s, self._air_free_s) + time_s
        modem.statistics.packets_sent += 1
        modem.statistics.air_s += time_s
        self._at(self._air_free_s, self._hear, side.other, packet, modem.settings)

    def _hear(self, side: Side, packet: bytes, sent_as: Settings) -> None:
        modem = self._modems[side]
        statistics = modem.statistics
        if self._chance.random() < self.air.loss:
            statistics.lost += 1
        elif modem.in_command_mode or not modem.settings.hears(sent_as):
            statistics.not_heard += 1
        elif len(packet) > modem.settings.packet_size:
            statistics.too_long += 1
        else:
            self._receive(modem, side, packet)

    def _receive(self, modem: _Modem, side: Side, packet: bytes) -> None:
        received = self._with_errors(packet)
        if received != packet or self._overhead_is_hit():
            modem.statistics.damaged += 1
            if self.air.checksum:
                return
        modem.statistics.packets_received += 1
        self._put_out(modem, side, received)

    def _with_errors(self, packet: bytes) -> bytes:
        if not self.air.bit_errors:
            return packet
        received = bytearray(packet)
        for bit in range(8 * len(packet)):
            if self._chance.random() < self.air.bit_errors:
                received[bit // 8] ^= 1 << bit % 8
        return bytes(received)

    def _overhead_is_hit(self) -> bool:
        chance = (1 - self.air.bit_errors) ** (8 * self.air.packet_overhead)
        return self._chance.random() >= chance

    # The serial line out of a modem.

    def _put_out(self, modem: _Modem, side: Side, data: bytes) -> None:
        start_s = max(self.now_s, modem.line_out_free_s)
        modem.line_out_free_s = start_s + len(data) * modem.byte_s
        modem.statistics.bytes_out += len(data)
        out = Output(side, modem.line_out_free_s, data)
        self._at(modem.line_out_free_s, self._outputs.append, out)


def _is_guard(silence_s: float) -> bool:
    # Sums of the times of bytes are not exact.
    return silence_s > GUARD_S - 1e-9
