# SPDX-License-Identifier: Apache-2.0
"""One running end of a serial link, at the serial port of a modem."""

from __future__ import annotations

import select
import time
from typing import TYPE_CHECKING

from samara.extras import needed
from samara.link import rfserial
from samara.link.node.kinds import (
    Arrival,
    Batch,
    Carrier,
    LinkError,
    Transmission,
    other_end,
)
from samara.link.node.receipt import Direction
from samara.link.rfserial import receipts
from samara.link.rfserial.receipts import ENCODING, line_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.link.node.kinds import End
    from samara.link.node.receipt import Receipt
    from samara.link.node.state import State

with needed("serial"):
    import serial

_SENT, _EXPECTED = "transmit counter", "receive counter"
# Start, eight data bits, stop.
_BITS_A_BYTE = 10
_READ_SIZE = 65_536
# How long a modem may take no bytes before it counts as gone.
_WRITE_TIMEOUT_S = 10.0
# How long the other end may take beside the bytes' own time on two lines.
_ANSWER_TIME_S = 1.0
# What ends a message that has no mark: longer than any time-out of the modem.
_SILENCE_S = 0.15


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
        self._port = _opened_port(settings["port"], settings["baud"])

    @property
    def answer_time_s(self) -> float:
        """How long an answer takes: what was sent has to go out first."""
        return _ANSWER_TIME_S + 2 * self._line_time_s

    def named(self, to: str | None) -> None:
        """Refuse all names: there are two ends."""
        other_end("rf-serial", to)

    def send(self, payload: bytes, to: str | None = None) -> Transmission:
        """Seal a message and write it to the modem."""
        self.named(to)
        counter = self._counter.take()
        self._sender.counter = counter
        encoded = self._sender.encode(payload)
        self._line_time_s = len(encoded) * _BITS_A_BYTE / self._port.baudrate
        start_s = time.monotonic()
        try:
            self._port.write_timeout = _WRITE_TIMEOUT_S + 4 * self._line_time_s
            self._port.write(encoded)
            self._port.flush()
        except serial.SerialException as error:
            raise self._explained(error) from None
        carrier = Carrier(len(payload), encoded)
        return Transmission(counter, carrier, time.monotonic() - start_s)

    def receive(self, timeout_s: float) -> Batch:
        """Wait for bytes, and open the messages among them."""
        batch, before = Batch(), self._receiver.counter
        for event in self._events(timeout_s):
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

    def _events(self, timeout_s: float) -> list[rfserial.Event]:
        may_pause = self._receiver.needs_pauses and self._receiver.waiting
        if may_pause:
            timeout_s = min(timeout_s, _SILENCE_S)
        readable, _, _ = select.select([self._port], [], [], timeout_s)
        if not readable:
            return self._receiver.pause() if may_pause else []
        try:
            return self._receiver.feed(self._port.read(_READ_SIZE))
        except serial.SerialException as error:
            raise self._explained(error) from None

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
        """Let others use the port."""
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
