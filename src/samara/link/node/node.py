# SPDX-License-Identifier: Apache-2.0
"""A node: one end of a link, with its keys and counters.

What arrived is stored as taken before it is handed on: a message is handed on
at most once, whenever this process is killed. An acknowledged one is confirmed
after that, and the sender repeats it until then.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from samara.errors import MisuseError
from samara.link.node import folder as folders
from samara.link.node import messages, rekeying
from samara.link.node.kinds import End, LinkError, kind, run_options
from samara.link.node.messages import Ack, Assembly, Outcome, Part, Restarted, Whole
from samara.link.node.options import check_known
from samara.link.node.receipt import Direction
from samara.link.node.state import RESERVED_AHEAD, State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from samara.link.node.kinds import Arrival, Carrier, Link, Transmission
    from samara.link.node.receipt import Receipt

RETRIES = 5
"""How often an acknowledgement is asked for again before giving up."""

# The last acknowledged message that was taken, and that was handed on.
_TAKEN, _HANDED_ON = "message taken", "message handed on"


class NotAcknowledgedError(MisuseError):
    """The other end did not say that it has the message."""


@dataclass(frozen=True, slots=True)
class Received:
    """A message."""

    message: bytes
    receipt: Receipt
    carriers: tuple[Carrier, ...]
    """What it arrived as."""
    clock_s: float
    """When it was complete, by `time.monotonic`."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Transmissions that did not arrive: as many messages, if each was one."""

    transmissions: int


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A message of which only some parts arrived."""

    missing: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that is not genuine, not new, or not for this node."""

    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that happened to the link itself."""

    text: str


Event = Received | Lost | Incomplete | Refused | Notice

_TOTAL_OF: Mapping[type[Event], str] = {
    Received: "received",
    Lost: "lost",
    Incomplete: "incomplete",
    Refused: "refused",
}
TOTALS = tuple(_TOTAL_OF.values())
"""Names of the numbers that tell how many of each there were so far."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that is on its way, or there."""

    transmissions: tuple[Transmission, ...]
    """All of them, repetitions included."""
    is_acknowledged: bool
    receipt: Receipt
    clock_s: float
    """When the first byte went out, by `time.monotonic`."""


@dataclass(slots=True)
class _Incoming:
    """A message in parts: what is there, and what it took."""

    assembly: Assembly
    carriers: list[Carrier]
    answers: list[int]
    """Bytes of each payload that tells the sender how far this is."""


class Node:
    """One end of a link.

    Parameters
    ----------
    folder
        What `samara.link.node.folder` made.
    where
        Where the link is, if not where the folder's settings say.
    reserved_ahead
        How many counter values one durable write reserves.

    Raises
    ------
    MisuseError
        When the folder, its state, or what carries the link cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        where: Mapping[str, Any] | None = None,
        reserved_ahead: int = RESERVED_AHEAD,
    ) -> None:
        rekeying.finish(folder)
        described = folders.read(folder)
        chosen = kind(described.link)
        where = where or {}
        known = [option.name for option in run_options(chosen)]
        check_known(f"a node of {described.link}", known, where)
        end = End({**described.end.settings, **where}, described.end.keys)
        chosen.check(end.settings, end.keys)
        # The keys that were read are used only with the counters of the same
        # identity: the node may have been given new ones in between.
        self.state = State(folder, reserved_ahead, described.identity)
        try:
            self.link: Link = chosen.open(end, self.state)
        except BaseException:
            self.state.close()
            raise
        self.warning = folders.warning_of(described.link, end)
        """What a user of this link is to be warned of, if anything."""
        self._has_to_say_restarted = self.state.was_interrupted
        self._incoming: _Incoming | None = None
        self._answers: list[Ack] = []
        self._acks: dict[int, Ack] = {}
        self._answers_heard: list[int] = []
        self._events: list[Event] = []
        self._counted: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Confirm what was handed on, and end in good order."""
        try:
            if not self._events:
                self._answer()
        finally:
            try:
                self.link.close()
            finally:
                self.state.close()

    # Sending.

    def send(
        self,
        message: bytes,
        *,
        acknowledged: bool = False,
        retries: int = RETRIES,
        hand_on: Callable[[Event], None] | None = None,
    ) -> Sent:
        """Send a message of at most 1 MiB.

        Parameters
        ----------
        acknowledged
            Wait until the other end says that it has handed the message on, and
            repeat what it misses.
        retries
            How often to ask again without an answer.
        hand_on
            Given what arrives during the wait, which is then confirmed. Without
            it, `receive` returns that later: two nodes that wait for each
            other's acknowledgement would then wait in vain.

        Raises
        ------
        NotAcknowledgedError
            When there was no answer, or it was that nobody knows.
        MisuseError
            When it cannot be sent; `samara.link.node.state` tells why.
        """
        self._say_restarted()
        self._answers_heard = []
        start_s = time.monotonic()
        if not acknowledged and messages.fits_whole(message, self.link.payload_size):
            sent = [self.link.send(messages.build(Whole(message)))]
        else:
            parts = self._parts_of(message, acknowledged=acknowledged)
            sent = (
                self._send_until_acknowledged(parts, retries, hand_on)
                if acknowledged
                else [self.link.send(messages.build(part)) for part in parts]
            )
        receipt = self.link.receipt(
            Direction.SENT,
            message,
            [each.carrier for each in sent],
            sum(each.time_s for each in sent),
            self._answers_heard,
        )
        return Sent(tuple(sent), acknowledged, receipt, start_s)

    def _say_restarted(self) -> None:
        """Tell once that counters were left unused, not lost."""
        if self._has_to_say_restarted:
            self.link.send(messages.build(Restarted()))
            self._has_to_say_restarted = False

    def _parts_of(self, message: bytes, *, acknowledged: bool) -> list[Part]:
        pieces = messages.cut(message, self.link.payload_size)
        message_id = self.link.next_counter()
        return [
            Part(
                message_id,
                number,
                piece,
                is_last=number == len(pieces) - 1,
                is_acknowledged=acknowledged,
            )
            for number, piece in enumerate(pieces)
        ]

    def _send_until_acknowledged(
        self,
        parts: list[Part],
        retries: int,
        hand_on: Callable[[Event], None] | None,
    ) -> list[Transmission]:
        # A link that has to be told to listen does so before there is an answer.
        self._events += self._received(0)
        sent: list[Transmission] = []
        missing, tries_left = [part.number for part in parts], retries
        while True:
            for number in missing:
                part = replace(parts[number], wants_ack=number == missing[-1])
                sent.append(self.link.send(messages.build(part)))
            ack = self._await_ack(parts[0].message_id, hand_on)
            if ack is not None and ack.outcome is Outcome.DELIVERED:
                return sent
            if ack is not None and ack.outcome is Outcome.UNKNOWN:
                message = (
                    "the other end was stopped while it took the message; it may "
                    "have handed it on"
                )
                raise NotAcknowledgedError(message)
            if ack is not None and ack.missing and ack.missing[-1] < len(parts):
                missing, tries_left = list(ack.missing), retries
            elif tries_left:
                # Either was lost; the last part asks again.
                missing, tries_left = [parts[-1].number], tries_left - 1
            else:
                message = f"no acknowledgement arrived, asked {retries + 1} times"
                raise NotAcknowledgedError(message)

    def _await_ack(
        self, message_id: int, hand_on: Callable[[Event], None] | None
    ) -> Ack | None:
        end_s = time.monotonic() + self.link.answer_time_s
        while (left_s := end_s - time.monotonic()) > 0:
            self._events += self._received(left_s)
            if hand_on is not None:
                self._hand_on(hand_on)
            if ack := self._acks.pop(message_id, None):
                return ack
        return None

    def _hand_on(self, hand_on: Callable[[Event], None]) -> None:
        events, self._events = self._events, []
        for event in events:
            hand_on(event)
        self._answer()

    # Receiving.

    def receive(self, timeout_s: float) -> list[Event]:
        """Wait for something to arrive; return at once when it has.

        What was returned before counts as handed on: it is confirmed first.

        Raises
        ------
        StateError
            When it could not be stored; it is then not handed on.
        LinkError
            When nothing will arrive.
        """
        if self._events:
            # Of before, and not handed on: to be confirmed the next time.
            events, self._events = self._events, []
            return events
        self._answer()
        events, self._events = self._events, []
        return events + self._received(0 if events else timeout_s)

    def _received(self, timeout_s: float) -> list[Event]:
        batch = self.link.receive(timeout_s)
        events: list[Event] = [Notice(text) for text in batch.notices]
        events += [Refused(reason) for reason in batch.refused]
        for arrival in batch.arrivals:
            events += self._taken(arrival, batch.numbers)
        self._count(events)
        if batch.numbers:
            # What was only refused is counted with what comes next: a flood of
            # forgeries is not to keep the disk busy.
            totals = {name: self._total(name) for name in self._counted}
            self.state.store({**batch.numbers, **totals})
            self._counted.clear()
        return events

    def _taken(self, arrival: Arrival, numbers: dict[str, int]) -> list[Event]:
        """Return what an arrival means; what must be stored goes to `numbers`."""
        try:
            payload = messages.parse(arrival.payload)
        except messages.PayloadError as error:
            return [Refused(str(error))]
        if isinstance(payload, Restarted):
            return []
        events: list[Event] = []
        if arrival.lost_before:
            events.append(Lost(arrival.lost_before))
        match payload:
            case Whole(message):
                events.append(self._handed_on(message, [arrival.carrier], arrival))
            case Part():
                events += self._part_taken(payload, arrival, numbers)
            case Ack():
                self._acks[payload.message_id] = payload
                self._answers_heard.append(len(arrival.payload))
        return events

    def _part_taken(
        self, part: Part, arrival: Arrival, numbers: dict[str, int]
    ) -> list[Event]:
        if part.message_id <= self._mark(_TAKEN, numbers):
            # A duplicate: the acknowledgement did not arrive.
            if part.wants_ack:
                self._answers.append(self._known(part.message_id, numbers))
            return []
        events: list[Event] = []
        incoming = self._incoming
        if incoming is None or incoming.assembly.message_id != part.message_id:
            if incoming is not None:
                events.append(Incomplete(len(incoming.assembly.missing()) or 1))
            incoming = _Incoming(Assembly(part.message_id), [], [])
            self._incoming = incoming
        incoming.assembly.add(part)
        incoming.carriers.append(arrival.carrier)
        missing = incoming.assembly.missing()
        if incoming.assembly.is_complete:
            self._incoming = None
            numbers[_TAKEN] = part.message_id
            message = incoming.assembly.message()
            if part.is_acknowledged:
                incoming.answers.append(self._answered(part, Outcome.DELIVERED))
            events.append(
                self._handed_on(message, incoming.carriers, arrival, incoming.answers)
            )
        elif part.wants_ack:
            incoming.answers.append(self._answered(part, Outcome.INCOMPLETE, missing))
        return events

    def _answered(
        self, part: Part, outcome: Outcome, missing: tuple[int, ...] = ()
    ) -> int:
        """Have a part's message answered, and return the bytes of that."""
        answer = Ack(part.message_id, outcome, missing)
        self._answers.append(answer)
        return len(messages.build(messages.shortened(answer, self.link.payload_size)))

    def _handed_on(
        self,
        message: bytes,
        carriers: list[Carrier],
        arrival: Arrival,
        answers: Sequence[int] = (),
    ) -> Received:
        receipt = self.link.receipt(
            Direction.RECEIVED, message, carriers, arrival.delivery_s, answers
        )
        return Received(message, receipt, tuple(carriers), time.monotonic())

    def _mark(self, name: str, numbers: Mapping[str, int]) -> int:
        stored = self.state.get(name)
        return numbers.get(name, -1 if stored is None else stored)

    def _known(self, message_id: int, numbers: Mapping[str, int]) -> Ack:
        """Answer for a message that was taken before."""
        is_due = any(answer.message_id == message_id for answer in self._answers)
        if is_due or message_id <= self._mark(_HANDED_ON, numbers):
            return Ack(message_id, Outcome.DELIVERED)
        return Ack(message_id, Outcome.UNKNOWN)

    def _answer(self) -> None:
        """Confirm what was handed on: first on disk, then to the sender."""
        if not self._answers:
            return
        delivered = [
            answer.message_id
            for answer in self._answers
            if answer.outcome is Outcome.DELIVERED
        ]
        if delivered and max(delivered) > self._mark(_HANDED_ON, {}):
            self.state.store({_HANDED_ON: max(delivered)})
        self._say_restarted()
        # The last word on each message suffices.
        answers = {answer.message_id: answer for answer in self._answers}
        self._answers = []
        for answer in answers.values():
            fitting = messages.shortened(answer, self.link.payload_size)
            try:
                self.link.send(messages.build(fitting))
            except LinkError as error:
                # The sender asks again when the link is back.
                self._events.append(Notice(f"a message was not confirmed: {error}"))

    def _count(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Notice):
                continue
            name, count = _TOTAL_OF[type(event)], 1
            if isinstance(event, Lost):
                count = event.transmissions
            self._counted[name] += count

    def _total(self, name: str) -> int:
        return (self.state.get(name) or 0) + self._counted[name]
