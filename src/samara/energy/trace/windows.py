# SPDX-License-Identifier: Apache-2.0
"""Sums of a trace by windows of time, however long it becomes.

When there are too many windows, two become one of twice the length.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from samara.energy.trace.blocks import Array

_MOST = 2048
_FIRST_S = 0.1


@dataclass
class Windows:
    """Time and charge in each window from the first sample on."""

    length_s: float = _FIRST_S
    begins_s: float | None = None
    lasts_s: Array = field(default_factory=lambda: np.zeros(_MOST))
    charges_c: Array = field(default_factory=lambda: np.zeros(_MOST))

    def add(self, times_s: Array, lasts_s: Array, charges_c: Array) -> None:
        """Add samples that begin at these times."""
        if self.begins_s is None:
            self.begins_s = float(times_s[0])
        since = times_s - self.begins_s
        while since[-1] >= self.length_s * _MOST:
            self._double()
        places = (since / self.length_s).astype(np.int64)
        self.lasts_s += np.bincount(places, lasts_s, _MOST)
        self.charges_c += np.bincount(places, charges_c, _MOST)

    def _double(self) -> None:
        self.length_s *= 2
        for name in ("lasts_s", "charges_c"):
            pairs = getattr(self, name).reshape(-1, 2).sum(axis=1)
            setattr(self, name, np.concatenate((pairs, np.zeros(_MOST // 2))))

    def means(self) -> tuple[Array, Array]:
        """Return the middle of each window that has samples, and its mean current."""
        used = self.lasts_s > 0
        middles = (np.flatnonzero(used) + 0.5) * self.length_s + (self.begins_s or 0.0)
        return middles, self.charges_c[used] / self.lasts_s[used]

    def weights_s(self) -> Array:
        """Return the time in each of these windows."""
        return self.lasts_s[self.lasts_s > 0]
