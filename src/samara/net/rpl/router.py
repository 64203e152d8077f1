# SPDX-License-Identifier: Apache-2.0
"""One node of RPL, without input and output: it is told what it hears, and the time.

A node without a parent asks for DIOs until it hears one. It takes as its parent the
neighbour by which its rank is the lowest; while it has a rank it takes none as deep as
itself, since that could be behind it. If its parent is lost and no such neighbour is
left, it says so (infinite rank), waits until those behind it have heard that, and
begins anew. This takes longer than to guess, and avoids loops.
"""

from __future__ import annotations

import enum
import math
import random
from dataclasses import dataclass, replace
from ipaddress import IPv6Address
from typing import TYPE_CHECKING

from samara.net.rpl.advertising import Advertising
from samara.net.rpl.children import Routes
from samara.net.rpl.counters import CIRCLE, following, is_newer, number_of_time
from samara.net.rpl.messages import (
    INFINITE_RANK,
    MODES,
    NON_STORING,
    STORING,
    Configuration,
    Dao,
    DaoAck,
    Dio,
    Dis,
)
from samara.net.rpl.objectives import BY_CODE, ETX_MAX, MRHOF, Objective
from samara.net.rpl.tree import Tree
from samara.net.rpl.trickle import Trickle

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.net.rpl.headers import Option
    from samara.net.rpl.messages import Message

NEIGHBOURS_MAX = 64
ASKED_AGAIN_S = 5.0
"""Between two questions for DIOs, while there is no parent."""
POISONED_S = 4.0
"""How long a node says that it has no parent before it takes a new one from below."""
PROBED_S = 60.0
"""A parent that was sent nothing for so long is sent a DIO: is it there?"""
SOUGHT_AFTER_S, SOUGHT_S = 5.0, 60.0
"""A root that lacks an address for the first time, in s, asks all for their DAOs; the
second is the shortest time between two such questions."""
MISSED_MAX = 4
"""Frames in a row that a neighbour did not acknowledge: it is gone."""
_ETX_WEIGHT = 0.2
_LIFETIME, _LIFETIME_UNIT_S = 30, 60
_INTERVAL_MIN, _DOUBLINGS, _REDUNDANCY = 9, 11, 10
_INCREASE_HOPS = 7


class Role(enum.StrEnum):
    """What a node does for others."""

    ROOT = "root"
    """It makes the graph."""
    ROUTER = "router"
    """It joins, and carries packets of others."""
    LEAF = "leaf"
    """It joins, and carries its own packets alone."""


@dataclass(frozen=True, slots=True)
class Own:
    """Who a node is."""

    address: bytes
    """In the network: 16 bytes."""
    role: Role
    objective: Objective = MRHOF
    """Of a root; others take that of the graph."""
    instance: int = 0
    mode: int = STORING
    """Of a root: who keeps routes; others take that of the graph."""


@dataclass(slots=True)
class _Neighbour:
    rank: int = INFINITE_RANK
    dtsn: int = 0
    heard_s: float = -math.inf
    etx: float = 1.0
    missed: int = 0
    tried_s: float = -math.inf


@dataclass(slots=True)
class _Graph:
    """The graph that a node is in."""

    dodag: bytes
    version: int
    configuration: Configuration
    prefix: bytes | None
    mode_preference: tuple[bool, int]
    """Grounded, preference."""
    trickle: Trickle
    mode: int
    lowest: int = INFINITE_RANK
    """The lowest rank that this node has had in this version."""

    @property
    def highest(self) -> int:
        """The highest rank that it may have, so that no loop counts to infinity."""
        increase = self.configuration.rank_increase_max
        return self.lowest + increase if increase else INFINITE_RANK


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
        own: Own,
        clock: Callable[[], float],
        send: Callable[[bytes | None, Message], None],
        tell: Callable[[str], None] = lambda _: None,
        chance: random.Random | None = None,
        *,
        starts_s: float = 0.0,
    ) -> None:
        self._own, self._clock, self._send, self._tell = own, clock, send, tell
        self._chance = chance or random.SystemRandom()
        self._neighbours: dict[bytes, _Neighbour] = {}
        self._graph: _Graph | None = None
        self.parent: bytes | None = None
        """The link-local address of the parent; None: there is none."""
        self.rank = INFINITE_RANK
        self.routes = Routes()
        self.tree = Tree(own.address)
        # Not that of before a restart: who has its parent here sends its DAOs again.
        self._dtsn = self._chance.randrange(CIRCLE)
        self._asks_s = clock()
        self._poisoned_until_s: float | None = None
        self._seeks_s, self._sought_s = math.inf, -math.inf
        self._upwards = Advertising(
            own.address, own.instance, clock, send, self._chance, starts_s
        )
        if own.role is Role.ROOT:
            self._found(number_of_time(starts_s + clock()))

    def _found(self, version: int) -> None:
        """Make a graph, or a new version of it."""
        own = self._own
        hop = own.objective.hop_rank_increase
        configuration = Configuration(
            interval_min=_INTERVAL_MIN,
            doublings=_DOUBLINGS,
            redundancy=_REDUNDANCY,
            rank_increase_max=_INCREASE_HOPS * hop,
            hop_rank_increase=hop,
            objective=own.objective.code,
            lifetime=_LIFETIME,
            lifetime_unit_s=_LIFETIME_UNIT_S,
        )
        prefix = own.address[:_PREFIX_SIZE]
        dio = Dio(own.instance, version, hop, own.address, prefix=prefix, mode=own.mode)
        self._enter(dio, configuration)
        self.rank, self._asks_s = hop, math.inf

    def _enter(self, dio: Dio, configuration: Configuration) -> None:
        """Be in the graph of a DIO from now on, with a configuration of its root."""
        least_s = 2**configuration.interval_min / 1000
        doublings, redundancy = configuration.doublings, configuration.redundancy
        trickle = Trickle(least_s, doublings, redundancy, self._chance)
        trickle.start(self._clock())
        self._graph = _Graph(
            dodag=dio.dodag,
            version=dio.version,
            configuration=configuration,
            prefix=dio.prefix,
            mode_preference=(dio.is_grounded, dio.preference),
            trickle=trickle,
            mode=dio.mode,
        )

    @property
    def _in(self) -> _Graph:
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
        hop = self._in.configuration.hop_rank_increase
        there, here = option.rank // hop, self.rank // hop
        if (there < here) if option.is_down else (there > here):
            return True
        self._reset()
        return not option.has_error

    @property
    def due_s(self) -> float:
        """When `work` is to be called."""
        times_s = [self._asks_s, self._seeks_s, self._upwards.due_s]
        if self._poisoned_until_s is not None:
            times_s.append(self._poisoned_until_s)
        if self._graph is not None and self._speaks:
            times_s.append(self._graph.trickle.due_s)
        if self.parent is not None:
            times_s.append(self._neighbours[self.parent].tried_s + PROBED_S)
        return min(times_s)

    @property
    def _speaks(self) -> bool:
        """Whether it advertises a rank."""
        return self._own.role is not Role.LEAF

    # What happens

    def work(self) -> None:
        """Do what is due."""
        now_s = self._clock()
        if self._poisoned_until_s is not None and now_s >= self._poisoned_until_s:
            self._begin_anew()
        if now_s >= self._asks_s:
            self._asks_s = now_s + ASKED_AGAIN_S
            self._send(None, Dis())
        if now_s >= self._seeks_s:
            self._seek(now_s)
        if self._graph is not None and self._speaks:
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
            to, at = graph.dodag, self._own.address[:_PREFIX_SIZE] + parent[8:]
        if not self._upwards.work(to, self.routes, graph.configuration, at):
            self._neighbours[parent].missed = MISSED_MAX
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
        known.tried_s = self._clock()
        known.missed = known.missed + 1 if is_missed else 0
        sample = 2 * ETX_MAX if is_missed else float(attempts)
        known.etx += _ETX_WEIGHT * (sample - known.etx)
        if known.missed >= MISSED_MAX:
            self._lose(neighbour)
        elif neighbour == self.parent:
            self._choose()

    # Distances

    def _dio(self) -> Dio:
        graph = self._in
        is_grounded, preference = graph.mode_preference
        speaks = self._speaks and self._poisoned_until_s is None
        return Dio(
            instance=self._own.instance,
            version=graph.version,
            rank=self.rank if speaks else INFINITE_RANK,
            dodag=graph.dodag,
            configuration=graph.configuration,
            prefix=graph.prefix,
            is_grounded=is_grounded,
            preference=preference,
            dtsn=self._dtsn,
            mode=graph.mode,
        )

    def _hear_dis(self, source: bytes, *, is_to_all: bool) -> None:
        if is_to_all and source == self.parent:
            # It was started again, and knows nothing.
            self._neighbours[source].rank = INFINITE_RANK
            self._choose()
        elif is_to_all:
            self._lose_routes(source)
        if self._graph is None or not self._speaks:
            return
        if not is_to_all:
            self._send(source, self._dio())
        elif self.is_joined:
            self._reset()

    def _hear_dio(self, source: bytes, dio: Dio) -> None:
        if dio.instance != self._own.instance or not self._has_mode(dio):
            return
        if self._own.role is Role.ROOT:
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
        if configuration.objective not in BY_CODE or not _is_sane(configuration):
            return False
        self._neighbours.clear()
        self._enter(dio, configuration)
        return True

    def _follow(self, dio: Dio) -> None:
        """Go on to a new version of the graph: nobody has a rank in it yet."""
        self._graph = replace(self._in, version=dio.version, lowest=INFINITE_RANK)
        for each in self._neighbours.values():
            each.rank = INFINITE_RANK
        self._poisoned_until_s = None
        self.parent, self.rank = None, INFINITE_RANK
        self._upwards.stop()
        self._asks_s = self._clock() + ASKED_AGAIN_S
        self.routes.clear()
        self._reset()

    def _met(self, address: bytes) -> _Neighbour | None:
        """Return what is known of a neighbour; None: there are too many."""
        known = self._neighbours.get(address)
        if known is None and len(self._neighbours) < NEIGHBOURS_MAX:
            known = self._neighbours[address] = _Neighbour(tried_s=self._clock())
        return known

    def _note(self, source: bytes, dio: Dio) -> None:
        known = self._met(source)
        if known is None:
            return
        before, known.rank = known.rank, dio.rank
        if dio.rank == INFINITE_RANK != before:
            # It has no parent any more: who was behind it may be anywhere.
            self._lose_routes(source)
        if known.missed >= MISSED_MAX:
            # It is there again: see how good the link is now.
            known.missed, known.etx = 0, ETX_MAX / 2
        known.heard_s = self._clock()
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
        graph, known = self._in, self._neighbours[address]
        objective = BY_CODE[graph.configuration.objective]
        return objective.rank(known.rank, known.etx, graph.configuration)

    def _choose(self) -> None:
        """Take the best parent there is, or say that there is none."""
        if self._own.role is Role.ROOT or self._poisoned_until_s is not None:
            return
        able = filter(self._may_be_parent, self._neighbours)
        best = min(able, key=self._rank_by, default=None)
        if best is None:
            if self.is_joined:
                self._poison()
            return
        if self.parent is not None and self._may_be_parent(self.parent):
            objective = BY_CODE[self._in.configuration.objective]
            gained = self._rank_by(self.parent) - self._rank_by(best)
            if gained <= objective.hysteresis:
                best = self.parent
        self._take_parent(best)

    def _may_be_parent(self, address: bytes) -> bool:
        graph, known = self._in, self._neighbours[address]
        rank = self._rank_by(address)
        if rank == INFINITE_RANK or known.missed >= MISSED_MAX:
            return False
        if address in self.routes.neighbours(self._clock()) or rank > graph.highest:
            return False
        hop = graph.configuration.hop_rank_increase
        return address == self.parent or known.rank // hop < self.rank // hop

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
        hop = graph.configuration.hop_rank_increase
        if address != before or self.rank // hop != rank // hop:
            self._reset()

    def _poison(self) -> None:
        """Say that there is no parent any more, and wait until others know."""
        self.parent, self.rank = None, INFINITE_RANK
        self._upwards.stop()
        self._poisoned_until_s = self._clock() + POISONED_S
        self._tell("there is no parent any more")
        if self._speaks:
            self._send(None, self._dio())

    def _begin_anew(self) -> None:
        """Forget what was heard before this node had said that it has no parent."""
        self._poisoned_until_s = None
        self._in.lowest = INFINITE_RANK
        # Who is still behind this node says so when it has its parent here again; the
        # next parent, which may be the one of before, is told that the others went.
        self.routes.lose(None, self._clock())
        for known in self._neighbours.values():
            known.rank = INFINITE_RANK
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
        if dao.instance != self._own.instance or not self._speaks:
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
        self._met(source)
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
        if self._own.role is not Role.ROOT:
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
        elif self._own.role is Role.ROOT and self.routes.lacks(now_s):
            after_s = max(now_s + SOUGHT_AFTER_S, self._sought_s + SOUGHT_S)
            self._seeks_s = min(self._seeks_s, after_s)

    def _seek(self, now_s: float) -> None:
        """At a root: have all send their DAOs again, if an address is lacking still.

        It may be there on another way, which was taken for an older one than the way
        that went.
        """
        self._seeks_s = math.inf
        if self.routes.lacks(now_s):
            self._sought_s, self._dtsn = now_s, following(self._dtsn)
            self._reset()


_PREFIX_SIZE = 8
_NO_ROOM = 128
"""Status of a DAO-ACK: the routes were not taken."""


def _is_sane(configuration: Configuration) -> bool:
    """Refuse what would make a node speak all the time, or divide by nothing."""
    return (
        configuration.hop_rank_increase > 0
        and _INTERVAL_MIN_LEAST <= configuration.interval_min <= _INTERVAL_MIN_MOST
        and configuration.doublings <= _DOUBLINGS_MOST
    )


_INTERVAL_MIN_LEAST, _INTERVAL_MIN_MOST, _DOUBLINGS_MOST = 3, 20, 20


def _shown(address: bytes) -> str:
    return str(IPv6Address(address))
