# SPDX-License-Identifier: Apache-2.0
"""No encryption: what every scheme is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.phy.secrecy.scheme import BitScheme

if TYPE_CHECKING:
    from samara.phy.mappers import Bits, SoftBits
    from samara.phy.secrecy.scheme import Counters


class NoEncryption(BitScheme):
    """Coded bits as they are."""

    title = "no encryption"
    keystream_bits = 0

    def coded(self, payloads: Bits, counters: Counters) -> Bits:
        """See `BitScheme`."""
        return self.link.coded(payloads, counters)

    def plain(self, soft: SoftBits, counters: Counters) -> SoftBits:  # noqa: ARG002
        """See `BitScheme`."""
        return soft


SCHEME = NoEncryption
