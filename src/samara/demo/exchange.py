# SPDX-License-Identifier: Apache-2.0
"""What a demonstration gives: messages that crossed, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Protocol

from samara.link.node.receipt_record import ReceiptRecord
from samara.link.node.receipt_tables import tables_of, text_of
from samara.records import Field, Line, Record, Remark, record_class

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.demo.processes import Supervisor
    from samara.link.node.receipt import Receipt
    from samara.records.tables import Table


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message that one node sent and the other one got."""

    case: str
    """Which of the link's cases it is: a framing, a level."""
    message: bytes
    arrived: bytes | None
    """What was handed on; None when nothing was."""
    air: bytes
    """What could be heard."""
    sent: Receipt
    received: Receipt | None
    attempts: int = 1
    """How often it was sent until it crossed, the last time."""
    runs: int = 1
    """How many runs what the clock says is the median of."""

    @property
    def crossed(self) -> bool:
        """Whether the message is at the other end, unchanged."""
        return self.arrived == self.message

    def record(self) -> ExchangeRecord:
        """Return what programs get of it."""
        return ExchangeRecord(
            link=self.sent.link,
            case=self.case,
            message_bytes=len(self.message),
            crossed=self.crossed,
            attempts=self.attempts,
            runs=self.runs,
            air=self.air.hex(),
            sent=self.sent.record(),
            received=None if self.received is None else self.received.record(),
        )

    def parts(self) -> Iterator[Line | Table | Remark]:
        """Yield what people are shown of it."""
        yield Line(f"on the air {self.air.hex()}")
        yield from tables_of(self.sent)
        found = self.arrived
        text = "nothing" if found is None else found.decode(errors="backslashreplace")
        delivery = self.received and self.received.figures.get("delivery_time_by_clock")
        after = f" (after {text_of(delivery)})" if delivery else ""
        yield Line(f"arrived    {text}{after}")


@record_class
class ExchangeRecord(Record):
    """A message of a demonstration."""

    TYPE: ClassVar[str] = "exchange"

    link: Annotated[str, Field("The kind of link.")]
    case: Annotated[str, Field("A framing, or a security level.")]
    message_bytes: Annotated[int, Field("Size of the message.", unit="byte")]
    crossed: Annotated[bool, Field("Whether it arrived, unchanged.")]
    attempts: Annotated[
        int, Field("How often it was sent until it crossed, the last time.")
    ]
    runs: Annotated[int, Field("How many runs what the clock says is the median of.")]
    air: Annotated[str, Field("What could be heard, in hex.")]
    sent: Annotated[ReceiptRecord, Field("Receipt of the sender.")]
    received: Annotated[ReceiptRecord | None, Field("Receipt of the receiver.")]


class Demonstration(Protocol):
    """What the module of a link has, under the name ``DEMONSTRATION``.

    It is made with the name of the device that receipts tell the costs on.
    """

    def __init__(self, device: str) -> None: ...

    @property
    def title(self) -> str:
        """What a heading calls it."""
        ...

    @property
    def count(self) -> int:
        """How many messages it sends."""
        ...

    @property
    def cases(self) -> Sequence[str]:
        """What a person can choose to chat by, the best one first."""
        ...

    def run(self, supervisor: Supervisor) -> Iterator[Exchange]:
        """Start what is needed, and send the papers' messages."""
        ...

    def chat(self, supervisor: Supervisor, case: str) -> Chat:
        """Start what is needed to send what a person types."""
        ...

    def tables(self, exchanges: Sequence[Exchange]) -> list[Table]:
        """Return the papers' figures with those of the exchanges beside them."""
        ...

    def reading(self, exchanges: Sequence[Exchange]) -> str:
        """Return in plain words what the tables say."""
        ...


class Chat(Protocol):
    """Two nodes that are ready."""

    def send(self, message: bytes) -> Exchange:
        """Send a message, and wait until it has arrived."""
        ...
