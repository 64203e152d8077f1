# SPDX-License-Identifier: Apache-2.0
"""What a node reports of what it receives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.node.due import DueReceipt
    from samara.link.node.kinds import Carrier
    from samara.link.node.receipt import Receipt


@dataclass(frozen=True, slots=True)
class Received:
    """A message."""

    message: bytes
    due: DueReceipt = field(repr=False, compare=False)
    source: str | None
    """The neighbour that sent it; None on a link of two ends."""
    carriers: tuple[Carrier, ...]
    """The frames, or the bytes of the line, that it arrived in."""
    clock_s: float
    """When it was complete, by `time.monotonic`."""
    to_all: bool = False
    """Whether it was sent to all neighbours: each of them can send in the name of
    another."""

    @property
    def receipt(self) -> Receipt:
        """What it cost; made when it is first read."""
        return self.due.receipt


@dataclass(frozen=True, slots=True)
class Lost:
    """Transmissions that did not arrive: as many messages, if each was one."""

    transmissions: int
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A message of which only some parts arrived."""

    missing: int
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that is not genuine, not new, or not for this node."""

    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that happened to the link itself."""

    text: str


Event = Received | Lost | Incomplete | Refused | Notice

TOTAL_OF: Mapping[type[Event], str] = {
    Received: "received",
    Lost: "lost",
    Incomplete: "incomplete",
    Refused: "refused",
}
"""The name under which a node stores how many of these it has reported."""
