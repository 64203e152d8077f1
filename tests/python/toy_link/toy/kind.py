# SPDX-License-Identifier: Apache-2.0
"""The kind of link `toy`: each payload is a file, and nothing is secret.

It shows what a kind of link needs, and nothing else.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from samara.atomic_files import replacing
from samara.link.node.carriers import Carrier
from samara.link.node.end import End
from samara.link.node.kinds import Kind
from samara.link.node.link import Arrival, Batch, Link, Transmission
from samara.link.node.options import (
    Option,
    check_keys,
    check_settings,
    is_number_in,
    settings_from,
)
from samara.link.node.quantities import Number, Quantity
from samara.link.node.receipt import Direction, Receipt
from samara.link.node.simulated_air import SimulatedAir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.link.node.messages import Planned
    from samara.link.node.options import Settings
    from samara.link.node.simulated_air import AirPlan
    from samara.link.node.state import State

_SENT, _EXPECTED = Number(Quantity.SENT), Number(Quantity.EXPECTED)
_PAYLOAD_SIZE = 64


class ToyLink(Link):
    """One end: it writes files for the other end, and reads those of it."""

    kind = "toy"
    payload_size = _PAYLOAD_SIZE
    answer_time_s = 2.0

    def __init__(self, end: End, state: State) -> None:
        self._settings, self._state = end.settings, state
        self._counter = state.counter(_SENT)
        folder = Path(end.settings["mailbox"])
        self._out = folder / str(end.settings["end"])
        self._in = folder / str(1 - end.settings["end"])
        for each in (self._out, self._in):
            each.mkdir(parents=True, exist_ok=True)
        # Who writes a file tells the other end by a byte in its FIFO.
        self._fifos = [_opened_fifo(each / "written") for each in (self._out, self._in)]

    def fileno(self) -> int:
        return self._fifos[1]

    def send(self, payload: bytes, to: str | None = None) -> Transmission:
        self.named(to)
        counter = self._counter.take()
        encoded = bytes(self._settings["header_bytes"]) + payload
        with replacing(self._out / f"{counter:08d}", exclusive=True, mode=0o600) as f:
            f.write(encoded)
        with contextlib.suppress(BlockingIOError):
            os.write(self._fifos[0], b"!")
        return Transmission(counter, Carrier(len(payload), encoded), 0.0)

    def receive(self, timeout_s: float) -> Batch:
        end_s = time.monotonic() + timeout_s
        batch = Batch()
        with contextlib.suppress(BlockingIOError):
            os.read(self.fileno(), 4096)
        expected = self._state.get(_EXPECTED) or 0
        while not batch.arrivals:
            for path in sorted(self._in.glob("[0-9]*")):
                counter, encoded = int(path.name), path.read_bytes()
                if counter >= expected:
                    payload = encoded[self._settings["header_bytes"] :]
                    carrier = Carrier(len(payload), encoded)
                    lost = counter - expected
                    batch.arrivals.append(Arrival(payload, carrier, lost_before=lost))
                    batch.numbers[_EXPECTED] = expected = counter + 1
            if time.monotonic() >= end_s:
                break
            time.sleep(0.01)
        return batch

    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,  # noqa: ARG002 - the protocol's
        answers: Sequence[int] = (),
    ) -> Receipt:
        sizes = [carrier.payload_size for carrier in carriers]
        return _receipt(self._settings, direction, len(message), sizes, answers)

    def close(self) -> None:
        for fifo in self._fifos:
            os.close(fifo)


def _opened_fifo(path: Path) -> int:
    with contextlib.suppress(FileExistsError):
        os.mkfifo(path, 0o600)
    return os.open(path, os.O_RDWR | os.O_NONBLOCK)


class Mailbox(SimulatedAir):
    """The air of a lab: a directory."""

    def address_options(self, ready: Mapping[str, Any], node: int) -> Mapping[str, Any]:
        del ready, node
        return {"mailbox": str(self.plan.folder / "mailbox")}


class ToyKind(Kind):
    """The kind of link."""

    name: ClassVar[str] = "toy"
    options: ClassVar[Sequence[Option]] = (
        Option(
            name="header_bytes",
            type=int,
            help="Bytes in front of each payload.",
            values=range(10),
            default=3,
            changes_receipt=True,
        ),
        Option(
            name="mailbox",
            type=str,
            help="Directory of the payloads.",
            default="mailbox",
            at_each_run=True,
        ),
    )
    macs: ClassVar[tuple[str, ...]] = ("always-listening",)
    unsecured: ClassVar[Mapping[str, Any] | None] = MappingProxyType({})

    def new_pair(self, given: Mapping[str, Any]) -> tuple[End, End]:
        return self.both_ends(
            settings_from(self.name, self.options, given) | {"end": 0}
        )

    def both_ends(self, settings: Settings) -> tuple[End, End]:
        keys = {"key": secrets.token_bytes(1)}
        other = {**settings, "end": 1 - settings["end"]}
        return End(settings, keys), End(other, keys)

    def check(self, settings: Settings, keys: Mapping[str, bytes] | None) -> None:
        check_settings(settings, self.options, {"end": is_number_in(range(2))})
        check_keys(keys, {"key": 1})

    def described(self, settings: Settings) -> Mapping[str, str]:
        return {name: str(value) for name, value in settings.items()}

    def planned(self, settings: Settings, message: Planned) -> Receipt:
        sizes = message.payloads(_PAYLOAD_SIZE)
        answers = message.answers
        return _receipt(settings, message.direction, message.size, sizes, answers)

    def simulated_air(self, plan: AirPlan) -> Mailbox:
        return Mailbox(plan)

    def open(self, end: End, state: State) -> ToyLink:
        return ToyLink(end, state)


def _receipt(
    settings: Settings,
    direction: Direction,
    message_bytes: int,
    sizes: Sequence[int],
    answers: Sequence[int],
) -> Receipt:
    header_bytes = settings["header_bytes"]
    return Receipt(
        link=ToyKind.name,
        direction=direction,
        protection="none",
        suite=None,
        parts={
            "message": message_bytes,
            "framing": sum(sizes) + header_bytes * len(sizes) - message_bytes,
            "acknowledgement": sum(answers) + header_bytes * len(answers),
        },
        packets=len(sizes),
        payloads=len(sizes),
    )


KIND = ToyKind()
