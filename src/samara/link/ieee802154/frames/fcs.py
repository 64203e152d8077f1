# SPDX-License-Identifier: Apache-2.0
"""The frame check sequence of IEEE 802.15.4: 16 bits, clause 7.2.11."""

from __future__ import annotations

import binascii

from samara import _core

FCS_SIZE = _core.IEEE802154_FCS_SIZE
"""Bytes."""
PSDU_SIZE_MAX = _core.IEEE802154_PSDU_SIZE_MAX
"""Bytes of the longest frame with its check sequence (aMaxPhyPacketSize)."""

# The standard's CRC takes the least significant bit of a byte first; the
# library's takes the most significant one: the same CRC of mirrored bytes.
_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def fcs_of(frame: bytes) -> bytes:
    """Return the two bytes that follow `frame` on the air.

    >>> fcs_of(bytes.fromhex("02006a")).hex()  # the standard's example
    'e479'
    """
    mirrored = binascii.crc_hqx(frame.translate(_MIRRORED), 0)
    return mirrored.to_bytes(FCS_SIZE, "big").translate(_MIRRORED)


def is_intact(psdu: bytes) -> bool:
    """Tell whether a frame ends with its check sequence."""
    return len(psdu) >= FCS_SIZE and fcs_of(psdu[:-FCS_SIZE]) == psdu[-FCS_SIZE:]
