# SPDX-License-Identifier: Apache-2.0
"""Nodes of a network that are made at once, with a key for each pair of neighbours.

On real devices neighbours invite each other (`samara node invite`): no machine has all
keys. Here one machine has all nodes anyway.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from samara.link.ieee802154.frames.security import frame_cipher
from samara.link.ieee802154.keys.neighbours import Neighbour, SharedKey
from samara.link.node.members import NewMember

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from samara.link.node.end import End

# The same for all nodes of a network.
_SHARED = ("pan", "channel", "key_source")


def members_of(
    names: Mapping[int, str],
    edges: Sequence[tuple[int, int]],
    new_end: Callable[[str], End],
) -> dict[int, NewMember]:
    """Draw the nodes of a network.

    Parameters
    ----------
    names
        Of the nodes, by their numbers.
    edges
        Numbers of neighbours, each pair once.
    new_end
        Returns a node of a name, with drawn addresses.
    """
    ends = _ends(names, new_end)
    key_size = frame_cipher(ends[1].settings["suite"]).key_size
    near: dict[int, list[Neighbour]] = {number: [] for number in names}
    for edge in edges:
        key = SharedKey(secrets.token_bytes(key_size))
        for one, other in (edge, edge[::-1]):
            near[one].append(_neighbour(names[other], ends[other], key))
    return {
        number: NewMember(end, {each.record_name: each.as_record() for each in found})
        for (number, end), found in zip(ends.items(), near.values(), strict=True)
    }


def _ends(names: Mapping[int, str], new_end: Callable[[str], End]) -> dict[int, End]:
    """Return what the nodes are; no two have the same address."""
    ends: dict[int, End] = {}
    taken: set[str] = set()
    for number, name in names.items():
        end = new_end(name)
        while end.settings["own"]["short"] in taken:
            end = new_end(name)
        taken.add(end.settings["own"]["short"])
        first = ends.get(1, end)
        for setting in _SHARED:
            end.settings[setting] = first.settings[setting]
        ends[number] = end
    return ends


def _neighbour(name: str, end: End, key: SharedKey) -> Neighbour:
    own: Mapping[str, Any] = end.settings["own"]
    return Neighbour(
        name, int(own["short"], 16), bytes.fromhex(own["extended"]), (key,)
    )
