# SPDX-License-Identifier: Apache-2.0
"""Parameters of requests about frames, single ones and those of captures."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from samara.errors import MisuseError
from samara.link.ieee802154.frames.frame import FRAME_SIZE_MAX
from samara.link.ieee802154.frames.tools import ASN_END
from samara.records import Between, Parameter

FrameText: TypeAlias = Annotated[
    str,
    Parameter(
        is_argument=True,
        metavar="HEX|-",
        help="Frame without FCS, as hex digits; - reads them from stdin. Default: -.",
        from_stdin=True,
        longest=4 * FRAME_SIZE_MAX,
    ),
]
Level: TypeAlias = Annotated[
    int,
    Parameter(
        metavar="N",
        help="Security level: 1 to 3 authenticate with a MIC of 4, 8 or 16 bytes; 4 "
        "encrypts; 5 to 7 do both.",
        values=Between(1, 7),
    ),
]
Level4: TypeAlias = Annotated[
    bool,
    Parameter(
        help="Also decrypt frames of level 4, which have no MIC: nothing shows that "
        "they are genuine.",
    ),
]
FrameCounter: TypeAlias = Annotated[
    int | None,
    Parameter(
        metavar="N",
        help="Frame counter of the frame; of a capture, of each sender's first frame. "
        "Never use one twice with the same key and sender.",
        values=Between(0),
    ),
]
Asn: TypeAlias = Annotated[
    int | None,
    Parameter(
        metavar="N",
        help="Absolute slot number (TSCH) of the frame; of a capture, of the first "
        "packet. The nonce contains it when the frame counter is suppressed.",
        values=Between(0, ASN_END - 1),
    ),
]


def check_one_number(frame_counter: int | None, asn: int | None) -> None:
    """Check that exactly one of frame counter and absolute slot number was given.

    Raises
    ------
    MisuseError
        When both were given, or neither.
    """
    if frame_counter is not None and asn is not None:
        message = (
            "the nonce contains either the frame counter or the ASN: give "
            "--frame-counter or --asn, not both"
        )
        raise MisuseError(message)
    if frame_counter is None and asn is None:
        message = "give --frame-counter, or --asn for frames of TSCH"
        raise MisuseError(message)
