# SPDX-License-Identifier: Apache-2.0
"""One end of a link of bursts: sends bits by a radio, and receives soft bits.

It has two flowgraphs of GNU Radio, each started when it is first needed:
bits -> burst_tx -> radio, and radio -> burst_rx -> soft bits.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.phy import offsets
from samara.phy import radio as radios
from samara.phy.bursts import form_of
from samara.phy.frames import sign_changed
from samara.phy.tuning import (
    NoSamplesError,
    RadioError,
    RadioLostError,
    RecordingEndedError,
)

if TYPE_CHECKING:
    from samara.phy.frames import Bits, Soft
    from samara.phy.radio import Block, Radio
    from samara.phy.tuning import Tuning


# Root mean square of a burst, and zeros after it; `samara channel` has the same.
_AMPLITUDE, _GAP = 0.25, 64
# How far a sender may be ahead of real time.
_AHEAD_S = 0.25
# Longest time from giving samples to a radio until they are on the air.
_LATENCY_S = 0.15
# If a radio takes no sample for this long, sending fails.
_SEND_TIMEOUT_S = 5.0
# If a radio that never rests delivers no sample for this long, it is silent.
_SILENCE_S = 3.0
# How often it is checked what the radio has taken.
_CHECK_S = 0.005
# How often a radio that is gone is looked for.
_RETRY_S = 1.0
# Size of the queue of received bursts. Refusing a burst of another link takes about a
# millisecond, so a genuine burst waits for less than a second behind a full queue.
WAITING_BURSTS = 256


_NOT_TAKEN = (
    "the radio takes no samples; with --radio zmq, is samara channel running at that "
    "address?"
)


@dataclass(frozen=True, slots=True)
class ReceivedBurst:
    """A received burst."""

    soft: Soft
    """Log-likelihood ratios of the bits, positive for bit 0."""
    snr_db: float
    """Signal-to-noise ratio of a symbol, estimated by the receiver."""
    offset: float
    """Carrier frequency offset in cycles per symbol."""


@dataclass(frozen=True, slots=True)
class Waveform:
    """Length and overhead of a burst."""

    samples: int
    sample_rate: float
    payload_bits: int
    overhead_bits: int
    """Preamble and pilots, in bits of the modulation."""

    @property
    def burst_s(self) -> float:
        """Duration of a burst in seconds."""
        return self.samples / self.sample_rate


def waveform_of(modulation: str, payload_bits: int, sample_rate: float) -> Waveform:
    """Return length and overhead of a burst.

    Raises
    ------
    RadioError
        If GNU Radio is not installed, or the modulation has another sample rate.
    """
    form = form_of(modulation)
    if form.sample_rate is not None and form.sample_rate != sample_rate:
        message = (
            f"{modulation} has a sample rate of {form.sample_rate:,.0f} Hz, not "
            f"{sample_rate:,.0f} Hz: give --rate {form.sample_rate:.0f}"
        )
        raise RadioError(message)
    return Waveform(
        form.modulator(payload_bits, _AMPLITUDE).samples + _GAP,
        sample_rate,
        payload_bits,
        form.overhead_bits(payload_bits),
    )


class Inbox:
    """A queue of received bursts; if it is full, the oldest one is dropped.

    Parameters
    ----------
    size
        Bursts that the queue holds. None: no limit, for recordings, which are read
        faster than they can be decoded and have an end.
    """

    def __init__(self, size: int | None = WAITING_BURSTS) -> None:
        self.size = size
        self._waiting: deque[ReceivedBurst] = deque(maxlen=size)
        self._changed = threading.Condition()
        self._event = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._has_ended = False
        self.dropped = 0
        """Number of bursts that were dropped so far."""
        self.skipped = 0
        """Bursts under others that the receiver skipped until the last one received."""

    def fileno(self) -> int:
        """Return a descriptor that is readable while bursts wait, and at the end."""
        return self._event

    def close(self) -> None:
        """Close the descriptor."""
        with self._changed:
            if self._event >= 0:
                os.close(self._event)
            self._event = -1

    def end(self) -> None:
        """Note that no more bursts will come."""
        with self._changed:
            self._has_ended = True
            self._ring()

    def _ring(self) -> None:
        if self._event >= 0:
            os.eventfd_write(self._event, 1)

    def put(self, heard: ReceivedBurst) -> None:
        """Add a burst; drop the oldest one if the queue is full."""
        with self._changed:
            self.dropped += len(self._waiting) == self._waiting.maxlen
            self._waiting.append(heard)
            self._ring()
            self._changed.notify()

    def take(self, timeout_s: float, most: int) -> list[ReceivedBurst]:
        """Wait for a burst; return at most `most` bursts, none after the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting, timeout_s)
            count = min(most, len(self._waiting))
            taken = [self._waiting.popleft() for _ in range(count)]
            if not self._waiting and not self._has_ended:
                with contextlib.suppress(BlockingIOError):
                    os.eventfd_read(self._event)
            return taken


class Station:
    """Sends and receives bursts.

    Parameters
    ----------
    radio, tuning
        The radio and its settings.
    number
        Number of the radio in a channel, from 0.
    modulation
        A name of `samara.phy.modulation.MODULATIONS`.
    payload_bits
        Number of coded bits in each burst.
    highest_offset
        Carrier offset to search for, in cycles a symbol. Default: 100 ppm, if that
        takes at most three times as long.

    Raises
    ------
    RadioError
        If GNU Radio or the radio is not available.
    """

    def __init__(
        self,
        radio: Radio,
        tuning: Tuning,
        number: int,
        *,
        modulation: str,
        payload_bits: int,
        highest_offset: float | None = None,
    ) -> None:
        self.waveform = waveform_of(modulation, payload_bits, tuning.sample_rate)
        self._radio, self._tuning, self._number = radio, tuning, number
        self._form, self._payload_bits = form_of(modulation), payload_bits
        self._transmitter: _Transmitter | None = None
        self._highest_offset = highest_offset or offsets.searched(tuning)
        self._receiver: _Receiver | None = None
        self._retry_s = 0.0

    def send(self, bits: Bits) -> int | None:
        """Send a burst; return when it is at most `_AHEAD_S` ahead of real time.

        Returns
        -------
        int or None
            Samples that the radio took, if it does not tell that they left it.

        Raises
        ------
        NoSamplesError
            If the radio takes no samples. This burst may be on the air later; as long
            as none are taken, further ones are refused at once.
        RadioError
            If the radio is not available.
        """
        if self._transmitter is None:
            sink = radios.sink(self._radio, self._tuning, self._number)
            source = self._form.burst_tx(self._payload_bits, _AMPLITUDE, _GAP)
            paced = self._radio.kind != "file"
            self._transmitter = _Transmitter(source, sink, self.waveform, paced=paced)
        try:
            return self._transmitter.send(bits)
        except NoSamplesError:
            if self._transmitter.has_failed:
                transmitter, self._transmitter = self._transmitter, None
                transmitter.close()
            raise

    def receive(self, timeout_s: float, most: int) -> list[ReceivedBurst]:
        """Wait for a burst; return at most `most` bursts, none after the timeout.

        Raises
        ------
        RecordingEndedError
            If the recording is at its end.
        RadioLostError
            If the radio is gone. It is opened again when it is back.
        """
        receiver = self._listening()
        if receiver.failure is not None and time.monotonic() > self._retry_s:
            self._retry_s = time.monotonic() + _RETRY_S
            receiver = self._open_again(receiver)
        return receiver.receive(timeout_s, most)

    def _open_again(self, receiver: _Receiver) -> _Receiver:
        """Return a receiver in place of one that has lost its radio, if it is back."""
        if not receiver.has_ended:
            return receiver
        receiver.release()
        with contextlib.suppress(RadioError):
            self._receiver = self._opened(receiver.inbox)
        return self._receiver or receiver

    def fileno(self) -> int:
        """Return a descriptor that is readable when `receive` need not wait."""
        return self._listening().inbox.fileno()

    @property
    def dropped(self) -> int:
        """Number of bursts that were dropped so far because the queue was full."""
        return 0 if self._receiver is None else self._receiver.inbox.dropped

    @property
    def skipped(self) -> int:
        """Number of bursts under others that were skipped to keep up with the radio."""
        return 0 if self._receiver is None else self._receiver.inbox.skipped

    @property
    def overflows(self) -> int:
        """How often the radio lost samples that were not read in time."""
        return 0 if self._receiver is None else self._receiver.overflows

    @property
    def taken(self) -> str | None:
        """What the radio took of the settings for receiving, in words."""
        return None if self._receiver is None else self._receiver.taken

    @property
    def is_silent(self) -> bool:
        """Whether the radio has delivered no samples for some seconds.

        A channel and hardware always deliver some. False before anything is received.
        """
        return self._receiver is not None and self._receiver.is_silent

    @property
    def delivers(self) -> bool:
        """Whether the radio has delivered samples since it was opened, again perhaps.

        Opened is not enough: what is sent before the first sample is not heard.
        """
        return self._receiver is not None and self._receiver.delivers

    def start(self) -> None:
        """Begin to receive."""
        self._listening()

    def _listening(self) -> _Receiver:
        if self._receiver is None:
            is_file = self._radio.kind == "file"
            self._receiver = self._opened(Inbox(None if is_file else WAITING_BURSTS))
        return self._receiver

    def _opened(self, inbox: Inbox) -> _Receiver:
        source = radios.source(self._radio, self._tuning, self._number)
        detector = self._form.burst_rx(self._payload_bits, self._highest_offset)
        may_rest = self._radio.kind == "file"
        return _Receiver(source, detector, inbox, may_rest=may_rest)

    def close(self) -> None:
        """Wait until all bursts are sent, and release the radio."""
        try:
            if self._transmitter is not None:
                self._transmitter.close()
        finally:
            if self._receiver is not None:
                self._receiver.close()


class _Transmitter:
    """The flowgraph that sends."""

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
        self._stuck_at: int | None = None
        self._flow = gr.top_block("transmitter")
        self._flow.connect(source, sink)
        self._flow.start()

    @property
    def has_failed(self) -> bool:
        """Whether the radio has ended the flowgraph."""
        return getattr(self._sink, "failure", None) is not None

    def send(self, bits: Bits) -> int | None:
        """Send a burst; see `Station.send`."""
        if self._stuck_at == self._sink.nitems_read(0):
            # Bursts would gather, all to be sent at once when it goes on.
            raise NoSamplesError(_NOT_TAKEN)
        self._stuck_at = None
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
        device = getattr(self._sink, "transmitter", None)
        is_known = device is None or device.confirms
        return None if is_known else self._waveform.samples

    def _wait_until_taken(self) -> None:
        """Return when the radio has taken the samples of all bursts."""
        wanted = self._bursts * self._waveform.samples
        device = getattr(self._sink, "transmitter", None)
        # A device takes a burst as a whole, when it has sent it.
        longest_s = self._waveform.burst_s + device.longest_s if device else 0.0
        longest_s = max(longest_s, _SEND_TIMEOUT_S)
        moved, since = 0, time.monotonic()
        while (taken := self._sink.nitems_read(0)) < wanted:
            if self.has_failed:
                raise self._sink.failure
            if taken != moved:
                moved, since = taken, time.monotonic()
            elif time.monotonic() - since > longest_s:
                self._stuck_at = taken
                raise NoSamplesError(_NOT_TAKEN)
            time.sleep(_CHECK_S)

    def close(self) -> None:
        if self._paced and not self.has_failed:
            # Samples that are still in a driver are lost when it is closed.
            left = self._on_air_until_s + _LATENCY_S - time.monotonic()
            time.sleep(max(0.0, left))
        self._flow.stop()
        self._flow.wait()


class _Receiver:
    """The flowgraph that receives."""

    def __init__(
        self, source: Block, detector: Block, inbox: Inbox, *, may_rest: bool
    ) -> None:
        from gnuradio import gr  # noqa: PLC0415

        self.inbox = inbox
        # A source in Python has to be kept as long as the flowgraph runs.
        self._source, self._detector, self._may_rest = source, detector, may_rest
        self._delivered, self._delivered_s = -1, 0.0
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
        if self.failure is None:
            self.inbox.end()

    @property
    def failure(self) -> RadioError | None:
        """Why the radio is gone, if it is."""
        return getattr(self._source, "failure", None)

    @property
    def has_ended(self) -> bool:
        """Whether the flowgraph has ended by itself."""
        return self._ended.is_set()

    @property
    def overflows(self) -> int:
        device = getattr(self._source, "receiver", None)
        return device.overflows if device else 0

    @property
    def taken(self) -> str | None:
        taken = getattr(self._source, "taken", None)
        return taken.in_words() if taken else None

    def receive(self, timeout_s: float, most: int) -> list[ReceivedBurst]:
        # Checked first, so that bursts received before the end are not missed.
        has_ended = self._ended.is_set()
        is_over = has_ended and self.failure is None
        found = self.inbox.take(0.0 if is_over else max(timeout_s, 0.0), most)
        if has_ended and not found:
            if self.failure is not None:
                raise RadioLostError(str(self.failure))
            message = "the recording is at its end"
            raise RecordingEndedError(message)
        return found

    @property
    def delivers(self) -> bool:
        return bool(self._detector.nitems_read(0))

    @property
    def is_silent(self) -> bool:
        if self._may_rest:
            return False
        delivered, now_s = self._detector.nitems_read(0), time.monotonic()
        if delivered != self._delivered:
            self._delivered, self._delivered_s = delivered, now_s
        return now_s - self._delivered_s > _SILENCE_S

    def release(self) -> None:
        """End the flowgraph, and let go of the radio."""
        self._flow.stop()
        self._ended.wait()
        self._flow.disconnect_all()

    def close(self) -> None:
        self._flow.stop()
        self._ended.wait()
        self.inbox.close()


def _collector(inbox: Inbox) -> Block:
    """Return a block that puts what burst_rx outputs into a queue."""
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
            inbox.skipped = facts.get("skipped", 0)
            inbox.put(
                ReceivedBurst(sign_changed(soft), facts["snr_db"], facts["offset"])
            )

    return Collector()
