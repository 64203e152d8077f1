# SPDX-License-Identifier: Apache-2.0
"""What the frames of a link over software-defined radio have in common."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from samara.crypto.grain128ple import STATE_SIZE
from samara.link.sdr.receipts import Frames
from samara.phy import frames
from samara.phy.station import waveform_of

if TYPE_CHECKING:
    from collections.abc import Mapping

LENGTH = struct.Struct(">H")
"""The length in front of a payload; what follows the payload is padding."""


def payload_size_of(settings: Mapping[str, Any]) -> int:
    """Return the bytes of the longest payload of a frame."""
    size: int = settings["frame_size"] - LENGTH.size
    return size


def frames_of(settings: Mapping[str, Any]) -> Frames:
    """Return what the frames of a link with these settings have in common."""
    size = settings["frame_size"]
    coded_bits = frames.Unencrypted().coded_bits(size)
    waveform = waveform_of(settings["modulation"], coded_bits, settings["rate"])
    return Frames(
        payload_bytes=size,
        coded_bits=coded_bits,
        bits_added_by_encryption=frames.bits_added_by_encryption(size),
        preamble_bits=waveform.overhead_bits,
        burst_s=waveform.burst_s,
        state_bytes=STATE_SIZE,
    )
