# SPDX-License-Identifier: Apache-2.0
"""Receipts of messages in frames of IEEE 802.15.4."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from samara import crypto
from samara.bench import frames as bench
from samara.figure import Figure, Origin
from samara.link.ieee802154.air.channel import PHY_HEADER_SIZE, air_time_s
from samara.link.ieee802154.frames.fcs import FCS_SIZE
from samara.link.ieee802154.frames.frame import parse
from samara.link.ieee802154.frames.levels import authenticates, encrypts, mic_size
from samara.link.node.receipt import (
    LEVEL_UNIT,
    OF_SECURITY,
    Call,
    Receipt,
    Unit,
    alike,
    together,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.link.ieee802154.frames.frame import SecurityHeader
    from samara.link.node.receipt import Direction, Verb

LINK = "ieee802154"

_CONTROL_SIZE = 1
_COUNTER_SIZE = 4
_INDEX_SIZE = 1
_RADIO = "by the radio, of the frame that it received worst"
_CLOCK_OF_RADIO = "the clock of this machine, with CSMA-CA and the serial line"
_CLOCK = "the clock of this machine, over an emulated medium"
_RATE = "bytes of 32 µs, 250 kbit/s (IEEE 802.15.4, O-QPSK at 2.4 GHz)"


@dataclass(frozen=True, slots=True)
class Sent:
    """What was said, and as what it travelled."""

    direction: Direction
    message_bytes: int
    frames: Sequence[bytes]
    """Each with its FCS; a long message is cut into several."""
    air_s: float | None = None
    """How long the medium was busy with it, by the clock."""
    delivery_s: float | None = None
    """How long it took to arrive, by the clock."""
    answers: Sequence[bytes] = ()
    """Frames with their FCS that go the other way and acknowledge it."""
    repetitions: Sequence[bytes] = ()
    """Those of `frames` that were on the air again, as often as they were."""
    acknowledgements: Sequence[bytes] = ()
    """Acknowledgements of the MAC with their FCS; they go the other way."""

    listened_s: float | None = None
    """By the clock, for how long a radio that sleeps otherwise listened for it."""

    rssi_dbm: int | None = None
    """Signal strength of the weakest frame in dBm; None: the radio does not tell."""
    lqi: int | None = None
    """Link quality indication of the worst frame, 0 to 255; None as above."""
    is_emulated: bool = True
    """Whether the air is the emulated medium's, and not that of a radio."""

    @property
    def own(self) -> list[bytes]:
        """All that the sender of the message sent."""
        return [*self.frames, *self.repetitions]

    @property
    def others(self) -> list[bytes]:
        """All that its receiver sent."""
        return [*self.answers, *self.acknowledgements]


def suite_of(cipher: str, level: int) -> str | None:
    """Return what the bench calls a cipher for frames at a level.

    >>> suite_of("aes128", 5), suite_of("grain128aead", 7), suite_of("aes128", 0)
    ('aes128-ccm-4', 'grain128aead', None)
    """
    if level == 0:
        return None
    own_suites = {suite.slug for suite in crypto.suites()}
    return cipher if cipher in own_suites else f"{cipher}-ccm-{mic_size(level)}"


def receipt_of(sent: Sent, suite: str | None) -> Receipt:
    """Return the receipt of a message.

    Parameters
    ----------
    suite
        What secures the frames; None at level 0.

    Raises
    ------
    FrameError
        When one of the frames is none.
    """
    # Frames of a long message that was not sent are the same: each is read once.
    frames = [(_Parsed.of(psdu), n) for psdu, n in Counter(sent.frames).items()]
    parts: Counter[str] = Counter()
    for frame, count in frames:
        parts += Counter({name: size * count for name, size in frame.parts.items()})
    payload = parts["message"]
    # What marks parts of a message is payload to the frame.
    framing = payload - sent.message_bytes
    others = {
        "framing": framing,
        "acknowledgement": sum(map(len, sent.others)),
        "radio": PHY_HEADER_SIZE * (len(sent.own) + len(sent.others)),
    }
    if sent.repetitions:
        others["repetition"] = sum(map(len, sent.repetitions))
    return Receipt(
        link=LINK,
        direction=sent.direction,
        protection=f"level {frames[-1][0].level if frames else 0}",
        suite=suite,
        parts={**parts, "message": sent.message_bytes, **others},
        packets=len(sent.own),
        payloads=len(sent.frames),
        encrypted_bytes=sum(frame.encrypted * n for frame, n in frames),
        authenticated_bytes=sum(frame.authenticated * n for frame, n in frames),
        calls=together(_calls(sent, suite)),
        units=alike(_units(sent, suite)),
        figures=dict(_figures(sent)),
    )


def _calls(sent: Sent, suite: str | None) -> Iterator[Call]:
    """Yield what securing the frames takes, each frame handled as a whole."""
    for verb, psdus in zip(
        sent.direction.verbs, (sent.frames, sent.answers), strict=True
    ):
        for psdu, count in Counter(psdus).items():
            if (call := _Parsed.of(psdu).call(suite, verb)) is not None:
                yield replace(call, count=count)


def _units(sent: Sent, suite: str | None) -> Iterator[Unit]:
    """Yield the frames of the message, those that acknowledge it apart."""
    verb, _ = sent.direction.verbs
    others, last = Counter(sent.frames[:-1]), Counter(sent.frames[-1:])
    for psdu, count in (*others.items(), *last.items()):
        frame = _Parsed.of(psdu)
        added = sum(frame.parts[part] for part in OF_SECURITY)
        yield Unit(len(psdu), added, frame.call(suite, verb), count)


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A frame, as far as it costs something."""

    level: int
    parts: Mapping[str, int]

    @classmethod
    def of(cls, psdu: bytes) -> Self:
        """Return what the bytes of a frame with its FCS are for."""
        frame = parse(psdu[:-FCS_SIZE])
        security = _security_size(frame.security)
        counter = _counter_size(frame.security)
        known = len(frame.payload) + security + counter + len(frame.mic) + FCS_SIZE
        parts = {
            "message": len(frame.payload),
            "header": len(psdu) - known,
            "security": security,
            "counter": counter,
            "tag": len(frame.mic),
            "check": FCS_SIZE,
        }
        return cls(frame.level, parts)

    def call(self, suite: str | None, verb: Verb) -> Call | None:
        """Return what securing or verifying it takes, if anything."""
        if suite is None or self.level == 0:
            return None
        name = bench.name_of(suite.partition("-ccm-")[0], self.level)
        return Call(name, verb, self.parts["message"], self.header)

    @property
    def header(self) -> int:
        """Bytes in front of the payload."""
        return sum(self.parts[name] for name in ("header", "security", "counter"))

    @property
    def encrypted(self) -> int:
        """Bytes that are encrypted."""
        return self.parts["message"] if encrypts(self.level) else 0

    @property
    def authenticated(self) -> int:
        """Bytes that the MIC is over: header and payload, encrypted or not."""
        if not authenticates(self.level):
            return 0
        return self.header + self.parts["message"]


def _security_size(header: SecurityHeader | None) -> int:
    """Return the bytes of the auxiliary security header without the counter."""
    if header is None:
        return 0
    index = _INDEX_SIZE if header.key_id.mode else 0
    return _CONTROL_SIZE + index + len(header.key_id.source)


def _counter_size(header: SecurityHeader | None) -> int:
    return 0 if header is None or header.counter is None else _COUNTER_SIZE


def _figures(sent: Sent) -> Iterator[tuple[str, Figure]]:
    psdus = [*sent.own, *sent.others]
    size = sum(map(len, psdus)) + PHY_HEADER_SIZE * len(psdus)
    yield "air_time", Figure(_air_s(psdus), "s", Origin.ESTIMATED, f"{size} {_RATE}")
    if sent.others:
        size = sum(map(len, sent.others)) + PHY_HEADER_SIZE * len(sent.others)
        answers_s = _air_s(sent.others)
        yield (
            "acknowledgement_time",
            Figure(answers_s, "s", Origin.ESTIMATED, f"{size} {_RATE}"),
        )
    for name, seconds in (
        ("listening_time", sent.listened_s),
        ("air_time_by_clock", sent.air_s),
        ("delivery_time_by_clock", sent.delivery_s),
    ):
        if seconds is not None and sent.is_emulated:
            yield name, Figure(seconds, "s", Origin.EMULATED, _CLOCK)
        elif seconds is not None:
            yield name, Figure(seconds, "s", Origin.HOST_CLOCK, _CLOCK_OF_RADIO)
    if sent.rssi_dbm is not None:
        yield (
            "signal_strength",
            Figure(sent.rssi_dbm, LEVEL_UNIT, Origin.MEASURED, _RADIO),
        )
    if sent.lqi is not None:
        yield "link_quality", Figure(sent.lqi, "", Origin.MEASURED, _RADIO)


def _air_s(psdus: Sequence[bytes]) -> float:
    return sum(air_time_s(len(psdu)) for psdu in psdus)
