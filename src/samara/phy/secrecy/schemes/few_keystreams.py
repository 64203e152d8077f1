# SPDX-License-Identifier: Apache-2.0
"""Broken on purpose: the keystream of a frame comes again eight frames later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.phy.secrecy.scheme import keystream
from samara.phy.secrecy.xor import Xor

if TYPE_CHECKING:
    from samara.phy.mappers import Bits
    from samara.phy.secrecy.scheme import Counters

KEYSTREAMS = 8


class FewKeystreams(Xor):
    """Grain-128PLE with three bits of the counter in the nonce."""

    title = f"XOR of coded bits, {KEYSTREAMS} keystreams in turn"

    @property
    def keystream_bits(self) -> int:
        """See `Scheme`."""
        return self.link.codec.coded_bits

    def stream(self, counters: Counters) -> Bits:
        """See `Xor`."""
        return keystream(self.link.key, counters % KEYSTREAMS, self.keystream_bits)


SCHEME = FewKeystreams
