# SPDX-License-Identifier: Apache-2.0
"""Options that `samara frame` and `samara pcap` share."""

from __future__ import annotations

from typing import Annotated

import typer

from samara.cli.shared.diagnostics import MisuseError
from samara.link.ieee802154.frames.tools import ASN_END

Level = Annotated[
    int,
    typer.Option(
        "--level",
        min=1,
        max=7,
        metavar="N",
        help="Security level: 1 to 3 authenticate with a MIC of 4, 8 or 16 bytes; 4 "
        "encrypts; 5 to 7 do both.",
    ),
]
Level4 = Annotated[
    bool,
    typer.Option(
        "--level-4",
        help="Also decrypt frames of level 4, which have no MIC: nothing shows that "
        "they are genuine.",
    ),
]
FrameCounter = Annotated[
    int | None,
    typer.Option(
        "--frame-counter",
        min=0,
        metavar="N",
        help="Frame counter of the frame; of a capture, of each sender's first frame. "
        "Never use one twice with the same key and sender.",
        show_default=False,
    ),
]
Asn = Annotated[
    int | None,
    typer.Option(
        "--asn",
        min=0,
        metavar="N",
        help="Absolute slot number (TSCH) of the frame; of a capture, of the first "
        "packet. The nonce contains it when the frame counter is suppressed.",
        show_default=False,
    ),
]


def check_one_number(frame_counter: int | None, asn: int | None) -> None:
    """Check that exactly one of --frame-counter and --asn was given.

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


def check_asn(asn: int | None) -> None:
    """Check that --asn is a number that frames may be sent with, if it was given.

    Raises
    ------
    MisuseError
        When it is too large.
    """
    if asn is not None and asn >= ASN_END:
        message = f"--asn must be between 0 and {ASN_END - 1}, not {asn}"
        raise MisuseError(message)
