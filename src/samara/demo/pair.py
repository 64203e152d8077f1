# SPDX-License-Identifier: Apache-2.0
"""Two nodes, each a process of its own, and messages from one to the other."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Any

from samara.demo.exchange import Exchange
from samara.demo.processes import ProgramError
from samara.energy.receipt_costs import with_costs
from samara.link.node import folder as folders
from samara.link.node.receipt import Figure, Origin, Receipt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.demo.processes import Supervisor

START_S = 60.0
"""What a program gets to start: many do at the same time."""
_ARRIVAL_S, _ARRIVAL_BYTE_S = 20.0, 0.5e-3
"""What a message gets to arrive, and each of its bytes: some six times its air time by
the slowest link with long ones, as a busy machine is late."""
_ATTEMPTS = 3
_CLOCK = "the clock of this machine, from handing the message over to its arrival"
_BY_CLOCK = ("delivery_time_by_clock", "cipher_time_by_clock")


class Pair:
    """A sender and a listener; `wait` before the first message.

    Parameters
    ----------
    case
        What is shown as the case of each exchange.
    link
        The kind of link.
    given
        What the nodes are made with: options of that kind.
    ends
        Where each end finds the link: options of `samara node send` and `listen`.
    device
        The microcontroller of the costs on receipts.
    emulation
        What stands for the radios, in a few words: the source of times by the clock.
    """

    def __init__(  # noqa: PLR0913 - a pair is made in one place for each link
        self,
        supervisor: Supervisor,
        case: str,
        link: str,
        given: Mapping[str, Any],
        ends: tuple[tuple[str, ...], tuple[str, ...]],
        *,
        device: str,
        emulation: str,
    ) -> None:
        self.case, self._device = case, device
        self._clock = f"{_CLOCK}, {emulation}"
        first, second = (supervisor.folder / f"{link} {case} {end}" for end in "ab")
        witnesses = supervisor.folder / "witnesses"
        folders.make_pair(
            first,
            link,
            given,
            # What does not authenticate is shown beside what does.
            allow_unauthenticated=True,
            witnesses=witnesses,
        )
        folders.make_second(second, first, {}, witnesses)
        self._listener = supervisor.samara(
            "node", "listen", str(second), "--json", *ends[1]
        )
        sending = ("--lines", "--hex", "--json")
        self._sender = supervisor.samara(
            "node", "send", str(first), "-", *sending, *ends[0]
        )

    def wait(self) -> None:
        """Return when the listener hears, and both have begun.

        Raises
        ------
        ProgramError
            When it ends, or does not say so.
        """
        self._listener.wait_for_words("listens", START_S)
        # The first message waits for counters to be reserved, on disk.
        self.send(b"hello")

    def send(self, message: bytes, times: int = 1) -> Exchange:
        """Send a message, and wait until it has arrived.

        Framings that mark no end are cut where a busy machine pauses for long:
        what did not cross is sent again.

        Parameters
        ----------
        times
            How often to send it: what the clock says is the median of these.

        Raises
        ------
        ProgramError
            When a node ends.
        """
        exchanges = [self._until_crossed(message) for _ in range(times)]
        last = exchanges[-1]
        received = [e.received for e in exchanges if e.received is not None]
        return replace(
            last,
            runs=times,
            sent=with_medians([e.sent for e in exchanges]),
            received=with_medians(received) if last.received else None,
        )

    def _until_crossed(self, message: bytes) -> Exchange:
        exchange = self._try(message)
        while not exchange.crossed and exchange.attempts < _ATTEMPTS:
            again = self._try(message)
            exchange = replace(again, attempts=exchange.attempts + 1)
        return exchange

    def _try(self, message: bytes) -> Exchange:
        while self._listener.line_or_none(0) is not None:
            # What came after it was no longer waited for.
            pass
        self._sender.say(message.hex())
        sent = _event(self._sender.line(START_S))
        received = self._received(_ARRIVAL_S + len(message) * _ARRIVAL_BYTE_S)
        receipt = Receipt.from_json(sent["receipt"])
        got: Receipt | None = None
        if received is not None:
            seconds = received["clock_s"] - sent["clock_s"]
            clock = Figure(seconds, "s", Origin.EMULATED, self._clock)
            got = Receipt.from_json(received["receipt"])
            got = got.with_figures({"delivery_time_by_clock": clock})
        return Exchange(
            self.case,
            message,
            None if received is None else bytes.fromhex(received["hex"]),
            b"".join(map(bytes.fromhex, sent["air"])),
            with_costs(receipt, self._device),
            None if got is None else with_costs(got, self._device),
        )

    def _received(self, within_s: float) -> dict[str, Any] | None:
        """Return what arrived next; None when nothing does."""
        end_s = time.monotonic() + within_s
        while (left_s := end_s - time.monotonic()) > 0:
            line = self._listener.line_or_none(left_s)
            if line is None:
                return None
            event = _event(line)
            if event["type"] == "received":
                return event
        return None


def with_medians(receipts: Sequence[Receipt]) -> Receipt:
    """Return the last receipt with the median of what the clock said of all."""
    last, medians = receipts[-1], {}
    for name in _BY_CLOCK:
        figures = [receipt.figures.get(name) for receipt in receipts]
        known = [figure for figure in figures if figure is not None]
        if len(known) > 1:
            source = f"{known[-1].source}, median of {len(known)} runs"
            value = median(figure.value for figure in known)
            medians[name] = replace(known[-1], value=value, source=source)
    return last.with_figures(medians)


def _event(line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except ValueError:
        message = f"a node said what is not JSON: {line[:80]}"
        raise ProgramError(message) from None
    if not isinstance(fields, dict):
        message = f"a node said what is no event: {line[:80]}"
        raise ProgramError(message)
    return fields
