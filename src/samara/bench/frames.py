# SPDX-License-Identifier: Apache-2.0
"""Frames of IEEE 802.15.4 as the bench measures them: one form, many ciphers.

What a device answers is compared with the ciphers of `samara.crypto`, put
together here as docs/ieee802154.md tells, and not with the code measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara import crypto

if TYPE_CHECKING:
    from samara.crypto import Suite

NONCE_SIZE = 13
"""Bytes: the sender's address, the frame counter, the security level."""

MEASURED = (
    ("aes128-ccm-4", 4),
    ("aes128-ccm-8", 8),
    ("aes128-ccm-16", 16),
    ("speck128-128-ccm-8", 8),
    ("grain128aead", 8),
    ("ascon-aead128", 8),
)
"""The suites whose frames are measured, and bytes of MIC."""

# Data of 2006 from short address 1 to 2 in PAN 4321, with a sequence number; then
# security control and frame counter. Key id mode 0.
_HEADER = bytes.fromhex("4998 2a 2143 0200 0100")
_HEADER_SIZE = len(_HEADER) + 5
_FIRST_OF_ADDRESS = b"\x0a"
# What a PSDU of 127 bytes has room for beside header, longest MIC and FCS.
_PAYLOAD_SIZE_MAX = 95


@dataclass(frozen=True, slots=True)
class Form:
    """How frames with a MIC of so many bytes begin."""

    mic_size: int

    def takes(self, message_size: int, ad_size: int) -> bool:
        """Whether a frame has such a payload and header."""
        return message_size <= _PAYLOAD_SIZE_MAX and ad_size == _HEADER_SIZE

    def begin(self, nonce: bytes) -> tuple[bytes, bytes]:
        """Return the nonce with its level, and the header that goes with it."""
        level = {4: 5, 8: 6, 16: 7}[self.mic_size]
        counter = nonce[8:12]
        header = _HEADER + bytes([level]) + counter[::-1]
        # Addresses are no secret, and are compared byte by byte: this end's is
        # another from its first byte on, so that this takes the same time always.
        return _FIRST_OF_ADDRESS + nonce[1:12] + bytes([level]), header


class Reference:
    """What a protected frame has behind its header."""

    def __init__(self, suite: str, mic_size: int) -> None:
        self.suite: Suite = crypto.suite(suite)
        self._mic_size = mic_size

    @property
    def slug(self) -> str:
        """The name in results: `ieee802154-grain128aead-8`."""
        size = "" if "-ccm-" in self.suite.slug else f"-{self._mic_size}"
        return f"ieee802154-{self.suite.slug}{size}"

    def seal(self, key: bytes, nonce: bytes, message: bytes, header: bytes) -> bytes:
        """Return ciphertext and MIC."""
        if self.suite.slug == "grain128aead":
            nonce, header = nonce[:-1], nonce[-1:] + header
        nonce = nonce.ljust(self.suite.nonce_size, b"\0")
        sealed = self.suite.seal(key, nonce, message, header)
        return sealed[: len(message) + self._mic_size]
