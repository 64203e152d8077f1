# SPDX-License-Identifier: Apache-2.0
"""Receipts of messages over a serial radio."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from samara.figure import Figure, Origin, weakest
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
from samara.link.rfserial.modules import DEFAULT, of_settings, radio_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from samara.link import rfserial
    from samara.link.node.options import Settings
    from samara.link.node.receipt import Direction
    from samara.link.rfserial.modules.profile import Profile

LINK = "rf-serial"

ENCODING = ("framing", "suite", "tag_size", "counter_size", "packet_size")
"""Names of the settings that determine the bytes of a message."""

_UART_BITS = 10
"""A start bit, eight of data, a stop bit."""
_UNCOUNTED = "Cycles on a device are of the suite; finding and framing units is more."
_CLOCK = "the clock of this machine"
_ASSUMED = "the modem's own bytes around a packet are assumed"


def _as_it_is(size: int) -> int:
    return size


@dataclass(frozen=True, slots=True)
class Line:
    """Serial line and modem, as far as they take time."""

    baud: int
    """Of the serial line, in bit/s."""
    packet_size: int
    """Bytes that the modem puts into a packet (ATPK)."""
    timeout_s: float
    """How long it waits for the rest of one (ATRO)."""
    air_rate: float
    """In bit/s."""
    packet_overhead: int
    """Bytes that the modem sends around each packet."""
    line_size: Callable[[int], int] = _as_it_is
    """Returns the bytes of the serial line that carry a packet of so many."""
    air_size: Callable[[int], int] = _as_it_is
    """Returns the bytes on the air that carry a packet of so many."""
    waits: bool = True
    """Whether a packet that is not full waits for more."""
    gap_s: float = 0.0
    """Silence between packets."""
    origin: Origin = Origin.ASSUMED
    """Of times on the air."""
    doubt: str = _ASSUMED
    """Why they are no better."""
    module: str | None = None
    """What is known of the module, in a sentence; None for the SRF."""
    radio: str | None = None
    """Its radio in the energy model, if it is another than that of the SRF."""

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
        return self.line_bytes(size) * _UART_BITS / self.baud

    def line_bytes(self, size: int) -> int:
        """Return the bytes of the serial line that carry so many, in packets."""
        alike = Counter(self.packets(size))
        return sum(self.line_size(each) * count for each, count in alike.items())

    def air_s(self, size: int) -> float:
        """Return how long a packet with so many bytes is on the air."""
        return self.air_bytes(size) * 8 / self.air_rate

    def air_bytes(self, size: int) -> int:
        """Return how many bytes on the air a packet with so many is."""
        return self.air_size(size) + self.packet_overhead

    def wait_s(self, size: int) -> float:
        """Return how long the last packet waits for more."""
        return self.timeout_s if self.waits and size % self.packet_size else 0.0

    def delivery_s(self, size: int) -> float:
        """Return when the last of so many bytes has left the other modem.

        A packet goes on the air when it is full, or has waited, and the one
        before is over; the other modem passes it on when all of it is there.
        """
        packets = self.packets(size)
        uart_s = {packet: self.uart_s(packet) for packet in set(packets)}
        air_s = {packet: self.air_s(packet) for packet in set(packets)}
        taken_s = air_free_s = out_free_s = 0.0
        for packet in packets:
            taken_s += uart_s[packet]
            ready_s = taken_s + self.wait_s(packet)
            gap_s = self.gap_s if air_free_s else 0.0
            air_free_s = max(ready_s, air_free_s + gap_s) + air_s[packet]
            out_free_s = max(air_free_s, out_free_s) + uart_s[packet]
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
    on_air = [*packets, *answering]
    parts["radio"] = sum(map(line.air_bytes, on_air)) - sum(on_air)
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
        remarks=tuple(_remarks(line, suite)),
        radio=line.radio,
    )


def _remarks(line: Line, suite: str | None) -> Iterator[str]:
    if line.module is not None:
        yield line.module
    if line.doubt:
        yield f"{line.doubt[0].upper()}{line.doubt[1:]}."
    if suite:
        yield _UNCOUNTED


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
        air = _source_with_doubt(f"at {line.air_rate:,.10g} bit/s", line)
        seconds = sum(map(line.air_s, packets))
        yield "acknowledgement_time", Figure(seconds, "s", line.origin, air)


def _source_with_doubt(how: str, line: Line) -> str:
    return f"{how}; {line.doubt}" if line.doubt else how


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
    carried = sum(map(line.line_bytes, total))
    rate = f"{carried} bytes of {_UART_BITS} bits at {line.baud:,} bit/s"
    uart_s = sum(map(line.uart_s, total))
    yield "uart_time", Figure(uart_s, "s", Origin.ESTIMATED, rate)
    wait_s = sum(map(line.wait_s, total))
    waiting = f"the modem's time-out of {line.timeout_s * 1e3:g} ms"
    full = f"packets of {line.packet_size} bytes are full"
    if not line.waits:
        full = "the serial line tells packets apart"
    why = waiting if wait_s else full
    yield "wait_time", Figure(wait_s, "s", Origin.ESTIMATED, why)
    on_air = [*total, *(sizes.total for sizes in sent.answers)]
    air_s = sum(line.air_s(packet) for size in on_air for packet in line.packets(size))
    air = _source_with_doubt(f"all parts at {line.air_rate:,.10g} bit/s", line)
    yield "air_time", Figure(air_s, "s", line.origin, air)
    delivery_s = sum(map(line.delivery_s, total))
    through = _source_with_doubt("line, wait, air and line again", line)
    yield "delivery_time", Figure(delivery_s, "s", line.origin, through)
    for name, seconds in (
        ("uart_time_by_clock", sent.sending_s),
        ("delivery_time_by_clock", sent.delivery_s),
    ):
        if seconds is not None:
            yield name, Figure(seconds, "s", Origin.HOST_CLOCK, _CLOCK)


def line_of(settings: Settings) -> Line:
    """Return what takes time at the serial line and the module of a node."""
    profile = of_settings(settings)
    figures = [profile.figures[name] for name in ("air_rate", "overhead", "packet")]
    doubtful = [
        name
        for name, each in zip(_OF_AIR, figures, strict=True)
        if each.origin is Origin.ASSUMED
    ]
    return Line(
        baud=settings["baud"],
        packet_size=profile.packet,
        timeout_s=profile.timeout_ms / 1000,
        air_rate=profile.air_rate(settings["baud"]),
        packet_overhead=profile.overhead,
        line_size=profile.wrapping.line_size,
        air_size=profile.wrapping.air_size,
        waits=not profile.wrapping.keeps_packets,
        gap_s=profile.gap_s,
        origin=weakest(Origin.ESTIMATED, *(each.origin for each in figures)),
        doubt=_ASSUMED if profile.name == DEFAULT else _doubt(doubtful),
        module=None if profile.name == DEFAULT else _module(profile, settings),
        radio=radio_of(settings),
    )


_OF_AIR = ("bit rate on the air", "bytes around a packet", "size of packets")


def _doubt(doubtful: Sequence[str]) -> str:
    return f"assumed of the module: {', '.join(doubtful)}" if doubtful else ""


def _module(profile: Profile, settings: Settings) -> str:
    """Return what a receipt says of the module and its region."""
    tried = "" if profile.tried else ", whose profile was not tried on hardware"
    region = settings.get("region")
    kept = f"the duty cycle of {region} is kept" if region else "no duty cycle is kept"
    return f"Through {profile.title}{tried}; {kept}."
