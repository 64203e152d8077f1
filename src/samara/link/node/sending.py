# SPDX-License-Identifier: Apache-2.0
"""Sending messages: in parts, and repeated until they are acknowledged."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from samara.errors import MisuseError
from samara.link.node import messages
from samara.link.node.lazy_receipt import LazyReceipt
from samara.link.node.link import BROADCAST, NeighbourError
from samara.link.node.messages import Ack, DeliveryStatus, Part, Restarted, WholeMessage
from samara.link.node.receipt import Direction
from samara.link.node.state import IDS_AHEAD

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from samara.link.node.link import Link, Transmission
    from samara.link.node.messages import Payload
    from samara.link.node.receipt import Receipt
    from samara.link.node.state import Counter

RETRIES = 5
"""How often an acknowledgement is asked for again before giving up."""


class NotAcknowledgedError(MisuseError):
    """No acknowledgement of a message arrived."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that was sent."""

    transmissions: tuple[Transmission, ...]
    """All of them, repetitions included."""
    is_acknowledged: bool
    lazy_receipt: LazyReceipt = field(repr=False, compare=False)
    clock_s: float
    """When the first byte was sent, by `time.monotonic`."""

    @property
    def receipt(self) -> Receipt:
        """What it cost; made when it is first read."""
        return self.lazy_receipt.receipt

    @property
    def frames_missed(self) -> int:
        """Transmissions that the other end's link was to acknowledge, and did not."""
        return sum(each.is_missed for each in self.transmissions)

    @property
    def device_samples(self) -> int | None:
        """Samples that a device took which does not tell whether they left it."""
        taken = [each.carrier.device_samples for each in self.transmissions]
        known = [each for each in taken if each is not None]
        return sum(known) if known else None


class Sender:
    """The sending side of a node.

    Parameters
    ----------
    link
        Carries the payloads.
    ids
        Gives the ids of messages. They are independent of the frame counters, which
        begin anew with each key.
    was_interrupted
        Whether the process before this one left counters unused. Each neighbour is
        told before anything else is sent to it, so that it does not count them as
        lost.
    receive
        Receives for so many seconds, or until something arrives, and calls
        `take_ack` for what is an acknowledgement.
    """

    def __init__(
        self,
        link: Link,
        ids: Counter,
        *,
        was_interrupted: bool,
        receive: Callable[[float], None],
    ) -> None:
        self._link, self._ids = link, ids
        self._last_before = ids.next - 1
        self._last_ids: dict[str | None, int] = {}
        self._was_interrupted = was_interrupted
        self._announced_to: set[str | None] = set()
        self._receive = receive
        self._awaited: tuple[str | None, int] | None = None
        self._ack: Ack | None = None
        self._is_kept = False
        self._ack_sizes: list[int] = []

    def transmit(self, payload: Payload, to: str | None) -> Transmission:
        """Send one payload to a neighbour, or to all."""
        self.announce_restart(to)
        return self._link.send(messages.build(payload), to)

    def send_in_turn(
        self, messages_: Sequence[tuple[bytes, str | None]]
    ) -> Iterator[Transmission]:
        """Send messages of one frame each, without acknowledgement, one at each step.

        A link that can do it secures each of them while the one before is on the air.

        Raises
        ------
        NeighbourError
            When there is no such neighbour.
        """
        for to in {to for _, to in messages_}:
            self.announce_restart(to)
        payloads = [
            (messages.build(WholeMessage(message)), to) for message, to in messages_
        ]
        yield from self._link.send_in_turn(payloads)

    def announce_restart(self, to: str | None) -> None:
        """Tell a neighbour once that counters were left unused, not lost."""
        if self._was_interrupted and to not in self._announced_to:
            self._link.send(messages.build(Restarted()), to)
            self._announced_to.add(to)

    def forget(self, name: str) -> None:
        """Discard what is known of a neighbour that was removed."""
        self._announced_to.discard(name)
        self._last_ids.pop(name, None)

    def skip_ids(self, first: int, source: str | None) -> None:
        """Give no message an id below this one: a neighbour would not take it.

        All neighbours share the ids, and none of them may use them up. It can therefore
        not ask for more than it can have reserved above the last one that it was sent.
        """
        last = self._last_ids.get(source, self._last_before)
        self._ids.skip_to(first, last + 1 + IDS_AHEAD - self._ids.next)

    def take_ack(self, ack: Ack, size: int, source: str | None) -> None:
        """Take an acknowledgement that arrived, and the bytes of its payload."""
        self._ack_sizes.append(size)
        if (source, ack.message_id) != self._awaited:
            return
        if ack.status is DeliveryStatus.WAITING:
            # It is waited for as before: somebody may still take it.
            self._is_kept = True
        else:
            self._ack = ack

    def delivering(
        self, message: bytes, to: str | None, retries: int | None = None
    ) -> Generator[float, None, Sent]:
        """Send a message step by step, in parts if it is long.

        Yields how long to wait before the next step, in seconds: 0 between the parts
        of a message, where nothing is waited for; more when an acknowledgement is
        awaited, and then not after `has_ack` has become true.

        Parameters
        ----------
        retries
            How often to ask again when no acknowledgement arrives; None: none is
            wanted.

        Raises
        ------
        NotAcknowledgedError
            When no acknowledgement arrives, or the other end does not know whether
            it handed the message on.
        NeighbourError
            When there is no such neighbour, or all are meant with an acknowledgement.
        """
        if retries is None:
            return (yield from self._unacknowledged(message, self._link.named(to)))
        if to == BROADCAST:
            text = "a message to all neighbours is not acknowledged: leave that out"
            raise NeighbourError(text)
        to = self._link.named(to)
        start_s = self._begin(to)
        parts = self._parts_of(message, to, wants_ack=True)
        self._awaited, self._ack = (to, parts[0].message_id), None
        self._is_kept = False
        sizes = self._ack_sizes = []
        try:
            sent = yield from self._repeat(parts, to, retries)
        finally:
            self._awaited = None
        return self._sent(message, sent, start_s, sizes, acknowledged=True)

    @property
    def has_ack(self) -> bool:
        """Whether the acknowledgement that is awaited has arrived."""
        return self._ack is not None

    def _unacknowledged(
        self, message: bytes, to: str | None
    ) -> Generator[float, None, Sent]:
        start_s = self._begin(to)
        if messages.fits_whole(message, self._link.payload_size):
            payloads: list[Payload] = [WholeMessage(message)]
        else:
            payloads = [*self._parts_of(message, to, wants_ack=False)]
        sent = []
        for number, payload in enumerate(payloads):
            if number:
                yield 0.0
            sent.append(self.transmit(payload, to))
        return self._sent(message, sent, start_s, [], acknowledged=False)

    def _begin(self, to: str | None) -> float:
        # It is none of the message's own transmissions.
        self.announce_restart(to)
        return time.monotonic()

    def _sent(
        self,
        message: bytes,
        sent: list[Transmission],
        start_s: float,
        ack_sizes: list[int],
        *,
        acknowledged: bool,
    ) -> Sent:
        def receipt() -> Receipt:
            return self._link.receipt(
                Direction.SENT,
                message,
                [each.carrier for each in sent],
                sum(each.time_s for each in sent),
                ack_sizes,
            )

        return Sent(tuple(sent), acknowledged, LazyReceipt(receipt), start_s)

    def _parts_of(
        self, message: bytes, to: str | None, *, wants_ack: bool
    ) -> list[Part]:
        pieces = messages.cut(message, self._link.payload_size)
        message_id = self._ids.take()
        self._last_ids[to] = message_id
        return [
            Part(
                message_id,
                number,
                piece,
                is_last=number == len(pieces) - 1,
                is_acknowledged=wants_ack,
            )
            for number, piece in enumerate(pieces)
        ]

    def _repeat(
        self, parts: list[Part], to: str | None, retries: int
    ) -> Generator[float, None, list[Transmission]]:
        # Some links must be switched to listening before an answer can arrive.
        self._receive(0)
        sent: list[Transmission] = []
        missing, tries_left = [part.number for part in parts], retries
        while True:
            for number in missing:
                part = replace(parts[number], wants_ack=number == missing[-1])
                sent.append(self.transmit(part, to))
                # It is asked for with the last one.
                yield self._link.answer_time_s if part.wants_ack else 0.0
            ack, self._ack = self._ack, None
            if ack is not None and ack.status is DeliveryStatus.DELIVERED:
                return sent
            if ack is not None and ack.status is DeliveryStatus.UNKNOWN:
                message = (
                    "the other node was stopped, or had to drop the message, and does "
                    "not know it; it may have handed the message on"
                )
                raise NotAcknowledgedError(message)
            if ack is not None and ack.missing and ack.missing[-1] < len(parts):
                missing, tries_left = list(ack.missing), retries
            elif tries_left:
                # The part or its acknowledgement was lost; the last part asks again.
                missing, tries_left = [parts[-1].number], tries_left - 1
            else:
                raise self._unanswered(retries)

    def _unanswered(self, retries: int) -> NotAcknowledgedError:
        if self._is_kept:
            message = (
                "the other node keeps the message until somebody listens: nobody has "
                f"taken it yet, asked {retries + 1} times; do not send it again"
            )
        else:
            message = f"no acknowledgement arrived, asked {retries + 1} times"
        return NotAcknowledgedError(message)
