# SPDX-License-Identifier: Apache-2.0
"""One running end of an IEEE 802.15.4 link, connected to `samara medium`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.link import ieee802154
from samara.link.ieee802154 import receipts
from samara.link.ieee802154.levels import ENCRYPTION_ONLY
from samara.link.ieee802154.shape import Shape
from samara.link.ieee802154.zep_radio import ZepRadio
from samara.link.node.kinds import Arrival, Batch, Carrier, Transmission, other_end
from samara.link.node.receipt import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.link.ieee802154.zep_radio import Heard
    from samara.link.node.kinds import End
    from samara.link.node.receipt import Receipt
    from samara.link.node.state import State

_SENT, _EXPECTED = "transmit counter", "receive counter"


class Ieee802154Link:
    """One end, on the air."""

    answer_time_s = 1.0
    ready_s = 0.0

    def __init__(self, end: End, state: State) -> None:
        settings = end.settings
        self._shape = Shape.of(settings)
        self._suite = receipts.suite_of(settings["suite"], self._shape.level)
        self._counter = state.counter(_SENT)
        self._security = _security_of(end, self._shape)
        self._security.set_receive_counter(0, 0, state.get(_EXPECTED) or 0)
        self.payload_size = self._shape.payload_size
        self._radio = ZepRadio(
            settings["medium"], settings["channel"], paced=settings.get("paced", True)
        )

    def fileno(self) -> int:
        """Return the descriptor of the radio's socket."""
        return self._radio.fileno()

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
        psdu, time_s = self._radio.send(protected)
        return Transmission(counter, Carrier(len(payload), psdu), time_s)

    def flush(self) -> None:
        """Do nothing: `send` returns when it is done."""

    def receive(self, timeout_s: float) -> Batch:
        """Wait for frames, and open those that are for this node."""
        batch = Batch()
        for heard in self._radio.receive(timeout_s):
            try:
                if self._shape.is_for_us(ieee802154.parse(heard.frame)):
                    batch.arrivals.append(self._opened(heard, batch.numbers))
            except ieee802154.FrameError as error:
                batch.refused.append(str(error))
        batch.notices += self._radio.notices()
        return batch

    def _opened(self, heard: Heard, numbers: dict[str, int]) -> Arrival:
        expected = self._security.receive_counter(0, 0)
        payload = self._security.open(heard.frame).frame.payload
        now_expected = self._security.receive_counter(0, 0)
        if now_expected > expected:
            numbers[_EXPECTED] = now_expected
        return Arrival(
            payload=payload,
            carrier=Carrier(len(payload), heard.psdu),
            # Levels without a MIC have no counters.
            lost_before=max(now_expected - expected - 1, 0),
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
            air_s=time_s if is_sent else None,
            delivery_s=None if is_sent else time_s,
            answers=[self._shape.psdu_of(size) for size in answers],
        )
        return receipts.receipt_of(carried, self._suite)

    def close(self) -> None:
        """Leave the air."""
        self._radio.close()


def _security_of(end: End, shape: Shape) -> ieee802154.Security:
    own, peer = end.settings["own"], end.settings["peer"]
    pan = int(end.settings["pan"], 16)
    security = ieee802154.Security(
        bytes.fromhex(own["extended"]), pan, keys=1, devices=1
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
