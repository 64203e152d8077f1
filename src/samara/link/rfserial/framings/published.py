# SPDX-License-Identifier: Apache-2.0
"""The framings of published measurements: `plain`, `cbc-hex` and `cbc-hex-padded`.

They do not authenticate, and a message ends where the line is silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from samara import crypto
from samara.crypto.bytes_like import view_of
from samara.link.rfserial.events import Event, Message, Noise
from samara.link.rfserial.framing import Framing, WireSize
from samara.link.rfserial.settings import FramingError

if TYPE_CHECKING:
    from samara.crypto.bytes_like import BytesLike
    from samara.link.rfserial.framing import Limits
    from samara.link.rfserial.settings import Settings

_CBC_SUITE = "aes256-cbc"
_CBC_IV = bytes(16)
"""Zeros: the published sizes leave no room for an initialisation vector."""
_FILL = b"+"


class _Code(Protocol):
    """How one message is written as bytes."""

    def encode(self, message: BytesLike) -> bytes:
        """Return the bytes of a message."""
        ...

    def decode(self, encoded: bytes) -> bytes | None:
        """Return the message; None when the bytes are not one."""
        ...


class _Plain:
    """The message, unchanged."""

    def encode(self, message: BytesLike) -> bytes:
        return bytes(view_of(message))

    def decode(self, encoded: bytes) -> bytes | None:
        return encoded


class _CbcHex:
    """AES-256-CBC with PKCS#7 padding as hex digits, filled to whole packets."""

    def __init__(self, key: BytesLike, packet_size: int) -> None:
        self._suite = crypto.suite(_CBC_SUITE)
        self._key = bytes(view_of(key))
        self._packet_size = packet_size
        if len(self._key) != self._suite.key_size:
            message = (
                f"{_CBC_SUITE} takes a key of {self._suite.key_size} bytes,"
                f" not {len(self._key)}"
            )
            raise FramingError(message)

    def encode(self, message: BytesLike) -> bytes:
        digits = self._suite.seal(self._key, _CBC_IV, message).hex().encode()
        return digits + _FILL * (-len(digits) % self._packet_size)

    def decode(self, encoded: bytes) -> bytes | None:
        try:
            ciphertext = bytes.fromhex(encoded.rstrip(_FILL).decode("ascii"))
            return self._suite.open(self._key, _CBC_IV, ciphertext)
        except (ValueError, crypto.AuthenticationError):
            return None


class _Encoder:
    """Encodes and counts messages."""

    def __init__(self, code: _Code, counter: int) -> None:
        self._code = code
        self.counter = counter

    def encode(self, message: BytesLike) -> bytes:
        self.counter += 1
        return self._code.encode(message)


class _Decoder:
    """Decodes what arrives between two silences, and counts it."""

    def __init__(self, code: _Code, counter: int, longest: int) -> None:
        self._code = code
        self.counter = counter
        self._longest = longest
        self._received = bytearray()

    @property
    def waiting(self) -> int:
        return len(self._received)

    def feed(self, data: BytesLike) -> list[Event]:
        self._received += view_of(data)
        if len(self._received) <= self._longest:
            return []
        # No message is that long. A line that is never silent must not fill memory.
        return [self._noise()]

    def pause(self) -> list[Event]:
        if not self._received:
            return []
        encoded = bytes(self._received)
        payload = self._code.decode(encoded)
        if payload is None:
            return [self._noise()]
        self._received.clear()
        number = self.counter
        self.counter += 1
        return [Message(number, payload, encoded)]

    def _noise(self) -> Noise:
        size = len(self._received)
        self._received.clear()
        return Noise(size)


def _plain_sizes(settings: Settings, message_size: int) -> WireSize:
    del settings
    return WireSize(message=message_size)


def _plain_encoder(settings: Settings, key: BytesLike, counter: int) -> _Encoder:
    del settings, key
    return _Encoder(_Plain(), counter)


def _plain_decoder(
    settings: Settings, key: BytesLike, counter: int, limits: Limits
) -> _Decoder:
    del settings, key
    return _Decoder(_Plain(), counter, limits.longest)


_PLAIN = Framing(
    name="plain",
    authenticates=False,
    needs_pauses=True,
    suite=lambda _: None,
    sizes=_plain_sizes,
    encoder=_plain_encoder,
    decoder=_plain_decoder,
)


def _cbc_hex(name: str, *, fills_packets: bool) -> Framing:
    """Return the row of `cbc-hex`, or of its variant that fills packets."""

    def packet_size(settings: Settings) -> int:
        return settings.packet_size if fills_packets else 1

    def sizes(settings: Settings, message_size: int) -> WireSize:
        padded = crypto.suite(_CBC_SUITE).sealed_size(message_size)
        return WireSize(
            message=message_size,
            coding=padded,
            padding=padded - message_size,
            fill=-2 * padded % packet_size(settings),
        )

    def encoder(settings: Settings, key: BytesLike, counter: int) -> _Encoder:
        return _Encoder(_CbcHex(key, packet_size(settings)), counter)

    def decoder(
        settings: Settings, key: BytesLike, counter: int, limits: Limits
    ) -> _Decoder:
        code = _CbcHex(key, packet_size(settings))
        return _Decoder(code, counter, sizes(settings, limits.longest).total)

    return Framing(
        name=name,
        authenticates=False,
        needs_pauses=True,
        suite=lambda _: _CBC_SUITE,
        sizes=sizes,
        encoder=encoder,
        decoder=decoder,
    )


FRAMINGS = (
    _PLAIN,
    _cbc_hex("cbc-hex", fills_packets=False),
    _cbc_hex("cbc-hex-padded", fills_packets=True),
)
