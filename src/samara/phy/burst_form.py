# SPDX-License-Identifier: Apache-2.0
"""What bursts of a modulation are made and received with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.phy.channel import Samples
    from samara.phy.frames import Bits


class Modulator(Protocol):
    """Makes bursts."""

    @property
    def samples(self) -> int:
        """Samples of a burst."""

    @property
    def half_span(self) -> int:
        """Samples before the middle of the first pulse."""

    def modulate(self, bits: Bits) -> Samples:
        """Return the burst of these bits."""


class Reception(Protocol):
    """A received burst."""

    @property
    def sample(self) -> float:
        """Where the middle of its first pulse is."""

    @property
    def soft(self) -> Any:  # noqa: ANN401 - gr-samara has a list
        """Soft bits, positive for bit 1."""

    @property
    def snr_db(self) -> float:
        """Signal-to-noise ratio."""

    @property
    def offset(self) -> float:
        """Carrier frequency offset in cycles of `offsets.SAMPLES_PER_SYMBOL`."""

    @property
    def echo_symbols(self) -> int:
        """Symbols by which the latest echo taken out was late; 0: none was."""


class Receiver(Protocol):
    """Finds bursts in a stream of samples."""

    def feed(self, samples: Samples) -> Iterable[Reception]:
        """Return the bursts that are complete."""

    def finish(self) -> Iterable[Reception]:
        """Return those that are left."""


class Form(ABC):
    """How one modulation is sent in bursts."""

    sample_rate: float | None = None
    """The only sample rate that it has, in Hz; None: any."""
    samples_per_value: int
    """Samples on the air for a value of the modulation's mapper."""

    @abstractmethod
    def modulator(self, payload_bits: int, amplitude: float) -> Modulator:
        """Return what makes bursts."""

    @abstractmethod
    def receiver(self, payload_bits: int) -> Receiver:
        """Return what finds bursts."""

    @abstractmethod
    def overhead_bits(self, payload_bits: int) -> int:
        """Return what preamble and pilots take, in bits of the modulation."""

    @abstractmethod
    def burst_tx(self, payload_bits: int, amplitude: float, gap: int) -> Any:  # noqa: ANN401 - GNU Radio has no types
        """Return a block that sends what comes as PDUs."""

    @abstractmethod
    def burst_rx(self, payload_bits: int, highest_offset: float) -> Any:  # noqa: ANN401 - GNU Radio has no types
        """Return a block that outputs soft bits as PDUs."""
