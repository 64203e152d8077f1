# SPDX-License-Identifier: Apache-2.0
"""The two ends of a link of which one, or both, are boards: keys, and what is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.firmware.project import BAUD, SERIAL
from samara.link.node.device_pairs import DevicesRequest, pair
from samara.link.node.making import MakeRequest, make
from samara.records import records_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

# What is told of a node at the other end, and of a board.
_OTHER_ENDS = {
    "LISTENER": ("`samara node listen`", "the board of `../@OTHER@`"),
    "LISTEN": (
        "samara node listen host --port /dev/ttyUSB0  # at the other radio",
        "samara firmware run . --with ../@OTHER@  # beside the board that receives",
    ),
    "AGAIN": (
        """\
An erased board needs a new record: delete `record.h`, then
`samara node rekey --offline host` and `samara node export host @CODE@/record.h`.""",
        """\
If one board is erased, both need new records: delete both files `record.h`, erase the
other board, too, and type

    samara node devices @CODE@/record.h ../@OTHER@/@CODE@/record.h \\
      --link @LINK@ --suite @SUITE@ --packet-size @PACKET_SIZE@""",
    ),
    "END": (
        "`host/` | the node at the other end, with keys and counters. Never commit it",
        "`../@OTHER@` | the project of the board at the other end, with the same key",
    ),
}


def make_ends(host: Path, record: Path, link: str, options: Mapping[str, Any]) -> None:
    """Make a node and the record of the device at its other end, with new keys."""
    made = {"baud": BAUD, **options} if link == SERIAL else dict(options)
    asked = MakeRequest(node=host, link=link, for_device=record, link_options=made)
    records_of(make(asked))


def make_boards(
    first: Path, second: Path, link: str, options: Mapping[str, Any]
) -> None:
    """Make the records of two boards that are the ends of a link, with new keys."""
    asked = DevicesRequest(
        first=first, second=second, link=link, link_options=dict(options)
    )
    records_of(pair(asked))


def words_of_other_end(other: str | None) -> Iterator[tuple[str, str]]:
    """Yield what stands in templates for words about the other end of a link.

    Parameters
    ----------
    other
        Name of the project of the board there; None where it is a node.
    """
    name = other or ""
    yield "OTHER", name
    for word, (node, board) in _OTHER_ENDS.items():
        text = node if other is None else board
        yield word, text.replace("@OTHER@", name)
