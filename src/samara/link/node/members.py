# SPDX-License-Identifier: Apache-2.0
"""What nodes of a network know and store of each other."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.link.node.end import End
    from samara.link.node.quantities import Number
    from samara.link.node.state_file import Record


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation that was drawn."""

    text: str
    """One line: a secret."""
    name: str
    """Of the newcomer."""
    change: Change
    """What the node that invites has to store first."""


@dataclass(frozen=True, slots=True)
class NewMember:
    """A node of a network that is made together with its neighbours."""

    end: End
    records: Mapping[str, Record]
    """What it has to store: its neighbours and their keys."""


@dataclass(frozen=True, slots=True)
class NeighbourList:
    """The neighbours of a node and its open invitations, without keys."""

    neighbours: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    invitations: Mapping[str, int | None] = field(default_factory=dict)
    """Names of newcomers, with the ends of their invitations in s since 1970."""

    def described(self) -> Iterator[tuple[str, str]]:
        """Yield names and descriptions, for users."""
        for name, fields in self.neighbours.items():
            yield name, ", ".join(f"{each} {value}" for each, value in fields.items())
        for name, ends_s in self.invitations.items():
            yield name, f"invited, has not joined; {_end_of(ends_s)}"


@dataclass(frozen=True, slots=True)
class Joining:
    """What an invitation says."""

    end: End
    id: bytes
    """Of the invitation: what is made from it is made once."""
    records: Mapping[str, Record]
    """What the newcomer has to store."""
    by_edhoc: bool = False
    """Whether the first key is agreed upon by EDHOC."""


@dataclass(frozen=True, slots=True)
class OscoreSecret:
    """What OSCORE (RFC 8613) needs for one neighbour; given out once."""

    secret: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    sender: bytes
    """Sender ID of this node."""
    recipient: bytes
    """Sender ID of the neighbour."""
    generation: int
    """Of the key that the same run of EDHOC has led to: equal at both nodes."""


@dataclass(frozen=True, slots=True)
class Change:
    """What the state of a node has to store, all or nothing."""

    records: Mapping[str, Record | None] = field(default_factory=dict)
    forgotten: Sequence[Number] = ()
    """Numbers whose keys are gone."""
    notices: Sequence[str] = ()
    """What the user has to know of it, in words."""

    def and_(self, other: Change) -> Change:
        """Return both changes as one."""
        return Change(
            {**self.records, **other.records},
            [*self.forgotten, *other.forgotten],
            [*self.notices, *other.notices],
        )


def _end_of(ends_s: int | None) -> str:
    """Return until when an invitation is accepted, in words."""
    if ends_s is None:
        return "the invitation does not expire"
    if ends_s <= time.time():
        return "the invitation has expired"
    at = datetime.fromtimestamp(ends_s, tz=UTC).astimezone()
    return f"the invitation expires at {at:%Y-%m-%d %H:%M}"
