# SPDX-License-Identifier: Apache-2.0
"""Two serial radios and the air between them, as a model of time and bytes.

The model does no input or output and reads no clock: its user tells it what is
written and how late it is. `samara.link.rfserial.modem_ports` puts it behind two
pseudo terminals.

What is published of the modem is in `samara.link.rfserial.modem_commands` and
`serial_radio`; what its vendor never published is in `modem_assumptions`.

>>> from samara.link.rfserial import modem
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
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

from samara.errors import ArgumentError
from samara.link.rfserial.modem_assumptions import (
    ASSUMPTIONS,
    PACKET_OVERHEAD,
    Assumption,
)
from samara.link.rfserial.modem_commands import CommandMode, Settings
from samara.link.rfserial.serial_radio import (
    COMMAND_SILENCE_S,
    GUARD_S,
    UART_BITS,
    Modem,
    Side,
    Statistics,
    World,
)
from samara.link.rfserial.serial_radio import Settings as AnySettings

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "ASSUMPTIONS",
    "COMMAND_SILENCE_S",
    "GUARD_S",
    "PACKET_OVERHEAD",
    "UART_BITS",
    "Air",
    "Assumption",
    "Output",
    "PacketOnAir",
    "PacketResult",
    "Pair",
    "Settings",
    "Side",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Air:
    """What happens to packets between the modems.

    Raises
    ------
    ArgumentError
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
                raise ArgumentError(message)


@dataclass(frozen=True, slots=True)
class Output:
    """Bytes that have left the serial line of a modem."""

    side: Side
    time_s: float
    """When the last of them has."""
    data: bytes


def air_time_s(size: int, settings: AnySettings, air: Air) -> float:
    """Return how long a packet with so many bytes is on the air."""
    return (size + air.packet_overhead) * 8 / settings.air_bits_per_s


class PacketResult(StrEnum):
    """What became of a packet on the air."""

    ARRIVED = "arrived"
    DAMAGED = "damaged"
    LOST = "lost"
    NOT_HEARD = "not heard"


@dataclass(frozen=True, slots=True)
class PacketOnAir:
    """A packet that was on the air."""

    side: Side
    """The modem that sent it, or in whose name somebody else did."""
    packet: bytes
    fate: PacketResult


class Pair:
    """Two modems that hear each other, and no others.

    Parameters
    ----------
    settings
        Settings of both modems when they are switched on.
    air
        What happens to packets between them.
    seed
        Seed of the random numbers that choose lost packets and wrong bits.
    new
        Makes the modem of a side. Default: an SRF.

    Attributes
    ----------
    now_s
        The time of the model in seconds; only `advance` changes it.
    air
        What happens to packets from now on.
    on_passed
        Called with each packet whose time on the air is over.
    """

    def __init__(
        self,
        settings: AnySettings,
        air: Air | None = None,
        seed: int = 0,
        new: Callable[[Side, World], Modem] | None = None,
    ) -> None:
        self.now_s = 0.0
        self.air = Air() if air is None else air
        self._chance = random.Random(seed)  # noqa: S311 - repeatable losses
        if new is None:
            factory = cast("Settings", settings)
            self._modems = [Modem(side, self, CommandMode(factory)) for side in Side]
        else:
            self._modems = [new(side, self) for side in Side]
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self.air_free_s = 0.0
        self._outputs: deque[Output] = deque()
        self._to_lose = 0
        self.on_passed: Callable[[PacketOnAir], None] | None = None

    def set_baud(self, baud: int) -> None:
        """Run both serial lines at another baud rate, as ATBD and ATAC do.

        Raises
        ------
        ArgumentError
            When modems do not have it.
        """
        for modem in self._modems:
            modem.commands.settings = replace(modem.commands.settings, baud=baud)

    def lose(self, count: int) -> None:
        """Lose the next packets, whatever their chance is."""
        self._to_lose = count

    def inject(self, side: Side, data: bytes) -> None:
        """Send bytes on the air as a third modem does that is set like this one."""
        settings = self._modems[side].settings
        for start in range(0, len(data), settings.packet_size):
            self._put_on_air(side, data[start:][: settings.packet_size], settings)

    def settings(self, side: Side) -> Any:  # noqa: ANN401 - of its own type
        """Return the settings of a modem."""
        return self._modems[side].settings

    def modem(self, side: Side) -> Modem:
        """Return a modem."""
        return self._modems[side]

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
        """Restart a modem with the settings that it has stored (ATWR)."""
        self._modems[side] = self._modems[side].restarted()

    def backlog_s(self, side: Side) -> float:
        """Return how long the serial line needs for what was written to it."""
        return max(self._modems[side].line_in_free_s - self.now_s, 0.0)

    def line_free_s(self, side: Side) -> float:
        """Return when the serial line will have carried all of that."""
        return max(self._modems[side].line_in_free_s, self.now_s)

    @property
    def next_event_s(self) -> float | None:
        """Time of the next event; None if nothing will happen by itself."""
        return self._events[0][0] if self._events else None

    def write(self, side: Side, data: bytes) -> None:
        """Put bytes on the serial line of a modem, now."""
        self._modems[side].write(data)

    def advance(self, to_s: float) -> list[Output]:
        """Let time pass; return what left the serial lines until then."""
        while self._events and self._events[0][0] <= to_s:
            self.now_s, _, happen = heapq.heappop(self._events)
            happen()
        self.now_s = max(self.now_s, to_s)
        outputs = list(self._outputs)
        self._outputs.clear()
        return outputs

    # What surrounds each modem (`serial_radio.World`).

    def at(self, time_s: float, action: Callable[..., None], *given: object) -> None:
        """Call `action` at a time."""
        event = (time_s, next(self._order), lambda: action(*given))
        heapq.heappush(self._events, event)

    def transmit(self, modem: Modem, packet: bytes) -> float:
        """Send a packet on the air, and return how long it takes, in seconds."""
        return self._put_on_air(modem.side, packet, modem.settings)

    def output(self, modem: Modem, data: bytes, time_s: float) -> None:
        """Hand bytes to the program when the last of them has left the line."""
        self.at(time_s, self._outputs.append, Output(modem.side, time_s, data))

    # The air.

    def _put_on_air(self, side: Side, packet: bytes, settings: AnySettings) -> float:
        time_s = air_time_s(len(packet), settings, self.air)
        self.air_free_s = max(self.now_s, self.air_free_s) + time_s
        self.at(self.air_free_s, self._arrive, side.other, packet, settings)
        return time_s

    def _arrive(self, side: Side, packet: bytes, sent_as: AnySettings) -> None:
        fate = self._fate(side, packet, sent_as)
        if self.on_passed is not None:
            self.on_passed(PacketOnAir(side.other, packet, fate))

    def _fate(self, side: Side, packet: bytes, sent_as: AnySettings) -> PacketResult:
        """Hand a packet to a modem, unless something happens to it on the air."""
        # The modem may have been restarted since the packet was sent.
        modem = self._modems[side]
        if self._is_lost():
            modem.statistics.lost += 1
            return PacketResult.LOST
        if not modem.takes(packet, sent_as):
            return PacketResult.NOT_HEARD
        received = self._with_errors(packet)
        is_damaged = received != packet or self._overhead_is_hit()
        if is_damaged:
            modem.statistics.damaged += 1
        if not is_damaged or not self.air.checksum:
            modem.receive(received)
        return PacketResult.DAMAGED if is_damaged else PacketResult.ARRIVED

    def _is_lost(self) -> bool:
        if self._to_lose:
            self._to_lose -= 1
            return True
        return self._chance.random() < self.air.loss

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
