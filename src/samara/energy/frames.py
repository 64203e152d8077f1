# SPDX-License-Identifier: Apache-2.0
"""The frames of a message that takes several: how the link cuts it.

Each frame is sent, repeated and acknowledged by the medium access on its own, one after
the other, and secured on its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy.security import NONE

if TYPE_CHECKING:
    from samara.energy.quantity import Value
    from samara.energy.security import Call, Security


@dataclass(frozen=True, slots=True)
class Frames:
    """Frames that are alike, as a user describes them. Sizes are in bytes."""

    frame_bytes: int
    """Without security, with the check sequence."""
    added_bytes: int = 0
    """By security."""
    calls: tuple[Call, ...] = ()
    """Calls of the suite that secure one of them."""
    count: int = 1

    @property
    def whole_bytes(self) -> int:
        """All of them, with security."""
        return self.count * (self.frame_bytes + self.added_bytes)


@dataclass(frozen=True, slots=True)
class Secured:
    """Frames that are alike, as a node handles them."""

    frame_bytes: Value
    """Without security."""
    security: Security = NONE
    count: int = 1
