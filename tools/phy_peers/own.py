# SPDX-License-Identifier: Apache-2.0
"""samara's codes, and its bursts, with the frame counter known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phy_peers.system import Kind, System, db, energy
from samara.phy.bursts import form_of
from samara.phy.channel import BURST_AMPLITUDE
from samara.phy.coded import Code, CodedFrames
from samara.phy.composing import burst_noise_power
from samara.phy.front_end import Surroundings
from samara.phy.trial import BLOCK_FRAMES, Case, Fading, hear

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Own(System):
    """Encrypted frames of samara.

    Parameters
    ----------
    name
        What it is called.
    modulation, code
        Of the frames.
    kind
        Symbols at known times, or bursts.
    """

    def __init__(self, name: str, modulation: str, code: Code, kind: Kind) -> None:
        self.name, self.kind = name, kind
        self._modulation, self._code = modulation, code

    def prepare(self, payload_bytes: int) -> None:
        """Make codec and case."""
        around = Surroundings() if self.kind is Kind.BURST else None
        self._case = Case(
            self._modulation, self._code, Fading.NONE, payload_bytes, around
        )
        self._frames = CodedFrames(self._code, payload_bytes, bytes(16))

    @property
    def overhead_db(self) -> float:
        """Energy by bits of the payload over that of `samara.phy.trial`."""
        payload_bits = 8 * self._case.payload_size
        sent = self.waveform()
        if sent is None:
            return db(self._frames.information_bits / payload_bits)
        noise = burst_noise_power(self._modulation, self._frames, 0)
        return db(energy(sent) / payload_bits / noise)

    def lost(self, ebn0_db: float, frames: int, random: np.random.Generator) -> int:
        """Send frames, and count those whose tag or payload is wrong."""
        own_db, lost = ebn0_db - self.overhead_db, 0
        for first in range(0, frames, BLOCK_FRAMES):
            count = min(BLOCK_FRAMES, frames - first)
            heard = hear(self._case, own_db, random, count)
            payloads, good = heard.frames.decode(heard.soft, 0)
            right = good & (payloads == heard.payloads).all(axis=1)
            lost += count - int(right.sum())
        return lost

    def waveform(self) -> NDArray[np.complex64] | None:
        """Return a burst."""
        if self.kind is Kind.CODE:
            return None
        bits = self._frames.coded_bits
        modulator = form_of(self._modulation).modulator(bits, BURST_AMPLITUDE)
        zeros = np.zeros((1, self._case.payload_size), np.uint8)
        coded = self._frames.encode(zeros, 0)[0]
        return np.asarray(modulator.modulate(coded), np.complex64)


_MSK = "samara, MSK of a CC1101, tail-biting"
SYSTEMS = (
    Own("convolutional, K = 7", "bpsk", Code.CONV, Kind.CODE),
    Own("tail-biting, K = 7", "bpsk", Code.TAILBITING, Kind.CODE),
    Own("polar", "bpsk", Code.POLAR, Kind.CODE),
    Own("samara, QPSK, tail-biting", "qpsk", Code.TAILBITING, Kind.BURST),
    Own("samara, QPSK, polar", "qpsk", Code.POLAR, Kind.BURST),
    Own(_MSK, "cc1101-msk", Code.TAILBITING, Kind.BURST),
)
