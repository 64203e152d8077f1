# SPDX-License-Identifier: Apache-2.0
"""The provisioning record of a device with a serial radio (samara/node.h).

>>> settings = {"suite": "aes128-ccm-8", "direction": 1, "packet_size": 12,
...     "tag_size": None, "counter_size": 4, "link": 0xBEEF, "framing": "sealed"}
>>> made = record_of(settings, bytes(16))
>>> made.content[:12].hex(" "), len(made.content), made.suite
('73 6d 72 31 10 01 0c 08 04 00 be ef', 32, 'samara_aes128_ccm_aead')
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Any

from samara import crypto
from samara.errors import MisuseError
from samara.link.node.device_record import DeviceRecord
from samara.link.rfserial.receipts import ENCODING
from samara.link.rfserial.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAGIC = b"smr1"
_HEAD = struct.Struct(">4sBBBBBBH")
_CHECK = struct.Struct("<I")
# The state of GCM is known to the library alone, and differs between machines: room
# for the largest.
_GCM_STATE = "struct { uint64_t words[72]; }"


def record_of(settings: Mapping[str, Any], key: bytes) -> DeviceRecord:
    """Return the record of the end that has these settings.

    Raises
    ------
    MisuseError
        When the framing is not `sealed`, the only one that devices speak.
    """
    if settings["framing"] != "sealed":
        message = (
            f"a device has the framing sealed, and this pair has {settings['framing']}:"
            " make a pair with --framing sealed"
        )
        raise MisuseError(message)
    encoding = Settings.of(**{name: settings[name] for name in ENCODING})
    head = _HEAD.pack(
        _MAGIC,
        len(key),
        settings["direction"],
        encoding.packet_size,
        encoding.tag_bytes,
        encoding.counter_size,
        0,
        settings["link"],
    )
    content = head + key
    suite, key_type = _names_in_c(encoding.suite, len(key))
    return DeviceRecord(
        content + _CHECK.pack(zlib.crc32(content)),
        link="samara_node_rfserial",
        suite=suite,
        member="aead",
        key_type=key_type,
    )


def _names_in_c(suite: str, key_size: int) -> tuple[str, str]:
    """Return the object of a suite in C, and the type of its expanded key."""
    slug = crypto.suite(suite).slug
    cipher, in_ccm, _ = slug.partition("-ccm")
    name = cipher.replace("-", "_")
    if in_ccm:
        return f"samara_{name}_ccm_aead", f"samara_{name}_key"
    if cipher.endswith("-gcm"):
        return f"samara_{name}_aead", _GCM_STATE
    return f"samara_{name}_aead", f"struct {{ uint8_t bytes[{key_size}]; }}"
