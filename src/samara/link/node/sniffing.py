# SPDX-License-Identifier: Apache-2.0
"""Frames on the air, for who has the directories of nodes, and so their keys."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from samara.link.node.receipt import Direction, Receipt


@dataclass(frozen=True, slots=True)
class OpenedFrame:
    """What a frame carries, and between whom."""

    source: str
    destination: str
    """Names of nodes, for users."""
    source_address: bytes
    destination_address: bytes
    """As they stand in the frame: 2 or 8 bytes, most significant byte first."""
    payload: bytes


@dataclass(frozen=True, slots=True)
class SniffedFrame:
    """A frame that was heard on the air."""

    encoded: bytes
    """All of it."""
    is_acknowledgement: bool
    number: int
    """What an acknowledgement and the frame that it answers have in common."""
    security_bytes: int
    """Bytes of it that are there for security."""
    open: Callable[[], OpenedFrame]
    """Returns what it carries; raises RefusedError when no known key opens it."""


class Sniffer(ABC):
    """Reads frames with the keys of nodes, also with those drawn later."""

    settings: Mapping[str, Any]
    """Of the first node: all have the same channel and suite."""

    @property
    @abstractmethod
    def key_count(self) -> int:
        """How many keys were seen; it grows as nodes draw new ones."""

    @abstractmethod
    def read(self, encoded: bytes) -> SniffedFrame:
        """Read a frame that was heard.

        Raises
        ------
        RefusedError, ValueError
            When it is none.
        """

    @abstractmethod
    def receipt(
        self,
        direction: Direction,
        payload_bytes: int,
        frames: Sequence[bytes],
        repetitions: Sequence[bytes],
        acknowledgements: Sequence[bytes],
    ) -> Receipt:
        """Return what a node spent on frames that were heard.

        Parameters
        ----------
        payload_bytes
            Of all frames that are no repetitions.
        """

    @abstractmethod
    def wireshark_tables(self) -> Mapping[str, Sequence[str]]:
        """Return the rows of the tables by which Wireshark opens the frames.

        They are named as files in its directory of personal settings; one has the name
        that `Sniffing.wireshark_keys` tells.

        Raises
        ------
        MisuseError
            When Wireshark cannot open frames of this cipher.
        """


class AirReceiver(ABC):
    """Hears all frames that are on the air."""

    name: str
    """What carries them, for the name of an interface in a capture file."""

    @property
    def has_ended(self) -> bool:
        """Whether nothing more can come. Default: the air has no end."""
        return False

    @abstractmethod
    def receive(self, timeout_s: float) -> Iterable[bytes]:
        """Wait for frames; return at once when there are some."""

    @abstractmethod
    def notices(self) -> Sequence[str]:
        """Return what happened to the air since the last call, in sentences."""

    @abstractmethod
    def close(self) -> None:
        """Close the receiver."""


class CaptureWriter(Protocol):
    """Writes frames to a capture file."""

    def write(self, packet: bytes, time_ns: int, /) -> None:
        """Write a frame that was on the air then, in ns since 1970."""
        ...


class Sniffing(ABC):
    """What a kind of link has whose frames anybody in range can hear.

    A kind has one in `Kind.sniffing`, or none.
    """

    wireshark_keys: str
    """The table by which Wireshark opens the frames."""

    @abstractmethod
    def sniffer(self, nodes: Sequence[Path]) -> Sniffer:
        """Return what reads the frames of nodes.

        Parameters
        ----------
        nodes
            Their directories. They may be running.

        Raises
        ------
        MisuseError
            When one is not the directory of a node of this kind.
        """

    @abstractmethod
    def receiver(self, settings: Mapping[str, Any], place: str | None) -> AirReceiver:
        """Return what hears the air.

        Parameters
        ----------
        settings
            Of a node that is there.
        place
            Where the air is. Default: as the node was made.

        Raises
        ------
        LinkError
            When it is not there.
        """

    @abstractmethod
    def writer(self, file: IO[bytes], interface: str | None) -> CaptureWriter:
        """Return what writes frames to a file.

        Parameters
        ----------
        interface
            Its name in a pcapng file. None: the file is a pcap file.
        """
