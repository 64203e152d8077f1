# SPDX-License-Identifier: Apache-2.0
"""Simulation of a block of frames: encoder, encryption, channel and receivers.

All receivers but the last one get the same samples:

plain
    The receiver of a link without encryption. If encryption has inverted a coded bit,
    its soft bit is inverted before the decoder. For BPSK and QPSK the result is the
    same as that of a transmission without encryption under mirrored noise. Other
    modulations have no such symmetry for each bit; there the link without encryption
    is scrambled with a public sequence (an i.i.d. channel adapter: Hou, Siegel,
    Milstein, Pfister, IEEE Transactions on Information Theory 49(9), 2003).
ple
    Decrypts soft bits, then decodes.
ple-hard
    Decides bits, decrypts them by XOR, then decodes.
no-key
    Decodes without decrypting.
wrong-key
    Decrypts with another key, then decodes.
plain-apart
    Receives other frames, sent without encryption, under other noise. ple decodes the
    same bits as plain by construction; the comparison with this receiver is a
    measurement.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from samara.phy.coded import Code, CodedFrames
from samara.phy.intervals import Tally
from samara.phy.modulation import find

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.phy.front_end import Surroundings
    from samara.phy.mappers import Bits, SoftBits, Symbols

BLOCK_FRAMES = 250
"""Frames of a block. A block with the same number and seed is always the same."""
# The error rates of eavesdroppers are 1/2 and 1, which a few frames show.
_EAVESDROPPED_FRAMES = 25


class Fading(StrEnum):
    """Fading of the channel."""

    NONE = "none"
    RAYLEIGH = "rayleigh"
    """One Rayleigh-distributed gain for each frame, known to the receiver."""


class Receiver(StrEnum):
    """The receivers; see the module."""

    PLAIN = "plain"
    PLE = "ple"
    PLE_HARD = "ple-hard"
    NO_KEY = "no-key"
    WRONG_KEY = "wrong-key"
    PLAIN_APART = "plain-apart"


@dataclass(frozen=True, slots=True)
class Case:
    """Parameters of a simulation."""

    modulation: str = "bpsk"
    code: Code = Code.CONV
    fading: Fading = Fading.NONE
    payload_size: int = 60
    surroundings: Surroundings | None = None
    """Of bursts of the real link; None: symbols in white noise."""

    @property
    def slug(self) -> str:
        """A name for files and seeds."""
        parts = [self.modulation, self.code, str(self.payload_size)]
        if self.fading is not Fading.NONE:
            parts.append("rayleigh")
        return "-".join(parts if self.surroundings is None else [*parts, "bursts"])


@dataclass(frozen=True, slots=True)
class FrameBlock:
    """A block of frames as sent and received."""

    payloads: Bits
    soft: SoftBits
    frames: CodedFrames
    stranger: CodedFrames
    """Codec of the same frames with a wrong key."""


def run_block(
    case: Case, ebn0_db: float, seed: int, block: int
) -> dict[Receiver, Tally]:
    """Simulate one block of frames.

    Parameters
    ----------
    case
        Parameters of the simulation.
    ebn0_db
        Energy of a bit of payload or tag over the noise density; the termination of
        the code counts as loss.
    seed, block
        Random seed and number of the block, which together define the random values.
    """
    random = generator(case, ebn0_db, seed, block)
    heard = hear(case, ebn0_db, random)
    few = heard.soft[:_EAVESDROPPED_FRAMES]
    received = {
        Receiver.PLAIN: heard.frames.decode(plain_soft(heard), 0, decrypts=False),
        Receiver.PLE: heard.frames.decode(heard.soft, 0),
        Receiver.PLE_HARD: heard.frames.decode(np.copysign(1, heard.soft), 0),
        Receiver.NO_KEY: heard.frames.decode(few, 0, decrypts=False),
        Receiver.WRONG_KEY: heard.stranger.decode(few, 0),
    }
    tallies = {
        receiver: tally_of(heard.payloads[: len(good)], payloads, good)
        for receiver, (payloads, good) in received.items()
    }
    apart = hear(case, ebn0_db, random, encrypts=False)
    plain = apart.frames.decode(apart.soft, 0, decrypts=False)
    tallies[Receiver.PLAIN_APART] = tally_of(apart.payloads, *plain)
    return tallies


def hear(
    case: Case,
    ebn0_db: float,
    random: np.random.Generator,
    count: int = BLOCK_FRAMES,
    key: bytes | None = None,
    *,
    encrypts: bool = True,
) -> FrameBlock:
    """Send `count` frames with random payloads from counter 0, and receive them.

    The key is random if none is given.
    """
    own, other = random.bytes(16), random.bytes(16)
    frames = CodedFrames(case.code, case.payload_size, key or own)
    stranger = CodedFrames(case.code, case.payload_size, other)
    payloads = random.integers(0, 256, (count, case.payload_size), dtype=np.uint8)
    coded = frames.encode(payloads, 0, encrypts=encrypts)
    if case.surroundings is not None:
        # Loaded here because it needs much of samara.phy.
        from samara.phy import burst_trial  # noqa: PLC0415

        soft = burst_trial.receive(
            case.modulation, case.surroundings, frames, coded, ebn0_db, random
        )
        return FrameBlock(payloads, soft, frames, stranger)
    soft = _symbols_heard(case, frames, coded, ebn0_db, random)
    return FrameBlock(payloads, soft, frames, stranger)


def _symbols_heard(
    case: Case,
    frames: CodedFrames,
    coded: Bits,
    ebn0_db: float,
    random: np.random.Generator,
) -> SoftBits:
    """Return the soft bits of symbols in white noise, whose times are known."""
    mapper = find(case.modulation).mapper()
    sent = mapper.modulate(coded)
    variance = noise_variance(sent.shape[1], frames.information_bits, ebn0_db)
    gains = _power_gains(case.fading, random, len(coded))
    # After division by the gain the noise has 1/gain of the variance.
    received = sent + white_noise(random, sent.shape) * np.sqrt(variance / gains)
    soft = mapper.demodulate(received.astype(np.complex64), 4 / variance)
    return (soft * gains).astype(np.float32)


def noise_variance(values: int, information_bits: int, ebn0_db: float) -> float:
    """Return the variance of complex noise for a frame of `values` with unit power."""
    return values / information_bits / 10 ** (ebn0_db / 10)


def plain_soft(heard: FrameBlock) -> SoftBits:
    """Return the soft bits of the same frames sent without encryption."""
    keystream = heard.frames.keystream(0, len(heard.soft))
    return heard.soft * (1 - 2 * keystream.astype(np.float32))


def generator(case: Case, ebn0_db: float, seed: int, block: int) -> np.random.Generator:
    """Return the random generator of a block."""
    # Independent of all other points and cases, in this sweep and others.
    place = (zlib.crc32(case.slug.encode()), round(1000 * ebn0_db) + 10**6, block)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=place))


def white_noise(random: np.random.Generator, shape: tuple[int, ...]) -> Symbols:
    """Return complex Gaussian noise of unit variance."""
    parts = random.standard_normal((*shape[:-1], 2 * shape[-1]), np.float32)
    noise: Symbols = (parts * np.float32(np.sqrt(0.5))).view(np.complex64)
    return noise


def _power_gains(
    fading: Fading, random: np.random.Generator, count: int
) -> NDArray[np.float32]:
    """Return the channel's squared magnitude for each frame, as a column."""
    if fading is Fading.NONE:
        return np.ones((count, 1), np.float32)
    return random.standard_exponential((count, 1), np.float32) + np.float32(1e-9)


def tally_of(sent: Bits, received: Bits, good: NDArray[np.bool_]) -> Tally:
    """Count wrong frames (of payload or tag) and wrong bits (of payloads)."""
    wrong = np.unpackbits(sent ^ received, axis=1).sum(axis=1, dtype=np.int64)
    return Tally(
        frames=len(sent),
        frame_errors=int(((wrong > 0) | ~good).sum()),
        bits=8 * sent.size,
        bit_errors=int(wrong.sum()),
        squares=int((wrong**2).sum()),
    )
