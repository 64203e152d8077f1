# SPDX-License-Identifier: Apache-2.0
"""One running end of a link over software-defined radio."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from samara.crypto import ple_sync
from samara.link.node.carriers import Carrier
from samara.link.node.events import Alarm, Refused
from samara.link.node.link import (
    Arrival,
    Batch,
    Link,
    LinkEndedError,
    LinkError,
    Transmission,
)
from samara.link.node.quantities import Number, Quantity
from samara.link.node.reachability import Reachability
from samara.link.node.receipt import Direction
from samara.link.sdr import receipts
from samara.link.sdr.frame import LENGTH, frames_of, payload_size_of
from samara.phy import frames, offsets
from samara.phy.radio import Radio
from samara.phy.station import Station
from samara.phy.tuning import (
    NoSamplesError,
    RadioLostError,
    RecordingEndedError,
    Tuning,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.link.node.end import End
    from samara.link.node.receipt import Receipt
    from samara.link.node.state import State
    from samara.link.sdr.receipts import Frames
    from samara.phy.station import ReceivedBurst

_SENT, _EXPECTED = Number(Quantity.SENT), Number(Quantity.EXPECTED)
# Frames that are taken at once: what they change is stored with one write.
_FRAMES_AT_ONCE = 64


class _Stopwatch:
    """Time that a codec spends in the cipher, from frame to frame."""

    def __init__(self, codec: frames.Codec) -> None:
        self._codec = codec
        self._before_s = 0.0

    def lap_s(self) -> float:
        """Return the time since the last call."""
        now_s = self._codec.cipher_s
        lap_s, self._before_s = now_s - self._before_s, now_s
        return lap_s


class SdrLink(Link):
    """One end, on the air."""

    kind = "sdr"
    answer_time_s = 2.0

    def __init__(self, end: End, state: State) -> None:
        settings = end.settings
        self._counter = state.counter(_SENT)
        here = settings["end"]
        link = {"link_id": settings["link_id"]}
        self._sender = frames.Codec(end.keys["key"], direction=here, **link)
        self._opener = frames.Codec(end.keys["key"], direction=1 - here, **link)
        self._sync = ple_sync.Receiver(
            end.keys["key"],
            direction=1 - here,
            next_counter=state.get(_EXPECTED) or 0,
            **link,
        )
        self._sender_clock = _Stopwatch(self._sender)
        self._opener_clock = _Stopwatch(self._opener)
        self._dropped = 0
        self._overflows = 0
        self._has_reported_skipped = False
        self._reported_settings: str | None = None
        self._reachability = Reachability(f"the radio {settings['radio']}")
        self._settings = settings
        self._tuning = Tuning(
            settings["rate"],
            settings["frequency"],
            settings["gain"],
            settings.get("ppm", 0.0),
        )
        self._station = Station(
            Radio.parse(settings["radio"]),
            self._tuning,
            here,
            modulation=settings["modulation"],
            payload_bits=self._sender.coded_bits(settings["frame_size"]),
        )

    @property
    def payload_size(self) -> int:
        """Bytes of a frame that are not its length or its tag."""
        return payload_size_of(self._settings)

    def counted(self) -> Mapping[str | None, tuple[Number, Number]]:
        """Return the two counters."""
        return {None: (_SENT, _EXPECTED)}

    def fileno(self) -> int:
        """Return the descriptor of the queue of received bursts."""
        return self._station.fileno()

    def send(self, payload: bytes, to: str | None = None) -> Transmission:
        """Encrypt a frame and send it.

        As long as nothing is heard of the radio, nothing is sent.
        """
        self.named(to)
        self._check()
        counter = self._counter.take()
        start_s = time.monotonic()
        content = (LENGTH.pack(len(payload)) + payload).ljust(
            self._settings["frame_size"], b"\0"
        )
        bits = self._sender.encode(content, counter)
        try:
            device_samples = self._station.send(bits)
        except NoSamplesError as error:
            raise LinkError(str(error)) from None
        encoded = np.packbits(bits).tobytes()
        carrier = Carrier(
            len(payload),
            encoded,
            self._sender_clock.lap_s(),
            device_samples=device_samples,
        )
        return Transmission(counter, carrier, time.monotonic() - start_s)

    def _check(self) -> None:
        """Refuse to send while the radio is away."""
        self._look()
        if not self._reachability.is_reachable:
            message = (
                f"the radio {self._settings['radio']} delivers no samples; with --radio"
                " zmq, is samara channel running at that address?"
            )
            raise LinkError(message)

    def _look(self) -> None:
        """Note whether the radio is away."""
        if self._station.is_silent:
            self._reachability.lost("it delivers no samples")
        elif self._station.delivers:
            self._reachability.regained()

    def receive(self, timeout_s: float) -> Batch:
        """Wait for bursts, and open those that are for this node."""
        batch = Batch()
        try:
            bursts = self._station.receive(timeout_s, _FRAMES_AT_ONCE)
        except RecordingEndedError as error:
            raise LinkEndedError(str(error)) from None
        except RadioLostError as error:
            self._reachability.lost(str(error))
            return Batch(notices=self._reachability.notices())
        for heard in bursts:
            self._take(heard, batch)
        self._look()
        batch.notices += [*self._of_device(), *self._reachability.notices()]
        if dropped := self._station.dropped - self._dropped:
            self._dropped += dropped
            reason = f"{dropped} bursts came faster than they could be searched"
            batch.refused.append(Refused(reason))
        return batch

    def _of_device(self) -> Iterator[str]:
        """Yield what the device took, once, and what it lost."""
        radio = f"the radio {self._settings['radio']}"
        if (
            taken := self._station.taken
        ) is not None and taken != self._reported_settings:
            self._reported_settings = taken
            yield f"{radio} took these settings to receive: {taken}"
            if (limit := offsets.limit_in_words(self._tuning)) is not None:
                yield limit
        overflows, self._overflows = self._overflows, self._station.overflows
        if self._overflows > overflows:
            yield (
                f"{radio} lost samples, because they were not read in time (overflow): "
                "bursts may be missing; lower --rate, or end other programs"
            )
        if self._station.skipped and not self._has_reported_skipped:
            self._has_reported_skipped = True
            yield (
                f"{radio} hears bursts over bursts without a pause: to keep up, only "
                "the strongest of them are received"
            )

    def _take(self, heard: ReceivedBurst, batch: Batch) -> None:
        expected = self._sync.next_counter
        found = self._sync.search(ple_sync.quantise(heard.soft))
        content = None
        if found is not None:
            content = self._opener.decode(heard.soft, found.counter)
        if found is None or content is None:
            self._sync.miss()
            reason = "no counter explains a burst" if found is None else "a wrong tag"
            batch.refused.append(Refused(reason, Alarm.NOT_GENUINE))
            return
        self._sync.accept(found.counter)
        batch.numbers[_EXPECTED] = found.counter + 1
        (size,) = LENGTH.unpack_from(content)
        payload = content[LENGTH.size :][:size]
        encoded = np.packbits(heard.soft < 0).tobytes()
        carrier = Carrier(len(payload), encoded, self._opener_clock.lap_s())
        lost = found.counter - expected
        batch.arrivals.append(Arrival(payload, carrier, lost_before=lost))

    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,
        answers: Sequence[int] = (),
    ) -> Receipt:
        """Return what a message cost that travelled as these frames."""
        carried = receipts.Carried(
            direction,
            message,
            [carrier.payload_size for carrier in carriers],
            cipher_s=sum(carrier.cipher_s or 0.0 for carrier in carriers),
            delivery_s=None if direction is Direction.SENT else time_s,
            answers=len(answers),
        )
        return receipts.receipt_of(carried, self._frames)

    @cached_property
    def _frames(self) -> Frames:
        return frames_of(self._settings)

    def close(self) -> None:
        """Send what is on its way, and leave the air."""
        self._station.close()
