# SPDX-License-Identifier: Apache-2.0
"""Receipts of messages over a serial radio."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from samara.figure import Figure, Origin
from samara.link.node.receipt import (
    OF_SECURITY,
    Call,
    Receipt,
    Unit,
    alike,
    together,
)
from samara.link.rfserial import modem
from samara.link.rfserial.framings import framing_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.link import rfserial
    from samara.link.node.options import Settings
    from samara.link.node.receipt import Direction

LINK = "rf-serial"

ENCODING = ("framing", "suite", "tag_size", "counter_size", "packet_size")
"""Names of the settings that determine the bytes of a message."""

_UART_BITS = 10
"""A start bit, eight of data, a stop bit."""
_UNCOUNTED = "Cycles on a device are of the suite; finding and framing units is more."
_CLOCK = "the clock of this machine"
_ASSUMED = "the modem's own bytes around a packet are assumed"


@dataclass(frozen=True, slots=True)
class Line:
    """Serial line and modem, as far as they take time."""

    baud: int
    """Of the serial line, in bit/s."""
    packet_size: int
    """Bytes that the modem puts into a packet (ATPK)."""
    timeout_s: float
    """How long it waits for the rest of one (ATRO)."""
    air_rate: int
    """In bit/s."""
    packet_overhead: int
    """Bytes that the modem sends around each packet; nobody has published them."""

    @classmethod
    def of(cls, settings: modem.Settings) -> Self:
        """Return what takes time with modems that are set so."""
        return cls(
            baud=settings.baud,
            packet_size=settings.packet_size,
            timeout_s=settings.timeout_ms / 1000,
            air_rate=settings.air_bits_per_s,
            packet_overhead=modem.PACKET_OVERHEAD,
        )

    def packets(self, size: int) -> list[int]:
        """Return the sizes of the packets that carry so many bytes."""
        whole, rest = divmod(size, self.packet_size)
        return [self.packet_size] * whole + [rest] * (rest > 0)

    def uart_s(self, size: int) -> float:
        """Return how long the serial line takes for so many bytes."""
        return size * _UART_BITS / self.baud

    def air_s(self, size: int) -> float:
        """Return how long a packet with so many bytes is on the air."""
        return (size + self.packet_overhead) * 8 / self.air_rate

    def wait_s(self, size: int) -> float:
        """Return how long the last packet waits for more."""
        return self.timeout_s if size % self.packet_size else 0.0

    def delivery_s(self, size: int) -> float:
        """Return when the last of so many bytes has left the other modem.

        A packet goes on the air when it is full, or has waited, and the one
        before is over; the other modem passes it on when all of it is there.
        """
        taken, air_free_s, out_free_s = 0, 0.0, 0.0
        for packet in self.packets(size):
            taken += packet
            ready_s = self.uart_s(taken)
            if packet < self.packet_size:
                ready_s += self.timeout_s
            air_free_s = max(ready_s, air_free_s) + self.air_s(packet)
            out_free_s = max(air_free_s, out_free_s) + self.uart_s(packet)
        return out_free_s


@dataclass(frozen=True, slots=True)
class Sent:
    """What was said, and as what it travelled."""

    direction: Direction
    message_bytes: int
    encoded: Sequence[rfserial.WireSize]
    """One for each encoded payload, in which a long message may be cut."""
    sending_s: float | None = None
    """How long writing to the serial line took, by the clock."""
    delivery_s: float | None = None
    """How long it took to arrive, by the clock."""
    answers: Sequence[rfserial.WireSize] = ()
    """What goes the other way and acknowledges it."""


def receipt_of(sent: Sent, settings: rfserial.Settings, line: Line) -> Receipt:
    """Return the receipt of a message.

    Parameters
    ----------
    settings
        What it was encoded with.
    """
    framing = framing_named(settings.framing)
    suite = framing.suite(settings.suite)
    total = [sizes.total for sizes in sent.encoded]
    packets = [packet for size in total for packet in line.packets(size)]
    answers = [sizes.total for sizes in sent.answers]
    answering = [packet for size in answers for packet in line.packets(size)]
    parts: Counter[str] = Counter()
    for sizes in sent.encoded:
        parts += Counter(_parts(sizes))
    payload = parts["message"]
    # What marks parts of a message is payload to the framing.
    parts["framing"] += payload - sent.message_bytes
    parts["message"] = sent.message_bytes
    parts["acknowledgement"] = sum(answers)
    parts["radio"] = line.packet_overhead * (len(packets) + len(answering))
    data = framing.associated_data_size
    return Receipt(
        link=LINK,
        direction=sent.direction,
        protection=framing.name,
        suite=suite,
        parts=dict(parts),
        packets=len(packets),
        payloads=len(sent.encoded),
        encrypted_bytes=0 if suite is None else payload,
        authenticated_bytes=(
            payload + data * len(total) if framing.authenticates else 0
        ),
        calls=() if suite is None else together(_calls(sent, suite, data)),
        units=alike(_units(sent, suite, data)),
        figures=dict(_figures(sent, total, line)) | dict(_answering(answering, line)),
        notes=(_ASSUMED.capitalize() + ".",) + ((_UNCOUNTED,) if suite else ()),
    )


def _calls(sent: Sent, suite: str, data: int) -> Iterator[Call]:
    """Yield a call for each payload, and for each that acknowledges it."""
    for verb, encoded in zip(
        sent.direction.verbs, (sent.encoded, sent.answers), strict=True
    ):
        for sizes in encoded:
            yield Call(suite, verb, sizes.message, data)


def _units(sent: Sent, suite: str | None, data: int) -> Iterator[Unit]:
    """Yield what carries the payloads of the message."""
    verb, _ = sent.direction.verbs
    for sizes in sent.encoded:
        call = None if suite is None else Call(suite, verb, sizes.message, data)
        parts = _parts(sizes)
        added = sum(parts.get(part, 0) for part in OF_SECURITY)
        yield Unit(sizes.total, added, call)


def _answering(packets: Sequence[int], line: Line) -> Iterator[tuple[str, Figure]]:
    if packets:
        air = f"at {line.air_rate:,} bit/s; {_ASSUMED}"
        seconds = sum(map(line.air_s, packets))
        yield "acknowledgement_time", Figure(seconds, "s", Origin.ASSUMED, air)


def _parts(sizes: rfserial.WireSize) -> dict[str, int]:
    """Return the parts of one encoded payload by the names that receipts use."""
    return {
        "message": sizes.message,
        "cipher": sizes.coding + sizes.padding,
        "framing": sizes.framing,
        "counter": sizes.counter,
        "tag": sizes.tag,
        "fill": sizes.fill,
    }


def _figures(
    sent: Sent, total: Sequence[int], line: Line
) -> Iterator[tuple[str, Figure]]:
    rate = f"{sum(total)} bytes of {_UART_BITS} bits at {line.baud:,} bit/s"
    uart_s = line.uart_s(sum(total))
    yield "uart_time", Figure(uart_s, "s", Origin.ESTIMATED, rate)
    wait_s = sum(map(line.wait_s, total))
    waiting = f"the modem's time-out of {line.timeout_s * 1e3:g} ms"
    full = f"packets of {line.packet_size} bytes are full"
    why = waiting if wait_s else full
    yield "wait_time", Figure(wait_s, "s", Origin.ESTIMATED, why)
    on_air = [*total, *(sizes.total for sizes in sent.answers)]
    air_s = sum(line.air_s(packet) for size in on_air for packet in line.packets(size))
    air = f"all parts at {line.air_rate:,} bit/s; {_ASSUMED}"
    yield "air_time", Figure(air_s, "s", Origin.ASSUMED, air)
    delivery_s = sum(map(line.delivery_s, total))
    through = f"line, wait, air and line again; {_ASSUMED}"
    yield "delivery_time", Figure(delivery_s, "s", Origin.ASSUMED, through)
    for name, seconds in (
        ("uart_time_by_clock", sent.sending_s),
        ("delivery_time_by_clock", sent.delivery_s),
    ):
        if seconds is not None:
            yield name, Figure(seconds, "s", Origin.HOST_CLOCK, _CLOCK)


def line_of(settings: Settings) -> Line:
    """Return what takes time at the serial line and the modem of a node."""
    return Line.of(
        modem.Settings(
            baud=settings["baud"],
            packet_size=settings["packet_size"],
            timeout_ms=settings["modem_timeout_ms"],
        )
    )
