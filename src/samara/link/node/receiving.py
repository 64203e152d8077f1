# SPDX-License-Identifier: Apache-2.0
"""Receiving messages: put together from parts, stored, and acknowledged.

What arrived is stored as received before it is handed on. An acknowledged message is
confirmed after it was handed on, and the sender repeats it until then.

What `Receiver.receive` returns counts as handed on when `Receiver.confirm` is called.
After `Receiver.keep`, messages wait in the inbox of the node instead
(`samara.link.node.inbox`), and count as handed on when `Receiver.taken` is called.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.link.node import messages
from samara.link.node.bounds import Bounds
from samara.link.node.events import (
    TOTAL_OF,
    Alarm,
    Event,
    Incomplete,
    Lost,
    Notice,
    Received,
    Refused,
)
from samara.link.node.inbox import Cost, Inbox
from samara.link.node.link import LinkError
from samara.link.node.messages import (
    Ack,
    Assembly,
    DeliveryStatus,
    Part,
    Restarted,
    Skip,
    Steady,
    WholeMessage,
)
from samara.link.node.quantities import Number, Value
from samara.link.node.state import CounterEndError
from samara.link.node.streams import Stream, streams

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.link.node.carriers import Carrier
    from samara.link.node.inbox import InboxMessage
    from samara.link.node.link import Arrival, Link
    from samara.link.node.messages import Payload
    from samara.link.node.sending import Sender
    from samara.link.node.state import State


@dataclass(slots=True)
class _Incoming:
    """A message in parts, of which some have arrived."""

    assembly: Assembly
    carriers: list[Carrier]
    answers: list[int]
    """Bytes of each payload that tells the sender which parts are missing."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """An acknowledgement, and the neighbour that it is for."""

    to: str | None
    ack: Ack
    is_awaited: bool = True
    """Whether the neighbour was heard to ask; otherwise it is only stored."""


class Receiver:
    """The receiving side of a node.

    Parameters
    ----------
    link
        Brings the payloads.
    state
        Stores what was taken, before it is handed on.
    sender
        Sends acknowledgements, and gets those that arrive.
    """

    def __init__(self, link: Link, state: State, sender: Sender) -> None:
        self._link, self._state, self._sender = link, state, sender
        self._incoming: dict[Stream, _Incoming] = {}
        self._answers: list[_Answer] = []
        self._asked: dict[str | None, int] = {}
        self._inbox = Inbox(state, link)
        self._new: list[InboxMessage] = []
        self._out: list[str] = []
        self._counted: Counter[Number] = Counter()
        self.keeps = False
        """Whether messages wait in the inbox until they are taken."""
        self.bounds = Bounds(link, state, sender.skip_ids)

    def keep(self) -> Inbox:
        """Keep messages in the inbox from now on, until `taken` is called."""
        self._inbox.make_table()
        self.keeps = True
        return self._inbox

    def taken(self, name: str) -> None:
        """Note that a message was handed on; `confirm` stores and acknowledges it."""
        self._out.append(name)

    def left(self) -> list[Event]:
        """Return what a process before this one has received and nobody has taken.

        It counts as handed on when `confirm` is called.
        """
        if self.keeps:
            return []
        left = [each.hand_out() for each in self._inbox if not each.is_out]
        self._out += [str(each.id) for each in left]
        return [*left]

    def receive(self, timeout_s: float) -> list[Event]:
        """Wait for something to arrive, and store what it changes."""
        batch = self._link.receive(timeout_s)
        events: list[Event] = [Notice(text) for text in batch.notices]
        events += batch.refused
        if batch.refused:
            self.bounds.note_refused()
        for arrival in batch.arrivals:
            events += self._taken(arrival, batch.numbers)
        self._count(events)
        if batch.numbers or self._inbox.is_changed:
            # What was only refused is stored with what comes next: a flood of
            # forgeries must not keep the disk busy.
            totals = {number: self._total(number) for number in self._counted}
            before = self._state.durable_writes
            also = self._inbox.write if self._inbox.is_changed else None
            self._state.advance(batch.numbers, self.bounds.ahead(), totals, also=also)
            self._inbox.stored()
            self._counted.clear()
            if self._state.durable_writes > before:
                for source in {each.source for each in batch.arrivals}:
                    self.bounds.note_stored(source)
        return events

    def forget(self, name: str) -> None:
        """Discard all that is under way from or to a neighbour that was removed.

        These are its incomplete messages, what it wants acknowledged, and answers to
        it. What is in the inbox stays there, but is not acknowledged.
        """
        for stream in streams(name):
            self._incoming.pop(stream, None)
        self._asked.pop(name, None)
        self._inbox.forget(name)
        self._answers = [each for each in self._answers if each.to != name]
        self.bounds.forget(name)

    def confirm(self) -> list[Event]:
        """Store that messages were handed on, then acknowledge them to the senders."""
        return [*self._tell_bounds(), *self._confirm()]

    def _tell_bounds(self) -> list[Event]:
        try:
            for source, payload in self.bounds.announcements():
                self._sender.transmit(payload, source)
        except (LinkError, CounterEndError) as error:
            return [Notice(f"a neighbour was not told about counters: {error}")]
        return []

    def _confirm(self) -> list[Event]:
        self._answer_taken()
        self._answer_new()
        self._store_handed_on()
        # The last answer for each message suffices.
        answers = {(each.to, each.ack.message_id): each for each in self._answers}
        self._answers = []
        events: list[Event] = []
        for answer in answers.values():
            if not answer.is_awaited:
                continue
            try:
                self._sender.transmit(self._fitting(answer.ack), answer.to)
            except (LinkError, CounterEndError) as error:
                # The sender asks again when the link is back, or under a new key.
                events.append(Notice(f"a message was not acknowledged: {error}"))
        return events

    def _answer_taken(self) -> None:
        """Remove what was taken from the inbox, and plan its acknowledgement."""
        for name in self._out:
            kept = self._inbox.take(name)
            if kept is None or kept.asked is None:
                continue
            source = kept.event.source
            # A sender waits for the answer about its last message only.
            is_awaited = self._asked.get(source) == kept.asked
            delivered = Ack(kept.asked, DeliveryStatus.DELIVERED)
            self._answers.append(_Answer(source, delivered, is_awaited))
        self._out.clear()

    def _answer_new(self) -> None:
        """Plan to tell who has sent a message that nobody is there to take it."""
        for kept in self._new:
            asked, source = kept.asked, kept.event.source
            if asked is not None and not kept.is_out and self._inbox.has(source, asked):
                self._answers.append(
                    _Answer(source, Ack(asked, DeliveryStatus.WAITING))
                )
        self._new.clear()

    def _store_handed_on(self) -> None:
        handed_on: dict[Number, int] = {}
        for answer in self._answers:
            number, message_id = Stream(answer.to).handed_on, answer.ack.message_id
            if answer.ack.status is not DeliveryStatus.DELIVERED:
                continue
            if message_id > self._latest(number, handed_on):
                handed_on[number] = message_id
        if not handed_on and not self._inbox.is_changed:
            return
        also = self._inbox.write if self._inbox.is_changed else None
        if not handed_on or all(self.bounds.is_steady(e.to) for e in self._answers):
            # After a power failure the answer is that it is not known.
            self._state.advance({}, volatile=handed_on, also=also)
        else:
            self._state.store(handed_on, also=also)
        self._inbox.stored()

    def _fitting(self, answer: Ack) -> Ack:
        return messages.shortened(answer, self._link.payload_size)

    def _taken(
        self, arrival: Arrival, numbers: dict[Number, int | Value]
    ) -> list[Event]:
        """Return what an arrival means; what must be stored goes to `numbers`."""
        try:
            payload = messages.parse(arrival.payload)
        except messages.PayloadError as error:
            return [Refused(str(error))]
        self._note_bounds(payload, arrival)
        if isinstance(payload, Restarted | Skip):
            return []
        events: list[Event] = []
        if arrival.lost_before:
            events.append(Lost(arrival.lost_before, arrival.source))
        match payload:
            case WholeMessage(message):
                events += self._handed_on(message, [arrival.carrier], arrival)
            case Part():
                events += self._part_taken(payload, arrival, numbers)
            case Ack() if arrival.to_all:
                # Any member of the group could confirm for another.
                reason = "an acknowledgement to all"
                events.append(Refused(reason, Alarm.GROUP_KEY))
            case Ack():
                self._sender.take_ack(payload, len(arrival.payload), arrival.source)
        return events

    def _note_bounds(self, payload: Payload, arrival: Arrival) -> None:
        # Of what goes to all, any member of the group could be the sender.
        if isinstance(payload, Skip | Steady) and not arrival.to_all:
            self.bounds.take(payload, arrival.source)

    def _part_taken(
        self, part: Part, arrival: Arrival, numbers: dict[Number, int | Value]
    ) -> list[Event]:
        if arrival.to_all and part.is_acknowledged:
            reason = "a message to all that asks for an acknowledgement"
            return [Refused(reason, Alarm.GROUP_KEY)]
        stream = Stream(arrival.source, to_all=arrival.to_all)
        if part.message_id <= self._latest(stream.taken, numbers):
            return self._part_of_before(part, stream, numbers)
        incoming, events = self._incoming_of(part, stream)
        incoming.assembly.add(part)
        incoming.carriers.append(arrival.carrier)
        if incoming.assembly.is_complete:
            del self._incoming[stream]
            numbers[stream.taken] = part.message_id
            asked = part.message_id if part.is_acknowledged else None
            events += self._handed_on(
                incoming.assembly.message(),
                incoming.carriers,
                arrival,
                incoming.answers,
                asked,
            )
        elif part.wants_ack:
            missing = incoming.assembly.missing()
            incomplete = Ack(part.message_id, DeliveryStatus.INCOMPLETE, missing)
            incoming.answers.append(self._answered(incomplete, stream.source))
        return events

    def _part_of_before(
        self, part: Part, stream: Stream, numbers: Mapping[Number, int | Value]
    ) -> list[Event]:
        """Answer for a message that was received before, or may have been."""
        is_uncertain = self._is_uncertain(stream)
        if is_uncertain and (part.wants_ack or part.is_last):
            self.bounds.note_unknown(stream.source)
        if part.wants_ack:
            # The acknowledgement did not arrive.
            known = self._known(part.message_id, stream, numbers)
            self._answers.append(_Answer(stream.source, known))
        elif is_uncertain and not part.is_acknowledged:
            return [Refused("a part of a message that may have been received")]
        return []

    def _is_uncertain(self, stream: Stream) -> bool:
        """Whether a bound takes the place of the highest id that was received."""
        return self._state.skipped(stream.taken) is not None

    def _incoming_of(self, part: Part, stream: Stream) -> tuple[_Incoming, list[Event]]:
        """Return the message that a part belongs to, and what it displaces.

        Each neighbour has one message under way, so that neighbours which send at the
        same time do not displace each other's, and there are no more than neighbours.
        """
        before = self._incoming.get(stream)
        if before is not None and before.assembly.message_id == part.message_id:
            return before, []
        self._incoming[stream] = begun = _Incoming(Assembly(part.message_id), [], [])
        if before is None:
            return begun, []
        missing = len(before.assembly.missing()) or 1
        return begun, [Incomplete(missing, stream.source)]

    def _answered(self, ack: Ack, to: str | None) -> int:
        """Plan the answer to a part, and return the bytes of its payload."""
        self._answers.append(_Answer(to, ack))
        return len(messages.build(self._fitting(ack)))

    def _handed_on(
        self,
        message: bytes,
        carriers: Sequence[Carrier],
        arrival: Arrival,
        answers: Sequence[int] = (),
        asked: int | None = None,
    ) -> list[Event]:
        """Return a message, or the one that was taken into the inbox."""
        delivered = [] if asked is None else [Ack(asked, DeliveryStatus.DELIVERED)]
        sizes = [len(messages.build(self._fitting(each))) for each in delivered]
        cost = Cost(tuple(carriers), arrival.delivery_s, (*answers, *sizes))
        event = Received(
            message,
            cost.receipt(self._link, message),
            arrival.source,
            cost.carriers,
            time.monotonic(),
            to_all=arrival.to_all,
        )
        if self.keeps:
            return self._kept(event, cost, asked)
        self._answers += [_Answer(arrival.source, each) for each in delivered]
        return [event]

    def _kept(self, event: Received, cost: Cost, asked: int | None) -> list[Event]:
        was_full = self._inbox.dropped > 0
        kept = self._inbox.keep(event, cost, asked)
        if asked is not None:
            self._asked[event.source] = asked
            self._new.append(kept)
        if was_full or not self._inbox.dropped:
            return [kept.event]
        text = (
            f"{len(self._inbox):,} messages wait and nobody takes them: from now on, "
            "the oldest is dropped for each new one"
        )
        return [kept.event, Notice(text)]

    def _latest(self, number: Number, numbers: Mapping[Number, int | Value]) -> int:
        if number in numbers:
            return Value.of(numbers[number]).value
        stored = self._state.get(number)
        return -1 if stored is None else stored

    def _known(
        self, message_id: int, stream: Stream, numbers: Mapping[Number, int | Value]
    ) -> Ack:
        """Return the answer for a message that was taken before."""
        if not stream.to_all and self._inbox.has(stream.source, message_id):
            self._asked[stream.source] = message_id
            return Ack(message_id, DeliveryStatus.WAITING)
        delivered = Ack(message_id, DeliveryStatus.DELIVERED)
        is_due = any(
            (each.to, each.ack) == (stream.source, delivered) for each in self._answers
        )
        # Only the last one: those before it may have been dropped.
        if is_due or message_id == self._latest(stream.handed_on, numbers):
            return delivered
        return Ack(message_id, DeliveryStatus.UNKNOWN)

    def _count(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Notice):
                continue
            count = event.transmissions if isinstance(event, Lost) else 1
            self._counted[TOTAL_OF[type(event)]] += count

    def _total(self, number: Number) -> int:
        return (self._state.get(number) or 0) + self._counted[number]
