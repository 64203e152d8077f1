# SPDX-License-Identifier: Apache-2.0
"""Logs of what nodes send, where nobody can hear whole frames.

Where frames are heard on the air, packets are put together from them
(`samara.net.exchanges`). Modems and software-defined radios carry packets and bursts
that only the ends put together, so the nodes of a lab log the payloads that they send.
What a payload takes on the air follows from its size, as on the receipt of a message
that is planned.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samara.errors import PacketError
from samara.link.node import folder as folders
from samara.link.node.kinds import kind
from samara.link.node.messages import Planned
from samara.link.node.receipt import Direction
from samara.net import traffic
from samara.net.addresses import link_addresses_of
from samara.net.energy import of_both_ends
from samara.net.lowpan import Context, Hop, Reassembly

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from ipaddress import IPv6Network
    from pathlib import Path

    from samara.figure import Figure
    from samara.link.node.receipt import Receipt

_FILE = "payloads.txt"
_SECURITY = ("cipher", "counter", "tag")
_RADIO = "radio"


class PayloadLog:
    """The file of a node with the payloads that it has sent, one a line, in hex.

    Parameters
    ----------
    folder
        The directory of the node.
    """

    def __init__(self, folder: Path) -> None:
        # It is there from now on, also if nothing is sent.
        self._file = (folder / _FILE).open("a", encoding="ascii", buffering=1)

    def add(self, payload: bytes) -> None:
        """Add a payload."""
        self._file.write(f"{payload.hex()}\n")


@dataclass(frozen=True, slots=True)
class LoggedPacket:
    """A packet that a node has sent as one payload; used as an `Exchange`."""

    source: str
    packet: bytes
    payload_bytes: int
    link: str
    settings: Mapping[str, Any]

    @property
    def frames(self) -> range:
        """Packets of the modem, or bursts, that carried it."""
        return range(self._receipt(Direction.SENT).packets)

    @property
    def repetitions(self) -> Sequence[bytes]:
        """None: these links repeat nothing."""
        return ()

    def layers(self) -> dict[str, int]:
        """Return the bytes on the air, as `Exchange.layers`.

        What a radio adds to each of its packets is not in it, as there.
        """
        _, header, data = traffic.described(self.packet)
        parts = self._receipt(Direction.SENT).parts
        total = sum(size for part, size in parts.items() if part != _RADIO)
        security = sum(parts.get(part, 0) for part in _SECURITY)
        return {
            "mac": round(total - security - self.payload_bytes),
            "security": round(security),
            "6lowpan": self.payload_bytes - header - data,
            "transport": header,
            "payload": data,
            "repeated": 0,
        }

    def energy(self, device: str) -> Figure | None:
        """Return the energy of both ends, as `Exchange.energy`.

        Parameters
        ----------
        device
            The microcontroller of both ends.
        """
        return of_both_ends(self._receipt, device)

    def _receipt(self, direction: Direction) -> Receipt:
        planned = Planned(direction, self.payload_bytes, is_acknowledged=False)
        return kind(self.link).planned(dict(self.settings), planned)


class PayloadLogReader:
    """Reads what the nodes of a lab have logged since it was made.

    Parameters
    ----------
    nodes
        Directories of nodes of a lab with `Plan.logs_payloads`.
    prefix
        The network.
    """

    def __init__(self, nodes: Sequence[Path], prefix: IPv6Network) -> None:
        self._nodes = [_Node(folder, prefix) for folder in nodes]

    def packets(self) -> Iterator[LoggedPacket]:
        """Yield the packets that were sent since the last call."""
        for node in self._nodes:
            yield from node.packets()

    def close(self) -> None:
        """Let go of the files."""
        for node in self._nodes:
            node.close()


class _Node:
    """A node that logs what it sends."""

    def __init__(self, folder: Path, prefix: IPv6Network) -> None:
        described, ends = folders.read(folder), link_addresses_of(folder)
        (other,) = ends.neighbours.values()
        hop = Hop(ends.own, other, (Context(prefix),))
        self._logged = functools.partial(
            LoggedPacket, link=described.link, settings=described.end.settings
        )
        self._name, self._hop = folder.name, hop
        self._file = (folder / _FILE).open(encoding="ascii")
        self._file.seek(0, 2)
        self._rest = ""

    def packets(self) -> Iterator[LoggedPacket]:
        *lines, self._rest = (self._rest + self._file.read()).split("\n")
        for line in lines:
            payload = bytes.fromhex(line)
            try:
                packet = Reassembly(slots=1, slots_each=1).receive(
                    payload, self._hop, now=0.0
                )
            except PacketError:
                continue
            if packet is not None:
                yield self._logged(self._name, packet, len(payload))

    def close(self) -> None:
        self._file.close()
