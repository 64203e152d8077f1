# SPDX-License-Identifier: Apache-2.0
"""Captures whose frames are secured or opened, as requests ask."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

from samara.link.ieee802154.captures.key_file import keys_in
from samara.link.ieee802154.captures.protection import Opening, Protecting, convert
from samara.link.ieee802154.frames.parameters import (
    Asn,
    FrameCounter,
    Level,
    Level4,
    check_one_number,
)
from samara.records import (
    Answer,
    Field,
    Parameter,
    Progress,
    Record,
    Refusal,
    Request,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from samara.link.ieee802154.captures.protection import Change


@request_class
class _CaptureRequest(Request):
    """Keys for the frames of a capture."""

    keys: Annotated[
        Path,
        Parameter(
            metavar="FILE",
            help="Key file with keys and addresses; see samara pcap --help.",
        ),
    ]
    asn: Asn = None
    drop: Annotated[
        bool, Parameter(help="Leave out frames that cannot be changed.")
    ] = False


@request_class
class OpenCaptureRequest(_CaptureRequest):
    """A capture whose frames are verified and decrypted."""

    level_4: Level4 = False


@request_class
class ProtectCaptureRequest(_CaptureRequest):
    """A capture whose frames are secured with the first key of the key file."""

    level: Level
    frame_counter: FrameCounter = None


@record_class
class RefusedFrame(Record):
    """A frame of a capture that was not changed."""

    frame: Annotated[int, Field("Its number, from 1.")]
    reason: Annotated[str, Field("Why it was not changed.")]


@record_class
class Capture(Record):
    """How many frames of a capture were changed; the last line."""

    frames: Annotated[int, Field("Number of frames.")]
    changed: Annotated[int, Field("Number of frames that were changed.")]


def open_capture(
    request: OpenCaptureRequest, source: IO[bytes], target: IO[bytes]
) -> Answer[RefusedFrame | Capture]:
    """Copy a capture without the security of its frames, and yield what was refused.

    Parameters
    ----------
    source, target
        Open for reading, and for writing.

    Raises
    ------
    KeysError, PcapError, OSError
        When the key file or the capture cannot be read.
    """
    keys = yield from keys_in(request.keys)
    change = Opening(keys, encryption_only=request.level_4)
    yield from _converted(request, change, source, target)


def protect_capture(
    request: ProtectCaptureRequest, source: IO[bytes], target: IO[bytes]
) -> Answer[RefusedFrame | Capture]:
    """Copy a capture with its frames secured, and yield what was refused.

    Parameters and errors are those of `open_capture`.
    """
    check_one_number(request.frame_counter, request.asn)
    keys = yield from keys_in(request.keys)
    change = Protecting(keys, request.level, request.frame_counter)
    yield from _converted(request, change, source, target)


def _converted(
    request: _CaptureRequest, change: Change, source: IO[bytes], target: IO[bytes]
) -> Answer[RefusedFrame | Capture]:
    frames = refused = 0
    keep, first = not request.drop, request.asn
    for each in convert(source, target, change, keep=keep, first_asn=first):
        frames = each.number
        if each.refused:
            refused += 1
            yield RefusedFrame(each.number, each.refused)
        else:
            yield Progress(None, "frames")
    yield Capture(frames, frames - refused)
    if refused:
        yield Refusal()
