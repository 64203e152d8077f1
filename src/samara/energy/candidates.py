# SPDX-License-Identifier: Apache-2.0
"""All suites that can secure a message of a link, at each layer: for advice.

- `link`: the frames of the link are secured.
- `payload`: the application seals messages itself, and sends the sealed message and
  four bytes of its frame counter in frames without security.
- `physical`: Grain-128PLE encrypts all bits of frames without security. It adds none,
  and does not authenticate. That a receiver has to search the counter, and that the
  radio has to be one by software, is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from samara import crypto
from samara.crypto import Standing
from samara.energy.message_frames import frames_of_message
from samara.energy.security import Call
from samara.errors import MisuseError
from samara.link.node.kinds import kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from samara.crypto import Suite
    from samara.energy.frames import Frames
    from samara.energy.medium_access import OwnFrame
    from samara.energy.message_frames import MessageFrames
    from samara.link.node.kinds import Protection

_COUNTER_BYTES = 4
_IV_BYTES = 16
_AT_THE_PHYSICAL_LAYER = "grain128ple"
LAYERS = ("link", "payload", "physical")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A suite at a layer. Sizes are in bytes."""

    layer: str
    """One of `LAYERS`."""
    suite: str
    standing: Standing
    tag_bytes: int
    encrypts: bool
    frame_bytes: int
    """Without security, with the check sequence."""
    added_bytes: int
    calls: tuple[Call, ...]
    is_interoperable: bool = False
    """Whether others' software for the standard of the link opens its frames; where
    messages are in frames of another standard (`MediumAccess.own_frame`), whether those
    carry it unchanged and its cipher is a standard."""
    more: tuple[Frames, ...] = ()
    """The other frames of a message that takes several."""
    plain: tuple[Frames, ...] = ()
    """All frames of the message without security, where they are not the same."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of a new node that uses it."""

    def has(self, held: Mapping[str, Any]) -> bool:
        """Return whether it is what some options of the link ask for.

        A suite is that of a payload, too; a level or a framing is of frames alone.
        """
        if self.layer == "link":
            return all(self.options.get(name) == held[name] for name in held)
        suite = held.get("suite", self.suite)
        is_suite = self.suite == suite or self.suite.startswith(f"{suite}-")
        return is_suite and not set(held) - {"suite"}


def candidates(
    link: str,
    message_bytes: int,
    given: Mapping[str, Any],
    own_frame: OwnFrame | None = None,
) -> Iterator[Candidate]:
    """Yield all candidates for messages of this size.

    A suite whose frame does not hold the message is left out.

    Parameters
    ----------
    link
        A kind of link that has frames without security.
    given
        Options of the link that do not choose what secures it.
    own_frame
        The frame of a medium access that carries messages in place of the link's.

    Raises
    ------
    MisuseError
        When the link does not take such options.
    """
    plain = {**given, **without_security(link)}
    frames = frames_of_message(link, message_bytes, plain, own_frame)
    for protection in kind(link).protections():
        try:
            secured = frames_of_message(
                link, message_bytes, {**given, **protection.options}, own_frame
            )
        except (MisuseError, ValueError):
            continue
        own = _in_frames(link, given, protection, secured)
        # No other software has such security in frames of another standard.
        yield own if own_frame is None else replace(own, is_interoperable=False)
    for suite in crypto.suites():
        if suite.slug == _AT_THE_PHYSICAL_LAYER:
            yield _apart("physical", suite, _encrypted(frames, suite), plain)
            continue
        added = _added_to_payload(suite, message_bytes)
        try:
            sealed = frames_of_message(link, message_bytes + added, plain, own_frame)
        except MisuseError:
            continue
        call = Call(suite.slug, message_bytes, 0)
        own = _apart("payload", suite, _sealed(frames, sealed, added, call), plain)
        is_standard = suite.standing is Standing.STANDARD
        is_carried = own_frame is not None and is_standard
        yield replace(own, is_interoperable=is_carried)


def has_standard(link: str) -> bool:
    """Return whether others' software opens frames of a link that are secured.

    >>> has_standard("ieee802154"), has_standard("rf-serial")
    (True, False)
    """
    return any(each.is_interoperable for each in kind(link).protections())


def without_security(link: str) -> Mapping[str, Any]:
    """Return the options of frames of a link without security.

    Raises
    ------
    MisuseError
        When the link has no such frames.
    """
    found = kind(link).unsecured
    if found is None:
        message = f"{link} has no frames without security to compare with"
        raise MisuseError(message)
    return found


def _in_frames(
    link: str, given: Mapping[str, Any], protection: Protection, frames: MessageFrames
) -> Candidate:
    return Candidate(
        layer="link",
        suite=frames.calls[0].suite.removeprefix(f"{link}-"),
        standing=protection.standing,
        tag_bytes=protection.tag_bytes,
        encrypts=protection.encrypts,
        is_interoperable=protection.is_interoperable,
        **frames.described(),
        options={**given, **protection.options},
    )


def _apart(
    layer: str,
    suite: Suite,
    frames: MessageFrames,
    options: Mapping[str, Any],
) -> Candidate:
    """Return a candidate that is not the link's own."""
    return Candidate(
        layer=layer,
        suite=suite.slug,
        standing=suite.standing,
        tag_bytes=suite.tag_size,
        encrypts=True,
        **frames.described(),
        options=options,
    )


def _encrypted(frames: MessageFrames, suite: Suite) -> MessageFrames:
    """Return frames whose bits are all encrypted."""
    return replace(
        frames,
        calls=(Call(suite.slug, frames.plain_bytes, 0),),
        more=tuple(
            replace(each, calls=(Call(suite.slug, each.frame_bytes, 0),))
            for each in frames.more
        ),
        plain=frames.all if frames.more else (),
    )


def _sealed(
    plain: MessageFrames, sealed: MessageFrames, added_bytes: int, call: Call
) -> MessageFrames:
    """Return the frames of a message that is sealed before it is cut.

    Parameters
    ----------
    plain, sealed
        The message and the sealed message, in frames without security.
    """
    if not sealed.more:
        return replace(plain, added_bytes=added_bytes, calls=(call,))
    # What is sealed is the message, once: with the first frame, that is.
    return replace(sealed, calls=(call,), plain=plain.all)


def _added_to_payload(suite: Suite, size: int) -> int:
    in_front = _IV_BYTES if suite.padding_size else _COUNTER_BYTES
    return suite.sealed_size(size) - size + in_front
