# SPDX-License-Identifier: Apache-2.0
"""The routes of a router: which neighbour leads to an address behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from samara.net.rpl.counters import is_newer
from samara.net.rpl.messages import FOREVER, Advertised

if TYPE_CHECKING:
    from collections.abc import Iterable

ROUTES_MAX = 512
"""Addresses behind a router."""
KEPT_GONE_S = 60.0
"""How long a router advertises that an address is gone."""


@dataclass(slots=True)
class _Route:
    via: bytes
    """Link-local address of a neighbour."""
    sequence: int
    ends_s: float
    is_gone: bool = False


class Taken(NamedTuple):
    """What came of addresses that were advertised."""

    has_changed: bool
    """Whether the parent has to be told."""
    has_room: bool


class Routes:
    """Routes to addresses, each with the neighbour that has advertised it last."""

    def __init__(self) -> None:
        self._routes: dict[bytes, _Route] = {}

    def via(self, address: bytes, now_s: float) -> bytes | None:
        """Return the neighbour that leads to an address; None: it is not behind us."""
        route = self._routes.get(address)
        if route is None or route.is_gone or now_s >= route.ends_s:
            return None
        return route.via

    def neighbours(self, now_s: float) -> set[bytes]:
        """Return the neighbours with something behind them."""
        routes = self._routes.values()
        return {e.via for e in routes if not e.is_gone and now_s < e.ends_s}

    def take(
        self,
        via: bytes,
        advertised: Iterable[Advertised],
        unit_s: int,
        now_s: float,
        *,
        own: bytes,
    ) -> Taken:
        """Take what a neighbour has advertised.

        Parameters
        ----------
        unit_s
            Unit of lifetimes.
        own
            The address of this node, to which there is no route.
        """
        self._tidy(now_s)
        has_changed, has_room = False, True
        for each in advertised:
            if each.address == own:
                continue
            known = self._routes.get(each.address)
            if known is None and (not each.lifetime or len(self._routes) >= ROUTES_MAX):
                has_room = has_room and not each.lifetime
                continue
            if known is not None and not _replaces(known, via, each):
                continue
            is_gone = not each.lifetime
            ends_s = now_s + KEPT_GONE_S if is_gone else each.ends_s(now_s, unit_s)
            self._routes[each.address] = _Route(via, each.sequence, ends_s, is_gone)
            has_changed = True
        return Taken(has_changed, has_room)

    def lose(self, via: bytes | None, now_s: float) -> bool:
        """Remove the routes by a neighbour, or all; tell whether there were any."""
        lost = [
            e for e in self._routes.values() if via in (e.via, None) and not e.is_gone
        ]
        for each in lost:
            each.is_gone, each.ends_s = True, now_s + KEPT_GONE_S
        return bool(lost)

    def lacks(self, now_s: float) -> bool:
        """Tell whether an address went lately, and nobody has advertised it since."""
        return any(e.is_gone and now_s < e.ends_s for e in self._routes.values())

    def clear(self) -> None:
        """Forget all routes."""
        self._routes.clear()

    def advertised(self, now_s: float, unit_s: int) -> list[Advertised]:
        """Return the addresses behind this node, and those that went lately."""
        self._tidy(now_s)
        return [
            Advertised(
                address, e.sequence, 0 if e.is_gone else _units(e, now_s, unit_s)
            )
            for address, e in self._routes.items()
        ]

    def _tidy(self, now_s: float) -> None:
        for address, route in list(self._routes.items()):
            if now_s >= route.ends_s:
                del self._routes[address]


def _units(route: _Route, now_s: float, unit_s: int) -> int:
    if route.is_gone:
        return 0
    left = (route.ends_s - now_s) / unit_s
    return FOREVER if left >= FOREVER else max(int(left), 1)


def _replaces(known: _Route, via: bytes, advertised: Advertised) -> bool:
    """Tell whether what is advertised is newer than what is known.

    What is older is not taken, so that a router which was left does not take an address
    back.
    """
    if via == known.via:
        return not is_newer(known.sequence, advertised.sequence)
    if not advertised.lifetime:
        return False
    return known.is_gone or not is_newer(known.sequence, advertised.sequence)
