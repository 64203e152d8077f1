# SPDX-License-Identifier: Apache-2.0
"""Names of the numbers that tell which messages of a neighbour were received."""

from __future__ import annotations

from samara.link.node.kinds import BROADCAST

TAKEN = "message taken"
"""The highest id of a message in parts, or acknowledged one, that was received."""
HANDED_ON = "message handed on"
"""The highest id of an acknowledged message that was handed on."""


def mark_of(mark: str, source: str | None) -> str:
    """Return the name of the number that is stored for a neighbour.

    Parameters
    ----------
    mark
        TAKEN or HANDED_ON.
    source
        The neighbour; None for the other end of a pair.
    """
    return mark if source is None else f"{mark} {source}"


def marks_of(name: str) -> list[str]:
    """Return the names of all numbers that are stored of what a neighbour has sent."""
    return [
        mark_of(mark, stream) for mark in (TAKEN, HANDED_ON) for stream in streams(name)
    ]


def streams(name: str) -> tuple[str, str]:
    """Return what the messages of a neighbour are kept under: to one, and to all.

    They are apart: a member of a group that sends in the name of another one must not
    hide the messages which that one sends to this node alone.
    """
    return name, f"{name} {BROADCAST}"
