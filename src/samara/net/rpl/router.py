# SPDX-License-Identifier: Apache-2.0
"""One node of RPL, without input and output: it is told what it hears, and the time.

A node without a parent asks for DIOs until it hears one. It takes as its parent the
neighbour by which its rank is the lowest; while it has a rank it takes none as deep as
itself, since that could be behind it. If its parent is lost and no such neighbour is
left, it says so (infinite rank), waits until those behind it have heard that, and
begins anew. This takes longer than to guess, and avoids loops.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from ipaddress import IPv6Address
from typing import TYPE_CHECKING

from samara.net.rpl.advertising import Advertising
from samara.net.rpl.children import Routes
from samara.net.rpl.counters import CIRCLE, following, is_newer, number_of_time
from samara.net.rpl.graph import PREFIX_SIZE, Graph, graph_of, graph_of_root, is_sane
from samara.net.rpl.messages import (
    INFINITE_RANK,
    MODES,
    NON_STORING,
    STORING,
    Dao,
    DaoAck,
    Dio,
    Dis,
)
from samara.net.rpl.neighbours import Neighbours
from samara.net.rpl.seeking import Seeking
from samara.net.rpl.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.net.rpl.headers import Option
    from samara.net.rpl.messages import Message
    from samara.net.rpl.own_node import OwnNode

ASKED_AGAIN_S = 5.0
"""Between two questions for DIOs, while there is no parent."""
POISONED_S = 4.0
"""How long a node says that it has no parent before it takes a new one from below."""
PROBED_S = 60.0
"""A parent that was sent nothing for so long is sent a DIO: is it there?"""
_NO_ROOM = 128
"""Status of a DAO-ACK: the routes were not taken."""


class Router:
    """A node.

    Parameters
    ----------
    own
        Who it is.
    clock
        Returns the time in s.
    send
        Takes an address of a neighbour, or None for all, and a message.
    tell
        Takes a sentence about what has changed.
    chance
        Draws the times of Trickle. Default: the system's.
    starts_s
        The time in s at which the clock is 0, so that sequence numbers go on after a
        restart of the machine.
    """

    def __init__(
        self,
        own: OwnNode,
        clock: Callable[[], float],
        send: Callable[[bytes | None, Message], None],
        tell: Callable[[str], None] = lambda _: None,
        chance: random.Random | None = None,
        *,
        starts_s: float = 0.0,
    ) -> None:
        self._own, self._clock, self._send, self._tell = own, clock, send, tell
        self._chance = chance or random.SystemRandom()
        self._neighbours = Neighbours()
        self._graph: Graph | None = None
        self.parent: bytes | None = None
        """The link-local address of the parent; None: there is none."""
        self.rank = INFINITE_RANK
        self.routes = Routes()
        self.tree = Tree(own.address)
        # Not that of before a restart: who has its parent here sends its DAOs again.
        self._dtsn = self._chance.randrange(CIRCLE)
        self._asks_s = clock()
        self._poisoned_until_s: float | None = None
        self._seeking = Seeking()
        self._upwards = Advertising(
            own.address, own.instance, clock, send, self._chance, starts_s
        )
        if own.is_root:
            self._found(number_of_time(starts_s + clock()))

    def _found(self, version: int) -> None:
        """Make a graph, or a new version of it."""
        self._graph = graph_of_root(self._own, version, self._chance, self._clock())
        self.rank, self._asks_s = self._own.objective.hop_rank_increase, math.inf

    @property
    def _in(self) -> Graph:
        """The graph, where there must be one."""
        if self._graph is None:
            message = "the node is in no graph"
            raise RuntimeError(message)
        return self._graph

    # What others ask

    @property
    def is_joined(self) -> bool:
        """Whether it is the root, or has a parent."""
        return self.rank != INFINITE_RANK

    @property
    def dodag(self) -> bytes | None:
        """The address of the root; None: in no graph."""
        return None if self._graph is None else self._graph.dodag

    def next_hop(self, destination: bytes) -> bytes | None:
        """Return the link-local address of who a packet is sent to; None: nobody."""
        via = self.routes.via(destination, self._clock())
        return via if via is not None else self.parent

    def way(self, destination: bytes) -> list[bytes]:
        """Return the hops that a packet of the root passes; none: not known.

        They are known where the root alone keeps routes.
        """
        return self.tree.way(destination, self._clock())

    def allows(self, option: Option) -> bool:
        """Tell whether a packet may go on, by the option of RPL in it.

        One that climbs must come from below, and the reverse. The first time that it
        does not, who is near hears the rank of this node anew; the second time the
        packet is dropped (RFC 6550, section 11.2.2.2).
        """
        if not self.is_joined:
            return True
        there, here = self._in.depth(option.rank), self._in.depth(self.rank)
        if (there < here) if option.is_down else (there > here):
            return True
        self._reset()
        return not option.has_error

    @property
    def due_s(self) -> float:
        """When `work` is to be called."""
        times_s = [self._asks_s, self._seeking.due_s, self._upwards.due_s]
        if self._poisoned_until_s is not None:
            times_s.append(self._poisoned_until_s)
        if self._graph is not None and self._own.speaks:
            times_s.append(self._graph.trickle.due_s)
        if self.parent is not None:
            times_s.append(self._neighbours[self.parent].tried_s + PROBED_S)
        return min(times_s)

    # What happens

    def work(self) -> None:
        """Do what is due."""
        now_s = self._clock()
        if self._poisoned_until_s is not None and now_s >= self._poisoned_until_s:
            self._begin_anew()
        if now_s >= self._asks_s:
            self._asks_s = now_s + ASKED_AGAIN_S
            self._send(None, Dis())
        if now_s >= self._seeking.due_s:
            self._seek(now_s)
        if self._graph is not None and self._own.speaks:
            trickle = self._graph.trickle
            if now_s >= trickle.due_s and trickle.is_to_say(now_s):
                self._send(None, self._dio())
        if self.parent is not None:
            self._work_upwards(self.parent)
        if self.parent is not None:
            self._probe(self.parent, now_s)

    def _probe(self, parent: bytes, now_s: float) -> None:
        """See whether a parent is there that was sent nothing for long."""
        known = self._neighbours[parent]
        if now_s >= known.tried_s + PROBED_S:
            known.tried_s = now_s
            self._send(parent, self._dio())

    def _work_upwards(self, parent: bytes) -> None:
        graph = self._in
        to, at = parent, b""
        if graph.mode == NON_STORING:
            to, at = graph.dodag, self._own.address[:PREFIX_SIZE] + parent[8:]
        if not self._upwards.work(to, self.routes, graph.configuration, at):
            self._neighbours[parent].give_up()
            self._lose(parent)

    def hear(self, source: bytes, message: Message, *, is_to_all: bool) -> None:
        """Take a message of a neighbour.

        Parameters
        ----------
        source
            Its link-local address.
        is_to_all
            Whether it was sent to all.
        """
        match message:
            case Dis():
                self._hear_dis(source, is_to_all=is_to_all)
            case Dio():
                self._hear_dio(source, message)
            case Dao():
                self._hear_dao(source, message)
            case DaoAck():
                self._hear_ack(source, message)

    def hear_far(self, source: bytes, message: Message) -> None:
        """Take a message that others have carried, where the root alone keeps routes.

        Parameters
        ----------
        source
            The address in the network of who has sent it.
        """
        graph = self._graph
        if graph is None or graph.mode != NON_STORING:
            return
        match message:
            case Dao() if message.instance == self._own.instance:
                self._hear_node(source, message)
            case DaoAck() if source == graph.dodag:
                self._hear_answer(source, message)

    def sent(self, neighbour: bytes, attempts: int, *, is_missed: bool) -> None:
        """Note how often a frame to a neighbour was sent, and whether it arrived."""
        known = self._neighbours.get(neighbour)
        if known is None:
            return
        known.sent(attempts, self._clock(), is_missed=is_missed)
        if known.is_gone:
            self._lose(neighbour)
        elif neighbour == self.parent:
            self._choose()

    # Distances

    def _dio(self) -> Dio:
        speaks = self._own.speaks and self._poisoned_until_s is None
        rank = self.rank if speaks else INFINITE_RANK
        return self._in.dio(self._own.instance, rank, self._dtsn)

    def _hear_dis(self, source: bytes, *, is_to_all: bool) -> None:
        if is_to_all and source == self.parent:
            # It was started again, and knows nothing.
            self._neighbours[source].rank = INFINITE_RANK
            self._choose()
        elif is_to_all:
            self._lose_routes(source)
        if self._graph is None or not self._own.speaks:
            return
        if not is_to_all:
            self._send(source, self._dio())
        elif self.is_joined:
            self._reset()

    def _hear_dio(self, source: bytes, dio: Dio) -> None:
        if dio.instance != self._own.instance or not self._has_mode(dio):
            return
        if self._own.is_root:
            self._hear_below(dio)
            return
        graph = self._graph
        if graph is None or (dio.dodag != graph.dodag and not self.is_joined):
            if dio.rank == INFINITE_RANK or not self._join(source, dio):
                return
        elif dio.dodag != graph.dodag:
            return
        elif is_newer(dio.version, graph.version):
            self._follow(dio)
        elif dio.version != graph.version:
            self._reset()
            return
        self._note(source, dio)

    def _has_mode(self, dio: Dio) -> bool:
        """Tell whether it keeps routes as this node does, or as it can."""
        if self._graph is not None and self.is_joined:
            return dio.mode == self._graph.mode
        return dio.mode in MODES.values()

    def _hear_below(self, dio: Dio) -> None:
        """At a root: see whether nodes know a version of before it was started."""
        graph = self._in
        if dio.dodag != graph.dodag:
            return
        if is_newer(dio.version, graph.version) or (
            dio.version != graph.version and not is_newer(graph.version, dio.version)
        ):
            self._found(following(dio.version))
        elif dio.version == graph.version and dio.rank != INFINITE_RANK:
            graph.trickle.heard()

    def _join(self, source: bytes, dio: Dio) -> bool:
        """Enter the graph of a neighbour; tell whether that is possible."""
        configuration = dio.configuration
        if configuration is None:
            # Some send it when they are asked alone.
            self._send(source, Dis())
            return False
        if not is_sane(configuration):
            return False
        self._neighbours.clear()
        self._graph = graph_of(dio, configuration, self._chance, self._clock())
        return True

    def _follow(self, dio: Dio) -> None:
        """Go on to a new version of the graph: nobody has a rank in it yet."""
        self._graph = replace(self._in, version=dio.version, lowest=INFINITE_RANK)
        self._neighbours.forget_ranks()
        self._poisoned_until_s = None
        self.parent, self.rank = None, INFINITE_RANK
        self._upwards.stop()
        self._asks_s = self._clock() + ASKED_AGAIN_S
        self.routes.clear()
        self._reset()

    def _note(self, source: bytes, dio: Dio) -> None:
        known = self._neighbours.met(source, self._clock())
        if known is None:
            return
        before, known.rank = known.rank, dio.rank
        if dio.rank == INFINITE_RANK != before:
            # It has no parent any more: who was behind it may be anywhere.
            self._lose_routes(source)
        known.heard()
        if source == self.parent and dio.dtsn != known.dtsn:
            self._dtsn = following(self._dtsn)
            self._upwards.plan()
        known.dtsn = dio.dtsn
        rank = self.rank
        self._choose()
        if rank == self.rank and dio.rank not in (before, INFINITE_RANK):
            return
        if rank == self.rank and dio.rank != INFINITE_RANK:
            self._in.trickle.heard()
        elif dio.rank == INFINITE_RANK and before != INFINITE_RANK and self.is_joined:
            # Who has lost its parent may take this one.
            self._reset()

    def _rank_by(self, address: bytes) -> int:
        return self._in.rank_by(self._neighbours[address])

    def _choose(self) -> None:
        """Take the best parent there is, or say that there is none."""
        if self._own.is_root or self._poisoned_until_s is not None:
            return
        able = filter(self._may_be_parent, self._neighbours)
        best = min(able, key=self._rank_by, default=None)
        if best is None:
            if self.is_joined:
                self._poison()
            return
        if self.parent is not None and self._may_be_parent(self.parent):
            gained = self._rank_by(self.parent) - self._rank_by(best)
            if gained <= self._in.objective.hysteresis:
                best = self.parent
        self._take_parent(best)

    def _may_be_parent(self, address: bytes) -> bool:
        graph, known = self._in, self._neighbours[address]
        rank = self._rank_by(address)
        if rank == INFINITE_RANK or known.is_gone:
            return False
        if address in self.routes.neighbours(self._clock()) or rank > graph.highest:
            return False
        is_above = graph.depth(known.rank) < graph.depth(self.rank)
        return address == self.parent or is_above

    def _take_parent(self, address: bytes) -> None:
        graph, before, rank = self._in, self.parent, self.rank
        self.parent, self.rank = address, self._rank_by(address)
        graph.lowest = min(graph.lowest, self.rank)
        self._asks_s = math.inf
        if address != before:
            if before is not None and graph.mode == STORING:
                self._upwards.withdraw(before, self.routes)
            self._dtsn = following(self._dtsn)
            self._upwards.plan()
            self._tell(f"the parent is {_shown(address)}, the rank {self.rank}")
        if address != before or graph.depth(self.rank) != graph.depth(rank):
            self._reset()

    def _poison(self) -> None:
        """Say that there is no parent any more, and wait until others know."""
        self.parent, self.rank = None, INFINITE_RANK
        self._upwards.stop()
        self._poisoned_until_s = self._clock() + POISONED_S
        self._tell("there is no parent any more")
        if self._own.speaks:
            self._send(None, self._dio())

    def _begin_anew(self) -> None:
        """Forget what was heard before this node had said that it has no parent."""
        self._poisoned_until_s = None
        self._in.lowest = INFINITE_RANK
        # Who is still behind this node says so when it has its parent here again; the
        # next parent, which may be the one of before, is told that the others went.
        self.routes.lose(None, self._clock())
        self._neighbours.forget_ranks()
        self._asks_s = self._clock()

    def _lose(self, neighbour: bytes) -> None:
        """Do without a neighbour that does not answer."""
        self._neighbours[neighbour].rank = INFINITE_RANK
        self._lose_routes(neighbour)
        if neighbour == self.parent:
            self._tell(f"the parent {_shown(neighbour)} does not answer")
            self.parent = None
            self._choose()

    def _lose_routes(self, neighbour: bytes) -> None:
        if self.routes.lose(neighbour, self._clock()):
            self._tell_parent()

    def _reset(self) -> None:
        if self._graph is not None:
            self._graph.trickle.reset(self._clock())

    # Addresses

    def _hear_dao(self, source: bytes, dao: Dao) -> None:
        if dao.instance != self._own.instance or not self._own.speaks:
            return
        graph = self._graph
        if graph is None or not self.is_joined or source == self.parent:
            return
        if graph.mode != STORING:
            return
        unit_s = graph.configuration.lifetime_unit_s
        taken = self.routes.take(
            source, dao.advertised, unit_s, self._clock(), own=self._own.address
        )
        self._neighbours.met(source, self._clock())
        if taken.has_changed:
            self._tell_parent()
        if dao.wants_ack:
            status = 0 if taken.has_room else _NO_ROOM
            ack = DaoAck(dao.instance, dao.sequence, status, dao.dodag)
            self._send(source, ack)

    def _hear_ack(self, source: bytes, ack: DaoAck) -> None:
        if source == self.parent and ack.instance == self._own.instance:
            self._hear_answer(source, ack)

    def _hear_answer(self, source: bytes, ack: DaoAck) -> None:
        if self._upwards.is_answered(ack.sequence) and ack.status >= _NO_ROOM:
            self._tell(f"{_shown(source)} has no room for more routes")

    def _hear_node(self, source: bytes, dao: Dao) -> None:
        """At the root: take what a node tells of itself."""
        if not self._own.is_root:
            return
        own = [each for each in dao.advertised if each.address == source]
        unit_s = self._in.configuration.lifetime_unit_s
        has_room = self.tree.take(own, unit_s, self._clock())
        if dao.wants_ack:
            status = 0 if has_room else _NO_ROOM
            ack = DaoAck(dao.instance, dao.sequence, status, self._own.address)
            self._send(source, ack)

    def _tell_parent(self) -> None:
        now_s = self._clock()
        if self.parent is not None:
            self._upwards.plan()
        elif self._own.is_root and self.routes.lacks(now_s):
            self._seeking.plan(now_s)

    def _seek(self, now_s: float) -> None:
        """At a root: have all send their DAOs again, if an address is lacking still.

        It may be there on another way, which was taken for an older one than the way
        that went.
        """
        if self._seeking.begins(now_s, is_lacking=self.routes.lacks(now_s)):
            self._dtsn = following(self._dtsn)
            self._reset()


def _shown(address: bytes) -> str:
    return str(IPv6Address(address))
