# SPDX-License-Identifier: Apache-2.0
"""What a scheme of encryption at the physical layer is.

A module of `samara.phy.secrecy.schemes` has a class that derives from `BitScheme` or
`SymbolScheme` under the name ``SCHEME``. A scheme of the first kind changes coded bits,
one of the second kind the symbols of a frame, pilots included.

All schemes draw from Grain-128PLE's keystream, so that they differ only in what they do
with it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from samara.crypto import grain128ple, ple_sync

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.phy.mappers import Bits, SoftBits, Symbols
    from samara.phy.secrecy.link import Link

Counters: TypeAlias = NDArray[np.int64]


class Scheme(ABC):
    """Both ends of a link whose frames are encrypted in one way.

    Arrays that methods are given cannot be written. What methods return is checked
    (`samara.phy.secrecy.checking`).

    Parameters
    ----------
    link
        The frames; its key is the key of the scheme, too.
    """

    title: ClassVar[str]
    """What it does to a frame, in a few words."""

    def __init__(self, link: Link) -> None:
        self.link = link

    @property
    @abstractmethod
    def keystream_bits(self) -> int:
        """Bits of keystream that a frame takes."""

    @abstractmethod
    def send(self, payloads: Bits, counters: Counters) -> Symbols:
        """Return the samples on the air, one row a frame."""

    @abstractmethod
    def receive(self, heard: Symbols, counters: Counters) -> SoftBits:
        """Return soft bits of the frames without encryption, with the key."""

    def observe(self, heard: Symbols) -> Symbols:
        """Return the symbols of rows of samples: what everybody can compute.

        As many a row as without encryption; `send` may return more samples.
        """
        return heard


class BitScheme(Scheme):
    """A scheme that changes coded bits."""

    def send(self, payloads: Bits, counters: Counters) -> Symbols:
        """See `Scheme`."""
        return self.link.mapped(self.coded(payloads, counters))

    def receive(self, heard: Symbols, counters: Counters) -> SoftBits:
        """See `Scheme`."""
        return self.plain(self.link.soft(self.observe(heard)), counters)

    @abstractmethod
    def coded(self, payloads: Bits, counters: Counters) -> Bits:
        """Return the encrypted coded bits, one row a frame."""

    @abstractmethod
    def plain(self, soft: SoftBits, counters: Counters) -> SoftBits:
        """Return the soft bits without encryption."""


class SymbolScheme(Scheme):
    """A scheme that changes the symbols of a frame."""

    def send(self, payloads: Bits, counters: Counters) -> Symbols:
        """See `Scheme`."""
        symbols = self.link.mapped(self.link.coded(payloads, counters))
        return self.scramble(symbols, counters)

    def receive(self, heard: Symbols, counters: Counters) -> SoftBits:
        """See `Scheme`."""
        return self.link.soft(self.unscramble(self.observe(heard), counters))

    @abstractmethod
    def scramble(self, symbols: Symbols, counters: Counters) -> Symbols:
        """Return the samples on the air of rows of symbols."""

    @abstractmethod
    def unscramble(self, observed: Symbols, counters: Counters) -> Symbols:
        """Return the symbols of what `observe` returns."""


def keystream(key: bytes, counters: Sequence[int] | Counters, count: int) -> Bits:
    """Return `count` bits of keystream for each counter, one per byte."""
    size = -(-count // 8)
    streams = grain128ple.keystream_batch(
        (key, ple_sync.nonce(ple_sync.Domain.KEYSTREAM, 0, 0, int(each)), 8 * size)
        for each in counters
    )
    rows = np.unpackbits(np.stack(streams), axis=1, bitorder="little")
    return rows[:, :count]


WORD_BITS = 32


def orders(
    key: bytes, counters: Sequence[int] | Counters, count: int
) -> NDArray[np.intp]:
    """Return a secret permutation of `count` items for each counter.

    The items are sorted by words of keystream, one for each.
    """
    bits = keystream(key, counters, WORD_BITS * count)
    words = np.packbits(bits, axis=1).view(">u4")
    return np.argsort(words, axis=1, kind="stable")
