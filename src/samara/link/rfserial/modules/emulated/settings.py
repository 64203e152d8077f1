# SPDX-License-Identifier: Apache-2.0
"""How an emulated module is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleSettings:
    """How an emulated module is set."""

    baud: int
    packet_size: int
    timeout_ms: int
    air_bits_per_s: float
    channel: tuple[Any, ...] = ()
    """What must be the same of two modules that hear each other."""

    def hears(self, other: ModuleSettings) -> bool:
        """Tell whether what a module set as `other` sends can be understood."""
        return self._way == other._way

    @property
    def _way(self) -> tuple[Any, ...]:
        return self.channel, self.air_bits_per_s
