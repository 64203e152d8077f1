# SPDX-License-Identifier: Apache-2.0
"""Bursts of each modulation: bits to samples, samples to soft bits, blocks of both.

Most modulations are sent and received by gr-samara; those of transceiver chips by
`samara.phy.transceivers.bursts`. Whoever sends or receives bursts asks `form_of`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.phy.burst_form import Form
from samara.phy.frames import burst_modulation, gnuradio_samara
from samara.phy.modulation import find

if TYPE_CHECKING:
    from samara.phy.burst_form import Modulator, Receiver


class _OfGnuRadio(Form):
    """A modulation of gr-samara."""

    samples_per_value = 4

    def __init__(self, name: str) -> None:
        self._blocks = gnuradio_samara()
        self._modulation = burst_modulation(name)

    def modulator(self, payload_bits: int, amplitude: float) -> Modulator:
        made: Modulator = self._blocks.burst_modulator(
            self._modulation, payload_bits, amplitude
        )
        return made

    def receiver(self, payload_bits: int) -> Receiver:
        made: Receiver = self._blocks.burst_receiver(self._modulation, payload_bits)
        return made

    def overhead_bits(self, payload_bits: int) -> int:
        burst = self._blocks.burst_waveform(self._modulation, payload_bits)
        symbols = burst.preamble_symbols_on_air() + burst.payload_symbols()
        bits: int = symbols * burst.bits_per_symbol() - payload_bits
        return bits

    def burst_tx(self, payload_bits: int, amplitude: float, gap: int) -> Any:  # noqa: ANN401 - see `Form`
        return self._blocks.burst_tx(self._modulation, payload_bits, amplitude, gap)

    def burst_rx(self, payload_bits: int, highest_offset: float) -> Any:  # noqa: ANN401 - see `Form`
        block = self._blocks.burst_rx(self._modulation, payload_bits, highest_offset)
        # Its log goes to the output; what it warns of is in the metadata, too.
        block.set_log_level("error")
        return block


def form_of(modulation: str) -> Form:
    """Return how a modulation is sent in bursts.

    Raises
    ------
    MisuseError
        If there is no such modulation, or it cannot be sent in bursts.
    samara.phy.tuning.RadioError
        If GNU Radio or gr-samara is not installed.
    """
    chip = find(modulation).chip
    if chip is None:
        return _OfGnuRadio(modulation)
    # Loaded here because SciPy is slow.
    from samara.phy.transceivers.bursts import ChipForm  # noqa: PLC0415

    return ChipForm(chip)
