# SPDX-License-Identifier: Apache-2.0
"""A hub and a newcomer that join by EDHOC, and what they have then."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from quiet_air import Air, rounds

from samara.link import ieee802154
from samara.link.ieee802154.frames.security import Security
from samara.link.ieee802154.keys import control
from samara.link.node import networks, state_file
from samara.link.node.node import Node, Received, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


LINK = "ieee802154"


@dataclass
class Joining:
    """A hub, and a newcomer that has an invitation for EDHOC."""

    hub: Path
    bob: Path
    text: str
    air: Air


def made(
    folder: Path, air: Air, given: dict[str, Any], *, group: bool = True
) -> Joining:
    hub, bob = folder / "hub", folder / "bob"
    networks.make(hub, LINK, None, given, group=group)
    text = networks.invite(hub, "bob", None, edhoc=True).text
    networks.join(bob, text, {}, edhoc=True)
    return Joining(hub, bob, text, air)


def join(case: Joining) -> None:
    """Let the newcomer join."""
    with Node(case.hub) as hub, Node(case.bob) as bob:
        rounds(bob, hub)
        assert bob.unsettled() == hub.unsettled() == []


def key_of(node: Node) -> bytes:
    (neighbour,) = node.link._table.neighbours.values()  # type: ignore[attr-defined] # noqa: SLF001
    return bytes(neighbour.current.key)


def messages(events: Sequence[object]) -> list[bytes]:
    return [event.message for event in events if isinstance(event, Received)]


def refusals(events: Sequence[object]) -> list[Refused]:
    return [event for event in events if isinstance(event, Refused)]


def records_of(folder: Path) -> dict[str, Any]:
    return dict(state_file.records_in(folder))


def said_under(key: bytes, sent: list[bytes]) -> Iterator[tuple[bytes, bytes, Any]]:
    """Yield sender, payload and what was said of all frames that a key opens."""
    for psdu in sent:
        frame = ieee802154.parse(psdu[:-2])
        long = frame.source.long
        if long is None:
            continue
        pan = frame.destination.pan or 0
        reader = Security(bytes(8), pan, keys=1, devices=1)
        assert frame.security is not None
        reader.add_key(key, frame.security.key_id, cipher="aes128")
        reader.add_device(long, pan=pan)
        with contextlib.suppress(ieee802154.FrameError):
            payload = reader.open(psdu[:-2]).frame.payload
            yield long, payload, control.parse(payload)


def keys_of(node: Node) -> tuple[Any, ...]:
    (neighbour,) = node.link._table.neighbours.values()  # type: ignore[attr-defined] # noqa: SLF001
    return tuple(neighbour.keys)
