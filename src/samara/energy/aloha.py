# SPDX-License-Identifier: Apache-2.0
"""ALOHA: nodes send without listening first, so that frames may collide."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from samara.energy.leaf import Leaf
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.medium_access import Around, Hop
    from samara.energy.quantity import Value

_TOLD_FROM = 0.01
"""The share of frames that collide from which it is told."""


@dataclass(frozen=True, slots=True)
class Aloha(Leaf):
    """A leaf that sends whenever it has something to send."""

    shares_medium: ClassVar[bool] = False

    def doubts(self, hop: Hop, around: Around) -> Iterator[str]:
        """Yield how many frames collide: nobody listens before sending."""
        if around.children <= 1:
            return
        others = around.messages_per_s * (1 - 1 / around.children)
        sent_s = float(np.median(self.send(hop).data_s)) / self.frequencies
        # Whatever begins within a frame's time before or after it is at once with it.
        lost = -math.expm1(-2 * others * sent_s)
        if lost >= _TOLD_FROM:
            yield (
                f"nodes send without listening first: {lost:.0%} of the frames collide "
                "at the receiver, and are lost. Neither the "
                "closed form nor the events count that."
            )

    @property
    def frequencies(self) -> Value:
        """How many frequencies frames are spread over, each received at once."""
        return 1

    def receive(self, hop: Hop) -> RadioTimes:
        """Receive the frame."""
        return RadioTimes(receive_s=self.air_s(hop))
