# SPDX-License-Identifier: Apache-2.0
"""Receipts: what one message cost, and where each figure comes from.

A message that was sent or received becomes bytes on the air by layers: each adds
a part, and the parts sum up to what the radio sends. Beside them stand figures:
times, and what it costs on a device. Parts and figures have fixed names, which
`PARTS` and `FIGURES` explain.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

from samara.figure import Figure, Origin
from samara.link.node.receipt_record import CallRecord, ReceiptRecord, UnitRecord
from samara.records.json_lines import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "FIGURES",
    "PARTS",
    "Call",
    "Direction",
    "Figure",
    "Origin",
    "Receipt",
    "Unit",
    "Verb",
    "alike",
    "together",
]


class Direction(StrEnum):
    """Which end gives the receipt."""

    SENT = "sent"
    RECEIVED = "received"

    @property
    def verbs(self) -> tuple[Verb, Verb]:
        """What this end does with the message, and with its acknowledgement."""
        sent = self is Direction.SENT
        return (Verb.SEAL, Verb.OPEN) if sent else (Verb.OPEN, Verb.SEAL)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a part or a figure is called, and what it is."""

    label: str
    text: str


MESSAGE, ACKNOWLEDGEMENT, RADIO = "message", "acknowledgement", "radio"
REPETITION = "repetition"
OF_SECURITY = ("security", "counter", "tag")
"""The parts that a frame without security does not have."""

PARTS: Mapping[str, Meaning] = {
    MESSAGE: Meaning("message", "The message itself."),
    "cipher": Meaning(
        "cipher",
        "What encryption adds to the message: padding to whole blocks, and hex digits"
        " if the ciphertext is sent as text.",
    ),
    "framing": Meaning(
        "framing",
        "Start and length of the message, and the number of the part if it is sent in"
        " parts.",
    ),
    "header": Meaning(
        "frame header", "Frame control, sequence number and addresses of the frame."
    ),
    "security": Meaning(
        "security header",
        "Security control and key identifier, without the frame counter.",
    ),
    "counter": Meaning(
        "counter", "The part of the nonce that is sent: frame counter or nonce bytes."
    ),
    "tag": Meaning("tag", "Authentication tag (MIC)."),
    "check": Meaning(
        "frame check",
        "Checksum (FCS) against transmission errors, not against attacks.",
    ),
    "coding": Meaning("coding", "Redundancy of the error-correcting code."),
    "fill": Meaning(
        "fill", "Padding of the last packet, so that the modem sends it at once."
    ),
    REPETITION: Meaning(
        "repetition",
        "Frames that were sent again, because no acknowledgement of them arrived.",
    ),
    ACKNOWLEDGEMENT: Meaning(
        "acknowledgement",
        "Frames that the receiver sends back to confirm the message or its frames.",
    ),
    RADIO: Meaning(
        "radio", "Preamble, start delimiter and length that the radio adds to a packet."
    ),
}
"""The parts of the bytes that are sent, in the order in which they are shown."""

LEVEL_UNIT = "dBm"
"""Of figures that are no amounts: a level can be below 0."""

FIGURES: Mapping[str, Meaning] = {
    "uart_time": Meaning(
        "UART time", "Time of the bytes on the serial line, at its baud rate."
    ),
    "uart_time_by_clock": Meaning(
        "writing, by the clock",
        "Duration of the call that writes the bytes to the serial port; the line may"
        " take longer.",
    ),
    "wait_time": Meaning(
        "wait", "Time-out of the modem before it sends a packet that is not full."
    ),
    "air_time": Meaning(
        "air time",
        "Time of all parts on the air, at the radio's bit rate.",
    ),
    "acknowledgement_time": Meaning(
        "of which acknowledgement",
        "Share of the air time of the frames that the receiver sends back.",
    ),
    "listening_time": Meaning(
        "of listening",
        "Time that a radio which sleeps otherwise listened for the message, by the"
        " clock: the sender between the repetitions of its frames, the receiver since"
        " it woke up.",
    ),
    "air_time_by_clock": Meaning(
        "air time, by the clock", "How long the sender took to send the message."
    ),
    "delivery_time": Meaning(
        "delivery",
        "From the call that sends the message to its arrival, computed from rates.",
    ),
    "delivery_time_by_clock": Meaning(
        "delivery, by the clock",
        "From the call that sends the message to its arrival, by the clock.",
    ),
    "signal_strength": Meaning(
        "signal strength",
        "Power of the weakest frame of the message at the receiver, by its radio.",
    ),
    "link_quality": Meaning(
        "link quality",
        "Link quality indication of the worst frame, 0 to 255, by the radio.",
    ),
    "cipher_time_by_clock": Meaning(
        "cipher, by the clock", "Time that this computer spent in the cipher."
    ),
    "cipher_state": Meaning("cipher state", "Memory of the cipher's state."),
    "crypto_cycles": Meaning(
        "cryptography, cycles",
        "Cycles that the device needs to seal and open, acknowledgements included.",
    ),
    "crypto_time": Meaning(
        "cryptography, time", "Time of these cycles at the clock rate of the device."
    ),
    "crypto_energy": Meaning(
        "cryptography, energy",
        "Energy of that time at the voltage and active current of the device; of a "
        "core beside it: its gates, and the device idle.",
    ),
    "radio_energy": Meaning(
        "radio, energy",
        "Energy of the air time, and of the listening time if there is one, at the"
        " radio's voltage and its current while it sends or receives.",
    ),
    "listening_energy": Meaning(
        "share of listening",
        "Energy of the radio while it listens from this message to the next, in the"
        " medium access.",
    ),
    "sleep_energy": Meaning(
        "share of sleep",
        "Energy of the radio and the controller asleep from this message to the next.",
    ),
    "whole_energy": Meaning(
        "message, all in all",
        "Energy of the message in the medium access: radio, cryptography, durable"
        " counters, and its shares of listening and sleep.",
    ),
    "battery_messages": Meaning(
        "messages in the battery",
        "How many such messages, each with its shares of listening and sleep, the"
        " battery holds, self-discharge included.",
    ),
}
"""The figures of a receipt, in the order in which they are shown."""


class Verb(StrEnum):
    """What a suite does; the names of the bench's results."""

    SEAL = "seal"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Call:
    """Work for a suite: one call of it, or several alike."""

    suite: str
    """What the bench measures it as, such as `ieee802154-aes128-ccm-8`."""
    verb: Verb
    message_bytes: int
    """What the call is given as message. Frames of levels 1 to 3 leave it
    readable."""
    ad_bytes: int
    """What it is given beside that, to be authenticated only."""
    count: int = 1

    def record(self) -> CallRecord:
        """Return what programs get of it."""
        return CallRecord(
            suite=self.suite,
            verb=self.verb.value,
            message_bytes=self.message_bytes,
            ad_bytes=self.ad_bytes,
            count=self.count,
        )

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """Return what was made from `record`."""
        return cls(
            suite=_text(fields["suite"]),
            verb=Verb(fields["verb"]),
            message_bytes=_count(fields["message_bytes"]),
            ad_bytes=_count(fields["ad_bytes"]),
            count=_count(fields["count"]),
        )


def together(calls: Iterable[Call]) -> tuple[Call, ...]:
    """Return the same calls, those that are alike as one."""
    counts: Counter[Call] = Counter()
    for call in calls:
        counts[replace(call, count=1)] += call.count
    return tuple(replace(call, count=count) for call, count in counts.items())


@dataclass(frozen=True, slots=True)
class Unit:
    """What carries a payload: a frame, or a unit of a serial line; or several alike."""

    size: int
    """Bytes handed to the radio."""
    security_bytes: int
    """What security adds of them: header, counter, tag."""
    call: Call | None = None
    """What secures it, or verifies it; None where nothing does."""
    count: int = 1

    def record(self) -> UnitRecord:
        """Return what programs get of it."""
        return UnitRecord(
            bytes=self.size,
            security_bytes=self.security_bytes,
            call=self.call.record() if self.call else None,
            count=self.count,
        )

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """Return what was made from `record`."""
        call = fields["call"]
        return cls(
            size=_count(fields["bytes"]),
            security_bytes=_count(fields["security_bytes"]),
            call=None if call is None else Call.from_json(call),
            count=_count(fields["count"]),
        )


def alike(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return the same units, those that are alike as one; the last stays last."""
    every = list(units)
    if not every:
        return ()
    *others, last = every
    counts: Counter[Unit] = Counter()
    for unit in others:
        counts[replace(unit, count=1)] += unit.count
    # A dictionary keeps the place of the first: what is like the last moves behind.
    one = replace(last, count=1)
    counts[one] = counts.pop(one, 0) + last.count
    return tuple(replace(unit, count=count) for unit, count in counts.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What one message cost.

    Raises
    ------
    ValueError
        When a part or a figure has no meaning, or a number cannot be.
    """

    link: str
    """`rf-serial`, `ieee802154` or `sdr`."""
    direction: Direction
    protection: str
    """The framing, or the security level: `sealed`, `level 5`."""
    suite: str | None
    """What seals; None where nothing does."""
    parts: Mapping[str, float]
    """Bytes by `PARTS`, to an eighth; those that are 0 may be missing."""
    packets: int
    """Packets or frames that carry it."""
    payloads: int
    """Into how many payloads it is cut: each is a frame, or a unit of a serial line,
    which may take several packets."""
    encrypted_bytes: int = 0
    """What the suite encrypts, of the message's own frames."""
    authenticated_bytes: int = 0
    """What it authenticates there: what it encrypts, and what stays readable."""
    calls: tuple[Call, ...] = ()
    """What the suite has to do at this end, for acknowledgements too."""
    units: tuple[Unit, ...] = ()
    """What carries the payloads; none where that is not told."""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """By `FIGURES`; what is not known is missing."""
    device: str | None = None
    radio: str | None = None
    remarks: tuple[str, ...] = ()
    """Sentences: what is assumed, what is not known and how to come by it."""

    def __post_init__(self) -> None:
        for kind, known, given in (
            ("part", PARTS, self.parts),
            ("figure", FIGURES, self.figures),
        ):
            if unknown := set(given) - set(known):
                message = f"a receipt has no {kind} {min(unknown)!r}"
                raise ValueError(message)
        values = [*self.parts.values(), *(f.value for f in self.figures.values())]
        amounts = [
            *self.parts.values(),
            *(f.value for f in self.figures.values() if f.unit != LEVEL_UNIT),
        ]
        if not all(map(math.isfinite, values)) or any(value < 0 for value in amounts):
            message = "the numbers of a receipt are finite, and amounts not below 0"
            raise ValueError(message)
        if any(value * 8 % 1 for value in self.parts.values()):
            message = "the parts of a receipt are whole bits"
            raise ValueError(message)

    @property
    def message_bytes(self) -> float:
        """Bytes of the message."""
        return self.parts.get(MESSAGE, 0)

    @property
    def air_bytes(self) -> float:
        """Bytes on the air: the sum of all parts."""
        return sum(self.parts.values())

    @property
    def link_bytes(self) -> float:
        """Bytes handed to the radio that sends the message.

        All parts but what radios add themselves, and the acknowledgement.
        """
        others = (RADIO, ACKNOWLEDGEMENT)
        return self.air_bytes - sum(self.parts.get(name, 0) for name in others)

    @property
    def expansion(self) -> float | None:
        """Bytes handed to the radio for each byte of message; None for no message."""
        return self.link_bytes / self.message_bytes if self.message_bytes else None

    def with_figures(self, figures: Mapping[str, Figure], *remarks: str) -> Self:
        """Return this receipt with more figures, or newer ones, and remarks."""
        return replace(
            self,
            figures={**self.figures, **figures},
            remarks=tuple(dict.fromkeys([*self.remarks, *remarks])),
        )

    def record(self) -> ReceiptRecord:
        """Return what programs get of it."""
        return ReceiptRecord(
            link=self.link,
            direction=self.direction.value,
            protection=self.protection,
            suite=self.suite,
            parts={name: self.parts.get(name, 0) for name in PARTS},
            link_bytes=self.link_bytes,
            air_bytes=self.air_bytes,
            packets=self.packets,
            payloads=self.payloads,
            encrypted_bytes=self.encrypted_bytes,
            authenticated_bytes=self.authenticated_bytes,
            calls=tuple(call.record() for call in self.calls),
            units=tuple(unit.record() for unit in self.units),
            expansion=self.expansion,
            device=self.device,
            radio=self.radio,
            figures={
                name: self.figures[name] for name in FIGURES if name in self.figures
            },
            remarks=self.remarks,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the record as plain values, which `from_json` reads."""
        fields: dict[str, Any] = plain(self.record())
        return fields

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """Return what `as_json` wrote; what it computed is computed anew.

        Raises
        ------
        ValueError
            When it is not a receipt.
        """
        try:
            return cls(
                link=_text(fields["link"]),
                direction=Direction(fields["direction"]),
                protection=_text(fields["protection"]),
                suite=_text_or_none(fields["suite"]),
                parts={str(n): _number(v) for n, v in fields["parts"].items()},
                packets=_count(fields["packets"]),
                # Older receipts do not have it: no more payloads than packets.
                payloads=_count(fields.get("payloads", fields["packets"])),
                encrypted_bytes=_count(fields.get("encrypted_bytes", 0)),
                authenticated_bytes=_count(fields.get("authenticated_bytes", 0)),
                calls=tuple(map(Call.from_json, fields.get("calls", ()))),
                units=tuple(map(Unit.from_json, fields.get("units", ()))),
                figures={
                    str(n): Figure.from_json(v) for n, v in fields["figures"].items()
                },
                device=_text_or_none(fields.get("device")),
                radio=_text_or_none(fields.get("radio")),
                # Older receipts call them notes.
                remarks=tuple(
                    map(_text, fields.get("remarks", fields.get("notes", ())))
                ),
            )
        except KeyError as error:
            message = f"it has no field {error}, which a receipt has"
            raise ValueError(message) from None
        except (TypeError, AttributeError, OverflowError) as error:
            message = f"a field is not as in a receipt: {error}"
            raise ValueError(message) from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        message = f"{value!r} is no text"
        raise TypeError(message)
    return value


def _text_or_none(value: object) -> str | None:
    return None if value is None else _text(value)


def _count(value: object) -> int:
    number = _number(value)
    if number < 0 or number % 1:
        message = f"{value!r} is no count"
        raise TypeError(message)
    return int(number)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        message = f"{value!r} is no number"
        raise TypeError(message)
    return value
