# SPDX-License-Identifier: Apache-2.0
"""Security levels and key id modes of IEEE 802.15.4, clause 9.4, and their sizes."""

from __future__ import annotations

from samara import _core

LEVELS = range(8)
"""0: no security; 1 to 3: MIC; 4: encryption; 5 to 7: encryption and MIC."""
ENCRYPTION_ONLY = _core.IEEE802154_ENCRYPTION_ONLY
"""The level that encrypts without a MIC."""
MIC_SIZES = tuple(map(_core.mic_size, range(ENCRYPTION_ONLY)))
"""Bytes of a MIC, by the lower two bits of the level."""
KEY_ID_MODES = range(4)
"""0: implicit; 1: by index; 2 and 3: by a source of 4 or 8 bytes and index."""
KEY_SOURCE_SIZES = tuple(map(_core.key_source_size, KEY_ID_MODES))
"""Bytes of the key source, by key id mode."""


def mic_size(level: int) -> int:
    """Return the bytes of the MIC at a level.

    >>> [mic_size(level) for level in LEVELS]
    [0, 4, 8, 16, 0, 4, 8, 16]
    """
    return _core.mic_size(level)


def encrypts(level: int) -> bool:
    """Tell whether payloads are encrypted at a level."""
    return level >= ENCRYPTION_ONLY


def authenticates(level: int) -> bool:
    """Tell whether forged frames are refused at a level."""
    return mic_size(level) > 0
