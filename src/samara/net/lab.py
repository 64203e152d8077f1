# SPDX-License-Identifier: Apache-2.0
"""A network on this machine: nodes in namespaces of their own, and the air between.

Each node is a process that holds its namespace. Namespaces have no names: they are
gone when their processes are, and these end with the process that started them, also
when that was killed. A watcher removes the directory.
"""

from __future__ import annotations

import contextlib
import functools
import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from samara.errors import MisuseError
from samara.link.node import folder as folders
from samara.link.node.kinds import kind
from samara.link.node.simulated_air import AirPlan
from samara.net import lab_nodes, namespaces
from samara.net.addresses import LINK_LOCAL, address_in, link_addresses_of
from samara.net.children import Child, ChildError
from samara.net.payload_log import PayloadLog
from samara.net.rpl.own_node import Role
from samara.net.topology import Network
from samara.net.up import InterfaceOptions, with_tun
from samara.net.watcher import tidied

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from ipaddress import IPv6Address, IPv6Network

    from samara.link.node.link_addresses import LinkAddresses
    from samara.net.plan import Plan

_START_S = 60.0
"""What a process gets to start, in seconds: many do at the same time."""
_TELL_INTERVAL_S = 5.0
_INTERFACE = "samara0"


@dataclass(frozen=True, slots=True)
class Member:
    """A node of the network that runs."""

    number: int
    name: str
    folder: Path
    child: Child
    address: IPv6Address

    @property
    def entrance(self) -> list[str]:
        """What is put in front of a command so that it runs in the node's namespace."""
        return ["nsenter", "--net", "--target", str(self.child.pid)]


class Lab:
    """Runs a network while the block lasts.

    Parameters
    ----------
    plan
        What to run.
    say
        Called with a sentence when something happens.

    Raises
    ------
    MisuseError
        When it cannot be run here; nothing is left then.
    """

    def __init__(self, plan: Plan, say: Callable[[str], None] = lambda _: None) -> None:
        self._plan, self._say = plan, say
        self.network = plan.network
        """Who is whose neighbour; it grows by those that are invited."""
        self._stack = contextlib.ExitStack()
        self._children: list[Child] = []
        self.folder = Path()
        """The directory with those of the nodes."""
        self.members: list[Member] = []
        self.address_options: dict[int, Mapping[str, Any]] = {}
        """Where each node finds the link, by its number."""

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def check(self) -> None:
        """Look whether all processes are there.

        Raises
        ------
        ChildError
            When one has ended.
        """
        for child in self._children:
            if child.has_ended():
                child.hear(0)

    def named(self, name: str) -> Member:
        """Return a node by its name.

        Raises
        ------
        MisuseError
            When there is none.
        """
        for member in self.members:
            if member.name == name:
                return member
        names = ", ".join(member.name for member in self.members)
        message = f"there is no node {name!r:.40}: expected one of {names}"
        raise MisuseError(message)

    def kill(self, name: str) -> None:
        """End the process of a node at once; its namespace is gone with it.

        Raises
        ------
        MisuseError
            When there is no such node, or it does not run.
        """
        child = self.named(name).child
        if child not in self._children:
            message = f"{name} does not run: start it first"
            raise MisuseError(message)
        self._children.remove(child)
        child.kill()

    def start(self, name: str) -> Member:
        """Start a node again, in a new namespace.

        Raises
        ------
        MisuseError
            When there is no such node, or it runs or does not start.
        """
        old = self.named(name)
        if old.child in self._children:
            message = f"{name} runs"
            raise MisuseError(message)
        member = self._begin(old.number, name)
        self.members[self.members.index(old)] = member
        return member

    def _begin(self, number: int, name: str) -> Member:
        """Start the process of a node; if it does not start, nothing is left."""
        child = self._new_child(number, name)
        try:
            return self._member(number, name, child)
        except ChildError:
            self._children.remove(child)
            child.kill()
            raise

    def _place(self, number: int, near: Member) -> None:
        """Put a node into reach of another one."""
        ends = (self._addresses(each).own.hex() for each in (number, near.number))
        self._ask_air("join", node=next(ends), other=next(ends))
        self.address_options[number] = self._air.address_options(
            self._air_ready, number
        )

    def _network_without(self, number: int) -> Network:
        edges = [each for each in self.network.edges if number not in each]
        return Network(number - 1, edges)

    def _lead_to(self, number: int, inviter: Member) -> None:
        """Give the nodes that run a route to a new one."""
        for member in self.members:
            if member.child in self._children and member.number not in (
                number,
                inviter.number,
            ):
                place = Path(f"/proc/{member.child.pid}/ns/net")
                with namespaces.inside(place):
                    self._add_routes(member.number, only=number)

    def invite(self, name: str) -> tuple[Member, Member]:
        """Let a node invite a new one, which is its neighbour; return both.

        Raises
        ------
        MisuseError
            When it does not run or cannot invite, or the new one does not start.
        """
        inviter = self.named(name)
        if inviter.child not in self._children:
            message = f"{name} does not run: start it first"
            raise MisuseError(message)
        network = self.network.with_neighbour(inviter.number)
        added = network.nodes
        folder = lab_nodes.invited(inviter.folder, lab_nodes.name_of(added))
        try:
            self._place(added, inviter)
            self.network = network
            self.members.append(self._begin(added, folder.name))
        except BaseException:
            self.network = self._network_without(added)
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._lead_to(added, inviter)
        return inviter, self.members[-1]

    def steer_air(self, do: str, name: str) -> None:
        """Let the air do something with a node (docs/control.md).

        Raises
        ------
        MisuseError
            When there is no such node, or this air cannot do it.
        """
        self._ask_air(do, node=self._addresses(self.named(name).number).own.hex())

    def _ask_air(self, do: str, **nodes: str) -> None:
        self._air.steer(json.dumps({"do": do, **nodes}).encode() + b"\n")
        answer = self._air_child.hear(_TELL_INTERVAL_S)
        if "reason" in answer:
            raise MisuseError(answer["reason"])

    def statistics(self) -> list[dict[str, Any]]:
        """End all nodes; return what crossed their interfaces."""
        for member in self.members:
            member.child.ask_to_end()
        return [member.child.hear(_TELL_INTERVAL_S) for member in self.members]

    def _start(self) -> None:
        plan = self._plan
        lab_nodes.check(plan)
        self.folder = Path(tempfile.mkdtemp(prefix="samara-lab-"))
        if not plan.keeps_nodes:
            tidy = functools.partial(shutil.rmtree, self.folder, ignore_errors=True)
            self._stack.enter_context(tidied(tidy))
        names = lab_nodes.make(plan, self.folder)
        self._start_air()
        # Once, and not in each of the processes that are copies of this one.
        kind(plan.link).load()
        started = [self._new_child(number, name) for number, name in names.items()]
        self.members += [
            self._member(number, name, child)
            for (number, name), child in zip(names.items(), started, strict=True)
        ]

    def _new_child(self, number: int, name: str) -> Child:
        child = Child(name, functools.partial(self._run_node, number, name))
        self._children.append(child)
        return child

    def _member(self, number: int, name: str, child: Child) -> Member:
        child.hear(_START_S)
        address = self._own_address(number, self._plan.prefix)
        return Member(number, name, self.folder / name, child, address)

    def _start_air(self) -> None:
        plan = self._plan
        own = {
            number: self._addresses(number).own
            for number in range(1, plan.network.nodes + 1)
        }
        air = lab_nodes.air_of(plan.link)(
            AirPlan(
                settings=folders.read(self._folder_of(1)).end.settings,
                neighbours=[(own[one], own[two]) for one, two in plan.network.edges],
                folder=self.folder,
                nodes=plan.network.nodes,
                loss=plan.loss,
                seed=plan.seed,
                capture=plan.capture,
            )
        )
        child = Child(air.name, air.run)
        self._children.append(child)
        ready = child.hear(_START_S)
        self._air, self._air_child, self._air_ready = air, child, ready
        self.address_options = {
            number: air.address_options(ready, number) for number in own
        }

    def _folder_of(self, number: int) -> Path:
        return self.folder / lab_nodes.name_of(number)

    def _addresses(self, number: int) -> LinkAddresses:
        return link_addresses_of(self._folder_of(number))

    def _run_node(
        self,
        number: int,
        name: str,
        tell: Callable[[dict[str, Any]], None],
        is_over: Callable[[], bool],
    ) -> None:
        plan = self._plan
        wanted = InterfaceOptions(
            _INTERFACE,
            plan.prefix,
            own_netns=True,
            forwards=True,
            rpl=_role_of(number) if plan.uses_rpl else None,
            rpl_mode=plan.rpl_mode,
        )
        with with_tun(
            self.folder / name, self.address_options[number], wanted
        ) as running:
            self._add_routes(number)
            if plan.logs_payloads:
                running.interface.on_payload = PayloadLog(self.folder / name).add
            tell({"interface": running.name})
            for text in running.serving(is_over):
                self._say(f"{name}: {text}")
            tell(running.interface.statistics.as_json())

    def _add_routes(self, number: int, only: int | None = None) -> None:
        if self._plan.uses_rpl:
            return
        routes = self.network.routes(number)
        if only is not None:
            routes = {only: routes[only]}
        if not routes:
            return
        lines = [
            f"route add {self._own_address(far, self._plan.prefix)}/128 "
            f"via {self._own_address(near, LINK_LOCAL)} dev {_INTERFACE}"
            for far, near in routes.items()
        ]
        namespaces.ip(["-6", "-batch", "-"], lines)

    def _own_address(self, number: int, prefix: IPv6Network) -> IPv6Address:
        return address_in(prefix, self._addresses(number).own)

    def _end(self) -> None:
        # The air last: nodes may still have something to say.
        for child in reversed(self._children):
            child.ask_to_end()
        for child in reversed(self._children):
            child.end()
        self._children.clear()
        self._stack.close()


def _role_of(number: int) -> Role:
    return Role.ROOT if number == 1 else Role.ROUTER
