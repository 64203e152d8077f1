# SPDX-License-Identifier: Apache-2.0
"""One running end of a serial link, at the serial port of a modem."""

from __future__ import annotations

import select
import termios
import time
from typing import TYPE_CHECKING

from samara.extras import needed
from samara.link import rfserial
from samara.link.node.kinds import (
    CALL_AGAIN_S,
    Arrival,
    Batch,
    Carrier,
    LinkError,
    Transmission,
    other_end,
)
from samara.link.node.receipt import Direction
from samara.link.rfserial import receipts
from samara.link.rfserial.line import Line, StallError
from samara.link.rfserial.receipts import ENCODING, line_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.link.node.kinds import End
    from samara.link.node.receipt import Receipt
    from samara.link.node.state import State

with needed("serial"):
    import serial

_FAILURES = (OSError, StallError, termios.error)
_SENT, _EXPECTED = "transmit counter", "receive counter"
_READ_SIZE = 65_536
# How long the other end may take beside the bytes' own time on two lines.
_ANSWER_TIME_S = 1.0
# What ends a message that has no mark: longer than any time-out of the modem.
_SILENCE_S = 0.15
# What is sent after such a message waits for the receiver to have noticed its end.
_GAP_S = _SILENCE_S + CALL_AGAIN_S + 0.05


class RfSerialLink:
    """One end, at a serial port."""

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
        self._port = _opened_port(settings["port"], settings["baud"])
        self._out = Line(self._port)

    @property
    def answer_time_s(self) -> float:
        """How long an answer takes: what was sent has to go out first."""
        return _ANSWER_TIME_S + 2 * self._line_time_s

    @property
    def ready_s(self) -> float:
        """When the payload before has been written, and its end noticed."""
        return max(self._out.ready_s, self._quiet_s)

    @property
    def _quiet_s(self) -> float:
        """When the line has been silent for long enough, if that marks the end."""
        if not self._receiver.needs_pauses or not self._line_time_s:
            return 0.0
        return self._out.free_at_s + self._line.timeout_s + _GAP_S

    def counted(self) -> Mapping[str | None, tuple[str, str]]:
        """Return the names of the two counters, if frames are authenticated."""
        return (
            {None: (_SENT, _EXPECTED)} if self._receiver.framing.authenticates else {}
        )

    def fileno(self) -> int:
        """Return the descriptor of the serial port."""
        return int(self._port.fileno())

    def named(self, to: str | None) -> None:
        """Refuse all names: there are two ends."""
        other_end("rf-serial", to)

    def send(self, payload: bytes, to: str | None = None) -> Transmission:
        """Seal a message, and write it to the modem as fast as its line takes it.

        What cannot be written at once is written by `receive`, `flush` and `close`.
        """
        self.named(to)
        start_s = time.monotonic()
        try:
            # One payload at most is on its way out: nobody fills the memory.
            self._out.wait()
            start_s += self._wait_until_quiet()
            counter = self._counter.take()
            self._sender.counter = counter
            encoded = self._sender.encode(payload)
            self._line_time_s = len(encoded) * self._out.byte_s
            self._out.put(encoded)
        except _FAILURES as error:
            raise self._explained(error) from None
        carrier = Carrier(len(payload), encoded)
        return Transmission(counter, carrier, time.monotonic() - start_s)

    def _wait_until_quiet(self) -> float:
        """Keep a message apart from the one before; return how long that took."""
        wait_s = max(self._quiet_s - time.monotonic(), 0.0)
        time.sleep(wait_s)
        return wait_s

    def flush(self) -> None:
        """Wait until the line has carried everything."""
        try:
            self._out.wait()
            self._port.flush()
        except _FAILURES as error:
            raise self._explained(error) from None

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
                    batch.refused.append(f"message {number} was received before")
                case rfserial.Noise(size):
                    batch.refused.append(f"{size} bytes belong to no message")
        authenticates = self._receiver.framing.authenticates
        if authenticates and self._receiver.counter != before:
            batch.numbers[_EXPECTED] = self._receiver.counter
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
        try:
            return self._receiver.feed(self._port.read(_READ_SIZE))
        except serial.SerialException as error:
            raise self._explained(error) from None

    def _is_readable(self, timeout_s: float, notices: list[str]) -> bool:
        """Wait for bytes, and write meanwhile what waits to be written."""
        end_s = time.monotonic() + timeout_s
        while True:
            try:
                self._out.work()
            except StallError as error:
                # What arrives is received all the same.
                notices.append(str(self._explained(error)))
            except OSError as error:
                raise self._explained(error) from None
            left_s = max(end_s - time.monotonic(), 0.0)
            wait_s = min(left_s, self._out.wait_s) if self._out.unwritten else left_s
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
            if self._out.unwritten:
                self.flush()
        finally:
            self._port.close()

    def _explained(self, error: Exception) -> LinkError:
        return LinkError(f"the modem at {self._port.port} does not answer: {error}")


def _opened_port(port: str | None, baud: int) -> serial.Serial:
    if port is None:
        message = "this node has no serial port yet: give --port"
        raise LinkError(message)
    try:
        return serial.Serial(port, baud, timeout=0, exclusive=True)
    except (serial.SerialException, ValueError) as error:
        message = f"the serial port {port} cannot be opened: {error}"
        raise LinkError(message) from None
