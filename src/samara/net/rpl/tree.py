# SPDX-License-Identifier: Apache-2.0
"""What a root knows of all nodes, where they keep no routes (non-storing mode)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from samara.net.rpl.children import ROUTES_MAX
from samara.net.rpl.counters import is_newer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.net.rpl.messages import Advertised

HOPS_MAX = 32
"""Of a way; a longer one is none."""


class _Node(NamedTuple):
    parent: bytes
    sequence: int
    ends_s: float


class Tree:
    """The parent of each node, as it has told the root.

    Parameters
    ----------
    root
        The address of the root.
    """

    def __init__(self, root: bytes) -> None:
        self._root = root
        self._nodes: dict[bytes, _Node] = {}

    def take(self, advertised: Iterable[Advertised], unit_s: int, now_s: float) -> bool:
        """Take what a node has told of itself; tell whether there was room."""
        self._tidy(now_s)
        has_room = True
        for each in advertised:
            known = self._nodes.get(each.address)
            if known is not None and is_newer(known.sequence, each.sequence):
                continue
            if not each.lifetime:
                self._nodes.pop(each.address, None)
            elif known is None and len(self._nodes) >= ROUTES_MAX:
                has_room = False
            else:
                ends_s = each.ends_s(now_s, unit_s)
                self._nodes[each.address] = _Node(each.parent, each.sequence, ends_s)
        return has_room

    def way(self, address: bytes, now_s: float) -> list[bytes]:
        """Return the hops to a node, of which it is the last; none: not known."""
        hops: list[bytes] = []
        while address != self._root:
            known = self._nodes.get(address)
            if known is None or now_s >= known.ends_s or len(hops) >= HOPS_MAX:
                return []
            hops.append(address)
            address = known.parent
        return hops[::-1]

    def _tidy(self, now_s: float) -> None:
        for address, node in list(self._nodes.items()):
            if now_s >= node.ends_s:
                del self._nodes[address]
