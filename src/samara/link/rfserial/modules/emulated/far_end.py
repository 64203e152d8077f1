# SPDX-License-Identifier: Apache-2.0
"""The module's end of a serial line whose wrapping keeps packets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping


class FarEnd(ABC):
    """Reads what a program writes, and writes what it is to read.

    Parameters
    ----------
    options
        Of the wrapping.
    packet
        Bytes of the longest packet.
    """

    wrapping: ClassVar[str]

    def __init__(self, options: Mapping[str, str], packet: int) -> None:
        self.options, self.packet = options, packet
        self.replies = bytearray()
        """What the module writes because of what it read; whoever writes it clears
        it."""

    @abstractmethod
    def take(self, byte: int) -> list[bytes]:
        """Return the packets that the module sends because of a byte."""

    def sent(self) -> bytes:
        """Return what the module says when a packet has been sent. Default: nothing."""
        return b""

    @abstractmethod
    def received(self, packet: bytes) -> bytes:
        """Return what the module writes when it has received a packet."""
