# SPDX-License-Identifier: Apache-2.0
"""The provisioning record of a device with frames (samara/node_ieee802154.h).

>>> settings = {"suite": "aes128", "level": 5, "key_id_mode": 1, "frame_version": 2006,
...     "addresses": "short", "pan": "cafe", "channel": 26, "key_source": "",
...     "own": {"short": "1234", "extended": "0201020304050607"},
...     "peer": {"short": "abcd", "extended": "0208020304050607"}}
>>> made = record_of(settings, bytes(16))
>>> made.content[:16].hex(" "), len(made.content), made.suite
('73 6d 66 31 10 0d 00 1a 01 00 ca fe 12 34 ab cd', 60, 'samara_ieee802154_aes128')
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError
from samara.link import ieee802154
from samara.link.ieee802154 import medium_access
from samara.link.ieee802154.frames.levels import authenticates
from samara.link.node.device_record import DeviceRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAGIC = b"smf1"
_HEAD = struct.Struct(">4sBBBBBBH")
_CHECK = struct.Struct("<I")
_V2015 = 2015
_OF_2015, _EXTENDED = 1, 2
_MODE_AT = 3
"""Place of the key identifier mode in the security control."""
_SOURCE_SIZE = 8


def record_of(settings: Mapping[str, Any], key: bytes) -> DeviceRecord:
    """Return the record of the end that has these settings.

    Raises
    ------
    MisuseError
        When devices do not speak with these settings.
    """
    _check(settings)
    mode = settings["key_id_mode"]
    form = (settings["frame_version"] == _V2015) * _OF_2015
    form |= (settings["addresses"] == "extended") * _EXTENDED
    head = _HEAD.pack(
        _MAGIC,
        len(key),
        settings["level"] | mode << _MODE_AT,
        form,
        settings["channel"],
        min(mode, 1),
        0,
        int(settings["pan"], 16),
    )
    ends = [settings[end] for end in ("own", "peer")]
    shorts = b"".join(int(end["short"], 16).to_bytes(2, "big") for end in ends)
    extended = b"".join(bytes.fromhex(end["extended"]) for end in ends)
    source = bytes.fromhex(settings["key_source"]).ljust(_SOURCE_SIZE, b"\0")
    content = head + shorts + extended + source + key
    cipher = ieee802154.frame_cipher(settings["suite"]).slug.replace("-", "_")
    return DeviceRecord(
        content + _CHECK.pack(zlib.crc32(content)),
        link="samara_node_ieee802154",
        suite=f"samara_ieee802154_{cipher}",
        member="cipher",
        key_type="samara_node_frames",
    )


def _check(settings: Mapping[str, Any]) -> None:
    """Refuse what core/node does not do."""
    level = settings["level"]
    if not authenticates(level):
        message = (
            f"a device takes frames that are authenticated, and this pair has the "
            f"security level {level}: make a pair with --level 5, 6 or 7"
        )
        raise MisuseError(message)
    access = medium_access.name_of(settings)
    if access != medium_access.DEFAULT:
        message = (
            f"the radio of a device listens always, and this pair has --mac {access}: "
            f"make a pair with --mac {medium_access.DEFAULT}"
        )
        raise MisuseError(message)
    if (
        settings.get("frame_retries") is not None
        and settings["frame_version"] == _V2015
    ):
        message = (
            "a device sends no secured acknowledgements of frames: make a pair without "
            "--frame-retries, or with --frame-version 2006"
        )
        raise MisuseError(message)
