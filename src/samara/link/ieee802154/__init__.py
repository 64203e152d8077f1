# SPDX-License-Identifier: Apache-2.0
"""Frames of IEEE 802.15.4 and their security: see docs/ieee802154.md.

The two ends of a link share a key, and each has the other in its device table. A
frame that one end protects is accepted by the other end once:

>>> from samara.link import ieee802154
>>> a, b = bytes.fromhex("acde480000000001"), bytes.fromhex("acde480000000002")
>>> sender, receiver = ieee802154.Security(a), ieee802154.Security(b)
>>> key_id = ieee802154.KeyId(mode=1, index=1)
>>> for end, other in ((sender, b), (receiver, a)):
...     _ = end.add_key(bytes(range(16)), key_id), end.add_device(other)
>>> data = sender.protect(
...     ieee802154.Frame(
...         destination=ieee802154.Address(pan=0x4321, long=b),
...         source=ieee802154.Address(long=a),
...         security=ieee802154.SecurityHeader(level=5, key_id=key_id),
...         payload=b"21.5 C",
...     )
... )
>>> receiver.open(data).frame.payload
b'21.5 C'
>>> receiver.open(data)
Traceback (most recent call last):
...
samara.link.ieee802154.FrameError: the frame, or a later one, was seen before
"""

from samara.link.ieee802154.frames.frame import (
    Address,
    Element,
    Frame,
    FrameError,
    FrameType,
    KeyId,
    SecurityHeader,
    Version,
    build,
    parse,
)
from samara.link.ieee802154.frames.security import (
    FrameCipher,
    Opened,
    Role,
    Security,
    TableError,
    acknowledges,
    frame_cipher,
    frame_ciphers,
)

__all__ = [
    "Address",
    "Element",
    "Frame",
    "FrameCipher",
    "FrameError",
    "FrameType",
    "KeyId",
    "Opened",
    "Role",
    "Security",
    "SecurityHeader",
    "TableError",
    "Version",
    "acknowledges",
    "build",
    "frame_cipher",
    "frame_ciphers",
    "parse",
]
