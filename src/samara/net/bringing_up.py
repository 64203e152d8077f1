# SPDX-License-Identifier: Apache-2.0
"""Giving a node a network interface, from a request to what crossed it."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.crypto.names import find
from samara.errors import MisuseError
from samara.link.node.events import Notice as LinkNotice
from samara.link.node.requests import RunningRequest
from samara.net import namespaces
from samara.net.addresses import prefix_of
from samara.net.proxy import COAP_PORT, UdpService
from samara.net.requests import DEFAULT_PREFIX_TEXT
from samara.net.rpl.messages import MODES, STORING, mode_names
from samara.net.rpl.objectives import MRHOF, OBJECTIVES
from samara.net.rpl.own_node import Role
from samara.net.tun import DEFAULT_NAME
from samara.net.up import InterfaceOptions, with_proxy, with_tun
from samara.net.watcher import tidied
from samara.records import (
    Answer,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Record,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from samara.net.interface import Statistics
    from samara.net.up import Up

_LOCALHOST = "127.0.0.1"


def _roles() -> Iterable[str]:
    return tuple(Role)


def _objectives() -> Iterable[str]:
    return OBJECTIVES


@request_class
class UpRequest(RunningRequest):
    """A node that is to have a network interface."""

    tun: Annotated[
        str,
        Parameter(
            metavar="NAME",
            help="Name of the interface; %d stands for the first free number.",
        ),
    ] = DEFAULT_NAME
    netns: Annotated[
        str | None,
        Parameter(
            metavar="NAME",
            help="Network namespace of the interface. If there is none of this name, it"
            " is made, and removed at the end.",
            default_text="that of the command",
        ),
    ] = None
    own_netns: Annotated[
        bool,
        Parameter(
            help="Put the interface into a new network namespace without a name, which"
            " lives as long as the command."
        ),
    ] = False
    prefix: Annotated[
        str,
        Parameter(
            metavar="PREFIX",
            help="Prefix of the network, 64 bits; the same at all nodes.",
        ),
    ] = DEFAULT_PREFIX_TEXT
    rpl: Annotated[
        str | None,
        Parameter(
            metavar="ROLE",
            help="Find routes by RPL (RFC 6550), as root of the network, as router or"
            " as leaf. Root and router switch forwarding on in the namespace of the"
            " interface.",
            names=_roles,
            default_text="routes are set by hand",
        ),
    ] = None
    objective: Annotated[
        str,
        Parameter(
            metavar="NAME",
            help="With --rpl root: how nodes choose their parents, by the least sum of"
            " transmissions (mrhof) or by hops (of0, the only one that RIOT has).",
            names=_objectives,
        ),
    ] = MRHOF.name
    rpl_mode: Annotated[
        str,
        Parameter(
            metavar="MODE",
            help="With --rpl root: who keeps routes, each router (storing), or the root"
            " alone, which writes the way into each packet (non-storing).",
            names=mode_names,
        ),
    ] = "storing"
    userspace: Annotated[
        bool,
        Parameter(
            help="Make no interface, but carry UDP datagrams of local sockets; needs"
            " --listen or --forward, and no root."
        ),
    ] = False
    listen: Annotated[
        str | None,
        Parameter(
            metavar="[HOST:]PORT",
            help="With --userspace: local address to which clients send. Default host:"
            f" {_LOCALHOST}.",
        ),
    ] = None
    forward: Annotated[
        str | None,
        Parameter(
            metavar="[HOST:]PORT",
            help="With --userspace: local server that the other node's clients reach."
            f" Default host: {_LOCALHOST}.",
        ),
    ] = None
    service_port: Annotated[
        int,
        Parameter(
            help="With --userspace: UDP port of the server in the network, such as that"
            " of CoAP.",
            values=range(1, 65536),
        ),
    ] = COAP_PORT


@record_class
class InterfaceUp(Record):
    """A network interface that is up, once."""

    TYPE: ClassVar[str] = "interface"

    node: Annotated[Path, Field("Directory of its node.")]
    interface: Annotated[
        str | None, Field("Its name; null: there is none, with --userspace.")
    ]
    address: Annotated[str, Field("Its IPv6 address.")]
    neighbours: Annotated[tuple[str, ...], Field("Addresses of neighbours.")]
    pid: Annotated[int, Field("The process that has it.")]
    enter: Annotated[
        str,
        Field("What runs a program in its namespace; empty in that of the command."),
    ]


@record_class
class InterfaceStatistics(Record):
    """What crossed the link of an interface until its end."""

    packets_sent: Annotated[int, Field("IPv6 packets that were sent.")]
    packets_received: Annotated[int, Field("Those that were received.")]
    payloads_sent: Annotated[int, Field("Payloads that carried what was sent.")]
    payloads_received: Annotated[int, Field("Those that were received.")]
    payloads_lost: Annotated[int, Field("Those that were lost on the way here.")]
    dropped: Annotated[
        Mapping[str, int], Field("Packets that were not carried, by the reason.")
    ]
    refused: Annotated[
        Mapping[str, int], Field("Payloads that belong to no packet, by the reason.")
    ]


def bring_up(
    request: UpRequest, *, is_over: Callable[[], bool] = lambda: False
) -> Answer[InterfaceUp | LinkNotice | InterfaceStatistics]:
    """Give a node an interface until told to end; yield it, and what happens.

    Parameters
    ----------
    is_over
        Asked several times a second: whether to end.

    Raises
    ------
    MisuseError
        When node or interface cannot be had; then neither is left.
    """
    _check(request)
    with _opened(request) as running:
        entrance = _entrance(request)
        if running.node.warning is not None:
            yield Notice(running.node.warning, warns=True)
        yield _beginning(request.node, running, entrance)
        statistics = running.interface.statistics
        try:
            for text in running.serving(is_over):
                yield Digest([LinkNotice(text)], [Line(text, aside=True)])
        except MisuseError:
            yield _end(statistics)
            raise
        yield _end(statistics)


def _check(request: UpRequest) -> None:
    """Refuse options that exclude each other."""
    has_namespace = request.own_netns or request.netns is not None
    if request.own_netns and request.netns is not None:
        message = "--netns and --own-netns exclude each other: give one of them"
        raise MisuseError(message)
    has_service = request.listen is not None or request.forward is not None
    if request.userspace != has_service:
        message = "--userspace and --listen or --forward need each other: give both"
        raise MisuseError(message)
    if request.objective != MRHOF.name and request.rpl != Role.ROOT:
        message = "--objective is set by the root: give --rpl root, or leave it out"
        raise MisuseError(message)
    if _mode(request) != STORING and request.rpl != Role.ROOT:
        message = "--rpl-mode is set by the root: give --rpl root, or leave it out"
        raise MisuseError(message)
    if request.userspace and request.rpl is not None:
        message = "--userspace carries no packets of others: leave out --rpl"
        raise MisuseError(message)
    if request.userspace and has_namespace:
        message = "--userspace makes no interface: leave out --netns and --own-netns"
        raise MisuseError(message)


def _mode(request: UpRequest) -> int:
    return find("mode", request.rpl_mode, MODES)


def _role(name: str | None) -> Role | None:
    return None if name is None else find("role", name, {e.value: e for e in Role})


@contextlib.contextmanager
def _opened(request: UpRequest) -> Iterator[Up]:
    network, where = prefix_of(request.prefix), request.link_options
    local = UdpService(
        request.service_port, _local(request.listen), _local(request.forward)
    )
    with contextlib.ExitStack() as stack:
        if request.userspace:
            opened = with_proxy(request.node, where, network, local)
        else:
            place = None
            if request.netns is not None:
                place = stack.enter_context(_namespace(request.netns))
            wanted = InterfaceOptions(
                request.tun,
                network,
                place,
                request.own_netns,
                rpl=_role(request.rpl),
                objective=find("objective", request.objective, OBJECTIVES),
                rpl_mode=_mode(request),
            )
            opened = with_tun(request.node, where, wanted)
        yield stack.enter_context(opened)


def _local(text: str | None) -> tuple[str, int] | None:
    """Return host and port of a local address.

    Raises
    ------
    MisuseError
        When it is none.
    """
    if text is None:
        return None
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 1 << 16:
        message = f"a local address is written [HOST:]PORT, not {text!r}"
        raise MisuseError(message)
    return host.strip("[]") or _LOCALHOST, int(port)


@contextlib.contextmanager
def _namespace(name: str) -> Iterator[Path]:
    """Yield the file of a namespace, which is made if there is none."""
    place = namespaces.place_of(name)
    if place.exists():
        yield place
        return
    namespaces.make(name)
    with tidied(functools.partial(_removed, name)):
        yield place


def _removed(name: str) -> None:
    # Somebody else may have done it.
    with contextlib.suppress(namespaces.NamespaceError):
        namespaces.remove(name)


def _entrance(request: UpRequest) -> str:
    """Return what runs a program where the interface is."""
    if request.own_netns:
        return f"nsenter --net --target {os.getpid()}"
    return "" if request.netns is None else f"ip netns exec {request.netns}"


def _beginning(node: Path, running: Up, entrance: str) -> Digest[InterfaceUp]:
    neighbours = tuple(str(address) for address in running.neighbours.values())
    record = InterfaceUp(
        node=node,
        interface=running.name or None,
        address=str(running.address),
        neighbours=neighbours,
        pid=os.getpid(),
        enter=entrance,
    )
    return Digest([record], _lines_of(record))


def _lines_of(up: InterfaceUp) -> Iterator[Line]:
    if up.interface is None:
        text = f"{up.node}: UDP datagrams cross the link; press Ctrl-C to stop"
        yield Line(text, aside=True)
        return
    text = (
        f"{up.node}: the interface {up.interface} is up with {up.address}; press "
        "Ctrl-C to remove it"
    )
    yield Line(text, aside=True)
    for address in up.neighbours[:1]:
        text = f"try: {f'{up.enter} '.lstrip()}ping -c 3 {address}"
        yield Line(text, aside=True, verbatim=True)


def _end(statistics: Statistics) -> Digest[InterfaceStatistics]:
    record = InterfaceStatistics(**statistics.as_json())
    return Digest(
        [record], (Line(text, aside=True) for text in _statistics_in_words(record))
    )


def _statistics_in_words(found: InterfaceStatistics) -> Iterator[str]:
    yield f"packets sent: {found.packets_sent}, in payloads: {found.payloads_sent}"
    yield (
        f"packets received: {found.packets_received}, in payloads: "
        f"{found.payloads_received}"
    )
    if found.payloads_lost:
        yield f"payloads lost on the way here: {found.payloads_lost}"
    for what, counts in (("dropped", found.dropped), ("refused", found.refused)):
        for reason, count in counts.items():
            yield f"{what}: {count}, {reason}"
