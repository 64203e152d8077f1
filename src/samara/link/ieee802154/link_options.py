# SPDX-License-Identifier: Apache-2.0
"""The options of nodes of IEEE 802.15.4."""

from __future__ import annotations

import secrets

from samara.link.ieee802154 import medium_access
from samara.link.ieee802154.air.zep import CHANNEL, CHANNELS
from samara.link.ieee802154.air.zep_radio import DEFAULT_MEDIUM
from samara.link.ieee802154.frames.levels import LEVELS
from samara.link.ieee802154.frames.template import VERSIONS
from samara.link.ieee802154.limits import RETRIES, RETRIES_MAX, SHORT_ADDRESSES
from samara.link.ieee802154.radios import place
from samara.link.node.options import HexDigits, Option

DEFAULT_LEVEL = 5
DEFAULT_CIPHER = "aes128"


def _drawn_pan() -> str:
    return f"{secrets.choice(SHORT_ADDRESSES):04x}"


_ACCESS_TITLES = ", or ".join(
    access.title for access in medium_access.by_name().values()
)
OPTIONS = (
    Option(
        name="level",
        type=int,
        help="Security level.",
        values=LEVELS,
        default=DEFAULT_LEVEL,
        changes_receipt=True,
    ),
    Option(
        name="suite",
        type=str,
        metavar="SUITE",
        help="Suite that secures frames, such as aes128-ccm-8 or ascon-aead128, or"
        " a cipher alone; the level sets the size of the MIC.",
        default=DEFAULT_CIPHER,
        changes_receipt=True,
    ),
    Option(
        name="key_id_mode",
        type=int,
        help="Key identifier mode: 0 implicit, 1 index, 2 and 3 index with a source"
        " of 4 or 8 bytes.",
        values=range(4),
        default=1,
        changes_receipt=True,
    ),
    Option(
        name="frame_version",
        type=int,
        help="Year of the standard that defines the frames.",
        values=tuple(VERSIONS),
        default=2006,
        changes_receipt=True,
    ),
    Option(
        name="addresses",
        type=str,
        help="Form of the addresses in frames.",
        values=("short", "extended"),
        default="short",
        changes_receipt=True,
    ),
    Option(
        name="pan",
        type=str,
        metavar="HEX",
        help="PAN identifier.",
        values=HexDigits(1, 4),
        default=_drawn_pan,
        default_text="random",
    ),
    Option(
        name="channel",
        type=int,
        help="Channel.",
        values=CHANNELS,
        default=CHANNEL,
    ),
    Option(
        name="frame_retries",
        type=int,
        help="Ask for an acknowledgement of each frame, and send a frame again up to so"
        " often when none arrives (macMaxFrameRetries; the standard's default is"
        f" {RETRIES}).",
        values=range(RETRIES_MAX + 1),
        default_text="no acknowledgements are asked for",
        at_each_run=True,
        in_invitation=False,
        changes_receipt=True,
        may_be_missing=True,
    ),
    Option(
        name="mac",
        type=str,
        metavar="MAC",
        help=f"Medium access: {_ACCESS_TITLES}.",
        values=tuple(medium_access.by_name()),
        default=medium_access.DEFAULT,
        at_each_run=True,
        may_be_missing=True,
    ),
    *(
        option
        for access in medium_access.by_name().values()
        for option in access.options
    ),
    Option(
        name="late_frames",
        type=bool,
        help="Accept a frame that up to 64 others have overtaken, once; the standard"
        " refuses it.",
        default=False,
        default_text="--no-late-frames",
        at_each_run=True,
        in_invitation=False,
        may_be_missing=True,
    ),
    Option(
        name="radio",
        type=str,
        metavar="RADIO",
        help=f"Radio: {place.SPELLING}.",
        default=place.MEDIUM,
        at_each_run=True,
        in_invitation=False,
        may_be_missing=True,
    ),
    Option(
        name="medium",
        type=str,
        metavar="HOST:PORT",
        help="Address of `samara medium`.",
        default=DEFAULT_MEDIUM,
        at_each_run=True,
    ),
    Option(
        name="paced",
        type=bool,
        help="Wait for the air time of each frame before the next is sent.",
        default=True,
        at_each_run=True,
        on_command_line=False,
    ),
)
