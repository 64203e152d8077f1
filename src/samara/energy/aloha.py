# SPDX-License-Identifier: Apache-2.0
"""ALOHA: nodes send without listening first, so that frames may collide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from samara.energy.copies import Copies
from samara.energy.leaf import Leaf
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.medium_access import Hop
    from samara.energy.quantity import Value


@dataclass(frozen=True, slots=True)
class Aloha(Leaf):
    """A leaf that sends whenever it has something to send."""

    shares_medium: ClassVar[bool] = False

    def sent_blind(self, hop: Hop) -> Copies | None:
        """Return what is sent of a message without listening first."""
        return Copies(self.air_s(hop), frequencies=self.frequencies)

    @property
    def frequencies(self) -> Value:
        """How many frequencies frames are spread over, each received at once."""
        return 1

    def receive(self, hop: Hop) -> RadioTimes:
        """Receive the frame."""
        return RadioTimes(receive_s=self.air_s(hop))
