# SPDX-License-Identifier: Apache-2.0
"""Messages over a serial radio: a byte pipe that loses, inserts and changes bytes.

There are four framings. Use `sealed`; the other three exist for comparison:

================  ==============================================================
`sealed`          any suite that authenticates, one byte of framing, whole packets;
                  reports lost and repeated messages (docs/rf-serial.md)
`plain`           the message, unchanged
`cbc-hex`         AES-256-CBC as hex digits, as in the published measurements
`cbc-hex-padded`  the same, padded to whole packets
================  ==============================================================

The last three DO NOT AUTHENTICATE: a received message can be forged or damaged, and
equal messages have equal ciphertexts. They do not mark the end of a message, either:
a message ends when the line is silent, which the caller reports by `Receiver.pause`.

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
from samara.link.rfserial.framing import Framing, Limits, WireSize
from samara.link.rfserial.framings import FRAMINGS, framing_named
from samara.link.rfserial.settings import (
    COUNTER_END,
    DEFAULT_COUNTER_SIZE,
    DEFAULT_EFFORT,
    DEFAULT_FRAMING,
    DEFAULT_PACKET_SIZE,
    DEFAULT_SUITE,
    LONGEST_MESSAGE,
    PACKET_SIZES,
    CounterEndError,
    FramingError,
    Options,
    Settings,
    check_size,
)

if TYPE_CHECKING:
    from samara.crypto.bytes_like import BytesLike

__all__ = [
    "COUNTER_END",
    "DEFAULT_COUNTER_SIZE",
    "DEFAULT_EFFORT",
    "DEFAULT_FRAMING",
    "DEFAULT_PACKET_SIZE",
    "DEFAULT_SUITE",
    "FRAMINGS",
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
    "framing_named",
    "sizes_of",
]


def sizes_of(settings: Settings, message_size: int) -> WireSize:
    """Return the size of a message on the wire, and of its parts.

    Raises
    ------
    FramingError
        When there is no such framing, or the message is longer than 64 KiB.
    """
    check_size(message_size)
    return framing_named(settings.framing).sizes(settings, message_size)


class Sender:
    """Encodes messages for the modem.

    Parameters
    ----------
    framing
        Name of one of `FRAMINGS`.
    key
        For `sealed` as long as the suite requires, for `cbc-hex` 32 bytes, for `plain`
        empty.
    counter
        Number of the first message. NEVER USE A NUMBER TWICE with one key: after a
        restart, continue with a number above all that may have been used.
    suite, link, direction, packet_size, tag_size, counter_size
        As in `Settings`.

    Raises
    ------
    FramingError, ValueError
        When a setting or the size of the key is invalid.
    """

    def __init__(
        self,
        framing: str,
        *,
        key: BytesLike = b"",
        counter: int = 0,
        **settings: Unpack[Options],
    ) -> None:
        self.framing = framing_named(framing)
        self.settings = Settings.of(framing, **settings)
        self._encoder = self.framing.encoder(
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
        """Return the bytes to write to the modem for one message.

        Raises
        ------
        CounterEndError
            When all message numbers are used.
        FramingError
            When the message is longer than 64 KiB.
        """
        check_size(view_of(message).nbytes)
        if self.counter == COUNTER_END:
            text = "all message numbers of this key are used; the link needs a new key"
            raise CounterEndError(text)
        return self._encoder.encode(message)

    def sizes(self, message_size: int) -> WireSize:
        """Return the size of a message on the wire; see `sizes_of`."""
        return sizes_of(self.settings, message_size)


class Receiver:
    """Finds messages in the bytes that the modem delivers.

    Parameters
    ----------
    framing, key, suite, link, direction, packet_size, tag_size, counter_size
        The same as for the `Sender` of the other end.
    counter
        First number expected; lower ones are refused. Store it, or old messages are
        accepted as new after a restart.
    longest
        Bytes of the longest message to expect.
    effort
        Maximum number of bytes that the cipher processes for each byte received; 0: no
        limit.

    Raises
    ------
    FramingError, ValueError
        When a setting or the size of the key is invalid.
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
        self.framing = framing_named(framing)
        self.settings = Settings.of(framing, **settings)
        check_size(longest)
        self._decoder = self.framing.decoder(
            self.settings,
            key,
            _checked_counter(counter),
            Limits(longest=longest, effort=effort),
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
        """Whether the end of a message is recognised by silence only."""
        return self.framing.needs_pauses

    def feed(self, data: BytesLike) -> list[Event]:
        """Process received bytes; return the events that they complete."""
        return self._decoder.feed(data)

    def pause(self) -> list[Event]:
        """Report that the line is silent; return the events that this completes.

        `sealed` does not depend on silence and returns nothing.
        """
        return self._decoder.pause()


def _checked_counter(number: int) -> int:
    if not 0 <= number <= COUNTER_END:
        message = f"the counter must be 0 to 2^64 - 1, not {number}"
        raise FramingError(message)
    return number
