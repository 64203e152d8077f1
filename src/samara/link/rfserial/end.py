# SPDX-License-Identifier: Apache-2.0
"""One running end of a serial link, at the serial port of a modem."""

from __future__ import annotations

import contextlib
import select
import time
from typing import TYPE_CHECKING

from samara.link import rfserial
from samara.link.node.carriers import Carrier
from samara.link.node.events import Alarm, Refused
from samara.link.node.link import CALL_AGAIN_S, Arrival, Batch, Link, Transmission
from samara.link.node.quantities import Number, Quantity
from samara.link.node.receipt import Direction
from samara.link.node.serial_line import STALL_S, StallError
from samara.link.node.serial_port import GONE
from samara.link.rfserial import receipts
from samara.link.rfserial.modules import of_settings
from samara.link.rfserial.modules.air_budget import AirBudget
from samara.link.rfserial.modules.outlet import Outlet
from samara.link.rfserial.modules.regions import regions
from samara.link.rfserial.receipts import ENCODING, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.link.node.end import End
    from samara.link.node.receipt import Receipt
    from samara.link.node.state import State

_SENT, _EXPECTED = Number(Quantity.SENT), Number(Quantity.EXPECTED)
# How long the other end may take beside the bytes' own time on two lines.
_ANSWER_TIME_S = 1.0
# A delay that is worth a word.
_REPORTED_FROM_S = 1.0
# What ends a message that has no mark: longer than any time-out of the modem.
_SILENCE_S = 0.15
# What is sent after such a message waits for the receiver to have noticed its end.
_GAP_S = _SILENCE_S + CALL_AGAIN_S + 0.05


class RfSerialLink(Link):
    """One end, at a serial port."""

    kind = "rf-serial"
    payload_size = rfserial.LONGEST_MESSAGE

    def __init__(self, end: End, state: State) -> None:
        settings = end.settings
        encoding = {name: settings[name] for name in (*ENCODING, "link")}
        key, direction = end.keys.get("key", b""), settings["direction"]
        expected = state.get(_EXPECTED) or 0
        self._counter = state.counter(_SENT)
        self._sender = rfserial.Sender(key=key, direction=direction, **encoding)
        self._receiver = rfserial.Receiver(
            key=key, direction=1 - direction, counter=expected, **encoding
        )
        self._line = line_of(settings)
        self._line_time_s = 0.0
        self._lost = 0
        self._heard_s = time.monotonic()
        self._delays: list[str] = []
        self._profile = of_settings(settings)
        self._baud = settings["baud"]
        self._module = Outlet(self._profile, settings["port"], self._baud)
        self._port = self._module.port
        region = regions().get(settings.get("region", ""))
        is_limited = region is not None and region.duty_cycle < 1
        self._budget = AirBudget(state, region) if region and is_limited else None

    @property
    def answer_time_s(self) -> float:
        """How long an answer takes: what was sent has to go out first."""
        return _ANSWER_TIME_S + 2 * self._line_time_s + self._module.delay_s

    @property
    def ready_s(self) -> float:
        """When the payload before has been written, and its end noticed."""
        return max(self._module.ready_s, self._quiet_s)

    @property
    def _quiet_s(self) -> float:
        """When the line has been silent for long enough, if that marks the end."""
        if not self._receiver.needs_pauses or not self._line_time_s:
            return 0.0
        return self._port.out.free_at_s + self._line.timeout_s + _GAP_S

    def counted(self) -> Mapping[str | None, tuple[Number, Number]]:
        """Return the two counters, if frames are authenticated."""
        return (
            {None: (_SENT, _EXPECTED)} if self._receiver.framing.authenticates else {}
        )

    def fileno(self) -> int:
        """Return the descriptor of the serial port."""
        return self._port.fileno()

    def send(self, payload: bytes, to: str | None = None) -> Transmission:
        """Seal a message, and write it to the modem as fast as its line takes it.

        What cannot be written at once is written by `receive`, `flush` and `close`.
        """
        self.named(to)
        start_s = time.monotonic()
        self._port.check()
        with self._failures():
            # One payload at most is on its way out: nobody fills the memory.
            self._module.wait()
        start_s += self._wait_until_quiet()
        delay_s = self._booked_s(self._sender.sizes(len(payload)).total)
        counter = self._counter.take()
        self._sender.counter = counter
        encoded = self._sender.encode(payload)
        self._line_time_s = self._module.way_s(len(encoded))
        with self._failures():
            self._module.put(encoded, delay_s)
        carrier = Carrier(len(payload), encoded)
        return Transmission(counter, carrier, time.monotonic() - start_s)

    def _booked_s(self, size: int) -> float:
        """Count what is sent; return how long it has to wait for the duty cycle."""
        if self._budget is None:
            return 0.0
        delay_s = self._budget.book(self._profile.message_air_s(size, self._baud))
        if delay_s > _REPORTED_FROM_S:
            region = self._budget.region
            share = f"{100 * region.duty_cycle:.3g} % of an hour"
            self._delays.append(
                f"the duty cycle of {region.name} ({share}) is used up: what is sent"
                f" now goes out in {delay_s:.0f} s"
            )
        return delay_s

    def delays(self) -> Sequence[str]:
        """Return why what was sent waits, once."""
        delays, self._delays = self._delays, []
        return delays

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        """Explain what goes wrong at the port, and note that the modem is gone."""
        try:
            yield
        except StallError as error:
            raise self._port.explained(error) from None
        except GONE as error:
            self._port.lose(error)
            raise self._port.explained(error) from None

    def _wait_until_quiet(self) -> float:
        """Keep a message apart from the one before; return how long that took."""
        wait_s = max(self._quiet_s - time.monotonic(), 0.0)
        time.sleep(wait_s)
        return wait_s

    def flush(self) -> None:
        """Wait until the line has carried everything."""
        self._port.check()
        with self._failures():
            self._module.wait()
            self._port.drain()

    def receive(self, timeout_s: float) -> Batch:
        """Wait for bytes, and open the messages among them."""
        batch, before = Batch(), self._receiver.counter
        for event in self._events(timeout_s, batch.notices):
            match event:
                case rfserial.Message():
                    carrier = Carrier(len(event.payload), event.encoded)
                    arrival = Arrival(event.payload, carrier, lost_before=self._lost)
                    batch.arrivals.append(arrival)
                    self._lost = 0
                case rfserial.Lost(count):
                    self._lost += count
                case rfserial.Repeated(number):
                    reason = f"message {number} was received before"
                    batch.refused.append(Refused(reason, Alarm.REPLAY))
                case rfserial.Noise(size):
                    reason = f"{size} bytes belong to no message"
                    batch.refused.append(Refused(reason, Alarm.NOT_GENUINE))
        authenticates = self._receiver.framing.authenticates
        if authenticates and self._receiver.counter != before:
            batch.numbers[_EXPECTED] = self._receiver.counter
        batch.notices += [*self._module.notices(), *self.delays()]
        return batch

    def _events(self, timeout_s: float, notices: list[str]) -> list[rfserial.Event]:
        silence_s = 0.0
        may_pause = self._receiver.needs_pauses and self._receiver.waiting > 0
        if may_pause:
            silence_s = max(self._heard_s + _SILENCE_S - time.monotonic(), 0.0)
            timeout_s = min(timeout_s, silence_s)
        if not self._is_readable(timeout_s, notices):
            # A call that does not wait must not cut what is still arriving.
            is_silent = may_pause and timeout_s >= silence_s
            return self._receiver.pause() if is_silent else []
        self._heard_s = time.monotonic()
        return self._receiver.feed(self._module.read())

    def _is_readable(self, timeout_s: float, notices: list[str]) -> bool:
        """Wait for bytes, and write meanwhile what waits to be written."""
        end_s = time.monotonic() + timeout_s
        while True:
            self._port.look()
            out = self._module
            try:
                out.work()
            except StallError as error:
                # What arrives is received all the same.
                notices.append(str(self._port.explained(error)))
            except GONE as error:
                self._port.lose(error)
            left_s = max(end_s - time.monotonic(), 0.0)
            wait_s = min(left_s, out.wait_s) if out.unwritten else left_s
            readable, _, _ = select.select([self._port], [], [], wait_s)
            if readable or time.monotonic() >= end_s:
                return bool(readable)

    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,
        answers: Sequence[int] = (),
    ) -> Receipt:
        """Return what a message cost that was sent as these bytes."""
        is_sent = direction is Direction.SENT
        carried = receipts.Sent(
            direction=direction,
            message_bytes=len(message),
            encoded=[self._sender.sizes(each.payload_size) for each in carriers],
            sending_s=time_s if is_sent else None,
            delivery_s=None if is_sent else time_s,
            answers=[self._sender.sizes(size) for size in answers],
        )
        return receipts.receipt_of(carried, self._sender.settings, self._line)

    def close(self) -> None:
        """Write what is left, and let others use the port."""
        try:
            # Nobody waits for the next hour here; what is booked counts all the same.
            if self._module.unwritten and self._module.delay_s < STALL_S:
                self.flush()
        finally:
            self._port.close()
