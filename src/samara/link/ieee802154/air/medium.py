# SPDX-License-Identifier: Apache-2.0
"""The medium: joins nodes of IEEE 802.15.4 that speak ZEP over UDP.

Who sends a packet, be it a hello, hears from then on what all others send. Data
takes its time on the air (`samara.link.ieee802154.air.channel`), acknowledgements of
ZEP, which no radio sends, none. Packets are passed on byte for byte. What is not ZEP
version 2 is counted and otherwise ignored.

Who hears whom is a `Topology`; who sends when, if nodes contend for the channel, is
decided here on their behalf (`samara.link.ieee802154.air.contention`). Nodes that ask
for it are told which of their frames will not be acknowledged
(`samara.link.ieee802154.air.unanswered`).
"""

from __future__ import annotations

import functools
import select
import socket
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Self

from samara import _core
from samara.errors import FrameError
from samara.link.ieee802154.air import unanswered, zep
from samara.link.ieee802154.air.channel import Air, Conditions
from samara.link.ieee802154.air.contention import QUEUE_MAX, Contention, Transmission
from samara.link.ieee802154.air.deliveries import Deliveries, Delivery
from samara.link.ieee802154.air.reach import Reach
from samara.link.ieee802154.air.receivers import Receivers
from samara.link.ieee802154.air.sockets import bound, packed, wake_up_in_time
from samara.link.ieee802154.air.statistics import Statistics
from samara.link.ieee802154.air.topology import Topology
from samara.link.ieee802154.air.unanswered import Expected, OnAir
from samara.link.ieee802154.frames.fcs import FCS_SIZE, is_intact

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Sequence

    from samara.link.ieee802154.captures.pcap import Writer

NODES_MAX = 256
"""Nodes that hear the medium; who comes later replaces who was quiet longest."""
WAITING_MAX = 4096
"""Packets on their way, each to some or all nodes; more are lost."""
# After so many, what is due is delivered.
_TAKEN_AT_ONCE = 64
_DATAGRAM_SIZE_MAX = 2048

# A short address of nobody in particular.
_SHORT_OF_NOBODY = 0xFFFE
# A frame that is held back arrives after the next one, or so much later.
_HELD_BACK_S = 0.1

Address = tuple[Any, ...]


class Medium:
    """Passes packets between UDP sockets until told to stop.

    Parameters
    ----------
    host, port
        Where to listen; port 0 takes a free one.
    conditions
        What happens to frames.
    sniffer
        Gets every frame that was sent, also those that are lost.
    topology
        Who hears whom. Default: everybody, equally well.

    Raises
    ------
    OSError
        When it cannot listen there.
    """

    def __init__(
        self,
        host: str,
        port: int,
        conditions: Conditions,
        sniffer: Writer | None = None,
        topology: Topology | None = None,
    ) -> None:
        self.statistics = Statistics()
        self._conditions = conditions
        self._air = Air(conditions)
        self._sniffer = sniffer
        self._nodes: dict[Address, bytes] = {}
        """Those that hear it, with their addresses as the system has them."""
        self._reach: Reach[Address] = Reach(topology or Topology(), conditions.loss)
        self._receivers = Receivers(
            self._nodes, self._reach, self._air, self.statistics
        )
        self._asking_unanswered: set[Address] = set()
        """Nodes that asked to hear of frames that get no acknowledgement."""
        self._filtering: set[Address] = set()
        """Nodes that hear no frames for others alone."""
        self._expected: Expected[Address] = Expected()
        self._contention: Contention[Address] | None = None
        if conditions.is_contended:
            self._contention = Contention(
                self._reach.hears, self._air.random, csma=conditions.csma
            )
        self._deliveries: Deliveries[Address] = Deliveries()
        self._held_back: dict[Address, Delivery[Address]] = {}
        self._ends_s: dict[Address, deque[float]] = {}
        """When the frames of each node will have been on the air, uncontended."""
        self._socket = bound(host, port)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    @property
    def conditions(self) -> Conditions:
        """What happens to frames."""
        return self._conditions

    def change(self, conditions: Conditions) -> None:
        """Have other conditions from now on.

        Whether nodes contend for the channel stays as it was.
        """
        self._conditions = conditions
        self._air.change(conditions)
        self._reach.change(conditions.loss)

    def lose(self, count: int) -> None:
        """Lose the next frames on their way to a receiver."""
        self._air.lose(count)

    def reorder(self, count: int) -> None:
        """Let each of the next frames arrive after the one that follows it."""
        self._air.hold_back(count)

    def move_away(self, node: str) -> None:
        """Take a node, named by one of its addresses, out of reach of all others."""
        self._reach.move_away(node)

    def move_back(self, node: str) -> None:
        """Bring a node back to where it was."""
        self._reach.move_back(node)

    def join(self, one: str, other: str) -> None:
        """Let two nodes hear each other, each named by one of its addresses."""
        self._reach.join(one, other)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._socket.getsockname()[1])

    def run(self, is_over: Callable[[], bool] = lambda: False) -> None:
        """Serve until `is_over`, which is asked at least ten times a second."""
        for _ in self.turns(is_over):
            pass

    def turns(self, is_over: Callable[[], bool]) -> Generator[None, None, None]:
        """Serve as `run`, and yield after each turn of the loop."""
        wake_up_in_time()
        while not is_over():
            # Unlike poll and epoll, it does not round up to milliseconds: the air
            # time of a short frame would become twice as long.
            select.select([self._socket], [], [], self._patience_s())
            self._forget_the_gone()
            self._take_all()
            self._end_frames()
            self._deliver_due()
            yield

    def _patience_s(self) -> float:
        next_s = time.monotonic() + 0.1
        if self._deliveries.next_s is not None:
            next_s = min(next_s, self._deliveries.next_s)
        if self._contention is not None and self._contention.next_s is not None:
            next_s = min(next_s, self._contention.next_s)
        return max(next_s - time.monotonic(), 0.0)

    def _take_all(self) -> None:
        # Not without end: what is due has to be delivered in between.
        for _ in range(_TAKEN_AT_ONCE):
            try:
                datagram, sender = self._socket.recvfrom(_DATAGRAM_SIZE_MAX)
            except BlockingIOError:
                return
            except OSError:
                # An error about a datagram of before: the node has gone.
                continue
            self._take(datagram, sender)

    def _take(self, datagram: bytes, sender: Address) -> None:
        # When it came, not when it has been read.
        now_s = time.monotonic()
        try:
            packet = zep.parse(datagram)
        except zep.ZepError:
            self.statistics.malformed += 1
            return
        self._register(sender)
        match packet:
            case zep.Data() if not self._has_room(sender, now_s):
                self.statistics.overflowed += 1
            case zep.Data(psdu=psdu):
                self._sniff(psdu)
                self.statistics.wrong_fcs += packet.has_fcs and not is_intact(psdu)
                self.statistics.frames += 1
                self.statistics.frame_bytes += len(psdu)
                frame = self._learn_source(sender, psdu)
                sent = OnAir(datagram, sender, packet.sequence, frame)
                self._carry(now_s, packet, sent)
            case zep.Ack():
                self.statistics.zep_acks += 1
                receivers = [
                    node
                    for node in self._receivers.others(sender)
                    if self._reach.loss(sender, node) is not None
                ]
                self._put(now_s, Delivery(receivers, datagram))
            case zep.Hello():
                self.statistics.hellos += 1
                self._learn_hello(sender, packet)

    def _carry(self, now_s: float, packet: zep.Data, sent: OnAir[Address]) -> None:
        size = len(packet.psdu)
        if self._contention is None:
            at_s = (
                self._air.carry_ack(now_s, size)
                if sent.is_ack
                else self._air.carry(now_s, size, asks_ack=sent.asks_ack)
            )
            self._ends_s[sent.sender].append(at_s - self._conditions.delay_s)
            self._send_to_others(sent, at_s)
            return
        has_room = self._contention.offer(
            now_s, sent.sender, packet.channel, size, sent, is_ack=sent.is_ack
        )
        self.statistics.overflowed += not has_room

    def _has_room(self, sender: Address, now_s: float) -> bool:
        """Tell whether a node has so few frames waiting that it can send another.

        Otherwise one that sends more than the air carries would occupy it for minutes
        after its end.
        """
        ends_s = self._ends_s.setdefault(sender, deque())
        while ends_s and ends_s[0] <= now_s:
            ends_s.popleft()
        return len(ends_s) < QUEUE_MAX

    def _end_frames(self) -> None:
        """Hand on the frames whose time on the contended air is over."""
        contention = self._contention
        if contention is None:
            return
        for frame in contention.advance(time.monotonic()):
            at_s = frame.end_s + self._conditions.delay_s
            self._send_to_others(frame.content, at_s, frame)
        for frame in contention.given_up():
            # Its radio knows at once.
            self._tell_unanswered(frame.content, time.monotonic())
        self.statistics.access_failures = contention.access_failures

    def _register(self, sender: Address) -> None:
        address = self._nodes.pop(sender, None)
        if address is None:
            self._receivers.note_change()
        self._nodes[sender] = address or packed(sender)
        if len(self._nodes) > NODES_MAX:
            self._forget(next(iter(self._nodes)))
        self.statistics.nodes = len(self._nodes)

    def _sniff(self, psdu: bytes) -> None:
        if self._sniffer is None:
            return
        try:
            self._sniffer.write_psdu(psdu, time.time_ns())
        except BrokenPipeError:
            # Who looked on has seen enough; the nodes have not.
            self._sniffer = None

    def _send_to_others(
        self,
        sent: OnAir[Address],
        at_s: float,
        frame: Transmission[Address] | None = None,
    ) -> None:
        reached = self._receivers.of(sent.sender, self._lost_by_collision(frame))
        self._put(at_s, Delivery(reached.observers, sent.datagram))
        wanting = self._note_answers(sent, at_s, reached.receivers)
        if wanting is not None and self._filtering:
            reached = reached.without(self._filtering.difference(wanting))
        self._put(at_s, Delivery(reached.receivers, sent.datagram, reached.links))

    def _note_answers(
        self, sent: OnAir[Address], at_s: float, receivers: Sequence[Address]
    ) -> Collection[Address] | None:
        """Note which acknowledgement may come now, and tell of those that will not.

        Returns
        -------
        collection
            Nodes that the frame is for; None: it may be for all.
        """
        if sent.is_ack:
            answered = self._expected.answered(sent)
            if answered is None:
                return None
            if answered[0] not in receivers:
                self._put_unanswered(*answered, unanswered.after_ack_s(at_s))
            return answered[:1]
        addressed = self._reach.named(sent.addressee)
        for node in addressed if sent.asks_ack else ():
            if node in receivers:
                self._expected.arrived(sent, node)
            elif node != sent.sender and not self._reach.is_observer(node):
                self._tell_unanswered(sent, unanswered.after_frame_s(at_s))
        return None if sent.is_to_all else addressed

    def _tell_unanswered(self, sent: OnAir[Address], at_s: float) -> None:
        """Tell the sender of a frame that it gets no acknowledgement, if it asked."""
        if sent.asks_ack:
            self._put_unanswered(sent.sender, sent.sequence, at_s)

    def _put_unanswered(self, node: Address, sequence: int, at_s: float) -> None:
        if node in self._asking_unanswered:
            datagram = zep.build(zep.Unanswered(sequence))
            self._put(at_s, Delivery((node,), datagram, is_counted=False))

    def _lost_by_collision(
        self, frame: Transmission[Address] | None
    ) -> Callable[[Address], bool] | None:
        """Return what tells whether a receiver lost a frame; None: nobody did."""
        contention = self._contention
        if frame is None or contention is None or not self._conditions.collisions:
            return None
        if not frame.overlapped:
            return None
        return functools.partial(contention.is_lost, frame)

    def _put(self, at_s: float, delivery: Delivery[Address]) -> None:
        if len(self._deliveries) >= WAITING_MAX:
            self.statistics.overflowed += len(delivery.receivers)
        elif delivery.receivers:
            self._deliveries.put(at_s, delivery)

    def _deliver_due(self) -> None:
        for at_s, delivery in self._deliveries.due(time.monotonic()):
            if delivery.links is None or (
                self._air.is_faultless and not self._held_back
            ):
                self._deliver(delivery)
                continue
            for index in range(len(delivery.receivers)):
                self._deliver_in_turn(at_s, delivery.single(index))

    def _deliver_in_turn(self, at_s: float, delivery: Delivery[Address]) -> None:
        """Deliver a copy of a frame, unless it is held back until the next frame."""
        (receiver,) = delivery.receivers
        held = self._held_back.pop(receiver, None)
        if held is None and self._air.is_held_back():
            self.statistics.reordered += 1
            self._held_back[receiver] = delivery
            # In case that none follows.
            self._put(at_s + _HELD_BACK_S, delivery)
            return
        self._deliver(delivery)
        if held is not None and held is not delivery:
            self._deliver(held)

    def _deliver(self, delivery: Delivery[Address]) -> None:
        delivery.is_done = True
        nodes, receivers = self._nodes, delivery.receivers
        addresses = [nodes.get(node) or packed(node) for node in receivers]
        missing = _core.send_datagram(
            self._socket.fileno(), delivery.datagram, addresses
        )
        if delivery.is_counted:
            self.statistics.deliveries += len(receivers) - len(missing)
        links = delivery.links or ()
        for link in links:
            link.delivered += 1
        if missing:
            # Nodes that have gone got nothing.
            for index in missing[: len(links)]:
                links[index].delivered -= 1
            self._forget_the_gone()

    def _learn_source(self, sender: Address, psdu: bytes) -> _core.RawFrame | None:
        """Learn who a sender is by its frame; return that if it can be read."""
        try:
            frame = _core.parse_frame(psdu[:-FCS_SIZE])
        except FrameError:
            return None
        source = frame.source
        if source.long is not None:
            self._reach.learn(sender, source.long.hex())
        elif source.short is not None and source.short < _SHORT_OF_NOBODY:
            self._reach.learn(sender, f"{source.short:04x}")
        return frame

    def _learn_hello(self, sender: Address, hello: zep.Hello) -> None:
        if hello.wants_unanswered:
            self._asking_unanswered.add(sender)
        if hello.filters:
            self._filtering.add(sender)
        if hello.extended:
            self._reach.learn(sender, hello.extended.hex())
        if 0 < hello.short < _SHORT_OF_NOBODY:
            self._reach.learn(sender, f"{hello.short:04x}")

    def _forget(self, node: Address) -> None:
        if self._nodes.pop(node, None) is not None:
            self._receivers.note_change()
        self._held_back.pop(node, None)
        self._ends_s.pop(node, None)
        self._asking_unanswered.discard(node)
        self._filtering.discard(node)
        self._reach.forget(node)

    def _forget_the_gone(self) -> None:
        """Forget nodes whose sockets were closed, as the kernel reports them."""
        while True:
            try:
                *_, node = self._socket.recvmsg(0, 512, socket.MSG_ERRQUEUE)
            except OSError:
                break
            self._forget(node)
        self.statistics.nodes = len(self._nodes)
