# SPDX-License-Identifier: Apache-2.0
"""A radio co-processor at a serial port: a dongle with OpenThread's RCP firmware.

The co-processor checks the check sequence of what it hears, acknowledges frames that
are for this node, waits for acknowledgements of what it sends, and uses CSMA-CA.
Retransmissions stay with the MAC of this node, and so does security: the co-processor
is given no key, and sends each frame as it is.

It forgets its addresses when it is reset or unplugged. That is noticed; then it is set
up again.
"""

from __future__ import annotations

import time
from collections import deque
from select import select
from typing import TYPE_CHECKING, NamedTuple

from samara.link.ieee802154.air.zep_radio import ReceivedFrame
from samara.link.ieee802154.frames.fcs import FCS_SIZE, fcs_of
from samara.link.ieee802154.mac.ready_event import ReadyEvent
from samara.link.ieee802154.radios import hdlc, spinel
from samara.link.ieee802154.radios.spinel import Command, Message, Property, Status
from samara.link.node.link import LinkError
from samara.link.node.serial_port import GONE, SerialPort

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.link.ieee802154.frames.acks import Identity
    from samara.link.ieee802154.radios.place import Place

# A co-processor starts within a few milliseconds, one that has to be told to restart
# its USB within a second.
_RESET_S = 2.0
_ANSWER_S = 1.0
# CSMA-CA, the frame, and the time to wait for an acknowledgement: at most 40 ms.
_SENT_S = 1.0
# What waits to be taken; more is lost, as in a radio whose buffer is full.
_HEARD_MAX = 256
# Restart the protocol's stack, and leave USB alone.
_RESET_STACK = bytes((2,))
# What MAC_PROMISCUOUS takes; 1 would be all frames of one network.
_FILTER, _NO_FILTER = 0, 2


class About(NamedTuple):
    """What a co-processor says of itself."""

    firmware: str
    protocol: tuple[int, int]
    api: int | None
    """The version of the RCP's interface; None if it does not say."""
    address: bytes
    """The extended address that it was made with."""
    capabilities: frozenset[int]


class SpinelRadio:
    """Sends and hears frames through a radio co-processor.

    Parameters
    ----------
    place
        Its serial port, and how it is set.
    channel
        Channel, 11 to 26.
    identity
        The addresses of this node. Default: none; the radio hears every frame, and
        acknowledges none.

    Raises
    ------
    LinkError
        When there is no co-processor at the port, or one that cannot be used.
    """

    acknowledges = True

    def __init__(
        self,
        place: Place,
        channel: int,
        identity: Identity | None = None,
    ) -> None:
        self._place, self._channel, self._identity = place, channel, identity
        self._port = SerialPort(place.port, place.baud, "radio co-processor")
        self._event = ReadyEvent(self._port.fileno())
        self._decoder = hdlc.Decoder()
        self._heard: deque[ReceivedFrame] = deque(maxlen=_HEARD_MAX)
        self._answers: dict[int, Message] = {}
        self._transaction = 0
        self._was_reset = self._is_set_up = False
        self._times_opened = self._port.times_opened
        self._unanswered: bytes | None = None
        self._notices: list[str] = []
        try:
            self._reset()
            self.about = self._asked_about()
            self._set_up()
        except BaseException:
            self.close()
            raise

    # ---- the MAC's side ----

    def fileno(self) -> int:
        """Return a descriptor that is readable when frames can be received."""
        if self._heard:
            self._event.set()
        return self._event.fileno()

    def send(self, frame: bytes) -> tuple[bytes, float]:
        """Send a frame; return it with its check sequence, and the time it took.

        Raises
        ------
        LinkError
            When the co-processor is away, or refuses the frame.
        """
        start_s = time.monotonic()
        return self.transmit(frame), time.monotonic() - start_s

    def transmit(self, frame: bytes, first_s: float | None = None) -> bytes:
        """Send a frame, and wait until the co-processor is done with it.

        The acknowledgement that it got, if any, is among what `receive` returns next.

        Raises
        ------
        LinkError
            When the co-processor is away, or refuses the frame.
        """
        del first_s
        self._check_ready()
        psdu = frame + fcs_of(frame)
        value = spinel.sending(psdu, self._channel)
        answer = self._asked(Command.SET, Property.STREAM_RAW, value, _SENT_S)
        status = answer.status
        self._unanswered = frame if status == Status.NO_ACK else None
        if status == Status.OK:
            self._take_acknowledgement(answer)
        elif status == Status.CCA_FAILURE:
            # As a frame that collided: it was not heard, and is sent again.
            self._unanswered = frame
        elif status == Status.INVALID_STATE:
            # It was reset, and has not said so.
            self._was_reset = True
            self._unanswered = frame
        elif status != Status.NO_ACK:
            message = f"{self._name} refuses a frame of {len(psdu)} bytes: {status}"
            raise LinkError(message)
        return psdu

    def acknowledge(self, answer: bytes) -> bytes:
        """Return the acknowledgement that the co-processor has sent already."""
        return answer + fcs_of(answer)

    def is_unanswered(self, frame: bytes) -> bool:
        """Tell whether the frame sent last got no acknowledgement."""
        return self._unanswered == frame

    def receive(self, timeout_s: float) -> list[ReceivedFrame]:
        """Wait for frames; return at once when there are some."""
        end_s = time.monotonic() + timeout_s
        while True:
            self._keep_ready()
            left_s = max(end_s - time.monotonic(), 0.0)
            if not self._heard and select([self._port], [], [], min(left_s, 0.5))[0]:
                self._pump()
            has_news = bool(self._notices)
            if self._heard or has_news or time.monotonic() >= end_s:
                break
        heard = list(self._heard)
        self._heard.clear()
        self._event.clear()
        return heard

    def count_heard(self, seconds: float) -> int:
        """Listen for so long, and return how many frames were heard."""
        end_s, count = time.monotonic() + seconds, 0
        while (left_s := end_s - time.monotonic()) > 0:
            count += len(self.receive(left_s))
        return count

    def notices(self) -> list[str]:
        """Return what happened to the co-processor since the last call."""
        notices = [*self._notices, *self._port.notices()]
        self._notices.clear()
        return notices

    def close(self) -> None:
        """Let others use the port."""
        self._event.close()
        self._port.close()

    # ---- the co-processor's side ----

    @property
    def _name(self) -> str:
        return f"the radio co-processor at {self._place.port}"

    def _reset(self) -> None:
        """Start the co-processor anew; wait until it says so."""
        self._was_reset = False
        # A flag ends what an earlier program may have begun.
        self._write(Message(0, Command.RESET, value=_RESET_STACK))
        if not self._waited(lambda: self._was_reset, _RESET_S):
            message = (
                f"there is no radio co-processor at {self._place.port}: nothing that"
                " speaks Spinel has answered. Is OpenThread's RCP firmware on it?"
            )
            raise LinkError(message)
        self._was_reset = False

    def _asked_about(self) -> About:
        """Ask the co-processor what it is; check that it can be used."""
        version = self._value(Property.PROTOCOL_VERSION)
        major, rest = spinel.unpacked(version)
        minor, _ = spinel.unpacked(rest)
        if major != spinel.PROTOCOL_MAJOR:
            message = f"{self._name} speaks Spinel {major}.{minor}, and not 4"
            raise LinkError(message)
        capabilities, rest = set(), self._value(Property.CAPS)
        while rest:
            capability, rest = spinel.unpacked(rest)
            capabilities.add(capability)
        if spinel.CAPABILITY_MAC_RAW not in capabilities:
            message = (
                f"{self._name} runs a protocol stack of its own (NCP): it needs the"
                " firmware that is a radio alone (RCP)"
            )
            raise LinkError(message)
        firmware = self._value(Property.NCP_VERSION).rstrip(b"\0")
        api = self._answer_of(Property.RCP_API_VERSION)
        return About(
            firmware.decode(errors="replace"),
            (major, minor),
            None if api.status is not None else spinel.unpacked(api.value)[0],
            self._value(Property.HWADDR),
            frozenset(capabilities),
        )

    def _set_up(self) -> None:
        """Give the co-processor channel and addresses, and switch it on."""
        identity = self._identity
        self._set(Property.PHY_ENABLED, b"\x01")
        self._set(Property.PHY_CHANNEL, bytes((self._channel,)))
        if identity is not None:
            self._set(Property.MAC_PAN, identity.pan.to_bytes(2, "little"))
            short = 0xFFFE if identity.short is None else identity.short
            self._set(Property.MAC_SHORT_ADDRESS, short.to_bytes(2, "little"))
            self._set(Property.MAC_LONG_ADDRESS, identity.extended)
            self._hold_nothing()
        for name, level_dbm in (
            (Property.PHY_TX_POWER, self._place.power_dbm),
            (Property.PHY_CCA_THRESHOLD, self._place.cca_dbm),
        ):
            if level_dbm is not None:
                self._set(name, level_dbm.to_bytes(1, "little", signed=True))
        filtering = _NO_FILTER if identity is None else _FILTER
        self._set(Property.MAC_PROMISCUOUS, bytes((filtering,)))
        self._set(Property.MAC_RAW_STREAM_ENABLED, b"\x01")
        self._was_reset, self._is_set_up = False, True

    def _hold_nothing(self) -> None:
        """Say that no frame waits for a device that asks for what is held for it.

        Without source address matching a co-processor acknowledges each such question
        as if a frame followed, and a sleepy device stays awake for it. A node holds
        nothing: both tables of addresses are empty. Firmware may lack all of this.
        """
        for name, value in (
            (Property.MAC_SOURCES_SHORT, b""),
            (Property.MAC_SOURCES_LONG, b""),
            (Property.MAC_SOURCE_MATCH, b"\x01"),
        ):
            self._asked(Command.SET, name, value, _ANSWER_S)

    def _keep_ready(self) -> None:
        """Set the co-processor up again after a reset, or after it was away."""
        self._port.look()
        if self._port.times_opened != self._times_opened:
            # It was unplugged, if only for a moment.
            self._times_opened, self._is_set_up = self._port.times_opened, False
            self._event.watch(self._port.fileno())
        if not self._port.is_there:
            return
        if self._was_reset or not self._is_set_up:
            try:
                self._set_up()
            except LinkError:
                # It has gone again, or is not ready yet: the next call tries again.
                self._is_set_up = False
            else:
                self._notices.append(f"{self._name} was reset, and is set up again")

    def _check_ready(self) -> None:
        self._port.check()
        self._keep_ready()
        if not self._is_set_up:
            message = f"{self._name} was reset, and does not answer"
            raise LinkError(message)

    def _set(self, name: Property, value: bytes) -> None:
        answer = self._asked(Command.SET, name, value, _ANSWER_S)
        if answer.status not in (None, Status.OK):
            message = f"{self._name} refuses {name.name}: status {answer.status}"
            raise LinkError(message)

    def _value(self, name: Property) -> bytes:
        answer = self._answer_of(name)
        if answer.name != name:
            message = f"{self._name} has no {name.name}: status {answer.status}"
            raise LinkError(message)
        return answer.value

    def _answer_of(self, name: Property) -> Message:
        return self._asked(Command.GET, name, b"", _ANSWER_S)

    def _asked(
        self, command: Command, name: Property, value: bytes, limit_s: float
    ) -> Message:
        """Send a request, and return what the co-processor answers."""
        self._transaction = self._transaction % spinel.TRANSACTIONS[-1] + 1
        number = self._transaction
        self._answers.clear()
        self._write(Message(number, command, name, value))
        if not self._waited(lambda: number in self._answers, limit_s):
            message = f"{self._name} does not answer within {limit_s:g} s"
            raise LinkError(message)
        return self._answers.pop(number)

    def _write(self, message: Message) -> None:
        try:
            self._port.out.put(hdlc.encoded(message.encoded()))
            self._port.out.wait()
        except GONE as error:
            self._port.lose(error)
            self._port.check()

    def _waited(self, is_so: Callable[[], bool], limit_s: float) -> bool:
        """Read until something is so; whether it was within the time."""
        end_s = time.monotonic() + limit_s
        while not is_so():
            left_s = end_s - time.monotonic()
            if left_s <= 0 or not self._port.is_there:
                return False
            if select([self._port], [], [], left_s)[0]:
                self._pump()
        return True

    def _pump(self) -> None:
        """Take what has arrived."""
        for contents in self._decoder.feed(self._port.read()):
            try:
                self._take(spinel.parsed(contents))
            except spinel.SpinelError:
                self._decoder.damaged += 1

    def _take(self, message: Message) -> None:
        if message.transaction:
            self._answers[message.transaction] = message
        elif message.status in spinel.RESETS:
            self._was_reset = True
        elif message.name == Property.STREAM_RAW:
            self._take_frame(spinel.frame_of(message.value))

    def _take_acknowledgement(self, answer: Message) -> None:
        found = spinel.acknowledgement_in(answer.value)
        if found is not None:
            self._take_frame(found)

    def _take_frame(self, found: spinel.RawFrame) -> None:
        """Keep a frame; chips give other things in place of its check sequence."""
        frame = found.psdu[:-FCS_SIZE]
        if frame:
            # When it was sent is not known: the sender's clock is not ours.
            self._heard.append(
                ReceivedFrame(
                    frame + fcs_of(frame),
                    delivery_s=None,
                    rssi_dbm=found.rssi_dbm,
                    lqi=found.lqi,
                )
            )
