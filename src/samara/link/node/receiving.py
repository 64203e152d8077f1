# SPDX-License-Identifier: Apache-2.0
"""Receiving messages: put together from parts, stored, and acknowledged.

What arrived is stored as taken before it is handed on. An acknowledged message is
confirmed after it was handed on, and the sender repeats it until then.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.link.node import messages
from samara.link.node.bounds import Bounds
from samara.link.node.due import DueReceipt
from samara.link.node.events import (
    TOTAL_OF,
    Event,
    Incomplete,
    Lost,
    Notice,
    Received,
    Refused,
)
from samara.link.node.kinds import LinkError
from samara.link.node.marks import HANDED_ON, TAKEN, mark_of, streams
from samara.link.node.messages import (
    Ack,
    Assembly,
    Outcome,
    Part,
    Restarted,
    Skip,
    Steady,
    Whole,
)
from samara.link.node.receipt import Direction
from samara.link.node.state import CounterEndError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.link.node.kinds import Arrival, Carrier, Link
    from samara.link.node.messages import Payload
    from samara.link.node.receipt import Receipt
    from samara.link.node.sending import Sender
    from samara.link.node.state import State


def _stream_of(arrival: Arrival) -> str | None:
    """Return what the parts and the marks of a sender are kept under."""
    if arrival.source is None:
        return None
    return streams(arrival.source)[arrival.to_all]


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
        self._incoming: dict[str | None, _Incoming] = {}
        self._answers: list[_Answer] = []
        self._counted: Counter[str] = Counter()
        self.bounds = Bounds(link, state, sender.skip_ids)

    def receive(self, timeout_s: float) -> list[Event]:
        """Wait for something to arrive, and store what it changes."""
        batch = self._link.receive(timeout_s)
        events: list[Event] = [Notice(text) for text in batch.notices]
        events += [Refused(reason) for reason in batch.refused]
        if batch.refused:
            self.bounds.note_refused()
        for arrival in batch.arrivals:
            events += self._taken(arrival, batch.numbers)
        self._count(events)
        if batch.numbers:
            # What was only refused is stored with what comes next: a flood of
            # forgeries must not keep the disk busy.
            totals = {name: self._total(name) for name in self._counted}
            before = self._state.durable_writes
            self._state.advance(batch.numbers, self.bounds.ahead(), totals)
            self._counted.clear()
            if self._state.durable_writes > before:
                for source in {each.source for each in batch.arrivals}:
                    self.bounds.note_stored(source)
        return events

    def forget(self, name: str) -> None:
        """Drop what a neighbour has sent that is no neighbour any more."""
        for stream in streams(name):
            self._incoming.pop(stream, None)
        self._answers = [each for each in self._answers if each.to != name]
        self.bounds.forget(name)

    def confirm(self) -> list[Event]:
        """Acknowledge what was handed on: first on disk, then to the sender."""
        return [*self._tell_bounds(), *self._confirm()]

    def _tell_bounds(self) -> list[Event]:
        try:
            for source, payload in self.bounds.due():
                self._sender.transmit(payload, source)
        except (LinkError, CounterEndError) as error:
            return [Notice(f"a neighbour was not told about counters: {error}")]
        return []

    def _confirm(self) -> list[Event]:
        if not self._answers:
            return []
        self._store_handed_on()
        # The last answer for each message suffices.
        answers = {(each.to, each.ack.message_id): each for each in self._answers}
        self._answers = []
        events: list[Event] = []
        for answer in answers.values():
            try:
                self._sender.transmit(self._fitting(answer.ack), answer.to)
            except (LinkError, CounterEndError) as error:
                # The sender asks again when the link is back, or under a new key.
                events.append(Notice(f"a message was not acknowledged: {error}"))
        return events

    def _store_handed_on(self) -> None:
        handed_on: dict[str, int] = {}
        for answer in self._answers:
            name, number = mark_of(HANDED_ON, answer.to), answer.ack.message_id
            if answer.ack.outcome is not Outcome.DELIVERED:
                continue
            if number > self._mark(name, handed_on):
                handed_on[name] = number
        if not handed_on:
            return
        if all(self.bounds.is_steady(each.to) for each in self._answers):
            # After a power failure the answer is that it is not known.
            self._state.advance({}, noted=handed_on)
        else:
            self._state.store(handed_on)

    def _fitting(self, answer: Ack) -> Ack:
        return messages.shortened(answer, self._link.payload_size)

    def _taken(self, arrival: Arrival, numbers: dict[str, int]) -> list[Event]:
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
            case Whole(message):
                events.append(self._handed_on(message, [arrival.carrier], arrival))
            case Part():
                events += self._part_taken(payload, arrival, numbers)
            case Ack() if arrival.to_all:
                # Any member of the group could confirm for another.
                events.append(Refused("an acknowledgement to all"))
            case Ack():
                self._sender.take_ack(payload, len(arrival.payload), arrival.source)
        return events

    def _note_bounds(self, payload: Payload, arrival: Arrival) -> None:
        # Of what goes to all, any member of the group could be the sender.
        if isinstance(payload, Skip | Steady) and not arrival.to_all:
            self.bounds.take(payload, arrival.source)

    def _part_taken(
        self, part: Part, arrival: Arrival, numbers: dict[str, int]
    ) -> list[Event]:
        if arrival.to_all and part.is_acknowledged:
            return [Refused("a message to all that asks for an acknowledgement")]
        source = _stream_of(arrival)
        if part.message_id <= self._mark(mark_of(TAKEN, source), numbers):
            return self._part_of_before(part, source, numbers)
        incoming, events = self._incoming_of(part, source)
        incoming.assembly.add(part)
        incoming.carriers.append(arrival.carrier)
        if incoming.assembly.is_complete:
            del self._incoming[source]
            numbers[mark_of(TAKEN, source)] = part.message_id
            message = incoming.assembly.message()
            if part.is_acknowledged:
                delivered = Ack(part.message_id, Outcome.DELIVERED)
                incoming.answers.append(self._answered(delivered, source))
            events.append(
                self._handed_on(message, incoming.carriers, arrival, incoming.answers)
            )
        elif part.wants_ack:
            missing = incoming.assembly.missing()
            asked = Ack(part.message_id, Outcome.INCOMPLETE, missing)
            incoming.answers.append(self._answered(asked, source))
        return events

    def _part_of_before(
        self, part: Part, source: str | None, numbers: dict[str, int]
    ) -> list[Event]:
        """Answer for a message that was received before, or may have been."""
        is_uncertain = self._is_uncertain(source)
        if is_uncertain and (part.wants_ack or part.is_last):
            self.bounds.note_unknown(source)
        if part.wants_ack:
            # The acknowledgement did not arrive.
            known = self._known(part.message_id, source, numbers)
            self._answers.append(_Answer(source, known))
        elif is_uncertain and not part.is_acknowledged:
            return [Refused("a part of a message that may have been received")]
        return []

    def _is_uncertain(self, source: str | None) -> bool:
        """Whether a bound takes the place of the highest id that was received."""
        return self._state.skipped(mark_of(TAKEN, source)) is not None

    def _incoming_of(
        self, part: Part, source: str | None
    ) -> tuple[_Incoming, list[Event]]:
        """Return the message that a part belongs to, and what it displaces.

        Each neighbour has one message under way, so that neighbours which send at the
        same time do not displace each other's, and there are no more than neighbours.
        """
        before = self._incoming.get(source)
        if before is not None and before.assembly.message_id == part.message_id:
            return before, []
        self._incoming[source] = begun = _Incoming(Assembly(part.message_id), [], [])
        if before is None:
            return begun, []
        missing = len(before.assembly.missing()) or 1
        # Without what tells messages to all apart: names have no spaces.
        return begun, [Incomplete(missing, source and source.partition(" ")[0])]

    def _answered(self, ack: Ack, to: str | None) -> int:
        """Plan the answer to a part, and return the bytes of its payload."""
        self._answers.append(_Answer(to, ack))
        return len(messages.build(self._fitting(ack)))

    def _handed_on(
        self,
        message: bytes,
        carriers: list[Carrier],
        arrival: Arrival,
        answers: Sequence[int] = (),
    ) -> Received:
        def receipt() -> Receipt:
            return self._link.receipt(
                Direction.RECEIVED, message, carriers, arrival.delivery_s, answers
            )

        due = DueReceipt(receipt)
        return Received(
            message,
            due,
            arrival.source,
            tuple(carriers),
            time.monotonic(),
            to_all=arrival.to_all,
        )

    def _mark(self, name: str, numbers: Mapping[str, int]) -> int:
        stored = self._state.get(name)
        return numbers.get(name, -1 if stored is None else stored)

    def _known(
        self, message_id: int, source: str | None, numbers: Mapping[str, int]
    ) -> Ack:
        """Return the answer for a message that was taken before."""
        is_due = any(
            (each.to, each.ack.message_id) == (source, message_id)
            for each in self._answers
        )
        if is_due or message_id <= self._mark(mark_of(HANDED_ON, source), numbers):
            return Ack(message_id, Outcome.DELIVERED)
        return Ack(message_id, Outcome.UNKNOWN)

    def _count(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Notice):
                continue
            count = event.transmissions if isinstance(event, Lost) else 1
            self._counted[TOTAL_OF[type(event)]] += count

    def _total(self, name: str) -> int:
        return (self._state.get(name) or 0) + self._counted[name]
