# SPDX-License-Identifier: Apache-2.0
"""Frames of IEEE 802.15.4 as the bench measures them: all levels, many ciphers.

The answers of a device are compared with frames that are made here from the ciphers of
`samara.crypto`, as docs/ieee802154.md describes, and not with those of the measured
code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from samara import _core, crypto
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.crypto import Suite

NONCE_SIZE = _core.IEEE802154_NONCE_SIZE
"""Bytes: the sender's address, the frame counter, the security level."""

MIC_SIZES = tuple(map(_core.mic_size, range(4)))
"""Bytes of a MIC, by the lower two bits of the level."""

_ENCRYPTS = _core.IEEE802154_ENCRYPTION_ONLY
"""The bit of a level for encryption of the payload."""

_WITHOUT_LEVEL_IN_NONCE = "grain128aead"
"""Its nonce is a byte too short: the level goes before the associated data."""
_MEASURED_AEADS = ("grain128aead", "ascon-aead128")
_ALL_LEVELS = ("aes128",)
_THREE_LEVELS = ("speck128-128", *_MEASURED_AEADS)
MEASURED = (
    *product(_ALL_LEVELS, range(1, 8)),
    *product(_THREE_LEVELS, (2, 4, 6)),
)
"""The ciphers and levels whose frames a run of everything measures."""

# A data frame of 2006 in PAN 4321, with a sequence number: from short address 1
# to 2, or from an extended address, which is appended, to another.
_SHORT = bytes.fromhex("4998 2a 2143 0200 0100")
_TO_EXTENDED = bytes.fromhex("49dc 2a 2143 0200000000000002")
_EXTENDED_SIZE = len(_TO_EXTENDED) + 8
_CONTROL_AND_COUNTER = 5
_KEY_ID_SIZES = (0, 1, 5, 9)
"""Bytes of the key identifier, by the key id mode."""
_SHAPES = {
    addresses + _CONTROL_AND_COUNTER + _KEY_ID_SIZES[mode]: (addresses, mode)
    for addresses, mode in product((len(_SHORT), _EXTENDED_SIZE), range(4))
}
HEADER_SIZES = tuple(_SHAPES)
"""Bytes of a header: short addresses with key id modes 0 to 3, then extended."""
_FIRST_OF_ADDRESS = b"\x0a"
_FRAME_SIZE_MAX = _core.IEEE802154_PSDU_SIZE_MAX - _core.IEEE802154_FCS_SIZE
"""Bytes of a PSDU without its FCS."""


@cache
def _aeads() -> frozenset[str]:
    """Return the AEADs that are no mode and secure frames; others do so by CCM*."""
    blocks = tuple(f"{cipher.slug}-" for cipher in crypto.block_ciphers())
    return frozenset(
        suite.slug
        for suite in crypto.suites()
        if suite.authenticates
        and not suite.slug.startswith(blocks)
        and (suite.nonce_size >= NONCE_SIZE or suite.slug == _WITHOUT_LEVEL_IN_NONCE)
    )


def name_of(cipher: str, level: int) -> str:
    """Return the name of the frames of a cipher at a level.

    >>> [name_of("aes128", level) for level in (2, 4, 6)]
    ['ieee802154-aes128-mic-8', 'ieee802154-aes128-ccm-0', 'ieee802154-aes128-ccm-8']
    >>> name_of("grain128aead", 5)
    'ieee802154-grain128aead-4'

    Raises
    ------
    MisuseError
        At level 0, which is not secured.
    """
    mic_size = MIC_SIZES[level & 3]
    if level < _ENCRYPTS:
        if not mic_size:
            message = "frames of level 0 are not secured: use a level from 1 to 7"
            raise MisuseError(message)
        return f"ieee802154-{cipher}-mic-{mic_size}"
    suite = cipher if cipher in _aeads() else f"{cipher}-ccm"
    return f"ieee802154-{suite}-{mic_size}"


@dataclass(frozen=True, slots=True)
class Form:
    """The beginning of the frames of a level."""

    level: int

    @property
    def only_authenticates(self) -> bool:
        """Whether the payload is not encrypted."""
        return self.level < _ENCRYPTS

    def takes(self, message_size: int, ad_size: int) -> bool:
        """Return whether a frame can have a payload and a header of these sizes."""
        size = ad_size + message_size + MIC_SIZES[self.level & 3]
        return ad_size in _SHAPES and size <= _FRAME_SIZE_MAX

    def begin(self, nonce: bytes, ad_size: int) -> tuple[bytes, bytes]:
        """Return the nonce with its level, and the header that belongs to it."""
        # Addresses are not secret and are compared byte by byte. This one differs from
        # the other in its first byte, so that the comparison takes constant time.
        address, counter = _FIRST_OF_ADDRESS + nonce[1:8], nonce[8:12]
        addresses_size, mode = _SHAPES[ad_size]
        header = _SHORT
        if addresses_size != len(_SHORT):
            header = _TO_EXTENDED + address[::-1]
        control = bytes([self.level | mode << 3])
        # The key source, if the mode has one, and the key index.
        key_id = bytes(range(_KEY_ID_SIZES[mode], 0, -1))
        return (
            address + counter + bytes([self.level]),
            header + control + counter[::-1] + key_id,
        )


class Reference:
    """What follows the header in a protected frame."""

    def __init__(self, cipher: str, level: int) -> None:
        self._mic_size = MIC_SIZES[level & 3]
        self._only_authenticates = level < _ENCRYPTS
        # CCM* without a MIC encrypts as CCM does, whatever the size of its tag.
        tag_size = self._mic_size or MIC_SIZES[1]
        slug = cipher if cipher in _aeads() else f"{cipher}-ccm-{tag_size}"
        self.suite: Suite = crypto.suite(slug)

    def seal(self, key: bytes, nonce: bytes, message: bytes, header: bytes) -> bytes:
        """Return the payload, encrypted or not, and the MIC."""
        if self.suite.slug == _WITHOUT_LEVEL_IN_NONCE:
            nonce, header = nonce[:-1], nonce[-1:] + header
        nonce = nonce.ljust(self.suite.nonce_size, b"\0")
        if self._only_authenticates:
            tag = self.suite.seal(key, nonce, b"", header + message)
            return message + tag[: self._mic_size]
        sealed = self.suite.seal(key, nonce, message, header)
        return sealed[: len(message) + self._mic_size]


def measurable() -> Iterator[tuple[str, int]]:
    """Yield the ciphers for frames, each with the levels that its tag allows."""
    for suite in crypto.suites():
        cipher = suite.slug.removesuffix("-ccm-16")
        is_aead = cipher in _aeads()
        if cipher == suite.slug and not is_aead:
            continue
        for level in range(1, 8):
            if MIC_SIZES[level & 3] <= suite.tag_size:
                yield cipher, level
