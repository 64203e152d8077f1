# SPDX-License-Identifier: Apache-2.0
"""What a message of a link is to the energy model: bytes and calls of its frames.

The bytes are those of the frames as nodes encode them, and the calls are what sealing
them takes: both are of the receipt of a message that has not been sent. A message that
one frame does not hold is cut as nodes cut it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
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

    from samara.energy.medium_access import OwnFrame
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
    link: str,
    message_bytes: int,
    given: Mapping[str, Any],
    own_frame: OwnFrame | None = None,
) -> MessageFrames:
    """Return the frames of a message of this size.

    Parameters
    ----------
    link
        A kind of link.
    given
        Options of the link; others have their defaults.
    own_frame
        The frame of a medium access that carries messages in place of the link's: it
        has its own header, and is secured as the link's is.

    Raises
    ------
    MisuseError
        When the link is not known, or takes no such option.
    """
    if own_frame is not None:
        return _in_own_frames(link, message_bytes, given, own_frame)
    found = _planned(link, message_bytes, given)
    unsecured = kind(link).unsecured
    if not found.more or unsecured is None:
        return found
    # Without security, frames hold more: it is another cut, of fewer frames perhaps.
    options = {**given, **unsecured}
    plain = _planned(link, message_bytes, options)
    return replace(found, plain=plain.all)


def _planned(link: str, message_bytes: int, given: Mapping[str, Any]) -> MessageFrames:
    """Return the frames of a message that has not been sent."""
    return _of_options(link, message_bytes, tuple(sorted(given.items())))


@lru_cache(maxsize=4096)
def _of_options(
    link: str, message_bytes: int, given: tuple[tuple[str, Any], ...]
) -> MessageFrames:
    """Return the same; advice asks for each suite again with each medium access."""
    return frames_of_receipt(
        planned_receipt(link, Direction.SENT, message_bytes, dict(given))
    )


_SHORT = 16
"""A message that each link carries in one frame."""


def _in_own_frames(
    link: str, message_bytes: int, given: Mapping[str, Any], own_frame: OwnFrame
) -> MessageFrames:
    """Return frames that have another header, and are secured as the link's are."""
    short = min(message_bytes, _SHORT)
    like = _planned(link, short, given)
    plain = _cut(message_bytes, own_frame, MessageFrames(0, 0, ()), short)
    first, *more = _cut(message_bytes, own_frame, like, short)
    if first.count > 1:
        more = [replace(first, count=first.count - 1), *more]
    return MessageFrames(
        first.frame_bytes,
        first.added_bytes,
        first.calls,
        more=tuple(more),
        plain=tuple(plain) if more else (),
    )


def _cut(
    message_bytes: int, own_frame: OwnFrame, like: MessageFrames, like_bytes: int
) -> list[Frames]:
    """Return the frames of a message: full ones, and one with the rest.

    Parameters
    ----------
    like
        What secures a frame of the link with a message of `like_bytes`.
    """
    room = own_frame.most_bytes - like.added_bytes
    if room <= 0:
        message = (
            f"a frame holds {own_frame.most_bytes} bytes, and security takes "
            f"{like.added_bytes} of them: give a shorter tag, or another medium access"
        )
        raise MisuseError(message)
    whole, rest = divmod(message_bytes, room)
    sizes = [(room, whole)] if whole else []
    sizes += [(rest, 1)] if rest or not whole else []
    return [
        Frames(
            own_frame.header_bytes + size,
            like.added_bytes,
            tuple(
                replace(call, message_bytes=call.message_bytes - like_bytes + size)
                for call in like.calls
            ),
            count,
        )
        for size, count in sizes
    ]


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
