# SPDX-License-Identifier: Apache-2.0
"""The frames, or units of a serial line, that carried one payload of a message."""

from __future__ import annotations

from typing import NamedTuple


class Carrier(NamedTuple):
    """What carried one payload."""

    payload_size: int
    encoded: bytes
    """The frame with its check sequence, or the bytes of the line."""
    cipher_s: float | None = None
    """Spent in the cipher for it, by the clock; None where that is not told."""
    attempts: int = 1
    """How often it was sent until its link had an acknowledgement, or gave up."""
    acknowledgement: bytes = b""
    """What the link of the other end answered, as it was on the air; or nothing."""
    listened_s: float | None = None
    """How long a radio that sleeps otherwise listened for it; None for one that does
    not sleep."""
    device_samples: int | None = None
    """Samples that a device took which does not tell whether they left it; None where
    that is known."""
    rssi_dbm: int | None = None
    """Received signal strength in dBm, by the radio; None where it does not tell."""
    lqi: int | None = None
    """Link quality indication of the radio, 0 to 255; None where it does not tell."""
