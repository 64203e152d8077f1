# SPDX-License-Identifier: Apache-2.0
"""The same frames as `ple`, received by XOR of decided bits: soft values are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.schemes.ple import Ple

if TYPE_CHECKING:
    from samara.phy.mappers import SoftBits
    from samara.phy.secrecy.scheme import Counters


class PleHard(Ple):
    """A receiver whose cipher takes bits."""

    title = "as ple, decrypted after hard decisions"

    def plain(self, soft: SoftBits, counters: Counters) -> SoftBits:
        """See `BitScheme`."""
        return super().plain(np.copysign(np.float32(1), soft), counters)


SCHEME = PleHard
