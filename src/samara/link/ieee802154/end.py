# SPDX-License-Identifier: Apache-2.0
"""One running end of an IEEE 802.15.4 link, connected to `samara medium`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.link import ieee802154
from samara.link.ieee802154 import receipts, zep
from samara.link.ieee802154.acks import Identity
from samara.link.ieee802154.box_mac_2 import WAKE_UP, Duty
from samara.link.ieee802154.levels import ENCRYPTION_ONLY, authenticates
from samara.link.ieee802154.mac import Mac
from samara.link.ieee802154.received import Received
from samara.link.ieee802154.shape import Shape, is_strobing
from samara.link.ieee802154.zep_radio import ZepRadio
from samara.link.node.kinds import Arrival, Batch, Carrier, Transmission, other_end
from samara.link.node.options import seconds_of
from samara.link.node.receipt import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from samara.link.ieee802154.mac import Taken
    from samara.link.node.kinds import End
    from samara.link.node.receipt import Receipt
    from samara.link.node.state import State

_SENT, _EXPECTED = "transmit counter", "receive counter"

# Between radios that do not sleep.
_ANSWER_TIME_S = 1.0


class Ieee802154Link:
    """One end, on the air."""

    ready_s = 0.0

    def __init__(self, end: End, state: State) -> None:
        settings = end.settings
        self._shape = Shape.of(settings)
        self._suite = receipts.suite_of(settings["suite"], self._shape.level)
        self._counter = state.counter(_SENT)
        self._security = _security_of(end, self._shape)
        self._received = Received(
            self._security, 0, 0, state, _EXPECTED, late=_takes_late(settings)
        )
        self.payload_size = self._shape.payload_size
        duty = _duty_of(settings)
        self._sleeps = duty is not None
        # The question and the answer each wait until the other end wakes up.
        self.answer_time_s = _ANSWER_TIME_S + (2 * duty.wake_up_s if duty else 0)
        identity = Identity.of(settings)
        radio = ZepRadio(
            settings["medium"],
            settings["channel"],
            paced=settings.get("paced", True),
            hello=zep.Hello(identity.short or 0, identity.extended),
        )
        self._mac = Mac(
            radio,
            identity,
            retries=settings.get("frame_retries") or 0,
            duty=duty,
        )

    def fileno(self) -> int:
        """Return a descriptor that is readable when something may have arrived."""
        return self._mac.fileno()

    def named(self, to: str | None) -> None:
        """Refuse all names: there are two ends."""
        other_end("ieee802154", to)

    def send(self, payload: bytes, to: str | None = None) -> Transmission:
        """Protect a frame and send it."""
        self.named(to)
        counter = self._counter.take()
        frame = self._shape.frame(payload, counter)
        if frame.security is None:
            protected = ieee802154.build(frame)
        else:
            self._security.set_transmit_counter(0, counter)
            protected = self._security.protect(frame)
        sending = self._mac.send(protected)
        carrier = Carrier(
            len(payload),
            sending.psdu,
            attempts=sending.attempts,
            acknowledgement=sending.acknowledgement,
            listened_s=sending.listened_s if self._sleeps else None,
        )
        return Transmission(counter, carrier, sending.time_s, sending.was_asked)

    def flush(self) -> None:
        """Do nothing: `send` returns when it is done."""

    def receive(self, timeout_s: float) -> Batch:
        """Wait for frames, and open those that are for this node."""
        batch = Batch()
        for taken in self._mac.receive(timeout_s):
            try:
                if self._shape.is_for_us(ieee802154.parse(taken.heard.frame)):
                    batch.arrivals.append(self._opened(taken, batch.numbers))
            except ieee802154.FrameError as error:
                batch.refused.append(str(error))
        batch.notices += self._mac.notices()
        return batch

    def _opened(self, taken: Taken, numbers: dict[str, int]) -> Arrival:
        heard = taken.heard
        opened = self._security.open(heard.frame)
        payload = opened.frame.payload
        lost = self._received.lost_by(opened)
        if authenticates(opened.level):
            numbers.update(self._received.numbers())
        return Arrival(
            payload=payload,
            carrier=Carrier(
                len(payload),
                heard.psdu,
                acknowledgement=taken.acknowledgement,
                listened_s=taken.listened_s if self._sleeps else None,
            ),
            lost_before=lost,
            delivery_s=heard.delivery_s,
        )

    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,
        answers: Sequence[int] = (),
    ) -> Receipt:
        """Return what a message cost that was sent as these frames."""
        is_sent = direction is Direction.SENT
        carried = receipts.Sent(
            direction=direction,
            message_bytes=len(message),
            frames=[carrier.encoded for carrier in carriers],
            repetitions=[
                carrier.encoded
                for carrier in carriers
                for _ in range(carrier.attempts - 1)
            ],
            acknowledgements=[
                carrier.acknowledgement
                for carrier in carriers
                if carrier.acknowledgement
            ],
            listened_s=_sum_known(carrier.listened_s for carrier in carriers),
            air_s=time_s if is_sent else None,
            delivery_s=None if is_sent else time_s,
            answers=[self._shape.psdu_of(size) for size in answers],
        )
        return receipts.receipt_of(carried, self._suite)

    def close(self) -> None:
        """Leave the air."""
        self._mac.close()


def _duty_of(settings: Mapping[str, Any]) -> Duty | None:
    if not is_strobing(settings):
        return None
    return Duty(seconds_of(settings.get("wake_up", WAKE_UP)) or 0.0)


def _sum_known(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _takes_late(settings: Mapping[str, Any]) -> bool:
    # Nodes that were made before it could be chosen do not.
    return bool(settings.get("late_frames"))


def _security_of(end: End, shape: Shape) -> ieee802154.Security:
    own, peer = end.settings["own"], end.settings["peer"]
    pan = int(end.settings["pan"], 16)
    security = ieee802154.Security(
        bytes.fromhex(own["extended"]),
        pan,
        keys=1,
        devices=1,
        late=_takes_late(end.settings),
    )
    security.add_key(
        end.keys["key"],
        shape.key_id,
        cipher=end.settings["suite"],
        encryption_only=shape.level == ENCRYPTION_ONLY,
    )
    # Before the device is added: a device begins with the level required of all.
    security.require(shape.level)
    security.add_device(
        bytes.fromhex(peer["extended"]), pan=pan, short=int(peer["short"], 16)
    )
    return security
