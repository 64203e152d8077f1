# SPDX-License-Identifier: Apache-2.0
"""How long a node may still send within the hour: the duty cycle of a region, kept.

What was sent is stored before it is sent, so that a node that is killed, or a command
that runs once for each message, knows it. Within each hour, wherever it begins, the
transmitter is on for the region's share at most, as far as the air times are right.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from samara.link.node.link import LinkError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    from samara.link.node.state_file import Record
    from samara.link.rfserial.modules.regions import Region

    class Store(Protocol):
        """The state of a node, as far as it is needed."""

        def records(self) -> Mapping[str, Record]:
            """Return the stored records."""
            ...

        def store(
            self, numbers: Mapping[Any, Any], records: Mapping[str, Record | None]
        ) -> None:
            """Store records durably."""
            ...


HOUR_S: Final = 3600.0
RECORD: Final = "air-time"
"""Name of the record of the state."""
# What is sent within so many seconds is kept as one: an hour has 361 such at most.
_GRAIN_S: Final = 10


class AirBudget:
    """What may still be sent in a region.

    Parameters
    ----------
    clock
        Returns seconds since 1970.
    """

    def __init__(
        self, store: Store, region: Region, clock: Callable[[], float] = time.time
    ) -> None:
        self._store, self.region, self._clock = store, region, clock

    @property
    def limit_s(self) -> float:
        """How long the transmitter may be on within an hour."""
        return self.region.duty_cycle * HOUR_S

    def used_s(self) -> float:
        """Return how long it was on within the last hour, or is going to be."""
        return sum(self._kept(self._clock()).values())

    def book(self, air_s: float) -> float:
        """Store durably that something is sent; return in how many seconds it may be.

        Raises
        ------
        LinkError
            When it is longer than the region allows in an hour.
        StateError
            When it cannot be stored.
        """
        if air_s > self.limit_s:
            message = (
                f"a part of the message takes {air_s:.0f} s on the air, and "
                f"{self.region.name} allows {self.limit_s:.0f} s in an hour: send less"
                " at once, or set a higher air rate"
            )
            raise LinkError(message)
        now_s = self._clock()
        kept = self._kept(now_s)
        at_s = self._earliest_s(kept, now_s, air_s)
        # It counts from the end of its grain on: never for less than an hour.
        grain = int(at_s // _GRAIN_S + 1) * _GRAIN_S
        kept[grain] = kept.get(grain, 0.0) + air_s
        entries = [[when, round(on_s, 6)] for when, on_s in sorted(kept.items())]
        self._store.store({}, {RECORD: {"sent": entries}})
        return max(at_s - now_s, 0.0)

    def _earliest_s(
        self, kept: Mapping[int, float], now_s: float, air_s: float
    ) -> float:
        """Return when there is room for so much.

        What was booked last is sent first: nothing goes in front of it.
        """
        used_s = sum(kept.values())
        at_s = max([now_s, *(when - _GRAIN_S for when in kept)])
        for when, on_s in sorted(kept.items()):
            if used_s + air_s <= self.limit_s + 1e-9:
                break
            used_s -= on_s
            at_s = max(at_s, when + HOUR_S)
        return at_s

    def _kept(self, now_s: float) -> dict[int, float]:
        """Return what counts at a time: air times by the ends of their grains."""
        found: dict[int, float] = {}
        for when, on_s in self._store.records().get(RECORD, {}).get("sent", []):
            # The clock may have been set back: nothing counts for longer than it can.
            counted = int(min(when, now_s + HOUR_S + _GRAIN_S))
            if counted + HOUR_S > now_s:
                found[counted] = found.get(counted, 0.0) + on_s
        return found
