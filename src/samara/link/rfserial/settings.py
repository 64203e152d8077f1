# SPDX-License-Identifier: Apache-2.0
"""What both ends of a serial link have to agree on, and what that costs in bytes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self, TypedDict, Unpack

from samara import _core, crypto
from samara.errors import MisuseError

LONGEST_MESSAGE = _core.RFSERIAL_MESSAGE_SIZE_MAX
"""Bytes."""
PACKET_SIZES = range(1, _core.RFSERIAL_PACKET_SIZE_MAX + 1)
"""Bytes of a packet of the modem (its ATPK)."""
DEFAULT_SUITE = "aes128-ccm-8"
DEFAULT_PACKET_SIZE = 12
DEFAULT_BAUD = 115_200
"""Bit/s of the serial line, as measurements were published with; the modem comes
with 9,600."""
DEFAULT_COUNTER_SIZE = 2
COUNTER_END = 2**64 - 1
"""The number that no message has: a sender that reached it needs a new key."""
DEFAULT_EFFORT = 4096
"""Bytes that a receiver's cipher may work on for each byte that it is given."""


_COUNTER_SIZES = range(_core.RFSERIAL_COUNTER_SIZE_MAX + 1)
_TAG_SIZES = range(_core.RFSERIAL_TAG_SIZE_MIN, _core.RFSERIAL_TAG_SIZE_MAX + 1)


class Framing(StrEnum):
    """How messages become bytes."""

    SEALED = "sealed"
    PLAIN = "plain"
    CBC_HEX = "cbc-hex"
    CBC_HEX_PADDED = "cbc-hex-padded"

    @property
    def authenticates(self) -> bool:
        """Whether forged and damaged messages are refused."""
        return self is Framing.SEALED


class FramingError(MisuseError):
    """A setting or a message that a framing does not take."""


class CounterEndError(FramingError):
    """The counter is at its end: another message would repeat a nonce."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireSize:
    """What a message becomes on the wire, in bytes by what they are for."""

    message: int
    coding: int = 0
    """Hex digits instead of bytes."""
    padding: int = 0
    """What makes a cipher's last block whole."""
    framing: int = 0
    counter: int = 0
    tag: int = 0
    fill: int = 0
    """What makes the last packet full."""

    @property
    def total(self) -> int:
        """Bytes on the wire."""
        return sum(getattr(self, name) for name in self.__slots__)


class Options(TypedDict, total=False):
    """What of `Settings` may be given by name."""

    suite: str
    link: int
    direction: int
    packet_size: int
    tag_size: int | None
    counter_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What both ends of one direction have to agree on.

    Raises
    ------
    FramingError
        When a setting is out of its range.
    """

    framing: Framing
    suite: str = DEFAULT_SUITE
    """For `sealed`: a suite that authenticates."""
    link: int = 0
    """Identity of the link, 0 to 65,535, where one key serves several."""
    direction: int = 0
    """0 one way, 1 the other."""
    packet_size: int = DEFAULT_PACKET_SIZE
    """Bytes of a packet of the sending modem (its ATPK): 1 to 240."""
    tag_size: int | None = None
    """Bytes of the tag, 4 to 16 as far as the suite has it; None: the suite's."""
    counter_size: int = DEFAULT_COUNTER_SIZE
    """Bytes of the message's number that are sent, 0 to 4."""

    def __post_init__(self) -> None:
        for name, value, limits in (
            ("the packet size", self.packet_size, PACKET_SIZES),
            ("the link", self.link, range(2**16)),
            ("the direction", self.direction, range(2)),
            ("the counter size", self.counter_size, _COUNTER_SIZES),
            ("the tag size", self.tag_bytes, _TAG_SIZES),
        ):
            if value not in limits:
                message = f"{name} is {limits[0]} to {limits[-1]}, not {value}"
                raise FramingError(message)

    @property
    def tag_bytes(self) -> int:
        """Bytes of the tag of `sealed`."""
        if self.tag_size is not None:
            return self.tag_size
        suite = crypto.suite(self.suite)
        if not suite.authenticates:
            message = f"{suite.slug} does not authenticate: it cannot seal a link"
            raise FramingError(message)
        return suite.tag_size

    @classmethod
    def of(cls, framing: str, **given: Unpack[Options]) -> Self:
        """Return the settings of a framing by its name.

        Raises
        ------
        FramingError
            When there is no such framing, or a setting is out of its range.
        """
        try:
            return cls(framing=Framing(framing), **given)
        except ValueError:
            message = f"there is no framing {framing!r}; there are {', '.join(Framing)}"
            raise FramingError(message) from None


def check_size(message_size: int) -> None:
    """Refuse a message that is too long.

    Raises
    ------
    FramingError
        When it is.
    """
    if not 0 <= message_size <= LONGEST_MESSAGE:
        message = (
            f"a message has at most {LONGEST_MESSAGE} bytes, and not {message_size}"
        )
        raise FramingError(message)
