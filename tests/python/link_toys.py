# SPDX-License-Identifier: Apache-2.0
"""Links without cryptography, media or time, to test what nodes make of them."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from samara.link.node import kinds
from samara.link.node.carriers import Carrier
from samara.link.node.end import End
from samara.link.node.events import Alarm, Refused
from samara.link.node.kinds import Kind
from samara.link.node.link import Arrival, Batch, Link, Transmission
from samara.link.node.options import Option
from samara.link.node.quantities import Number, Quantity
from samara.link.node.receipt import Direction, Receipt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from samara.link.node.messages import Planned
    from samara.link.node.state import State

PAYLOAD_SIZE = 20
_SENT, _SEEN = Number(Quantity.SENT), Number(Quantity.EXPECTED)


@dataclass
class Wire:
    """Joins two ends; who calls decides which transmissions arrive."""

    arrives: Callable[[int], bool] = lambda _: True
    """Asked with the number of each transmission, from 0."""
    sent: list[bytes] = field(default_factory=list)
    sent_to: dict[str, list[bytes]] = field(default_factory=lambda: {"a": [], "b": []})
    waiting: dict[str, list[bytes]] = field(default_factory=lambda: {"a": [], "b": []})
    events: dict[str, int] = field(
        default_factory=lambda: {end: os.eventfd(0, os.EFD_NONBLOCK) for end in "ab"}
    )
    """Descriptors that are readable when something is waiting."""
    when_idle: Callable[[], None] = lambda: None
    """Called when an end waits and nothing is there: lets the other end run."""


WIRES: dict[str, Wire] = {}


class ToyLink(Link):
    """Counts, and recognises what it has seen."""

    kind = "toy"
    payload_size = PAYLOAD_SIZE
    answer_time_s = 0.02

    def __init__(self, wire: Wire, end: str, state: State) -> None:
        self._wire, self._end, self._state = wire, end, state
        self._counter = state.counter(_SENT)

    def counted(self) -> dict[str | None, tuple[Number, Number]]:
        return {None: (_SENT, _SEEN)}

    def fileno(self) -> int:
        return self._wire.events[self._end]

    def send(self, payload: bytes, to: str | None = None) -> Transmission:
        self.named(to)
        assert len(payload) <= self.payload_size
        counter = self._counter.take()
        encoded = json.dumps([counter, payload.hex()]).encode()
        number = len(self._wire.sent)
        other = "b" if self._end == "a" else "a"
        self._wire.sent.append(encoded)
        self._wire.sent_to[other].append(encoded)
        if self._wire.arrives(number):
            self._wire.waiting[other].append(encoded)
            os.eventfd_write(self._wire.events[other], 1)
        return Transmission(counter, Carrier(len(payload), encoded), 0.0)

    def receive(self, timeout_s: float) -> Batch:
        mine = self._wire.waiting[self._end]
        if not mine and timeout_s:
            self._wire.when_idle()
        batch = Batch()
        expected = self._state.get(_SEEN) or 0
        for encoded in mine:
            counter, payload = json.loads(encoded)
            if counter < expected:
                batch.refused.append(Refused("a replay", Alarm.REPLAY))
                continue
            carrier = Carrier(len(payload) // 2, encoded)
            lost = counter - expected
            arrival = Arrival(bytes.fromhex(payload), carrier, lost_before=lost)
            batch.arrivals.append(arrival)
            batch.numbers[_SEEN] = expected = counter + 1
        mine.clear()
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self.fileno())
        return batch

    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,  # noqa: ARG002 - the protocol's
        answers: Sequence[int] = (),
    ) -> Receipt:
        size = sum(len(carrier.encoded) for carrier in carriers)
        return Receipt(
            link="toy",
            direction=direction,
            protection="none",
            suite=None,
            parts={
                "message": len(message),
                "framing": size - len(message),
                "acknowledgement": sum(answers),
            },
            packets=len(carriers),
            payloads=len(carriers),
        )

    def close(self) -> None:
        pass


class ToyKind(Kind):
    """A kind of link that is a list."""

    name: ClassVar[str] = "toy"
    options: ClassVar[Sequence[Option]] = (
        Option(name="wire", type=str, help="Name of the wire."),
    )

    def new_pair(self, given: Mapping[str, Any]) -> tuple[End, End]:
        return self.both_ends({"wire": given["wire"], "end": "a"})

    def both_ends(self, settings: dict[str, Any]) -> tuple[End, End]:
        key = {"key": b"toy key"}
        other = {**settings, "end": "b" if settings["end"] == "a" else "a"}
        return End(settings, key), End(other, key)

    def check(self, settings: dict[str, Any], keys: Mapping[str, bytes] | None) -> None:
        pass

    def described(self, settings: dict[str, Any]) -> Mapping[str, str]:
        return settings

    def planned(self, settings: dict[str, Any], message: Planned) -> Receipt:
        raise NotImplementedError

    def open(self, end: End, state: State) -> ToyLink:
        return ToyLink(WIRES[end.settings["wire"]], end.settings["end"], state)


KIND = ToyKind()


def registered() -> dict[str, Kind]:
    """Return all kinds of link, with this one."""
    return {**_kinds(), KIND.name: KIND}


_kinds = kinds.kinds
