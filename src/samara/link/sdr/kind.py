# SPDX-License-Identifier: Apache-2.0
"""Nodes that talk by software-defined radio, encrypted at the physical layer.

A payload is filled up to the link's frame size; tag, channel code, Grain-128PLE
and modulation follow (`gnuradio.samara`). A frame's counter is not sent: the
receiver finds it (`samara.crypto.ple_sync`), and the tag decides. Both ends
share one key; the nonce has the direction, so that they never use the same one.
"""

from __future__ import annotations

import secrets
import struct
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from samara.crypto import ple_sync
from samara.crypto.grain128ple import STATE_SIZE
from samara.crypto.names import Standing
from samara.errors import MisuseError
from samara.link.node.kinds import (
    Arrival,
    Batch,
    Carrier,
    Doubt,
    End,
    LinkEndedError,
    Settings,
    Transmission,
    check_keys,
    check_settings,
    doubt_of,
    is_number_in,
    is_real,
    is_text,
)
from samara.phy import frames
from samara.phy.radio import Radio, RecordingEndedError, Tuning
from samara.phy.station import MODULATIONS, Station, waveform_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from samara.link.node.receipt import Direction, Receipt
    from samara.link.node.state import State
    from samara.link.sdr.receipts import Frames
    from samara.phy.station import Heard

_SENT, _EXPECTED = "transmit counter", "receive counter"
DEFAULTS: Mapping[str, Any] = {
    "radio": "zmq",
    "rate": 1e6,
    "modulation": "qpsk",
    "frame_size": 252,
    "frequency": 868.3e6,
    "gain": 30.0,
}
"""How a link is when `samara node init` is told nothing else."""

# Before the payload: what is behind it is fill.
_LENGTH = struct.Struct(">H")
_FRAME_SIZES = range(48, 1021)
_RATES = (1e4, 20e6)
# Frames that are taken at once: what they change is stored with one write.
_FRAMES_AT_ONCE = 64


class _Laps:
    """Time that a codec spends in the cipher, from message to message."""

    def __init__(self, codec: frames.Codec) -> None:
        self._codec = codec
        self._before_s = 0.0

    def lap_s(self) -> float:
        """Return the time since the last call."""
        now_s = self._codec.cipher_s
        lap_s, self._before_s = now_s - self._before_s, now_s
        return lap_s


class SdrLink:
    """One end, on the air."""

    answer_time_s = 2.0

    def __init__(self, end: End, state: State) -> None:
        settings = end.settings
        self.payload_size = payload_size_of(settings)
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
        self._sender_clock = _Laps(self._sender)
        self._opener_clock = _Laps(self._opener)
        self._dropped = 0
        self._settings = settings
        self._station = Station(
            Radio.parse(settings["radio"]),
            Tuning(settings["rate"], settings["frequency"], settings["gain"]),
            here,
            modulation=settings["modulation"],
            payload_bits=self._sender.coded_bits(settings["frame_size"]),
        )

    def next_counter(self) -> int:
        """Return the counter of the next frame."""
        return self._counter.next

    def send(self, payload: bytes) -> Transmission:
        """Encrypt a frame and send it."""
        counter = self._counter.take()
        start_s = time.monotonic()
        content = (_LENGTH.pack(len(payload)) + payload).ljust(
            self._settings["frame_size"], b"\0"
        )
        bits = self._sender.encode(content, counter)
        self._station.send(bits)
        carrier = Carrier(len(payload), np.packbits(bits).tobytes())
        return Transmission(counter, carrier, time.monotonic() - start_s)

    def receive(self, timeout_s: float) -> Batch:
        """Wait for bursts, and open those that are for this node."""
        batch = Batch()
        try:
            bursts = self._station.receive(timeout_s, _FRAMES_AT_ONCE)
        except RecordingEndedError as error:
            raise LinkEndedError(str(error)) from None
        for heard in bursts:
            self._take(heard, batch)
        if dropped := self._station.dropped - self._dropped:
            self._dropped += dropped
            reason = f"{dropped} bursts came faster than they could be searched"
            batch.refused.append(reason)
        return batch

    def _take(self, heard: Heard, batch: Batch) -> None:
        expected = self._sync.next_counter
        found = self._sync.search(ple_sync.quantise(heard.soft))
        content = None
        if found is not None:
            content = self._opener.decode(heard.soft, found.counter)
        if found is None or content is None:
            self._sync.miss()
            reason = "no counter explains a burst" if found is None else "a wrong tag"
            batch.refused.append(reason)
            return
        self._sync.accept(found.counter)
        batch.numbers[_EXPECTED] = found.counter + 1
        (size,) = _LENGTH.unpack_from(content)
        payload = content[_LENGTH.size :][:size]
        carrier = Carrier(len(payload), np.packbits(heard.soft < 0).tobytes())
        lost = found.counter - expected
        batch.arrivals.append(Arrival(payload, carrier, lost))

    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,
        answers: Sequence[int] = (),
    ) -> Receipt:
        """Return what a message cost that travelled as these frames."""
        from samara.link.sdr import receipts as receipts_sdr  # noqa: PLC0415

        sent = direction == "sent"
        clock = self._sender_clock if sent else self._opener_clock
        carried = receipts_sdr.Carried(
            direction,
            message,
            [carrier.payload_size for carrier in carriers],
            cipher_s=clock.lap_s(),
            delivery_s=None if sent else time_s,
            answers=len(answers),
        )
        return receipts_sdr.receipt_of(carried, self._frames)

    @cached_property
    def _frames(self) -> Frames:
        return frames_of(self._settings)

    def close(self) -> None:
        """Send what is on its way, and leave the air."""
        self._station.close()


def payload_size_of(settings: Mapping[str, Any]) -> int:
    """Return the bytes of the longest payload of a frame."""
    size: int = settings["frame_size"] - _LENGTH.size
    return size


def frames_of(settings: Mapping[str, Any]) -> Frames:
    """Return what the frames of a link with these settings have in common."""
    from samara.link.sdr.receipts import Frames  # noqa: PLC0415 - if one is wanted

    size = settings["frame_size"]
    coded_bits = frames.Unencrypted().coded_bits(size)
    waveform = waveform_of(settings["modulation"], coded_bits, settings["rate"])
    return Frames(
        payload_bytes=size,
        coded_bits=coded_bits,
        bits_added_by_encryption=frames.bits_added_by_encryption(size),
        preamble_bits=waveform.overhead_bits,
        burst_s=waveform.burst_s,
        state_bytes=STATE_SIZE,
    )


class _SdrKind:
    """Makes pairs of nodes, and opens them."""

    options: ClassVar[frozenset[str]] = frozenset(DEFAULTS)
    run_options: ClassVar[frozenset[str]] = frozenset(
        {"radio", "rate", "frequency", "gain"}
    )

    def new_pair(self, given: Mapping[str, Any]) -> tuple[End, End]:
        """Draw a key and a number for the link."""
        settings = checked({**DEFAULTS, **given})
        settings |= {"link_id": secrets.randbelow(1 << 16), "end": 0}
        return self.both_ends(settings)

    def both_ends(self, settings: Settings) -> tuple[End, End]:
        """Draw a key; the ends differ in their number."""
        keys = {"key": secrets.token_bytes(frames.KEY_SIZE)}
        other = {**settings, "end": 1 - settings["end"]}
        return End(settings, keys), End(other, keys)

    def check(self, settings: Settings, keys: Mapping[str, bytes] | None) -> None:
        """Check all settings, and the key."""
        check_settings(settings, _RULES)
        checked(settings)
        check_keys(keys, {"key": frames.KEY_SIZE})

    def doubt(self, settings: Settings) -> Doubt | None:
        """Grain-128PLE is for research; the tag within the frame authenticates."""
        del settings
        return doubt_of("grain128ple", Standing.RESEARCH)

    def open(self, end: End, state: State) -> SdrLink:
        """Open one end."""
        return SdrLink(end, state)


_RULES: Mapping[str, Callable[[Any], bool]] = {
    "radio": is_text,
    "rate": is_real,
    "modulation": is_text,
    "frame_size": is_number_in(_FRAME_SIZES),
    "frequency": is_real,
    "gain": is_real,
    "link_id": is_number_in(range(1 << 16)),
    "end": is_number_in(range(2)),
}


def checked(settings: Settings) -> Settings:
    """Return settings that a link can have.

    Raises
    ------
    MisuseError
        When it cannot; the text tells what can be.
    """
    Radio.parse(settings["radio"])
    if settings["modulation"] not in MODULATIONS:
        message = (
            f"there is no modulation {settings['modulation']!r}; there are "
            f"{', '.join(MODULATIONS)}"
        )
        raise MisuseError(message)
    if settings["frame_size"] not in _FRAME_SIZES:
        message = (
            f"a frame size of {settings['frame_size']} bytes cannot be: give "
            f"{_FRAME_SIZES.start} to {_FRAME_SIZES.stop - 1}"
        )
        raise MisuseError(message)
    if not _RATES[0] <= settings["rate"] <= _RATES[1]:
        message = (
            f"a rate of {settings['rate']:g} samples a second cannot be: give "
            f"{_RATES[0]:g} to {_RATES[1]:g}"
        )
        raise MisuseError(message)
    return settings


KIND = _SdrKind()
