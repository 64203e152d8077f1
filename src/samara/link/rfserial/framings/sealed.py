# SPDX-License-Identifier: Apache-2.0
"""The framing `sealed`; the work is done in C (samara/rfserial.h)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara import _core, crypto
from samara.link.rfserial.events import Event, Lost, Message, Noise, Repeated
from samara.link.rfserial.framing import Framing, WireSize

if TYPE_CHECKING:
    from samara.crypto.bytes_like import BytesLike
    from samara.link.rfserial.framing import Limits
    from samara.link.rfserial.settings import Settings

_ASSOCIATED_DATA_SIZE = 3
"""Header, packet size, and the sizes of tag and counter."""


def _sizes(settings: Settings, message_size: int) -> WireSize:
    # The sizes of units do not depend on the key.
    key = bytes(crypto.suite(settings.suite).key_size)
    total = _link(settings, key).wire_size(message_size)
    parts = {"framing": 1, "counter": settings.counter_size}
    known = message_size + sum(parts.values()) + settings.tag_bytes
    return WireSize(
        message=message_size, tag=settings.tag_bytes, fill=total - known, **parts
    )


def _encoder(settings: Settings, key: BytesLike, counter: int) -> _core.SealedSender:
    return _core.SealedSender(_link(settings, key), counter)


def _decoder(
    settings: Settings, key: BytesLike, counter: int, limits: Limits
) -> _Decoder:
    link = _link(settings, key)
    return _Decoder(link, counter, longest=limits.longest, effort=limits.effort)


def _link(settings: Settings, key: BytesLike) -> _core.SealedLink:
    return _core.SealedLink(
        crypto.suite(settings.suite).slug,
        key,
        identity=settings.link,
        direction=settings.direction,
        packet_size=settings.packet_size,
        tag_size=settings.tag_bytes,
        counter_size=settings.counter_size,
    )


class _Decoder(_core.SealedReceiver):
    def feed(self, data: BytesLike) -> list[Event]:
        events: list[Event] = []
        for unit in self.receive(data):
            if unit.noise:
                events.append(Noise(unit.noise))
            if unit.lost:
                events.append(Lost(unit.lost))
            if unit.message is None:
                events.append(Repeated(unit.number))
            else:
                events.append(Message(unit.number, unit.message, unit.unit))
        return events

    def pause(self) -> list[Event]:
        return []


_SEALED = Framing(
    name="sealed",
    authenticates=True,
    needs_pauses=False,
    associated_data_size=_ASSOCIATED_DATA_SIZE,
    suite=lambda suite: suite,
    sizes=_sizes,
    encoder=_encoder,
    decoder=_decoder,
)

FRAMINGS = (_SEALED,)
