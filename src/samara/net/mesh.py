# SPDX-License-Identifier: Apache-2.0
"""Nodes of a network that are made at once, with a key for each pair of neighbours.

On real devices neighbours invite each other (`samara node invite`): no machine has all
keys. Here one machine has all nodes anyway.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError
from samara.link import ieee802154
from samara.link.ieee802154.keys.neighbours import Neighbour, SharedKey
from samara.link.ieee802154.kind import KIND
from samara.link.node import folder as folders
from samara.link.node import state_file
from samara.link.node.state import State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from samara.link.node.kinds import End
    from samara.net.topology import Network

FRAME_RETRIES = 3
"""macMaxFrameRetries: the standard's default."""

# The same for all nodes of a network.
_SHARED = ("pan", "channel", "key_source")


def make_pair(
    folders_: tuple[Path, Path], link: str, given: Mapping[str, Any], witnesses: Path
) -> None:
    """Make two nodes; they need not authenticate."""
    first, second = folders_
    folders.make_pair(
        first, link, given, allow_unauthenticated=True, witnesses=witnesses
    )
    folders.make_second(second, first, {}, witnesses)


def make_network(
    network: Network,
    names: Mapping[int, str],
    folder: Path,
    given: Mapping[str, Any],
    witnesses: Path,
) -> None:
    """Make the nodes of a network of IEEE 802.15.4, in directories of their names.

    Parameters
    ----------
    given
        Options of the kind of link.

    Raises
    ------
    MisuseError
        When there can be no such nodes.
    """
    ends = _ends(names, given)
    key_size = ieee802154.frame_cipher(ends[1].settings["suite"]).key_size
    keys = {edge: secrets.token_bytes(key_size) for edge in network.edges}
    for number, name in names.items():
        near = {
            b if a == number else a: key
            for (a, b), key in keys.items()
            if number in (a, b)
        }
        records = [
            _neighbour(names[other], ends[other], key) for other, key in near.items()
        ]
        identity = state_file.new_identity()
        with (
            folders.new_node(
                folder / name, KIND.name, ends[number], identity, witnesses
            ),
            State(folder / name, identity=identity) as state,
        ):
            state.store({}, {each.record_name: each.as_record() for each in records})


def _ends(names: Mapping[int, str], given: Mapping[str, Any]) -> dict[int, End]:
    """Return what the nodes are; no two have the same address."""
    ends: dict[int, End] = {}
    taken: set[str] = set()
    for number, name in names.items():
        end = KIND.new_network(name, given)
        while end.settings["own"]["short"] in taken:
            end = KIND.new_network(name, given)
        taken.add(end.settings["own"]["short"])
        first = ends.get(1, end)
        for setting in _SHARED:
            end.settings[setting] = first.settings[setting]
        ends[number] = end
    return ends


def _neighbour(name: str, end: End, key: bytes) -> Neighbour:
    own = end.settings["own"]
    return Neighbour(
        name,
        int(own["short"], 16),
        bytes.fromhex(own["extended"]),
        (SharedKey(key),),
    )


def check_link(link: str, nodes: int) -> None:
    """Check that a kind of link can have so many nodes.

    Raises
    ------
    MisuseError
        When it cannot.
    """
    if nodes > 2 and link != KIND.name:  # noqa: PLR2004 - more than a pair
        message = f"{link} joins two nodes; networks of more have --link {KIND.name}"
        raise MisuseError(message)
