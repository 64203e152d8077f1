# SPDX-License-Identifier: Apache-2.0
"""Bursts of coded bits as packets of a chip: its preamble and sync word, then the bits.

A chip sends them as packets of a fixed length, without whitening and check sequence.
The receiver finds preamble and sync word, corrects the carrier offset, follows the
clock, and yields soft bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from samara.phy.burst_form import Form
from samara.phy.offsets import SAMPLES_PER_SYMBOL
from samara.phy.receivers.fsk_search import SyncSearch
from samara.phy.receivers.streaming import PacketReceiver, Read
from samara.phy.transceivers import sending
from samara.phy.transceivers.burst_blocks import burst_rx, burst_tx
from samara.phy.transceivers.demodulating import GroupBank
from samara.phy.transceivers.profile import profile_named

if TYPE_CHECKING:
    from samara.phy.burst_form import Modulator, Receiver
    from samara.phy.channel import Samples
    from samara.phy.receivers.streaming import Positions
    from samara.phy.transceivers.keying import Bits
    from samara.phy.transceivers.profile import Profile

# How far a sync word may be from where it was first found, in samples.
_NEAR = 3
# Resolution of the carrier offset, in bins of the known samples.
_FINER = 4
# The power of known samples over that of noise, at least. Noise has more with a
# probability of exp(-26) for each offset and place.
_LEAST_PEAKS = 26.0
_AT_ONCE = 64
"""Bits after which the clock is corrected."""
_CLOCK_GAIN = 0.5

Soft = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ChipReception:
    """A received burst; see `samara.phy.burst_form.Reception`."""

    sample: float
    soft: Soft
    snr_db: float
    offset: float
    echo_symbols: int = 0


class ChipForm(Form):
    """The bursts of a chip.

    Parameters
    ----------
    name
        That of its profile.
    """

    samples_per_value = 1

    def __init__(self, name: str) -> None:
        self._profile = profile_named(name)
        self.sample_rate = self._profile.keying.sample_rate

    def modulator(self, payload_bits: int, amplitude: float) -> Modulator:
        """See `Form`."""
        return _Modulator(self._profile, payload_bits, amplitude)

    def receiver(self, payload_bits: int) -> Receiver:
        """See `Form`."""
        return ChipReceiver(self._profile, payload_bits)

    def overhead_bits(self, payload_bits: int) -> int:
        """See `Form`: preamble and sync word, and a bit in which the power rises."""
        del payload_bits
        return len(sending.on_air(self._profile, np.zeros(0, np.uint8))) + 2

    def burst_tx(self, payload_bits: int, amplitude: float, gap: int) -> Any:  # noqa: ANN401 - see `Form`
        """See `Form`."""
        return burst_tx(self.modulator(payload_bits, amplitude), gap)

    def burst_rx(self, payload_bits: int, highest_offset: float) -> Any:  # noqa: ANN401 - see `Form`
        """See `Form`: what is found does not depend on the highest offset."""
        del highest_offset
        return burst_rx(self.receiver(payload_bits))


class _Modulator:
    """See `samara.phy.burst_form.Modulator`."""

    def __init__(self, profile: Profile, payload_bits: int, amplitude: float) -> None:
        self._profile, self._payload_bits = profile, payload_bits
        self._amplitude = amplitude
        self.half_span = profile.keying.samples
        self.samples = len(self.modulate(np.zeros(payload_bits, np.uint8)))

    def modulate(self, bits: Bits) -> Samples:
        """Return the burst of these bits."""
        if len(bits) != self._payload_bits:
            message = f"a burst has {self._payload_bits} bits, not {len(bits)}"
            raise ValueError(message)
        return sending.wave(self._profile, bits, self._amplitude)


class ChipReceiver(PacketReceiver[ChipReception]):
    """Finds bursts, and yields their soft bits.

    Parameters
    ----------
    profile
        How the chip sends them.
    payload_bits
        Bits after the sync word.
    """

    def __init__(self, profile: Profile, payload_bits: int) -> None:
        keying = profile.keying
        known = sending.on_air(profile, np.zeros(0, np.uint8))
        self._each, self._bits = keying.samples, payload_bits
        self._sync_search = SyncSearch(keying, known)
        self._known = np.conj(keying.wave(known))
        self._groups = GroupBank(keying)
        size = self._sync_search.size
        longest = size + (payload_bits + 4) * self._each
        super().__init__(size + _NEAR, longest)

    def starts(self, samples: Samples) -> Positions:
        """Return where preamble and sync word may begin."""
        return self._sync_search.starts(samples)

    def read(self, samples: Samples, at: int) -> Read[ChipReception] | None:
        """Return the burst that begins about with these samples."""
        size = len(self._known)
        shift, turn, amplitude = self._found(samples)
        header = samples[shift : shift + size]
        whole = float(np.mean(np.abs(header) ** 2))
        noise = whole - amplitude**2
        if not amplitude**2 > whole * _LEAST_PEAKS / size:
            return None
        noise = max(noise, amplitude**2 * 1e-4)
        times = np.arange(len(samples))
        straight = samples * np.exp(-2j * np.pi * turn * times).astype(np.complex64)
        soft = self._soft(straight.astype(np.complex64), shift + size)
        if not soft.any():
            # Silence: what began here was cut off.
            return None
        # Positive for bit 1, as gr-samara has it.
        scaled = (-2 * amplitude / noise * soft).astype(np.float32)
        ratio_db = 10 * math.log10(amplitude**2 / noise * self._each)
        reception = ChipReception(
            float(at + shift), scaled, ratio_db, turn * SAMPLES_PER_SYMBOL
        )
        return Read(reception, size + self._bits * self._each)

    def _found(self, samples: Samples) -> tuple[int, float, float]:
        """Return where the known samples fit best, their offset and amplitude."""
        size = len(self._known)
        windows = np.lib.stride_tricks.sliding_window_view(samples, size)
        lines = 1 << (_FINER * size - 1).bit_length()
        found = np.abs(np.fft.fft(windows[: _NEAR + 1] * self._known, lines, axis=1))
        shift, line = np.unravel_index(found.argmax(), found.shape)
        row = found[shift]
        around = [float(row[(line + i) % lines]) for i in (-1, 0, 1)]
        turn = (line + _vertex(*around)) / lines
        turn -= round(float(turn))
        return int(shift), float(turn), float(row[line]) / size

    def _soft(self, samples: Samples, time: float) -> Soft:
        """Return the soft bits from this time on, and follow the clock."""
        parts = []
        for first in range(0, self._bits, _AT_ONCE):
            count = min(_AT_ONCE, self._bits - first)
            heights = self._heights(samples, time, count)
            best = heights.max(axis=2)
            parts.append(best[:, 0] - best[:, 1])
            time += count * self._each + self._late(samples, time, count)
        return np.concatenate(parts)

    def _late(self, samples: Samples, time: float, count: int) -> float:
        """Return by how much the clock has to be corrected, in samples."""
        aside = max(1, self._each // 8)
        early, late = (
            float(self._heights(samples, time + by, count).max(axis=(1, 2)).sum())
            for by in (-aside, aside)
        )
        total = early + late
        return _CLOCK_GAIN * aside * (late - early) / total if total else 0.0

    def _heights(self, samples: Samples, time: float, count: int) -> Soft:
        """Return the heights of `count` bits; what is outside is silence."""
        reach = 2 * self._each
        first, last = round(time) - reach, round(time) + count * self._each + reach
        piece = samples[max(first, 0) : max(last, 0)]
        before = max(-first, 0)
        piece = np.pad(piece, (before, last - first - before - len(piece)))
        heights: Soft = self._groups.heights(piece)[2:-2]
        return heights


def _vertex(left: float, middle: float, right: float) -> float:
    """Return where a parabola through three values is highest, from -0.5 to 0.5.

    >>> _vertex(1.0, 2.0, 1.5)
    0.16666666666666666
    """
    bend = left - 2 * middle + right
    return 0.5 * (left - right) / bend if bend else 0.0
