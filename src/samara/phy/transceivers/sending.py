# SPDX-License-Identifier: Apache-2.0
"""Packets of chips as samples, as a chip sends them: one phase without a break."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.channel import BURST_AMPLITUDE
from samara.phy.transceivers.keying import bits_of

if TYPE_CHECKING:
    from samara.phy.channel import Samples
    from samara.phy.transceivers.keying import Bits
    from samara.phy.transceivers.profile import Profile

# Bytes of preamble that chips send at least; a profile names the last of them.
_PREAMBLE_BYTES = 4


def on_air(profile: Profile, bits: Bits) -> Bits:
    """Return all bits of a packet, from its preamble on.

    Parameters
    ----------
    bits
        Those after the sync word.
    """
    repeats = -(-_PREAMBLE_BYTES // max(len(profile.preamble), 1))
    head = bits_of(profile.preamble * repeats + profile.sync)
    return np.concatenate([head, bits])


def wave(profile: Profile, bits: Bits, amplitude: float = BURST_AMPLITUDE) -> Samples:
    """Return a packet as samples; see `on_air`.

    Its amplitude rises and falls in a bit before and after, as that of a chip's
    amplifier. The sample rate is that of the profile's keying.
    """
    sent = on_air(profile, bits)
    whole = profile.keying.wave(np.concatenate([sent[:1], sent, sent[-1:]]))
    each = profile.keying.samples
    rise = np.sin(np.pi / 2 * (np.arange(each) + 0.5) / each) ** 2
    level = np.full(len(whole), amplitude)
    level[:each] *= rise
    level[-each:] *= rise[::-1]
    samples: Samples = (whole * level).astype(np.complex64)
    return samples
