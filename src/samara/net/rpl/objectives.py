# SPDX-License-Identifier: Apache-2.0
"""How a rank follows from that of the parent: objective functions.

Both take the expected number of transmissions (ETX) of a link, 1 for one that loses
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.net.rpl.messages import INFINITE_RANK, Configuration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ETX_MAX = 4.0
"""A longer link is not used (RFC 6719, MAX_LINK_METRIC)."""
_ETX_UNIT = 128
_STEP_MAX = 9
_COST_MAX = 32768


@dataclass(frozen=True, slots=True)
class Objective:
    """An objective function."""

    name: str
    code: int
    """Its objective code point."""
    hop_rank_increase: int
    """What a root configures."""
    hysteresis: int
    """By so much another parent must be better than the present one."""
    increase: Callable[[float, int], int]
    """Takes an ETX and the least increase; returns what the rank grows by."""

    def rank(self, parent: int, etx: float, configuration: Configuration) -> int:
        """Return the rank by a parent.

        >>> parts = Configuration(12, 8, 10, 0, 128, MRHOF.code, 30, 60)
        >>> MRHOF.rank(128, 1.5, parts), MRHOF.rank(40_000, 1, parts) == INFINITE_RANK
        (320, True)
        """
        if parent == INFINITE_RANK or etx > ETX_MAX:
            return INFINITE_RANK
        least = configuration.hop_rank_increase
        rank = parent + max(self.increase(etx, least), least)
        return rank if rank <= _COST_MAX else INFINITE_RANK


MRHOF = Objective(
    "mrhof",
    code=1,
    hop_rank_increase=_ETX_UNIT,
    hysteresis=192,
    increase=lambda etx, _: round(etx * _ETX_UNIT),
)
"""The least sum of transmissions, with hysteresis (RFC 6719)."""

OF0 = Objective(
    "of0",
    code=0,
    hop_rank_increase=256,
    hysteresis=512,
    # The step of RFC 8180, section 5.1.1.
    increase=lambda etx, least: min(max(round(3 * etx - 2), 1), _STEP_MAX) * least,
)
"""Steps by each hop (RFC 6552); the only one of RIOT."""

OBJECTIVES: Mapping[str, Objective] = {each.name: each for each in (MRHOF, OF0)}
BY_CODE: Mapping[int, Objective] = {each.code: each for each in OBJECTIVES.values()}
