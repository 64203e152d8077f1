# SPDX-License-Identifier: Apache-2.0
"""What a message of a link is to the energy model: bytes and calls of one frame.

The bytes are those of the frame as nodes encode it, and the calls are what sealing
it takes: both are of the receipt of a message that has not been sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samara.energy.security import Call
from samara.errors import MisuseError
from samara.link.node.kinds import planned_receipt
from samara.link.node.receipt import Direction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.node.receipt import Receipt

_OF_RADIO = "radio"
_CHECK_SIZE = 2
_OF_SECURITY = ("security", "counter", "tag")


@dataclass(frozen=True, slots=True)
class Load:
    """One frame, or one unit of a serial line."""

    plain_bytes: int
    """Without security, with the check sequence."""
    added_bytes: int
    """By security: header, counter, tag."""
    calls: tuple[Call, ...]
    """What secures it; none when nothing does."""


def _frames(receipt: Receipt) -> int:
    """Return how many frames a message takes; the packets of a modem are no frames."""
    calls = sum(call.count for call in receipt.calls)
    return calls or int(receipt.parts.get("check", _CHECK_SIZE)) // _CHECK_SIZE


def load_of(link: str, message_bytes: int, given: Mapping[str, Any]) -> Load:
    """Return the energy model's load for a message of this size.

    Parameters
    ----------
    link
        A kind of link.
    given
        Options of the link; others have their defaults.

    Raises
    ------
    MisuseError
        When the link is not known, takes no such option, or cuts a message of this
        size into several frames.
    """
    receipt = planned_receipt(link, Direction.SENT, message_bytes, given)
    if _frames(receipt) > 1:
        message = (
            f"a message of {message_bytes} bytes takes several frames over {link}; "
            "the energy model has one frame for each message: give fewer --bytes"
        )
        raise MisuseError(message)
    whole = sum(int(size) for part, size in receipt.parts.items() if part != _OF_RADIO)
    added = sum(int(receipt.parts.get(part, 0)) for part in _OF_SECURITY)
    calls = tuple(
        Call(call.suite, call.message_bytes, call.ad_bytes) for call in receipt.calls
    )
    return Load(whole - added, added, calls)
