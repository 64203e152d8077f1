# SPDX-License-Identifier: Apache-2.0
"""What each event of a network takes a node.

It depends on the node and on how ways are kept, and neither on the network nor on the
interval: it is computed once for networks of all sizes, when it is asked for first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from samara.energy.parts import Parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.energy.medium_access import Hop
    from samara.energy.node import Node
    from samara.energy.quantity import Value
    from samara.energy.routing import Rpl
    from samara.energy.transceiver import RadioTimes

_Taken = TypeVar("_Taken")


def column(value: Value) -> Any:  # noqa: ANN401 - a number or an array
    """Put an axis for the nodes of a network behind those of a value."""
    return value if np.ndim(value) == 0 else np.asarray(value)[..., np.newaxis]


def columns(parts: Parts) -> Parts:
    """Put such an axis behind those of all amounts."""
    return Parts({part: column(amount) for part, amount in parts.amounts.items()})


class OfMessages(NamedTuple):
    """How long the radio is on for each event of a message."""

    send: RadioTimes
    receive: RadioTimes
    overhear: RadioTimes


class OfRouting(NamedTuple, Generic[_Taken]):
    """What each event takes of what keeps the ways."""

    send_dio: _Taken
    receive_dio: _Taken
    send_dao: _Taken
    receive_dao: _Taken
    overhear_dao: _Taken


class Seconds(NamedTuple):
    """How long something lasts, with an axis for the nodes of a network."""

    message: Any
    dao: Any
    """0 for fixed ways."""


@dataclass(frozen=True)
class NodeEvents:
    """The events of a node, of energies and times with an axis for the nodes."""

    node: Node
    rpl: Rpl | None

    @cached_property
    def times(self) -> OfMessages:
        """The radio's times for a message."""
        node, mac = self.node, self.node.mac
        return OfMessages(*map(node.times, (mac.send, mac.receive, mac.overhear)))

    @cached_property
    def routing_times(self) -> OfRouting[RadioTimes] | None:
        """The radio's times for what keeps the ways; None for fixed ones."""
        if self.rpl is None:
            return None
        mac = self.node.mac
        dio = self.node.hop(self.rpl.dio_bytes)
        dao = self.node.hop(self.rpl.dao_bytes)
        return OfRouting(
            mac.broadcast(dio),
            mac.receive_broadcast(dio),
            mac.send(dao),
            mac.receive(dao),
            mac.overhear(dao),
        )

    @cached_property
    def routing_j(self) -> OfRouting[Parts] | None:
        """What keeps the ways; None for fixed ones."""
        if self.rpl is None:
            return None
        node, dio, dao = self.node, self.rpl.dio_bytes, self.rpl.dao_bytes
        return OfRouting(
            columns(node.broadcast(dio)),
            columns(node.receive_broadcast(dio)),
            columns(node.send_control(dao)),
            columns(node.receive_control(dao)),
            columns(node.overhear(dao)),
        )

    @cached_property
    def send_j(self) -> Parts:
        """Sending a message."""
        return columns(self.node.send())

    @cached_property
    def receive_j(self) -> Parts:
        """Receiving one."""
        return columns(self.node.receive())

    @cached_property
    def overhear_j(self) -> Parts:
        """Receiving one that is for a neighbour."""
        return columns(self.node.overhear())

    @cached_property
    def idle_w(self) -> Parts:
        """Waiting for frames, in watts."""
        return columns(self.node.idle_w())

    @cached_property
    def sleep_w(self) -> Parts:
        """What it draws at all times."""
        return columns(self.node.sleep_w())

    @cached_property
    def beacons_w(self) -> Parts:
        """Beacons of each neighbour."""
        return columns(self.node.beacons_w())

    @cached_property
    def idle_sending(self) -> Any:  # noqa: ANN401 - a number or an array
        """Share of the time in which a node sends while it waits."""
        return column(self.node.idle_sending())

    @cached_property
    def requesting(self) -> Any:  # noqa: ANN401 - a number or an array
        """Share of the time in which a node's requests take the medium."""
        return column(self.node.requesting())

    @cached_property
    def slot_share(self) -> Any:  # noqa: ANN401 - a number or an array
        """Share of a slot that the longest frame of a message takes."""
        every = np.broadcast_arrays(*self.node.each(self.node.mac.slot_share))
        return np.max(np.stack(every), axis=0)

    @cached_property
    def service_s(self) -> Seconds:
        """How long a node cannot begin with another frame."""
        return self._seconds(self.node.mac.service_s)

    @cached_property
    def cell_s(self) -> Seconds:
        """How long a frame takes cells of a schedule; 0 without one."""
        return self._seconds(self.node.mac.cell_s)

    @cached_property
    def held_s(self) -> Any:  # noqa: ANN401 - a number or an array
        """How long a message holds the medium."""
        return column(self.node.times(self.node.mac.held_s))

    @cached_property
    def dio_service_s(self) -> Any:  # noqa: ANN401 - a number or an array
        """How long a node sends its own DIO; 0 for fixed ways."""
        if self.rpl is None:
            return 0.0
        mac, dio = self.node.mac, self.node.hop(self.rpl.dio_bytes)
        return column(np.maximum(mac.broadcast(dio).on_s, mac.service_s(dio)))

    def _seconds(self, time_of: Callable[[Hop], Value]) -> Seconds:
        dao_s: Any = 0.0
        if self.rpl is not None:
            dao_s = column(time_of(self.node.hop(self.rpl.dao_bytes)))
        return Seconds(column(self.node.times(time_of)), dao_s)
