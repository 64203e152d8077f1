# SPDX-License-Identifier: Apache-2.0
"""What a node reports of what it receives.

All but messages are records; `samara.link.node.message_records` makes records of those.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Annotated

from samara.link.node.quantities import Number, Quantity
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.node.carriers import Carrier
    from samara.link.node.lazy_receipt import LazyReceipt
    from samara.link.node.receipt import Receipt


@dataclass(frozen=True, slots=True)
class Received:
    """A message."""

    message: bytes
    lazy_receipt: LazyReceipt = field(repr=False, compare=False)
    source: str | None
    """The neighbour that sent it; None on a link of two ends."""
    carriers: tuple[Carrier, ...]
    """The frames, or the bytes of the line, that it arrived in."""
    clock_s: float
    """When it was complete, by `time.monotonic`."""
    to_all: bool = False
    """Whether it was sent to all neighbours: each of them can send in the name of
    another."""
    id: str | None = None
    """By which it is taken, and recognised if it is repeated; None for one that counts
    as taken when it is returned."""
    is_repeated: bool = False
    """Whether it may have been handed out before, and by the same id."""

    @property
    def receipt(self) -> Receipt:
        """What it cost; made when it is first read."""
        return self.lazy_receipt.receipt


@record_class
class Lost(Record):
    """Transmissions that did not arrive: as many messages, if each was one."""

    transmissions: Annotated[int, Field("How many.")]
    source: Annotated[
        str | None, Field("The neighbour that sent them; null on a link of two ends.")
    ] = None


@record_class
class Incomplete(Record):
    """A message of which only some parts arrived."""

    missing: Annotated[int, Field("How many parts did not arrive.")]
    source: Annotated[
        str | None, Field("The neighbour that sent it; null on a link of two ends.")
    ] = None


class Alarm(Enum):
    """What kind of thing was refused; the values are for users and programs."""

    COPIED_INVITATION = "copied invitation"
    """A second node uses an invitation: somebody has a copy, and so the key."""
    EXPIRED_INVITATION = "expired invitation"
    REFUSED_JOIN = "refused join"
    """The node that has invited this one does not accept it."""
    STRANGER = "stranger"
    """A sender that is no neighbour, and has no invitation."""
    NOT_GENUINE = "not genuine"
    """Forged, damaged on the way, not secured as it must be, or under another key."""
    REPLAY = "replay"
    """Received before, or overtaken by what was sent later."""
    GROUP_KEY = "misused group key"
    """A member of the group has used its key for what it is not for."""
    OTHER = "other"
    """What cannot be read, and what this node does not take."""


@record_class
class Refused(Record):
    """Something that is not genuine, not new, or not for this node."""

    reason: Annotated[str, Field("Why, in words.")]
    kind: Annotated[Alarm, Field("What kind of thing it is.")] = Alarm.OTHER
    count: Annotated[
        int, Field("How many of this kind it stands for: one is told every 10 s.")
    ] = 1


@record_class
class Notice(Record):
    """Something that happened to the link itself."""

    text: Annotated[str, Field("What, in a sentence.")]


Event = Received | Lost | Incomplete | Refused | Notice

TOTAL_OF: Mapping[type[Event], Number] = {
    Received: Number(Quantity.RECEIVED),
    Lost: Number(Quantity.LOST),
    Incomplete: Number(Quantity.INCOMPLETE),
    Refused: Number(Quantity.REFUSED),
}
"""The number that tells how many of these a node has reported."""
