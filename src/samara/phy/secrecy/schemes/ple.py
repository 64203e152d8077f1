# SPDX-License-Identifier: Apache-2.0
"""Encryption of coded bits: a fresh keystream of Grain-128PLE, by XOR."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.scheme import BitScheme

if TYPE_CHECKING:
    from samara.phy.mappers import Bits, SoftBits
    from samara.phy.secrecy.scheme import Counters


class Ple(BitScheme):
    """The frames of gr-samara, as nodes send them."""

    title = "XOR of coded bits, fresh keystream"

    @property
    def keystream_bits(self) -> int:
        """See `Scheme`."""
        return self.link.codec.coded_bits

    def coded(self, payloads: Bits, counters: Counters) -> Bits:
        """See `BitScheme`."""
        return self.link.coded(payloads, counters, encrypts=True)

    def plain(self, soft: SoftBits, counters: Counters) -> SoftBits:
        """See `BitScheme`."""
        streams = [self.link.codec.keystream(int(each), 1) for each in counters]
        signs = 1 - 2 * np.concatenate(streams).astype(np.float32)
        return soft * signs


SCHEME = Ple
