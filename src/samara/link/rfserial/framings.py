# SPDX-License-Identifier: Apache-2.0
"""The framings of a serial link: how each encodes, decodes, and what it adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from samara import _core, crypto
from samara.crypto.bytes_like import view_of
from samara.link.rfserial.events import Event, Lost, Message, Noise, Repeated
from samara.link.rfserial.settings import Framing, FramingError, Settings, WireSize

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.crypto.bytes_like import BytesLike

_CBC_SUITE = "aes256-cbc"
_CBC_IV = bytes(16)
"""Of zeros: the published sizes leave no room for one."""
_FILL = b"+"


class Encoder(Protocol):
    """Turns messages into bytes."""

    counter: int

    def encode(self, message: BytesLike) -> bytes:
        """Return one message for the wire, and count it."""
        ...


class Decoder(Protocol):
    """Turns bytes into messages."""

    counter: int

    @property
    def waiting(self) -> int:
        """Bytes received since the last message."""
        ...

    def feed(self, data: BytesLike) -> list[Event]:
        """Take bytes."""
        ...

    def pause(self) -> list[Event]:
        """Take note of silence."""
        ...


class Framer(Protocol):
    """A framing: what it adds, and its two ends."""

    def sizes(self, settings: Settings, message_size: int) -> WireSize:
        """Return the parts of a message on the wire."""
        ...

    def encoder(self, settings: Settings, key: BytesLike, counter: int) -> Encoder:
        """Make the sending end."""
        ...

    def decoder(
        self,
        settings: Settings,
        key: BytesLike,
        counter: int,
        *,
        longest: int,
        effort: int,
    ) -> Decoder:
        """Make the receiving end."""
        ...


class _SealedFramer:
    """Ours; the work is done in C (samara/rfserial.h)."""

    def sizes(self, settings: Settings, message_size: int) -> WireSize:
        # The sizes of units depend on no key.
        key = bytes(crypto.suite(settings.suite).key_size)
        total = _sealed_link(settings, key).wire_size(message_size)
        parts = {"framing": 1, "counter": settings.counter_size}
        known = message_size + sum(parts.values()) + settings.tag_bytes
        return WireSize(
            message=message_size,
            tag=settings.tag_bytes,
            fill=total - known,
            **parts,
        )

    def encoder(self, settings: Settings, key: BytesLike, counter: int) -> Encoder:
        return _core.SealedSender(_sealed_link(settings, key), counter)

    def decoder(
        self,
        settings: Settings,
        key: BytesLike,
        counter: int,
        *,
        longest: int,
        effort: int,
    ) -> Decoder:
        link = _sealed_link(settings, key)
        return _SealedDecoder(link, counter, longest=longest, effort=effort)


def _sealed_link(settings: Settings, key: BytesLike) -> _core.SealedLink:
    return _core.SealedLink(
        crypto.suite(settings.suite).slug,
        key,
        identity=settings.link,
        direction=settings.direction,
        packet_size=settings.packet_size,
        tag_size=settings.tag_bytes,
        counter_size=settings.counter_size,
    )


class _SealedDecoder(_core.SealedReceiver):
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


class _Plain:
    """The message as it is."""

    def __init__(self, counter: int) -> None:
        self.counter = counter

    def encode(self, message: BytesLike) -> bytes:
        self.counter += 1
        return bytes(view_of(message))

    def decode(self, encoded: bytes) -> bytes | None:
        return encoded


class _CbcHex:
    """AES-256-CBC with PKCS#7 padding, then hex digits, then fill if asked for."""

    def __init__(self, key: BytesLike, counter: int, packet_size: int) -> None:
        self._suite = crypto.suite(_CBC_SUITE)
        self._key = bytes(view_of(key))
        self._packet_size = packet_size
        self.counter = counter
        if len(self._key) != self._suite.key_size:
            message = (
                f"{_CBC_SUITE} takes a key of {self._suite.key_size} bytes,"
                f" not {len(self._key)}"
            )
            raise FramingError(message)

    def encode(self, message: BytesLike) -> bytes:
        self.counter += 1
        digits = self._suite.seal(self._key, _CBC_IV, message).hex().encode()
        return digits + _FILL * (-len(digits) % self._packet_size)

    def decode(self, encoded: bytes) -> bytes | None:
        try:
            ciphertext = bytes.fromhex(encoded.rstrip(_FILL).decode("ascii"))
            return self._suite.open(self._key, _CBC_IV, ciphertext)
        except (ValueError, crypto.AuthenticationError):
            return None


class _PauseDecoder:
    """A message is what arrives between two silences."""

    def __init__(self, codec: _Plain | _CbcHex, longest: int) -> None:
        self._codec = codec
        self._longest = longest
        self._received = bytearray()

    @property
    def counter(self) -> int:
        return self._codec.counter

    @counter.setter
    def counter(self, number: int) -> None:
        self._codec.counter = number

    @property
    def waiting(self) -> int:
        return len(self._received)

    def feed(self, data: BytesLike) -> list[Event]:
        self._received += view_of(data)
        if len(self._received) <= self._longest:
            return []
        # No message is that long: a line that is never silent fills no memory.
        return [self._noise()]

    def pause(self) -> list[Event]:
        if not self._received:
            return []
        encoded = bytes(self._received)
        payload = self._codec.decode(encoded)
        if payload is None:
            return [self._noise()]
        self._received.clear()
        number = self._codec.counter
        self._codec.counter += 1
        return [Message(number, payload, encoded)]

    def _noise(self) -> Noise:
        size = len(self._received)
        self._received.clear()
        return Noise(size)


class _PlainFramer:
    def sizes(self, settings: Settings, message_size: int) -> WireSize:
        del settings
        return WireSize(message=message_size)

    def encoder(self, settings: Settings, key: BytesLike, counter: int) -> Encoder:
        del settings, key
        return _Plain(counter)

    def decoder(
        self,
        settings: Settings,
        key: BytesLike,
        counter: int,
        *,
        longest: int,
        effort: int,
    ) -> Decoder:
        del settings, key, effort
        return _PauseDecoder(_Plain(counter), longest)


class _CbcHexFramer:
    """`cbc-hex`, and with `padded` the one that fills its packets."""

    def __init__(self, *, padded: bool) -> None:
        self._padded = padded

    def sizes(self, settings: Settings, message_size: int) -> WireSize:
        padded = crypto.suite(_CBC_SUITE).sealed_size(message_size)
        return WireSize(
            message=message_size,
            coding=padded,
            padding=padded - message_size,
            fill=-2 * padded % self._packet_size(settings),
        )

    def encoder(self, settings: Settings, key: BytesLike, counter: int) -> Encoder:
        return _CbcHex(key, counter, self._packet_size(settings))

    def decoder(
        self,
        settings: Settings,
        key: BytesLike,
        counter: int,
        *,
        longest: int,
        effort: int,
    ) -> Decoder:
        del effort
        codec = _CbcHex(key, counter, self._packet_size(settings))
        return _PauseDecoder(codec, self.sizes(settings, longest).total)

    def _packet_size(self, settings: Settings) -> int:
        return settings.packet_size if self._padded else 1


FRAMERS: Mapping[Framing, Framer] = {
    Framing.SEALED: _SealedFramer(),
    Framing.PLAIN: _PlainFramer(),
    Framing.CBC_HEX: _CbcHexFramer(padded=False),
    Framing.CBC_HEX_PADDED: _CbcHexFramer(padded=True),
}
