# SPDX-License-Identifier: Apache-2.0
"""What a medium has seen: counted while it runs, and the record at its end."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.records import Field, Record, record_class
from samara.records.tables import Table, table_of_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

LINKS_MAX = 1024
"""Links whose frames are counted apart."""


@dataclass(slots=True)
class LinkStatistics:
    """What became of the frames from one node to another."""

    delivered: int = 0
    lost: int = 0
    collided: int = 0


@dataclass(slots=True)
class Statistics:
    """What the medium has seen since its start."""

    frames: int = 0
    frame_bytes: int = 0
    """With check sequences."""
    wrong_fcs: int = 0
    """Frames whose check sequence is wrong; they are passed on."""
    zep_acks: int = 0
    """Packets of ZEP that acknowledge others. Acknowledgements of nodes are frames."""
    hellos: int = 0
    malformed: int = 0
    """Datagrams that are not ZEP version 2."""
    deliveries: int = 0
    lost: int = 0
    duplicated: int = 0
    overflowed: int = 0
    """Deliveries that did not take place because too many were waiting, and frames
    that found no room in front of their node's radio."""
    collided: int = 0
    """Deliveries that were lost because frames overlapped at the receiver."""
    access_failures: int = 0
    """Frames that were given up because the channel was always busy."""
    out_of_reach: int = 0
    """Deliveries that did not take place because the topology has no such link."""
    reordered: int = 0
    nodes: int = 0
    links: dict[tuple[str, str], LinkStatistics] = field(default_factory=dict)
    """By sender and receiver, as far as their addresses are known; at most
    `LINKS_MAX`."""

    def counts(self) -> dict[str, int]:
        """Return all numbers of the whole medium by name."""
        named = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: value for name, value in named if name != "links"}

    def record(self) -> MediumStatistics:
        """Return the record of all of it."""
        links = tuple(
            LinkCounts(sender, receiver, link.delivered, link.lost, link.collided)
            for (sender, receiver), link in sorted(self.links.items())
        )
        return MediumStatistics(**self.counts(), links=links)


@record_class
class LinkCounts:
    """What became of the frames from one node to another."""

    sender: Annotated[str, Field("Address of the sender.", heading="sender")]
    receiver: Annotated[str, Field("Address of the receiver.", heading="receiver")]
    delivered: Annotated[
        int, Field("Frames that arrived.", heading="delivered", rank=0)
    ]
    lost: Annotated[int, Field("Frames that were lost.", heading="lost", rank=0)]
    collided: Annotated[
        int, Field("Frames that collided at the receiver.", heading="collided")
    ]


@record_class
class PacketCount:
    """One line of what people are shown of a medium."""

    name: Annotated[
        str, Field("What is counted.", heading="packets\xa0of\xa0the\xa0medium")
    ]
    count: Annotated[int, Field("How many.", heading="count", rank=0)]


@record_class
class MediumStatistics(Record):
    """What a medium has seen from its start to its end."""

    TYPE: ClassVar[str] = "medium"

    frames: Annotated[int, Field("Frames that nodes have sent.")]
    frame_bytes: Annotated[
        int, Field("Their bytes, with check sequences.", unit="byte")
    ]
    wrong_fcs: Annotated[
        int, Field("Frames whose check sequence is wrong; they are passed on.")
    ]
    zep_acks: Annotated[int, Field("Packets of ZEP that acknowledge others.")]
    hellos: Annotated[int, Field("Packets by which nodes say that they are there.")]
    malformed: Annotated[int, Field("Datagrams that are not ZEP version 2.")]
    deliveries: Annotated[int, Field("Packets that were handed to a receiver.")]
    lost: Annotated[int, Field("Deliveries that were lost.")]
    duplicated: Annotated[int, Field("Deliveries that came twice.")]
    overflowed: Annotated[
        int, Field("Deliveries and frames for which there was no room.")
    ]
    collided: Annotated[int, Field("Deliveries that were lost in collisions.")]
    access_failures: Annotated[
        int, Field("Frames that were given up because the channel was always busy.")
    ]
    out_of_reach: Annotated[
        int, Field("Deliveries for which the topology has no link.")
    ]
    reordered: Annotated[int, Field("Deliveries that were held back.")]
    nodes: Annotated[int, Field("Nodes that are there.")]
    links: Annotated[
        tuple[LinkCounts, ...], Field("What became of the frames of each link.")
    ]

    def tables(self) -> Iterator[Table]:
        """Yield what people are shown."""
        names = [each.name for each in fields(self) if each.name != "links"]
        rows = [PacketCount(n.replace("_", " "), getattr(self, n)) for n in names]
        yield table_of_rows("medium", rows)
        if self.links:
            yield table_of_rows("links", self.links, "frames by link")
