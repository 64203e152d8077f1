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
from samara.link.node.receipt import ACKNOWLEDGEMENT, RADIO, Direction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.node.receipt import Receipt

_NOT_OF_FRAME = (RADIO, ACKNOWLEDGEMENT)
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
    return load_in(planned_receipt(link, Direction.SENT, message_bytes, given))


def load_in(receipt: Receipt) -> Load:
    """Return what the message of a receipt is to the energy model.

    Its acknowledgement is left out: the medium access has its own.

    Raises
    ------
    MisuseError
        When the message takes several frames.
    """
    if receipt.payloads > 1:
        message = (
            f"a message of {receipt.message_bytes:g} bytes takes several frames over "
            f"{receipt.link}; the energy model has one frame for each message: give "
            "fewer --bytes"
        )
        raise MisuseError(message)
    whole = sum(
        int(size) for part, size in receipt.parts.items() if part not in _NOT_OF_FRAME
    )
    added = sum(int(receipt.parts.get(part, 0)) for part in _OF_SECURITY)
    verb = receipt.direction.verbs[0]
    calls = tuple(
        Call(call.suite, call.message_bytes, call.ad_bytes)
        for call in receipt.calls
        if call.verb is verb
    )
    return Load(whole - added, added, calls)
