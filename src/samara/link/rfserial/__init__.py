# SPDX-License-Identifier: Apache-2.0
"""Messages over a serial radio: a byte pipe that loses, inserts and flips bytes.

Four framings, of which one is to be used and three are to be compared with it:

================  ==============================================================
`sealed`          ours: any suite that authenticates, one byte of framing, whole
                  packets, lost and repeated messages told (docs/rf-serial.md)
`plain`           the message as it is
`cbc-hex`         AES-256-CBC as hex digits, as the published measurements have it
`cbc-hex-padded`  the same, filled up to whole packets
================  ==============================================================

The last three DO NOT AUTHENTICATE: what arrives may be forged or damaged, and
equal messages look equal. They mark no end of a message, either: a silence of
the line does, which the caller reports by `Receiver.pause`.

>>> from samara.link import rfserial
>>> key = bytes(range(16))
>>> sender = rfserial.Sender("sealed", suite="aes128-ccm-8", key=key)
>>> receiver = rfserial.Receiver("sealed", suite="aes128-ccm-8", key=key)
>>> unit = sender.encode(b"21.5 C")
>>> len(unit), sender.counter
(24, 1)
>>> [(e.number, e.payload) for e in receiver.feed(b"noise" + unit)[1:]]
[(0, b'21.5 C')]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from samara.crypto.bytes_like import view_of
from samara.link.rfserial.events import Event, Lost, Message, Noise, Repeated
from samara.link.rfserial.framings import FRAMERS
from samara.link.rfserial.settings import (
    COUNTER_END,
    DEFAULT_COUNTER_SIZE,
    DEFAULT_EFFORT,
    DEFAULT_PACKET_SIZE,
    DEFAULT_SUITE,
    LONGEST_MESSAGE,
    PACKET_SIZES,
    CounterEndError,
    Framing,
    FramingError,
    Options,
    Settings,
    WireSize,
    check_size,
)

if TYPE_CHECKING:
    from samara.crypto.bytes_like import BytesLike

__all__ = [
    "COUNTER_END",
    "DEFAULT_COUNTER_SIZE",
    "DEFAULT_EFFORT",
    "DEFAULT_PACKET_SIZE",
    "DEFAULT_SUITE",
    "LONGEST_MESSAGE",
    "PACKET_SIZES",
    "CounterEndError",
    "Event",
    "Framing",
    "FramingError",
    "Lost",
    "Message",
    "Noise",
    "Receiver",
    "Repeated",
    "Sender",
    "Settings",
    "WireSize",
    "sizes_of",
]


def sizes_of(settings: Settings, message_size: int) -> WireSize:
    """Return what a message of so many bytes becomes on the wire.

    Raises
    ------
    FramingError
        When it is longer than 64 KiB.
    """
    check_size(message_size)
    return FRAMERS[settings.framing].sizes(settings, message_size)


class Sender:
    """Turns messages into bytes for the modem.

    Parameters
    ----------
    framing
        One of `Framing`.
    key
        For `sealed` of the suite's size, for `cbc-hex` 32 bytes; else empty.
    counter
        The number of the first message. NEVER TWICE under one key: over a
        restart, go on beyond all numbers that may have been used.
    suite, link, direction, packet_size, tag_size, counter_size
        As in `Settings`.

    Raises
    ------
    FramingError, ValueError
        When a setting or the size of the key is wrong.
    """

    def __init__(
        self,
        framing: str,
        *,
        key: BytesLike = b"",
        counter: int = 0,
        **settings: Unpack[Options],
    ) -> None:
        self.settings = Settings.of(framing, **settings)
        self._encoder = FRAMERS[self.settings.framing].encoder(
            self.settings, key, _checked_counter(counter)
        )

    @property
    def counter(self) -> int:
        """The number of the next message."""
        return self._encoder.counter

    @counter.setter
    def counter(self, number: int) -> None:
        self._encoder.counter = _checked_counter(number)

    def encode(self, message: BytesLike) -> bytes:
        """Return what is to be written to the modem for one message.

        Raises
        ------
        CounterEndError
            When no number is left.
        FramingError
            When the message is longer than 64 KiB.
        """
        check_size(view_of(message).nbytes)
        if self.counter == COUNTER_END:
            text = "the counter of this link is at its end; it needs a new key"
            raise CounterEndError(text)
        return self._encoder.encode(message)

    def sizes(self, message_size: int) -> WireSize:
        """Return what a message of so many bytes becomes; see `sizes_of`."""
        return sizes_of(self.settings, message_size)


class Receiver:
    """Finds messages in what the modem hands over.

    Parameters
    ----------
    framing, key, suite, link, direction, packet_size, tag_size, counter_size
        As the `Sender` of the other end has them.
    counter
        The first number expected; older ones are refused. To be kept over a
        restart, or old messages pass as new.
    longest
        Bytes of the longest message that is waited for.
    effort
        Bytes that the cipher may work on for each byte given; 0: without limit.

    Raises
    ------
    FramingError, ValueError
        When a setting or the size of the key is wrong.
    """

    def __init__(
        self,
        framing: str,
        *,
        key: BytesLike = b"",
        counter: int = 0,
        longest: int = LONGEST_MESSAGE,
        effort: int = DEFAULT_EFFORT,
        **settings: Unpack[Options],
    ) -> None:
        self.settings = Settings.of(framing, **settings)
        check_size(longest)
        self._decoder = FRAMERS[self.settings.framing].decoder(
            self.settings,
            key,
            _checked_counter(counter),
            longest=longest,
            effort=effort,
        )

    @property
    def counter(self) -> int:
        """The number of the next message, if none is lost."""
        return self._decoder.counter

    @counter.setter
    def counter(self, number: int) -> None:
        self._decoder.counter = _checked_counter(number)

    @property
    def waiting(self) -> int:
        """Bytes received since the last message."""
        return self._decoder.waiting

    @property
    def needs_pauses(self) -> bool:
        """Whether only a silence of the line ends a message."""
        return not self.settings.framing.authenticates

    def feed(self, data: BytesLike) -> list[Event]:
        """Take bytes as the modem hands them over; return what they complete."""
        return self._decoder.feed(data)

    def pause(self) -> list[Event]:
        """Take note that the line is silent; return what that completes.

        `sealed` needs no silence, and returns nothing.
        """
        return self._decoder.pause()


def _checked_counter(number: int) -> int:
    if not 0 <= number <= COUNTER_END:
        message = f"a counter is 0 to 2^64 - 1, and not {number}"
        raise FramingError(message)
    return number
