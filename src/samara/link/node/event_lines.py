# SPDX-License-Identifier: Apache-2.0
"""What nodes send and receive as answers: records, and lines for people."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from samara.link.node.alarms import in_words
from samara.link.node.events import (
    Event,
    Incomplete,
    Lost,
    Notice,
    Received,
    Refused,
)
from samara.link.node.message_records import (
    ReceivedMessage,
    SentMessage,
    record_of,
    record_of_sent,
)
from samara.link.node.receipt import Receipt
from samara.link.node.receipt_tables import tables_of
from samara.records import Digest, Line, Octets, Record

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from samara.link.node.sending import Sent

Costed: TypeAlias = Callable[[Receipt], Receipt]
"""Adds figures to a receipt, such as what the message costs on a device."""
EventRecord: TypeAlias = ReceivedMessage | Lost | Incomplete | Refused | Notice
"""The records of events."""


def uncosted(receipt: Receipt) -> Receipt:
    """Return a receipt as it is."""
    return receipt


@dataclass(frozen=True, slots=True)
class MessageDisplay:
    """What is shown of messages."""

    costed: Costed = uncosted
    """Adds figures to receipts."""
    receipt: bool = False
    """Whether people are shown receipts."""
    raw: bool = False
    """Whether people are shown the bytes of messages, unchanged and alone."""


_Result = TypeVar("_Result")


def answers_of(
    waiting: Generator[Event, None, _Result], shown: MessageDisplay
) -> Generator[Digest[Any], None, _Result]:
    """Yield the events of a wait as parts of an answer; return what it ends with."""
    with contextlib.closing(waiting):
        while True:
            try:
                event = next(waiting)
            except StopIteration as done:
                result: _Result = done.value
                return result
            yield answer_of(event, shown)


def answer_of(event: Event, shown: MessageDisplay) -> Digest[Any]:
    """Return an event as a part of an answer."""

    def records() -> Iterator[Record]:
        yield record_of(event, shown.costed)

    def parts() -> Iterator[object]:
        yield from _lines_of(event, raw=shown.raw)
        # A receipt takes longer to make than a line to print.
        if shown.receipt and isinstance(event, Received):
            yield from tables_of(shown.costed(event.receipt))

    return Digest(records(), parts())


def _lines_of(event: Event, *, raw: bool) -> Iterator[Line | Octets]:
    """Yield what people are told of an event."""
    match event:
        case Received():
            yield from _lines_of_message(event, raw=raw)
        case Lost(transmissions):
            of = _of(event.source)
            yield _beside(f"lost: {transmissions} transmissions{of} did not arrive")
        case Incomplete(missing):
            of = _of(event.source)
            yield _beside(
                f"incomplete: {missing} parts of a message{of} did not arrive"
            )
        case Refused():
            yield _beside(in_words(event))
        case Notice(text):
            yield _beside(text)


def _lines_of_message(event: Received, *, raw: bool) -> Iterator[Line | Octets]:
    if event.is_repeated:
        yield _beside(
            f"repeated: the next message{_of(event.source)} (id {event.id}) may have "
            "been printed before"
        )
    if raw:
        yield Octets(event.message)
    else:
        sender = "" if event.source is None else f"{event.source}: "
        # Whoever shows a line escapes what a terminal would obey.
        yield Line(sender + event.message.decode(errors="backslashreplace"))


def answer_of_sent(sent: Sent, shown: MessageDisplay) -> Digest[SentMessage]:
    """Return what became of a message that was sent, as a part of an answer."""

    def records() -> Iterator[SentMessage]:
        yield record_of_sent(sent, shown.costed)

    def parts() -> Iterator[object]:
        if shown.receipt:
            yield from tables_of(shown.costed(sent.receipt))
        else:
            yield Line(_summary(sent) + _of_link(sent))

    return Digest(records(), parts())


def doubts_of(sent: Sent) -> Iterator[str]:
    """Yield why it is not known whether a message left or arrived."""
    if sent.is_acknowledged:
        return
    if sent.device_samples is not None:
        yield (
            f"{sent.device_samples:,} samples handed to the device; samara does not "
            "know whether they left it"
        )
    if sent.frames_missed:
        yield (
            f"no acknowledgement arrived of {sent.frames_missed} of "
            f"{len(sent.transmissions)} frames"
        )


def _beside(text: str) -> Line:
    return Line(text, aside=True)


def _of(source: str | None) -> str:
    return "" if source is None else f" of {source}"


def _of_link(sent: Sent) -> str:
    """Return what the other end's link has acknowledged, if it was asked to."""
    asked = sum(each.asked_for_acknowledgement for each in sent.transmissions)
    if not asked:
        return ""
    repeated = sum(each.carrier.attempts - 1 for each in sent.transmissions)
    return (
        f"; {asked - sent.frames_missed} of {asked} frames acknowledged, "
        f"{repeated} sent again"
    )


def _summary(sent: Sent) -> str:
    receipt = sent.receipt
    is_known = sent.device_samples is None or sent.is_acknowledged
    done = receipt.direction if is_known else "handed to the device"
    expansion = receipt.expansion
    ratio = "" if expansion is None else f", {expansion:.2f} times the message"
    packets = f"{receipt.packets} packet{'' if receipt.packets == 1 else 's'}"
    return (
        f"{done}: {receipt.message_bytes:g} bytes in {packets}, "
        f"{receipt.link_bytes:g} bytes handed to the radio{ratio}"
    )
