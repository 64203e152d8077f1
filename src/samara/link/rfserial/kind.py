# SPDX-License-Identifier: Apache-2.0
"""Nodes that talk through a modem on a serial port.

Both ends share one key; the nonce has the direction, so that they never use the
same one. Framings other than `sealed` are the paper's, to be compared with: they
have no counters, so that a replay is not recognised, and `plain` hides nothing.
"""

from __future__ import annotations

import secrets
import select
import time
from typing import TYPE_CHECKING, Any, ClassVar

import serial

from samara import crypto
from samara.errors import MisuseError
from samara.link import rfserial
from samara.link.node.kinds import (
    Arrival,
    Batch,
    Carrier,
    Doubt,
    End,
    LinkError,
    Settings,
    Transmission,
    check_keys,
    check_settings,
    doubt_of,
    is_number_in,
    is_one_of,
    is_text,
)
from samara.link.node.receipt import Direction
from samara.link.rfserial import modem
from samara.link.rfserial import receipts as receipts_rf_serial
from samara.link.rfserial.settings import DEFAULT_BAUD, PACKET_SIZES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from samara.link.node.receipt import Receipt
    from samara.link.node.state import State

_SENT, _EXPECTED = "transmit counter", "receive counter"
_CBC_KEY_SIZE = 32
# Each time a sender is killed it goes on up to a thousand numbers later, and a
# receiver that heard nothing of it has to follow: 262 times with 3 bytes of the
# number on the line, 8388 times with 4, but only 8 times with 2.
_COUNTER_SIZE, _COUNTER_SIZE_MIN = 4, 3
# Start, eight data bits, stop.
_BITS_A_BYTE = 10
_READ_SIZE = 65_536
# How long a modem may take no bytes before it counts as gone.
_WRITE_PATIENCE_S = 10.0
# How long the other end may take beside the bytes' own time on two lines.
_ANSWER_TIME_S = 1.0
# What ends a message that has no mark: longer than any time-out of the modem.
_SILENCE_S = 0.15
_ENCODING = ("framing", "suite", "tag_size", "counter_size", "packet_size")


class RfSerialLink:
    """One end, at a serial port."""

    payload_size = rfserial.LONGEST_MESSAGE

    def __init__(self, end: End, state: State) -> None:
        settings = end.settings
        encoding = {name: settings[name] for name in (*_ENCODING, "link")}
        key, direction = end.keys.get("key", b""), settings["direction"]
        expected = state.get(_EXPECTED) or 0
        self._counter = state.counter(_SENT)
        self._sender = rfserial.Sender(key=key, direction=direction, **encoding)
        self._receiver = rfserial.Receiver(
            key=key, direction=1 - direction, counter=expected, **encoding
        )
        self._line = receipts_rf_serial.Line.of(
            modem.Settings(
                baud=settings["baud"],
                packet_size=settings["packet_size"],
                timeout_ms=settings["modem_timeout_ms"],
            )
        )
        self._line_time_s = 0.0
        self._lost = 0
        self._port = _opened_port(settings["port"], settings["baud"])

    @property
    def answer_time_s(self) -> float:
        """How long an answer takes: what was sent has to go out first."""
        return _ANSWER_TIME_S + 2 * self._line_time_s

    def next_counter(self) -> int:
        """Return the number of the next message."""
        return self._counter.next

    def send(self, payload: bytes) -> Transmission:
        """Seal a message and write it to the modem."""
        counter = self._counter.take()
        self._sender.counter = counter
        encoded = self._sender.encode(payload)
        self._line_time_s = len(encoded) * _BITS_A_BYTE / self._port.baudrate
        start_s = time.monotonic()
        try:
            self._port.write_timeout = _WRITE_PATIENCE_S + 4 * self._line_time_s
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
                    arrival = Arrival(event.payload, carrier, self._lost)
                    batch.arrivals.append(arrival)
                    self._lost = 0
                case rfserial.Lost(count):
                    self._lost += count
                case rfserial.Repeated(number):
                    batch.refused.append(f"message {number} came again")
                case rfserial.Noise(size):
                    batch.refused.append(f"{size} bytes belong to no message")
        authenticates = self._receiver.settings.framing.authenticates
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
        """Return what a message cost that travelled as these bytes."""
        is_sent = direction is Direction.SENT
        carried = receipts_rf_serial.Sent(
            direction=direction,
            message_bytes=len(message),
            encoded=[self._sender.sizes(each.payload_size) for each in carriers],
            sending_s=time_s if is_sent else None,
            delivery_s=None if is_sent else time_s,
            answers=[self._sender.sizes(size) for size in answers],
        )
        return receipts_rf_serial.receipt_of(carried, self._sender.settings, self._line)

    def close(self) -> None:
        """Let others use the port."""
        self._port.close()

    def _explained(self, error: Exception) -> LinkError:
        return LinkError(f"the modem at {self._port.port} does not answer: {error}")


class RfSerialKind:
    """The kind of link."""

    options: ClassVar[frozenset[str]] = frozenset(
        {*_ENCODING, "modem_timeout_ms", "port", "baud"}
    )
    run_options: ClassVar[frozenset[str]] = frozenset({"port", "baud"})

    def new_pair(self, given: Mapping[str, Any]) -> tuple[End, End]:
        """Draw a key for two nodes."""
        encoding = {
            "framing": rfserial.Framing.SEALED.value,
            "suite": rfserial.DEFAULT_SUITE,
            "tag_size": None,
            "counter_size": _COUNTER_SIZE,
            "packet_size": rfserial.DEFAULT_PACKET_SIZE,
            "link": secrets.randbelow(2**16),
            **{name: given[name] for name in _ENCODING if name in given},
        }
        settings = {
            **encoding,
            "direction": 0,
            "port": given.get("port"),
            "baud": given.get("baud", DEFAULT_BAUD),
            "modem_timeout_ms": given.get(
                "modem_timeout_ms", modem.Settings().timeout_ms
            ),
        }
        # Tells at once what no end could be opened with.
        self.check(settings, None)
        return self.both_ends(settings)

    def both_ends(self, settings: Settings) -> tuple[End, End]:
        """Draw a key; the ends differ in direction and port."""
        keys = {"key": secrets.token_bytes(_key_size(settings))}
        direction = 1 - settings["direction"]
        other = {**settings, "direction": direction, "port": None}
        return End(settings, keys), End(other, keys)

    def check(self, settings: Settings, keys: Mapping[str, bytes] | None) -> None:
        """Check all settings, and the key."""
        check_settings(settings, _RULES)
        key_size = _key_size(settings)
        check_keys(keys, {"key": key_size})
        encoding = {name: settings[name] for name in (*_ENCODING, "link", "direction")}
        rfserial.Sender(key=bytes(key_size), **encoding)

    def doubt(self, settings: Settings) -> Doubt | None:
        """Only one framing authenticates."""
        framing = rfserial.Framing(settings["framing"])
        if not framing.authenticates:
            text = (
                f"the framing {framing} does not authenticate: anybody can send forged "
                "messages and replay old ones"
            )
            if framing is rfserial.Framing.PLAIN:
                text += ", and read all"
            return Doubt(text, authenticates=False)
        suite = crypto.suite(settings["suite"])
        return doubt_of(suite.slug, suite.standing)

    def open(self, end: End, state: State) -> RfSerialLink:
        """Open one end."""
        return RfSerialLink(end, state)


KIND = RfSerialKind()


_RULES: Mapping[str, Callable[[Any], bool]] = {
    "framing": is_one_of([each.value for each in rfserial.Framing]),
    "suite": is_text,
    "tag_size": lambda value: value is None or is_number_in(range(4, 17))(value),
    "counter_size": is_number_in(range(5)),
    "packet_size": is_number_in(PACKET_SIZES),
    "link": is_number_in(range(2**16)),
    "direction": is_number_in(range(2)),
    "port": lambda value: value is None or is_text(value),
    "baud": is_number_in(range(1, 100_000_000)),
    "modem_timeout_ms": is_number_in(range(3_600_000)),
}


def _key_size(encoding: Mapping[str, Any]) -> int:
    match encoding["framing"]:
        case "sealed":
            if encoding["counter_size"] < _COUNTER_SIZE_MIN:
                message = (
                    f"nodes take a counter size of {_COUNTER_SIZE_MIN} or 4 bytes: one"
                    " that was killed goes on with a counter far ahead"
                )
                raise MisuseError(message)
            return crypto.suite(encoding["suite"]).key_size
        case "plain":
            return 0
        case _:
            return _CBC_KEY_SIZE


def _opened_port(port: str | None, baud: int) -> serial.Serial:
    if port is None:
        message = "this node has no serial port yet: give --port"
        raise LinkError(message)
    try:
        return serial.Serial(port, baud, timeout=0, exclusive=True)
    except (serial.SerialException, ValueError) as error:
        message = f"the serial port {port} cannot be opened: {error}"
        raise LinkError(message) from None
