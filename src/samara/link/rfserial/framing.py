# SPDX-License-Identifier: Apache-2.0
"""What a framing of a serial link is: its properties, its sizes and its two ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from samara import crypto

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.crypto.bytes_like import BytesLike
    from samara.link.rfserial.events import Event
    from samara.link.rfserial.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class WireSize:
    """Size of a message on the wire, in bytes, by purpose."""

    message: int
    coding: int = 0
    """Growth by hex digits."""
    padding: int = 0
    """Padding of the last block of a cipher."""
    framing: int = 0
    counter: int = 0
    tag: int = 0
    fill: int = 0
    """Padding of the last packet."""

    @property
    def total(self) -> int:
        """Bytes on the wire."""
        return sum(getattr(self, name) for name in self.__slots__)


class Encoder(Protocol):
    """Turns messages into bytes."""

    counter: int

    def encode(self, message: BytesLike) -> bytes:
        """Return the bytes of one message, and count it."""
        ...


class Decoder(Protocol):
    """Finds messages in bytes."""

    counter: int

    @property
    def waiting(self) -> int:
        """Bytes received since the last message."""
        ...

    def feed(self, data: BytesLike) -> list[Event]:
        """Process received bytes; return the events that they complete."""
        ...

    def pause(self) -> list[Event]:
        """Process silence of the line; return the events that it completes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a receiver."""

    longest: int
    """Size of the longest message in bytes."""
    effort: int
    """Bytes that the cipher may process for each byte received; 0: no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framing:
    """A framing: one row of `samara.link.rfserial.framings.FRAMINGS`."""

    name: str
    authenticates: bool
    """Whether forged and damaged messages are refused."""
    needs_pauses: bool
    """Whether a message ends where the line is silent, and only there."""
    associated_data_size: int = 0
    """Bytes that the tag of each message covers besides the message."""
    suite: Callable[[str], str | None]
    """Returns the suite that encrypts, given the suite of the settings; None: no
    encryption."""
    sizes: Callable[[Settings, int], WireSize]
    """Returns the size on the wire of a message of so many bytes."""
    encoder: Callable[[Settings, BytesLike, int], Encoder]
    """Makes the sending end from the settings, the key and the first counter."""
    decoder: Callable[[Settings, BytesLike, int, Limits], Decoder]
    """Makes the receiving end from the settings, the key, the first counter expected
    and the limits."""

    def key_size(self, suite: str) -> int:
        """Return the size of the key in bytes, given the suite of the settings."""
        used = self.suite(suite)
        return 0 if used is None else crypto.suite(used).key_size
