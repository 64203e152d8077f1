# SPDX-License-Identifier: Apache-2.0
"""A node with a network interface, until it is told to stop."""

from __future__ import annotations

import contextlib
import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from samara.link.node import folder as folders
from samara.link.node.kinds import kind
from samara.link.node.local_server import LocalServer
from samara.link.node.node import Node
from samara.link.node.service import Service, serving
from samara.net import namespaces
from samara.net.addresses import (
    DEFAULT_PREFIX,
    LINK_LOCAL,
    address_in,
    interfaces_of,
    link_addresses_of,
)
from samara.net.attached import Attached
from samara.net.interface import Interface
from samara.net.packet_queue import PacketQueue, datagrams
from samara.net.proxy import Proxy, ProxyError, UdpService
from samara.net.routes import Routes
from samara.net.rpl.messages import STORING
from samara.net.rpl.objectives import MRHOF
from samara.net.rpl.own_node import OwnNode, Role
from samara.net.rpl.routing import Routing
from samara.net.tun import DEFAULT_NAME, Tun

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping
    from ipaddress import IPv6Address, IPv6Network
    from pathlib import Path

    from samara.net.interface import Port
    from samara.net.rpl.objectives import Objective


@dataclass(frozen=True, slots=True)
class InterfaceOptions:
    """The interface that a node is to have."""

    tun: str = DEFAULT_NAME
    prefix: IPv6Network = DEFAULT_PREFIX
    netns: Path | None = None
    """The namespace of the interface. Default: that of this thread."""
    own_netns: bool = False
    """Whether it gets a new namespace, which lives as long as this process."""
    forwards: bool = False
    """Whether its namespace forwards packets of others."""
    rpl: Role | None = None
    """What it does in RPL. Default: routes are given."""
    objective: Objective = MRHOF
    """By which a root lets others choose their parents."""
    rpl_mode: int = STORING
    """Of a root: who keeps routes."""


@dataclass(frozen=True, slots=True)
class Up:
    """A node whose interface is up."""

    folder: Path
    node: Node
    interface: Interface
    port: Port
    name: str
    """The name of the interface."""
    address: IPv6Address
    neighbours: Mapping[str | None, IPv6Address]
    """The addresses of neighbours, by their names."""
    rpl: OwnNode | None = None
    """Who it is in RPL."""

    def serving(self, is_over: Callable[[], bool]) -> Generator[str, None, None]:
        """Carry packets, and serve commands that use the node, until told to stop.

        Parameters
        ----------
        is_over
            Asked several times a second.

        Yields
        ------
        A sentence about the link, or a payload that was refused.

        Raises
        ------
        samara.errors.MisuseError
            When link or state can no longer be used.
        """

        def attach(service: Service) -> None:
            if self.rpl is not None:
                put, tell = self.interface.queue.put, service.tell
                ends = _local_of(self.address), link_addresses_of(self.folder).own
                self.interface.routing = Routing(self.rpl, *ends, put, tell)
            service.attach(Attached(self.interface, self.port))
            # The interface takes all messages: none is left to be kept for listeners.
            service.attach(LocalServer(service, self.folder, keeps=False))

        yield from serving(self.node, attach, is_over)


@contextlib.contextmanager
def with_tun(
    folder: Path, where: Mapping[str, Any], wanted: InterfaceOptions
) -> Iterator[Up]:
    """Open a node and give it an interface, which is gone at the end of the block.

    Parameters
    ----------
    folder
        The directory of the node.
    where
        Options of the kind of link, as `Node` takes them.

    Raises
    ------
    MisuseError
        When node or interface cannot be had; then neither is left.
    """
    described = folders.read(folder)
    look = functools.partial(link_addresses_of, folder)
    link, ends = described.link, look()
    with contextlib.ExitStack() as stack:
        # The link before the namespace: its sockets stay where they were made.
        node = stack.enter_context(Node(folder, where))
        with _namespace(wanted):
            if wanted.own_netns or wanted.netns is not None:
                # A new namespace has it down, and a node could not reach itself.
                namespaces.ip(["link", "set", "dev", "lo", "up"])
            tun = stack.enter_context(contextlib.closing(Tun(wanted.tun)))
            routes = stack.enter_context(contextlib.closing(Routes(tun.index)))
            tun.start(
                interfaces_of(wanted.prefix, ends.own),
                forwards=wanted.forwards or wanted.rpl not in (None, Role.LEAF),
            )
        interface = Interface(node, tun, link, look, wanted.prefix, routes.next_hop)
        interface.queue = _queue_for(link, {**described.end.settings, **where})
        neighbours = {
            name: address_in(wanted.prefix, address)
            for name, address in ends.neighbours.items()
        }
        own = address_in(wanted.prefix, ends.own)
        found = Up(folder, node, interface, tun, tun.name, own, neighbours)
        if wanted.rpl is not None:
            rpl = OwnNode(
                own.packed, wanted.rpl, wanted.objective, mode=wanted.rpl_mode
            )
            found = replace(found, rpl=rpl)
        yield found


def _local_of(address: IPv6Address) -> bytes:
    """Return the link-local address with the same identifier."""
    return LINK_LOCAL.network_address.packed[:8] + address.packed[8:]


@contextlib.contextmanager
def with_proxy(
    folder: Path, where: Mapping[str, Any], prefix: IPv6Network, service: UdpService
) -> Iterator[Up]:
    """Open a node and carry UDP datagrams of local sockets, without an interface.

    Raises
    ------
    MisuseError
        When node or sockets cannot be had, or the node has several neighbours.
    """
    link = folders.read(folder).link
    look = functools.partial(link_addresses_of, folder)
    ends = look()
    neighbours = {
        name: address_in(prefix, address) for name, address in ends.neighbours.items()
    }
    if len(neighbours) != 1:
        message = (
            "the proxy needs a node with one neighbour; with several, run samara ip up "
            "as root, without --userspace"
        )
        raise ProxyError(message)
    own, (peer,) = address_in(prefix, ends.own), neighbours.values()
    with contextlib.ExitStack() as stack:
        proxy = stack.enter_context(contextlib.closing(Proxy(own, peer, service)))
        node = stack.enter_context(Node(folder, where))
        interface = Interface(node, proxy, link, look, prefix)
        yield Up(folder, node, interface, proxy, "", own, neighbours)


def _queue_for(link: str, settings: Mapping[str, Any]) -> PacketQueue:
    """Return the queue in front of a link: a short one if it is slow."""
    rate = kind(link).bytes_a_second(dict(settings))
    return PacketQueue() if rate is None else PacketQueue(datagrams(rate))


def _namespace(wanted: InterfaceOptions) -> contextlib.AbstractContextManager[None]:
    if wanted.own_netns:
        namespaces.leave_for_new()
    elif wanted.netns is not None:
        return namespaces.inside(wanted.netns)
    return contextlib.nullcontext()
