# SPDX-License-Identifier: Apache-2.0
"""Grain-128PLE's keystream in place of the whitening of a chip's packets.

All bits after the sync word are encrypted: length, payload and check sequence. A packet
is as long as without encryption. Its payload ends with a tag of 4 bytes by
Grain-128AEADv2, because a check sequence stops nobody from changing bits.

The frame counter is not sent. A receiver tries those of a window; the check sequence
selects one, and the tag decides. Nonces are those of `samara.crypto.ple_sync`: the
caller must never use a counter twice with one key.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

import numpy as np

from samara.crypto import grain128ple, ple_sync
from samara.crypto.registry import suite
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.phy.transceivers.keying import Bits
    from samara.phy.transceivers.packet_formats import PacketFormat, Parsed

TAG_SIZE = 4
"""Bytes of the tag, at the end of the payload."""
_AT_ONCE = 64
_MOST_COUNTER = 2**64 - 1


class EncryptedPackets:
    """Packets of one direction of a link.

    Parameters
    ----------
    packet_format
        That of the chip; its whitening is not used.
    key
        16 bytes.
    direction, link_id
        0 to 255, and 0 to 65535.
    """

    def __init__(
        self,
        packet_format: PacketFormat,
        key: bytes,
        *,
        direction: int = 0,
        link_id: int = 0,
    ) -> None:
        self._format, self._key = packet_format, key
        self._link = (direction, link_id)

    @property
    def most(self) -> int:
        """Bytes of the longest payload, without its tag.

        Raises
        ------
        MisuseError
            If there is no room for a tag, or nothing tells a right counter.
        """
        if self._format.check is None:
            message = "encrypted packets need a check sequence, to find the counter"
            raise MisuseError(message)
        if self._format.most <= TAG_SIZE:
            message = f"encrypted packets need a payload of more than {TAG_SIZE} bytes"
            raise MisuseError(message)
        return self._format.most - TAG_SIZE

    def build(self, payload: bytes, counter: int) -> Bits:
        """Return the bits after the sync word.

        Raises
        ------
        MisuseError
            If no packet has a payload of this size, or there is no such counter.
        """
        if not 0 <= counter < _MOST_COUNTER:
            message = f"the frame counter {counter} is not from 0 to 2^64 - 2"
            raise MisuseError(message)
        if len(payload) > self.most:
            message = f"a payload has at most {self.most} bytes, not {len(payload)}"
            raise MisuseError(message)
        (stream,) = self._keystreams(counter, 1)
        tagged = payload + self._tag(payload, counter)
        return self._format.build(tagged, iter(stream.tolist()))

    def parse(
        self, take: Callable[[int], Bits], counters: range
    ) -> tuple[Parsed, int] | None:
        """Return a packet and its counter, if it is genuine with one of these.

        Its content is that of a packet without encryption, with the tag.
        """
        bits = take(self._format.longest_bits)
        for first in range(counters.start, counters.stop, _AT_ONCE):
            count = min(_AT_ONCE, counters.stop - first)
            for number, stream in enumerate(self._keystreams(first, count), first):
                parsed = self._format.parse(_taker(bits ^ stream), iter(lambda: 0, 1))
                if parsed is None or not parsed.is_intact:
                    continue
                if self.payload_of(parsed.content, number) is not None:
                    return parsed, number
        return None

    def payload_of(self, content: bytes, counter: int) -> bytes | None:
        """Return the payload of a packet's content; None if its tag is wrong."""
        tagged = self._format.payload_of(content)
        payload, tag = tagged[:-TAG_SIZE], tagged[-TAG_SIZE:]
        good = hmac.compare_digest(self._tag(payload, counter), tag)
        return payload if good else None

    def _tag(self, payload: bytes, counter: int) -> bytes:
        nonce = ple_sync.nonce(ple_sync.Domain.TAG, *self._link, counter)
        sealed = suite("grain128aead").seal(self._key, nonce, b"", payload)
        return sealed[:TAG_SIZE]

    def _keystreams(self, first: int, count: int) -> Iterator[Bits]:
        size = self._format.longest_bits
        nonces = (
            ple_sync.nonce(ple_sync.Domain.KEYSTREAM, *self._link, number)
            for number in range(first, first + count)
        )
        asked = [(self._key, nonce, size) for nonce in nonces]
        for packed in grain128ple.keystream_batch(asked):
            yield np.unpackbits(packed, count=size, bitorder="little")


def _taker(bits: Bits) -> Callable[[int], Bits]:
    """Return a function that returns the next bits."""
    place = 0

    def take(count: int) -> Bits:
        nonlocal place
        place += count
        return bits[place - count : place]

    return take


class Opener:
    """Opens encrypted packets in the order of their counters.

    Parameters
    ----------
    packets
        The packets of a link.
    first
        The lowest counter that is accepted.
    window
        Counters that are tried, from the next one on.
    """

    def __init__(self, packets: EncryptedPackets, first: int, window: int) -> None:
        self._packets, self.next, self._window = packets, first, window
        # A format that cannot be encrypted is refused before anything is received.
        self.most = packets.most

    def parse(self, take: Callable[[int], Bits]) -> Parsed | None:
        """Return a genuine packet; counters up to its own are not accepted again."""
        stop = min(self.next + self._window, _MOST_COUNTER)
        found = self._packets.parse(take, range(self.next, stop))
        if found is None:
            return None
        parsed, counter = found
        self.next = counter + 1
        return parsed
