# SPDX-License-Identifier: Apache-2.0
"""What a message of a link is to the energy model: bytes and calls of its frames.

The bytes are those of the frames as nodes encode them, and the calls are what sealing
them takes: both are of the receipt of a message that has not been sent. A message that
one frame does not hold is cut as nodes cut it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from samara.energy.frames import Frames
from samara.energy.security import Call
from samara.errors import MisuseError
from samara.link.node.kinds import kind, planned_receipt
from samara.link.node.receipt import (
    ACKNOWLEDGEMENT,
    OF_SECURITY,
    RADIO,
    REPETITION,
    Direction,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.node.receipt import Receipt, Unit

_NOT_OF_FRAME = (RADIO, ACKNOWLEDGEMENT, REPETITION)


@dataclass(frozen=True, slots=True)
class MessageFrames:
    """The frames of a message, or its units of a serial line: the first, and others."""

    plain_bytes: int
    """Without security, with the check sequence."""
    added_bytes: int
    """By security: header, counter, tag."""
    calls: tuple[Call, ...]
    """Calls of the suite that secure it. Empty: it is not secured."""
    more: tuple[Frames, ...] = ()
    """The other frames of the message, the last one at the end."""
    plain: tuple[Frames, ...] = ()
    """All frames of the message without security, where they are not the same."""

    @property
    def all(self) -> tuple[Frames, ...]:
        """All frames of the message."""
        return Frames(self.plain_bytes, self.added_bytes, self.calls), *self.more

    def described(self) -> dict[str, Any]:
        """Return the fields of a `Scenario` or a `Candidate` that say the same."""
        return {
            "frame_bytes": self.plain_bytes,
            "added_bytes": self.added_bytes,
            "calls": self.calls,
            "more": self.more,
            "plain": self.plain,
        }


def frames_of_message(
    link: str, message_bytes: int, given: Mapping[str, Any]
) -> MessageFrames:
    """Return the frames of a message of this size.

    Parameters
    ----------
    link
        A kind of link.
    given
        Options of the link; others have their defaults.

    Raises
    ------
    MisuseError
        When the link is not known, or takes no such option.
    """
    found = frames_of_receipt(
        planned_receipt(link, Direction.SENT, message_bytes, given)
    )
    unsecured = kind(link).unsecured
    if not found.more or unsecured is None:
        return found
    # Without security, frames hold more: it is another cut, of fewer frames perhaps.
    options = {**given, **unsecured}
    plain = frames_of_receipt(
        planned_receipt(link, Direction.SENT, message_bytes, options)
    )
    return replace(found, plain=plain.all)


def frames_of_receipt(receipt: Receipt) -> MessageFrames:
    """Return what the message of a receipt is to the energy model.

    Its acknowledgement is left out: the medium access has its own.

    Raises
    ------
    MisuseError
        When the message takes several frames, and an older receipt does not tell them.
    """
    if receipt.payloads > 1 and not receipt.units:
        message = (
            f"a message of {receipt.message_bytes:g} bytes takes several frames over "
            f"{receipt.link}, and this receipt does not tell their sizes: make it anew"
        )
        raise MisuseError(message)
    if receipt.payloads > 1:
        return _of_units(receipt.units)
    whole = sum(
        int(size) for part, size in receipt.parts.items() if part not in _NOT_OF_FRAME
    )
    added = sum(int(receipt.parts.get(part, 0)) for part in OF_SECURITY)
    verb = receipt.direction.verbs[0]
    calls = tuple(
        Call(call.suite, call.message_bytes, call.ad_bytes)
        for call in receipt.calls
        if call.verb is verb
    )
    return MessageFrames(whole - added, added, calls)


def _of_units(units: tuple[Unit, ...]) -> MessageFrames:
    first, *others = map(_frames, units)
    if first.count > 1:
        others = [replace(first, count=first.count - 1), *others]
    return MessageFrames(
        first.frame_bytes, first.added_bytes, first.calls, more=tuple(others)
    )


def _frames(unit: Unit) -> Frames:
    call, added = unit.call, unit.security_bytes
    calls = (Call(call.suite, call.message_bytes, call.ad_bytes),) if call else ()
    return Frames(unit.size - added, added, calls, unit.count)
