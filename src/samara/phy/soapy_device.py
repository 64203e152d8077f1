# SPDX-License-Identifier: Apache-2.0
"""A device behind SoapySDR: what it took of its settings, bursts, and samples.

Drivers have habits that a caller has to allow for:

- A device takes the nearest setting that it has. What it took is read back.
- A buffer is sent when it is full (SoapyHackRF: 131,072 samples); the mark at the end
  of a burst is ignored by some drivers and needed by others. So each burst is filled up
  with zeros to whole buffers, and its end is marked.
- Stopping a stream discards what has not left the device, and drivers have samples on
  their way to it that they do not count (libhackrf: four transfers).
- Some drivers tell when the end of a burst has left the device, some tell only that
  they have run out of samples, and some tell nothing: then it is known that the device
  took a burst, and not that it sent it.
- A device of half duplex stops to receive when it transmits.
"""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakValueDictionary

import numpy as np
import SoapySDR
from SoapySDR import SOAPY_SDR_RX as RX
from SoapySDR import SOAPY_SDR_TX as TX

from samara.phy.tuning import (
    DamagedBurstError,
    NoSamplesError,
    RadioError,
    RadioLostError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from samara.phy.tuning import Tuning

Samples: TypeAlias = "NDArray[np.complex64]"

_CHANNEL = 0
_CALL_US = 100_000
# If a device takes no sample for this long, sending fails.
_STUCK_S = 5.0
# Beyond the time of the samples: until a driver must have told that they left it.
_LATE_S = 5.0
# From a driver that tells nothing, samples leave at most this late.
_LATENCY_S = 0.15
# Buffers on their way to a device of half duplex that its driver does not count.
_ON_THEIR_WAY = 5
# Statuses that wait in a driver from before a burst.
_MOST_STATUSES = 64

_END_BURST = SoapySDR.SOAPY_SDR_END_BURST
_TIMEOUT = SoapySDR.SOAPY_SDR_TIMEOUT
_OVERFLOW = SoapySDR.SOAPY_SDR_OVERFLOW
_UNDERFLOW = SoapySDR.SOAPY_SDR_UNDERFLOW
_NOT_SUPPORTED = SoapySDR.SOAPY_SDR_NOT_SUPPORTED

_UNDERRUN = (
    "the device ran out of samples within a burst (underrun), so the burst was sent "
    "damaged: lower --rate, or end other programs"
)
_TAKES_NONE = "the device takes no samples: take it off, connect it again, and retry"


@dataclass(frozen=True, slots=True)
class AppliedSettings:
    """What a device took of the settings that it was given."""

    sample_rate: float
    """In Hz."""
    frequency: float
    """In Hz."""
    bandwidth: float
    """In Hz; 0 if the device does not tell."""
    gain_db: float

    def in_words(self) -> str:
        """Return the settings as a part of a sentence."""
        bandwidth = f"bandwidth {self.bandwidth:,.0f} Hz, " if self.bandwidth else ""
        return (
            f"sample rate {self.sample_rate:,.0f} Hz, frequency {self.frequency:,.0f} "
            f"Hz, {bandwidth}gain {self.gain_db:.1f} dB"
        )


class SoapyDevice:
    """An open device. Of one device, a process has one of these (`opened`)."""

    def __init__(self, arguments: str) -> None:
        self._device = SoapySDR.Device(arguments)
        self._air = threading.Lock()
        """Held by who uses a device of half duplex."""
        self._transmits = threading.Event()
        self.transmissions = 0
        """How often it was transmitted by it, which ends what it received."""

    def channels(self, direction: int) -> int:
        """Return how many channels the device has in a direction, TX or RX."""
        return int(self._device.getNumChannels(direction))

    def tune(self, direction: int, tuning: Tuning) -> AppliedSettings:
        """Set rate, frequency and gain of a direction, and return what was taken."""
        device, at = self._device, (direction, _CHANNEL)
        with _setting("a sample rate", "--rate", device.getSampleRateRange(*at)):
            device.setSampleRate(*at, tuning.sample_rate)
        with contextlib.suppress(RuntimeError):
            # Not all drivers have it; without it, filters may be as narrow as before.
            device.setBandwidth(*at, tuning.sample_rate)
        with _setting("a frequency", "--frequency", device.getFrequencyRange(*at)):
            device.setFrequency(*at, tuning.corrected_frequency)
        device.setGain(*at, tuning.gain_db)
        return AppliedSettings(
            device.getSampleRate(*at),
            device.getFrequency(*at),
            device.getBandwidth(*at),
            device.getGain(*at),
        )

    def is_half_duplex(self) -> bool:
        """Return whether the device stops to receive when it transmits."""
        return not self._device.getFullDuplex(TX, _CHANNEL)

    def stream(self, direction: int) -> _Stream:
        """Set up a stream of one channel."""
        return _Stream(self._device, direction)

    @contextlib.contextmanager
    def transmitting(self) -> Iterator[None]:
        """Keep receivers of this process off the device."""
        self._transmits.set()
        with self._air:
            self._transmits.clear()
            self.transmissions += 1
            yield

    @contextlib.contextmanager
    def receiving(self) -> Iterator[None]:
        """Keep transmitters of this process off the device; they go first."""
        while self._transmits.is_set():
            time.sleep(0.001)
        with self._air:
            yield


_OPEN: WeakValueDictionary[str, SoapyDevice] = WeakValueDictionary()


def opened(arguments: str) -> SoapyDevice:
    """Return a device of this process, opened if it is not yet.

    Raises
    ------
    RuntimeError
        If the driver cannot open it: it is not there, or another program has it.
    """
    device = _OPEN.get(arguments)
    if device is None:
        device = _OPEN[arguments] = SoapyDevice(arguments)
    return device


@contextlib.contextmanager
def _setting(what: str, option: str, ranges: Any) -> Iterator[None]:  # noqa: ANN401 - SWIG's
    """Replace the error of a setting that a device does not have by one sentence."""
    try:
        yield
    except (RuntimeError, ValueError):
        takes = " or ".join(
            f"{each.minimum():,.0f} to {each.maximum():,.0f} Hz" for each in ranges
        )
        known = f": it takes {takes}" if takes else ""
        message = f"the radio does not take {what} like that of {option}{known}"
        raise RadioError(message) from None


class _Stream:
    """A stream of complex float32 samples of one channel."""

    def __init__(self, device: Any, direction: int) -> None:  # noqa: ANN401 - SWIG's
        self._device = device
        self._stream = device.setupStream(direction, "CF32", [_CHANNEL])
        self.buffer = max(1, int(device.getStreamMTU(self._stream)))
        """Samples of a buffer of the device."""
        self._is_active = False

    def start(self) -> None:
        """Let samples flow; nothing changes if they do."""
        if not self._is_active:
            _checked(self._device.activateStream(self._stream))
            self._is_active = True

    def stop(self) -> None:
        """End the flow. What has not left the device may be lost."""
        if self._is_active:
            self._is_active = False
            self._device.deactivateStream(self._stream)

    def was_stopped(self) -> None:
        """Note that the device has ended the flow by itself."""
        self._is_active = False

    def read(self, out: Samples) -> int:
        """Read samples; return how many, or an error of SoapySDR."""
        return int(
            self._device.readStream(
                self._stream, [out], len(out), timeoutUs=_CALL_US
            ).ret
        )

    def write(self, samples: Samples, flags: int) -> int:
        """Write samples; return how many were taken, or an error of SoapySDR."""
        return int(
            self._device.writeStream(
                self._stream, [samples], len(samples), flags, timeoutUs=_CALL_US
            ).ret
        )

    def status(self, timeout_us: int) -> tuple[int, int]:
        """Return the result and the flags of the next status."""
        status = self._device.readStreamStatus(self._stream, timeoutUs=timeout_us)
        return int(status.ret), int(status.flags)

    def close(self) -> None:
        """End the flow and release the stream."""
        self.stop()
        self._device.closeStream(self._stream)


def _checked(result: int) -> None:
    """Refuse the errors after which a device is of no use."""
    if result < 0 and result not in (_TIMEOUT, _OVERFLOW, _UNDERFLOW):
        reason = SoapySDR.errToStr(result).lower().replace("_", " ")
        message = f"the device does not answer ({reason}): was it unplugged?"
        raise RadioLostError(message)


def _checked_unless_unknown(result: int) -> None:
    """Refuse errors, but not that a driver tells nothing."""
    if result != _NOT_SUPPORTED:
        _checked(result)


class SoapyTransmitter:
    """Sends bursts by a device.

    Raises
    ------
    RadioError
        If the device cannot transmit.
    """

    def __init__(self, device: SoapyDevice, tuning: Tuning) -> None:
        if not device.channels(TX):
            message = "the device receives only: use another one to send"
            raise RadioError(message)
        self._device = device
        self.taken = device.tune(TX, tuning)
        self._rate = self.taken.sample_rate
        self._stream = device.stream(TX)
        self._rests = device.is_half_duplex()
        self.confirms = False
        """Whether the driver told that the last burst left the device."""

    def send(self, burst: Samples) -> None:
        """Send a burst; return when it has left the device, as far as that is known.

        Raises
        ------
        NoSamplesError
            If the device takes none; a part of the burst may have been sent.
        DamagedBurstError
            If the device ran out of samples within the burst.
        RadioLostError
            If the device does not answer.
        """
        with self._device.transmitting():
            try:
                self._stream.start()
                self._forget_statuses()
                start_s = time.monotonic()
                padded = self._padded(burst)
                self._write(padded)
                self._wait_until_sent(start_s, len(padded) / self._rate)
            finally:
                if self._rests:
                    self._stream.stop()

    @property
    def longest_s(self) -> float:
        """How long `send` may take beyond the time of a burst, in seconds."""
        buffers_s = (1 + _ON_THEIR_WAY) * self._stream.buffer / self._rate
        return _STUCK_S + _LATE_S + buffers_s

    def _padded(self, burst: Samples) -> Samples:
        """Return a burst that ends with a buffer of the device."""
        missing = -len(burst) % self._stream.buffer
        return np.concatenate([burst, np.zeros(missing, np.complex64)])

    def _forget_statuses(self) -> None:
        """Read what the driver has to tell of the time before."""
        for _ in range(_MOST_STATUSES):
            if self._stream.status(0)[0] in (_TIMEOUT, _NOT_SUPPORTED):
                return

    def _write(self, samples: Samples) -> None:
        since_s = time.monotonic()
        while len(samples):
            part = samples[: self._stream.buffer]
            taken = self._stream.write(
                part, _END_BURST if len(part) == len(samples) else 0
            )
            _checked(taken)
            if taken > 0:
                samples, since_s = samples[taken:], time.monotonic()
            elif taken == _UNDERFLOW:
                raise DamagedBurstError(_UNDERRUN)
            elif time.monotonic() - since_s > _STUCK_S:
                raise NoSamplesError(_TAKES_NONE)

    def _wait_until_sent(self, start_s: float, duration_s: float) -> None:
        """Return when the samples have left the device, or must have."""
        end_s = start_s + duration_s
        # Until a buffer is left, none can be missing.
        last_s = end_s - self._stream.buffer / self._rate
        self.confirms = False
        while (now_s := time.monotonic()) < end_s + _LATE_S:
            result, flags = self._stream.status(_CALL_US)
            _checked_unless_unknown(result)
            if result >= 0 and flags & _END_BURST:
                self.confirms = True
                return
            if result == _UNDERFLOW and now_s < last_s:
                raise DamagedBurstError(_UNDERRUN)
            if result in (_UNDERFLOW, _NOT_SUPPORTED):
                self.confirms = result == _UNDERFLOW
                break
        self._let_leave(end_s)

    def _let_leave(self, end_s: float) -> None:
        """Wait until what is on its way to the device must have left it."""
        late_s = _LATENCY_S
        if self._rests:
            late_s += _ON_THEIR_WAY * self._stream.buffer / self._rate
        time.sleep(max(0.0, end_s + late_s - time.monotonic()))

    def close(self) -> None:
        """Release the stream."""
        with contextlib.suppress(RuntimeError):
            self._stream.close()


class SoapyReceiver:
    """Receives samples from a device."""

    def __init__(self, device: SoapyDevice, tuning: Tuning) -> None:
        if not device.channels(RX):
            message = "the device transmits only: use another one to listen"
            raise RadioError(message)
        self._device = device
        self.taken = device.tune(RX, tuning)
        self._stream = device.stream(RX)
        self._shares = bool(device.channels(TX)) and device.is_half_duplex()
        self._transmissions = 0
        self.overflows = 0
        """How often the device lost samples that were not read in time."""

    def read(self, out: Samples) -> int:
        """Read samples, at most as many as fit; return how many.

        Raises
        ------
        RadioLostError
            If the device does not answer.
        """
        with self._device.receiving() if self._shares else contextlib.nullcontext():
            if self._shares and self._device.transmissions != self._transmissions:
                # A burst of this process has stopped it.
                self._transmissions = self._device.transmissions
                self._stream.was_stopped()
            self._stream.start()
            count = self._stream.read(out)
        _checked(count)
        self.overflows += count == _OVERFLOW
        return max(0, count)

    def close(self) -> None:
        """Release the stream."""
        with contextlib.suppress(RuntimeError):
            self._stream.close()
