# SPDX-License-Identifier: Apache-2.0
"""One end of a link of bursts: bits to a radio, and soft bits from it.

Two flow graphs of GNU Radio, each started when it is first needed:
bits -> burst_tx -> radio, and radio -> burst_rx -> soft bits.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.phy import radio as radios
from samara.phy.frames import burst_modulation, gnuradio_samara, sign_changed
from samara.phy.radio import RadioError, RecordingEndedError

if TYPE_CHECKING:
    from samara.phy.frames import Bits, Soft
    from samara.phy.radio import Block, Radio, Tuning


# Root mean square of a burst, and zeros behind it: both as the channel has them.
_AMPLITUDE, _GAP = 0.25, 64
# What is sent may be so far ahead of the air.
_AHEAD_S = 0.25
# From handing samples over to their being on the air, at most.
_LATENCY_S = 0.15
# How long a radio may take no sample before it is taken to be gone.
_PATIENCE_S = 5.0
_LOOK_S = 0.005
# Bursts that may wait for whoever receives. A foreign burst takes it about a
# millisecond: what is genuine waits for less than a second behind a flood.
WAITING_BURSTS = 256


@dataclass(frozen=True, slots=True)
class Heard:
    """A burst from the air."""

    soft: Soft
    """Log-likelihood ratios of its bits, positive for bit 0."""
    snr_db: float
    """Of a symbol, as the receiver estimates it."""
    offset: float
    """Of the carrier, in cycles per symbol."""


@dataclass(frozen=True, slots=True)
class Waveform:
    """What a burst takes."""

    samples: int
    sample_rate: float
    payload_bits: int
    overhead_bits: int
    """Preamble and pilots, in bits of the modulation."""

    @property
    def burst_s(self) -> float:
        """How long a burst is, in seconds."""
        return self.samples / self.sample_rate


def waveform_of(modulation: str, payload_bits: int, sample_rate: float) -> Waveform:
    """Return what a burst takes.

    Raises
    ------
    RadioError
        When GNU Radio is not there.
    """
    burst = gnuradio_samara().burst_waveform(burst_modulation(modulation), payload_bits)
    symbols = burst.preamble_symbols_on_air() + burst.payload_symbols()
    on_air = symbols * burst.bits_per_symbol()
    return Waveform(
        burst.samples() + _GAP, sample_rate, payload_bits, on_air - payload_bits
    )


class Inbox:
    """Bursts that wait to be taken; when there are too many, the newest.

    Parameters
    ----------
    size
        How many may wait; None for all of a recording, which is read faster than
        it can be searched and has an end.
    """

    def __init__(self, size: int | None = WAITING_BURSTS) -> None:
        self.size = size
        self._waiting: deque[Heard] = deque(maxlen=size)
        self._changed = threading.Condition()
        self.dropped = 0
        """Bursts that were dropped so far because nobody took them."""

    def put(self, heard: Heard) -> None:
        """Add a burst; drop the oldest one when there is no room."""
        with self._changed:
            self.dropped += len(self._waiting) == self._waiting.maxlen
            self._waiting.append(heard)
            self._changed.notify()

    def take(self, timeout_s: float, most: int) -> list[Heard]:
        """Wait for bursts; return at once when there are some, `most` of them."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting, timeout_s)
            count = min(most, len(self._waiting))
            return [self._waiting.popleft() for _ in range(count)]


class Station:
    """Sends and hears bursts.

    Parameters
    ----------
    radio, tuning
        Where samples go to and come from.
    number
        Which of a channel's radios this is, from 0 up.
    modulation
        A name of `samara.phy.modulation.MODULATIONS`.
    payload_bits
        Bits of each burst.

    Raises
    ------
    RadioError
        When GNU Radio or the radio is not there.
    """

    def __init__(
        self,
        radio: Radio,
        tuning: Tuning,
        number: int,
        *,
        modulation: str,
        payload_bits: int,
    ) -> None:
        self._blocks = gnuradio_samara()
        self.waveform = waveform_of(modulation, payload_bits, tuning.sample_rate)
        self._radio, self._tuning, self._number = radio, tuning, number
        self._shape = (burst_modulation(modulation), payload_bits)
        self._transmitter: _Transmitter | None = None
        self._receiver: _Receiver | None = None

    def send(self, bits: Bits) -> None:
        """Send a burst; return when it may be `_AHEAD_S` from the air.

        Raises
        ------
        RadioError
            When the radio takes no samples.
        """
        if self._transmitter is None:
            sink = radios.sink(self._radio, self._tuning, self._number)
            source = self._blocks.burst_tx(*self._shape, _AMPLITUDE, _GAP)
            paced = self._radio.kind != "file"
            self._transmitter = _Transmitter(source, sink, self.waveform, paced=paced)
        self._transmitter.send(bits)

    def receive(self, timeout_s: float, most: int) -> list[Heard]:
        """Wait for bursts; return at once when there are some, `most` of them.

        Raises
        ------
        RecordingEndedError
            When none will come.
        """
        return self._listening().receive(timeout_s, most)

    @property
    def dropped(self) -> int:
        """Bursts so far that came faster than they were taken, and were dropped."""
        return 0 if self._receiver is None else self._receiver.inbox.dropped

    def start(self) -> None:
        """Begin to listen."""
        self._listening()

    def _listening(self) -> _Receiver:
        if self._receiver is None:
            source = radios.source(self._radio, self._tuning, self._number)
            detector = self._blocks.burst_rx(*self._shape)
            inbox = Inbox(None if self._radio.kind == "file" else WAITING_BURSTS)
            self._receiver = _Receiver(source, detector, inbox)
        return self._receiver

    def close(self) -> None:
        """Wait until all is sent, and let go of the radio."""
        try:
            if self._transmitter is not None:
                self._transmitter.close()
        finally:
            if self._receiver is not None:
                self._receiver.close()


class _Transmitter:
    """The flow graph that sends."""

    def __init__(
        self, source: Block, sink: Block, waveform: Waveform, *, paced: bool
    ) -> None:
        import pmt  # noqa: PLC0415 - with GNU Radio
        from gnuradio import gr  # noqa: PLC0415

        self._pmt = pmt
        self._source, self._sink = source, sink
        self._waveform, self._paced = waveform, paced
        self._bursts = 0
        self._on_air_until_s = 0.0
        self._flow = gr.top_block("transmitter")
        self._flow.connect(source, sink)
        self._flow.start()

    def send(self, bits: Bits) -> None:
        pmt = self._pmt
        content = pmt.init_u8vector(len(bits), bits.tolist())
        self._source.to_basic_block()._post(  # noqa: SLF001 - GNU Radio's name
            pmt.intern("pdus"), pmt.cons(pmt.make_dict(), content)
        )
        self._bursts += 1
        now = time.monotonic()
        self._on_air_until_s = max(self._on_air_until_s, now) + self._waveform.burst_s
        self._wait_until_taken()
        ahead = self._on_air_until_s - time.monotonic() - _AHEAD_S
        if self._paced and ahead > 0:
            time.sleep(ahead)

    def _wait_until_taken(self) -> None:
        """Return when the radio has the samples of all bursts but the last few."""
        wanted = self._bursts * self._waveform.samples
        moved, since = 0, time.monotonic()
        while (taken := self._sink.nitems_read(0)) < wanted:
            if taken != moved:
                moved, since = taken, time.monotonic()
            elif time.monotonic() - since > _PATIENCE_S:
                message = (
                    "the radio takes no samples; with --radio zmq, is samara channel "
                    "running at that address?"
                )
                raise RadioError(message)
            time.sleep(_LOOK_S)

    def close(self) -> None:
        if self._paced:
            # Whatever is in sockets and drivers is lost with them.
            left = self._on_air_until_s + _LATENCY_S - time.monotonic()
            time.sleep(max(0.0, left))
        self._flow.stop()
        self._flow.wait()


class _Receiver:
    """The flow graph that listens."""

    def __init__(self, source: Block, detector: Block, inbox: Inbox) -> None:
        from gnuradio import gr  # noqa: PLC0415

        self.inbox = inbox
        self._collector = _collector(inbox)
        self._flow = gr.top_block("receiver")
        self._flow.connect(source, detector)
        self._flow.msg_connect((detector, "pdus"), (self._collector, "pdus"))
        self._ended = threading.Event()
        self._flow.start()
        threading.Thread(target=self._wait, daemon=True).start()

    def _wait(self) -> None:
        self._flow.wait()
        self._ended.set()

    def receive(self, timeout_s: float, most: int) -> list[Heard]:
        # Looked at first: what was heard before the end is not to be missed.
        has_ended = self._ended.is_set()
        found = self.inbox.take(0.0 if has_ended else max(timeout_s, 0.0), most)
        if has_ended and not found:
            message = "the recording is at its end"
            raise RecordingEndedError(message)
        return found

    def close(self) -> None:
        self._flow.stop()
        self._ended.wait()


def _collector(inbox: Inbox) -> Block:
    """Return a block that hands on what burst_rx says."""
    import pmt  # noqa: PLC0415 - with GNU Radio
    from gnuradio import gr  # noqa: PLC0415

    class Collector(gr.basic_block):  # type: ignore[misc] # GNU Radio has no types
        def __init__(self) -> None:
            super().__init__("collector", in_sig=None, out_sig=None)
            port = pmt.intern("pdus")
            self.message_port_register_in(port)
            self.set_msg_handler(port, self._take)

        def _take(self, message: object) -> None:
            facts = pmt.to_python(pmt.car(message))
            soft = np.array(pmt.f32vector_elements(pmt.cdr(message)), np.float32)
            inbox.put(Heard(sign_changed(soft), facts["snr_db"], facts["offset"]))

    return Collector()
