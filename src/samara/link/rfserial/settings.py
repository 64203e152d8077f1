# SPDX-License-Identifier: Apache-2.0
"""The settings that both ends of a serial link must share, and their limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self, TypedDict, Unpack

from samara import _core, crypto
from samara.errors import MisuseError

LONGEST_MESSAGE = _core.RFSERIAL_MESSAGE_SIZE_MAX
"""Bytes."""
PACKET_SIZES = range(1, _core.RFSERIAL_PACKET_SIZE_MAX + 1)
"""Bytes of a packet of the modem (its ATPK)."""
DEFAULT_FRAMING = "sealed"
DEFAULT_SUITE = "aes128-ccm-8"
DEFAULT_PACKET_SIZE = 12
DEFAULT_BAUD = 115_200
"""Baud rate of the published measurements; the modem's own default is 9,600."""
DEFAULT_COUNTER_SIZE = 2
COUNTER_END = 2**64 - 1
"""Never the number of a message: a sender that has reached it needs a new key."""
DEFAULT_EFFORT = 4096
"""Bytes that the cipher may process for each byte received."""


_COUNTER_SIZES = range(_core.RFSERIAL_COUNTER_SIZE_MAX + 1)
_TAG_SIZES = range(_core.RFSERIAL_TAG_SIZE_MIN, _core.RFSERIAL_TAG_SIZE_MAX + 1)


class FramingError(MisuseError):
    """A setting or a message that the framing does not accept."""


class CounterEndError(FramingError):
    """The counter is at its end: another message would repeat a nonce."""


class Options(TypedDict, total=False):
    """The settings besides the framing."""

    suite: str
    link: int
    direction: int
    packet_size: int
    tag_size: int | None
    counter_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings that both ends of one direction must share.

    Raises
    ------
    FramingError
        When a setting is out of its range.
    """

    framing: str
    """Name of one of `samara.link.rfserial.framings.FRAMINGS`."""
    suite: str = DEFAULT_SUITE
    """Suite of `sealed`; it must authenticate."""
    link: int = 0
    """Identity of the link, 0 to 65,535; links that share a key need different ones."""
    direction: int = 0
    """0 in one direction, 1 in the other."""
    packet_size: int = DEFAULT_PACKET_SIZE
    """Packet size of the sending modem in bytes (its ATPK), 1 to 240."""
    tag_size: int | None = None
    """Size of the tag in bytes, 4 to 16 and at most the suite's. None: the suite's."""
    counter_size: int = DEFAULT_COUNTER_SIZE
    """Transmitted bytes of the message number, 0 to 4."""

    def __post_init__(self) -> None:
        for name, value, limits in (
            ("the packet size", self.packet_size, PACKET_SIZES),
            ("the link", self.link, range(2**16)),
            ("the direction", self.direction, range(2)),
            ("the counter size", self.counter_size, _COUNTER_SIZES),
            ("the tag size", self.tag_bytes, _TAG_SIZES),
        ):
            if value not in limits:
                message = f"{name} must be {limits[0]} to {limits[-1]}, not {value}"
                raise FramingError(message)

    @property
    def tag_bytes(self) -> int:
        """Size of the tag of `sealed` in bytes."""
        if self.tag_size is not None:
            return self.tag_size
        suite = crypto.suite(self.suite)
        if not suite.authenticates:
            message = f"{suite.slug} does not authenticate; choose a suite that does"
            raise FramingError(message)
        return suite.tag_size

    @classmethod
    def of(cls, framing: str, **given: Unpack[Options]) -> Self:
        """Return the settings with the framing of this name.

        Raises
        ------
        FramingError
            When a setting is out of its range.
        """
        return cls(framing=framing, **given)


def check_size(message_size: int) -> None:
    """Refuse a message that is too long.

    Raises
    ------
    FramingError
        When it is longer than 64 KiB, or its size negative.
    """
    if not 0 <= message_size <= LONGEST_MESSAGE:
        message = (
            f"a message must have at most {LONGEST_MESSAGE} bytes, not {message_size}"
        )
        raise FramingError(message)
