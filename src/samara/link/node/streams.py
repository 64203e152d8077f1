# SPDX-License-Identifier: Apache-2.0
"""The numbers that tell which messages of a neighbour were received."""

from __future__ import annotations

from typing import NamedTuple

from samara.link.node.quantities import Number, Quantity


class Stream(NamedTuple):
    """Messages of a neighbour to this node alone, or those to all.

    Each has its own message ids. All members of a group have its key, so that one can
    send in the name of another: this must not affect messages to this node alone.
    """

    source: str | None
    """The neighbour; None for the other end of a pair."""
    to_all: bool = False

    @property
    def taken(self) -> Number:
        """The highest id of a message in parts, or acknowledged one, that arrived."""
        return Number(Quantity.TAKEN, self.source or "", of_group=self.to_all)

    @property
    def handed_on(self) -> Number:
        """The highest id of an acknowledged message that was handed on."""
        return Number(Quantity.HANDED_ON, self.source or "", of_group=self.to_all)


def streams(name: str) -> tuple[Stream, Stream]:
    """Return both streams of a neighbour."""
    return Stream(name), Stream(name, to_all=True)


def numbers_of_messages(name: str) -> list[Number]:
    """Return all numbers that are stored of the messages that a neighbour has sent."""
    return [of for each in streams(name) for of in (each.taken, each.handed_on)]
