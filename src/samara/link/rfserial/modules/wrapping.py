# SPDX-License-Identifier: Apache-2.0
"""How packets travel on the serial line of a module.

A wrapping is one module in the folder `wrappings`, found by scanning; it has an object
`WRAPPING`. What a module sends may be anything: a session bounds what it keeps, counts
what it cannot read, and goes on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


class Session(ABC):
    """The two ways of one serial line, from its opening on.

    Attributes
    ----------
    replies
        What is to be written to the module because of what it said; whoever writes it
        clears it.
    damaged
        How often something could not be read.
    refused
        How many packets the module said that it has not sent.
    is_busy
        Whether the module has not said yet that it sent the packet before.
    """

    def __init__(self) -> None:
        self.replies = bytearray()
        self.damaged = self.refused = 0
        self.is_busy = False

    def begin(self) -> Sequence[bytes]:
        """Return what is written when the port has been opened. Default: nothing."""
        return ()

    @abstractmethod
    def wrap(self, packet: bytes) -> bytes:
        """Return what is written to the line to send a packet."""

    @abstractmethod
    def feed(self, data: bytes) -> list[bytes]:
        """Return the contents of the packets that end in these bytes of the line."""


def _as_it_is(size: int) -> int:
    return size


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapping:
    """One way in which packets travel on a serial line."""

    name: str
    title: str
    session: Callable[[Mapping[str, str]], Session]
    """Begins, with the options of a module; ValueError when one is wrong."""
    line_size: Callable[[int], int]
    """Returns how many bytes of the line carry a packet of so many bytes, at least."""
    air_size: Callable[[int], int] = _as_it_is
    """Returns how many bytes of a packet on the air carry so many."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What a module can say about it, each with its default."""
    keeps_packets: bool = True
    """Whether the line tells packets apart. If not, the module cuts a stream of bytes
    by their number and by silence."""
