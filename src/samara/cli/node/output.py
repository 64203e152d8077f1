# SPDX-License-Identifier: Apache-2.0
"""What `samara node send` and `listen` print of messages and other events."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.cli.receipt_tables import print_receipt
from samara.cli.shared.diagnostics import say
from samara.cli.shared.json_lines import print_record
from samara.cli.shared.printable import printable
from samara.cli.shared.tables import console
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
    record_of,
    record_of_sent,
)

if TYPE_CHECKING:
    from samara.link.node.receipt import Receipt
    from samara.link.node.sending import Sent


EVENTS = (ReceivedMessage, Lost, Incomplete, Refused, Notice)
"""What is printed of events with --json."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Prints events as the options of a command ask for."""

    as_json: bool
    receipts: bool
    """Whether receipts are printed as tables."""
    device: str | None
    """The microcontroller of the costs on receipts."""
    raw: bool = False
    """Whether messages are written without any change."""

    def sent(self, sent: Sent) -> None:
        """Print what became of a message that was sent."""
        if self.as_json:
            print_record(record_of_sent(sent, self._costed))
        elif self._wants_receipts:
            print_receipt(self._costed(sent.receipt), console())
        else:
            print(_summary(sent.receipt, sent) + _of_link(sent), flush=True)
        if sent.device_samples is not None and not sent.is_acknowledged:
            say(
                f"{sent.device_samples:,} samples handed to the device; samara does "
                "not know whether they left it"
            )
        if sent.frames_missed and not sent.is_acknowledged:
            say(
                f"no acknowledgement arrived of {sent.frames_missed} of "
                f"{len(sent.transmissions)} frames"
            )

    def event(self, event: Event) -> None:
        """Print a message that arrived, or what else happened."""
        if self.as_json:
            print_record(record_of(event, self._costed))
            return
        match event:
            case Received():
                self._print_message(event)
                # A receipt takes longer to make than a line to print.
                if self._wants_receipts:
                    print_receipt(self._costed(event.receipt), console())
            case Lost(transmissions):
                say(
                    f"lost: {transmissions} transmissions{_of(event.source)} did not "
                    "arrive"
                )
            case Incomplete(missing):
                say(
                    f"incomplete: {missing} parts of a message{_of(event.source)} did "
                    "not arrive"
                )
            case Refused():
                say(in_words(event))
            case Notice(text):
                say(text)

    def _costed(self, receipt: Receipt) -> Receipt:
        if self.device is None:
            return receipt
        # The figures of energy, and numpy with them, take long to import.
        from samara.energy.receipt_costs import with_costs  # noqa: PLC0415

        return with_costs(receipt, self.device)

    @property
    def _wants_receipts(self) -> bool:
        return self.receipts or self.device is not None

    def _print_message(self, event: Received) -> None:
        if event.is_repeated:
            say(
                f"repeated: the next message{_of(event.source)} (id {event.id}) may "
                "have been printed before"
            )
        if self.raw:
            sys.stdout.buffer.write(event.message)
            sys.stdout.buffer.flush()
        else:
            sender = "" if event.source is None else f"{event.source}: "
            print(f"{sender}{printable(event.message)}", flush=True)


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


def _summary(receipt: Receipt, sent: Sent) -> str:
    is_known = sent.device_samples is None or sent.is_acknowledged
    done = receipt.direction if is_known else "handed to the device"
    expansion = receipt.expansion
    ratio = "" if expansion is None else f", {expansion:.2f} times the message"
    packets = f"{receipt.packets} packet{'' if receipt.packets == 1 else 's'}"
    return (
        f"{done}: {receipt.message_bytes:g} bytes in {packets}, "
        f"{receipt.link_bytes:g} bytes handed to the radio{ratio}"
    )
