# SPDX-License-Identifier: Apache-2.0
"""The known-plaintext attack if the transmitter uses one counter for all frames.

A correct transmitter never does. Each scheme with a keystream falls then, so this also
shows that the attack on fresh counters fails because they are fresh.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.attacks.known_plaintext import KNOWN, MOST_READ, frames_read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.secrecy.attack import Air
    from samara.phy.secrecy.estimates import Estimate


def _listen(air: Air) -> Iterator[Estimate]:
    return frames_read(air, np.zeros(KNOWN + MOST_READ, np.int64))


ATTACK = Attack("as known-plaintext, where all frames have one counter", 1, _listen)
