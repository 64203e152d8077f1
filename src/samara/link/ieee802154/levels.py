# SPDX-License-Identifier: Apache-2.0
"""Security levels and key id modes of IEEE 802.15.4, clause 9.4, and their sizes."""

from __future__ import annotations

LEVELS = range(8)
"""0: no security; 1 to 3: MIC; 4: encryption; 5 to 7: encryption and MIC."""
ENCRYPTION_ONLY = 4
"""The level that encrypts without a MIC."""
MIC_SIZES = (0, 4, 8, 16)
"""Bytes of a MIC, by the lower two bits of the level."""
KEY_SOURCE_SIZES = (0, 0, 4, 8)
"""Bytes of the key source, by key id mode."""


def mic_size(level: int) -> int:
    """Return the bytes of the MIC at a level.

    >>> [mic_size(level) for level in LEVELS]
    [0, 4, 8, 16, 0, 4, 8, 16]
    """
    return MIC_SIZES[level & 3]


def encrypts(level: int) -> bool:
    """Tell whether payloads are encrypted at a level."""
    return level >= ENCRYPTION_ONLY


def authenticates(level: int) -> bool:
    """Tell whether forged frames are refused at a level."""
    return mic_size(level) > 0
