# SPDX-License-Identifier: Apache-2.0
"""What the bits on the air reveal to a listener without the key.

With fresh nonces they pass tests of randomness, even if the payload is zeros. If a
nonce is used twice, the keystream cancels in the sum of both frames, and the sum is a
codeword. Parity checks detect that without the key, and the sum decodes to the sum of
both payloads.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from samara.crypto import ple_sync
from samara.extras import need
from samara.phy import pictures
from samara.phy.coded import Code, CodedFrames
from samara.phy.mappers import Bpsk
from samara.phy.trial import noise_variance, white_noise
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Parameter,
    Record,
    Request,
    Title,
    Written,
    record_class,
    request_class,
)
from samara.records.tables import Column, Row, Table, label, words
from samara.records.usual import Seed
from samara.units import DECIBEL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from samara.phy.mappers import Bits, SoftBits

Shares = NDArray[np.float64]

PAYLOAD_SIZE = 60
ALARM = 0.01
"""Smallest p-value that passes; random bits fail once in a hundred tests."""

# The parity check polynomials of the two streams of coded bits: for a word
# (c1, c2) of the code, g2 c1 + g1 c2 = 0, with g1 = 109 and g2 = 79.
_CHECKS = (79, 109)
_SERIAL_LENGTH = 4


@request_class
class ReuseRequest(Request):
    """How many frames are tested, and how well they are heard."""

    frames: Annotated[
        int,
        Parameter(
            help="Frames, and pairs of frames, to test.", values=Between(10, 100_000)
        ),
    ] = 500
    ebn0_db: Annotated[
        float,
        Parameter(
            name="ebn0",
            unit=DECIBEL,
            help="Eb/N0 of the pairs in dB.",
            values=Between(-20, 100),
        ),
    ] = 6.0
    seed: Seed = 1


def _p_value(heading: str, doc: str) -> Field:
    return Field(doc, heading=heading, digits=".2g", rank=0)


@record_class
class Randomness(Record):
    """p-values of randomness tests: small if the bits are not random."""

    what: Annotated[
        str, Field("What was sent.", heading="bits\xa0on\xa0the\xa0air", rank=0)
    ]
    bits: Annotated[int, Field("Number of bits.", heading="bits", digits="d")]
    monobit: Annotated[float, _p_value("monobit", "p-value of the number of ones.")]
    runs: Annotated[float, _p_value("runs", "p-value of the number of runs.")]
    serial: Annotated[
        float, _p_value("patterns", "p-value of the counts of patterns of four bits.")
    ]
    codeword: Annotated[
        float,
        _p_value(
            "parity\xa0checks",
            "p-value of the share of failing parity checks, which is 1/2 for random "
            "bits.",
        ),
    ]
    passes: Annotated[bool, Field("Whether no test fails.", heading="random?", rank=0)]


@record_class
class NonceReuse(Record):
    """How reliably a reused nonce is detected without the key."""

    ebn0_db: Annotated[float, Field("Eb/N0.", unit="dB")]
    pairs: Annotated[int, Field("Number of pairs of frames.")]
    threshold: Annotated[
        float, Field("Share of failing checks below which a pair is reported.")
    ]
    detected: Annotated[float, Field("Share of the reused nonces that are detected.")]
    false_alarms: Annotated[
        float, Field("Share of the pairs with different nonces that are reported.")
    ]
    failing_checks_fresh: Annotated[
        float, Field("Share of failing parity checks with different nonces.")
    ]
    failing_checks_reused: Annotated[
        float, Field("Share of failing parity checks with the same nonce.")
    ]
    payload_sum_right: Annotated[
        float, Field("Share of correct bits in the decoded sum of both payloads.")
    ]


@dataclass(frozen=True, slots=True)
class Detection:
    """How reliably a reused nonce is detected without the key."""

    ebn0_db: float
    pairs: int
    fresh: Shares
    """Share of failing parity checks for each pair with different nonces."""
    reused: Shares
    """Share of failing parity checks for each pair with the same nonce."""
    threshold: float
    """A pair with a smaller share is reported as a reused nonce."""
    payload_sum_right: float
    """Share of correct bits in the decoded sum of both payloads."""

    @property
    def detected(self) -> float:
        """Share of the reused nonces that are detected."""
        return float((self.reused < self.threshold).mean())

    @property
    def false_alarms(self) -> float:
        """Share of the pairs with different nonces that are reported."""
        return float((self.fresh < self.threshold).mean())


def show_reuse(request: ReuseRequest) -> Answer[Randomness | NonceReuse]:
    """Yield what the bits on the air reveal, and what repeated nonces do."""
    yield Title("p-values of randomness tests")
    yield from randomness(request.frames, request.seed)
    found = detection(request.frames, request.ebn0_db, request.seed)
    record = NonceReuse(
        ebn0_db=found.ebn0_db,
        pairs=found.pairs,
        threshold=found.threshold,
        detected=found.detected,
        false_alarms=found.false_alarms,
        failing_checks_fresh=float(found.fresh.mean()),
        failing_checks_reused=float(found.reused.mean()),
        payload_sum_right=found.payload_sum_right,
    )
    yield Digest([record], [_table(record)])
    yield Written((), found)


def _table(found: NonceReuse) -> Table:
    rows = [
        ("Eb/N0", f"{found.ebn0_db:g} dB"),
        ("pairs", str(found.pairs)),
        (
            "failing parity checks, different nonces",
            f"{found.failing_checks_fresh:.1%}",
        ),
        ("failing parity checks, same nonce", f"{found.failing_checks_reused:.1%}"),
        ("detected without the key", f"{found.detected:.1%}"),
        ("false alarms", f"{found.false_alarms:.1%}"),
        ("correct bits in the sum of the payloads", f"{found.payload_sum_right:.1%}"),
    ]
    heads = [label("two\xa0frames\xa0with\xa0one\xa0nonce"), Column("value")]
    cells = [Row([words(text) for text in row]) for row in rows]
    return Table(NonceReuse.type_name(), "", heads, cells)


def randomness(frame_count: int, seed: int) -> list[Randomness]:
    """Test the bits on the air for payloads of zeros, encrypted and not."""
    random = np.random.default_rng(seed)
    frames = CodedFrames(Code.CONV, PAYLOAD_SIZE, random.bytes(16))
    payloads = np.zeros((frame_count, PAYLOAD_SIZE), np.uint8)
    return [
        tested(what, frames.encode(payloads, 0, encrypts=encrypts))
        for what, encrypts in (
            ("zeros with Grain-128PLE", True),
            ("zeros without encryption", False),
        )
    ]


def detection(frame_count: int, ebn0_db: float, seed: int) -> Detection:
    """Listen to pairs of frames without the key, over BPSK and noise."""
    random = np.random.default_rng(seed)
    frames = CodedFrames(Code.CONV, PAYLOAD_SIZE, random.bytes(16))
    payloads = [
        random.integers(0, 256, (frame_count, PAYLOAD_SIZE), dtype=np.uint8)
        for _ in range(2)
    ]
    first, again = (_hear(frames, some, 0, ebn0_db, random) for some in payloads)
    fresh = _hear(frames, payloads[1], frame_count, ebn0_db, random)
    # Soft values of a sum (max-log): the sign of the product, the smaller magnitude.
    total = np.copysign(np.minimum(np.abs(first), np.abs(again)), first * again)
    summed, _ = frames.decode(total, 0, decrypts=False)
    wrong = np.unpackbits(summed ^ payloads[0] ^ payloads[1]).mean()
    checks = total.shape[1] // 2 + 6
    return Detection(
        ebn0_db,
        frame_count,
        failing_checks((first < 0) ^ (fresh < 0)),
        failing_checks((first < 0) ^ (again < 0)),
        # One in 10^6 pairs with different nonces is below.
        0.5 - 4.75 * 0.5 / math.sqrt(checks),
        1 - float(wrong),
    )


def failing_checks(bits: NDArray[Any]) -> Shares:
    """Return the share of failing parity checks of the code for rows of bits.

    The bits are in the order in which they are sent, which is public.
    """
    shares: Shares = parity_checks(bits).mean(axis=1)
    return shares


def parity_checks(bits: NDArray[Any]) -> Bits:
    """Return the parity checks of the code for rows of bits: 1 where one fails."""
    bits = bits[:, ple_sync.places(bits.shape[1])]
    streams = bits[:, 0::2], bits[:, 1::2]
    steps = streams[0].shape[1]
    sums = np.zeros((len(bits), steps + 6), np.uint8)
    for stream, polynomial in zip(streams, _CHECKS, strict=True):
        for delay in range(7):
            if polynomial >> delay & 1:
                sums[:, delay : delay + steps] ^= stream.astype(np.uint8)
    return sums


def _hear(
    frames: CodedFrames,
    payloads: Bits,
    first_counter: int,
    ebn0_db: float,
    random: np.random.Generator,
) -> SoftBits:
    sent = Bpsk().modulate(frames.encode(payloads, first_counter))
    variance = noise_variance(sent.shape[1], frames.information_bits, ebn0_db)
    heard = sent + white_noise(random, sent.shape) * np.float32(np.sqrt(variance))
    return Bpsk().demodulate(heard, 4 / variance)


def tested(what: str, frames: Bits) -> Randomness:
    """Test rows of bits, each a frame."""
    bits = frames.reshape(-1)
    checks = frames.shape[0] * (frames.shape[1] // 2 + 6)
    off = float(failing_checks(frames).mean()) - 0.5
    p_values = (
        _two_sided(2 * float(bits.sum()) - len(bits), len(bits)),
        _runs(bits),
        _serial(bits),
        _two_sided(2 * off * checks, checks),
    )
    return Randomness(what, len(bits), *p_values, passed(p_values))


def passed(p_values: Iterable[float]) -> bool:
    """Tell whether no test fails."""
    return min(p_values) >= ALARM


def _two_sided(total: float, steps: float) -> float:
    """Return the p-value of the sum of `steps` random values 1 or -1."""
    return math.erfc(abs(total) / math.sqrt(2 * steps))


def _runs(bits: Bits) -> float:
    """Return the p-value of the number of runs (NIST SP 800-22, section 2.3)."""
    count = len(bits)
    ones = float(bits.mean())
    if not 0 < ones < 1:
        return 0.0
    runs = 1 + int((bits[1:] != bits[:-1]).sum())
    expected = 2 * count * ones * (1 - ones)
    return math.erfc(
        abs(runs - expected) / (2 * math.sqrt(2 * count) * ones * (1 - ones))
    )


def _serial(bits: Bits) -> float:
    """Return the p-value of the counts of disjoint patterns of four bits."""
    # Loaded here because it takes half a second.
    chisquare = need("scipy.stats", "phy").chisquare

    whole = bits[: len(bits) // _SERIAL_LENGTH * _SERIAL_LENGTH]
    patterns = whole.reshape(-1, _SERIAL_LENGTH) @ (1 << np.arange(_SERIAL_LENGTH))
    counts = np.bincount(patterns, minlength=1 << _SERIAL_LENGTH)
    return float(chisquare(counts).pvalue)


def files(found: Detection) -> dict[str, bytes]:
    """Return png and svg of the parity checks that fail."""

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        _paint(axes, found)
        axes.set_title("Sums of two frames, seen without the key")

    kinds = ("png", "svg")
    return {f"reuse.{kind}": pictures.draw(paint, (6.8, 3.6), kind) for kind in kinds}


def _paint(axes: Axes, found: Detection) -> None:
    lowest = min(found.reused.min(), found.fresh.min(), 0.2)
    bins = np.linspace(lowest, 0.62, 90)
    axes.hist(found.fresh, bins, color=pictures.COLOURS[0], label="different nonces")
    axes.hist(found.reused, bins, color=pictures.COLOURS[1], label="same nonce")
    axes.axvline(found.threshold, color=pictures.GREY, ls="--", label="alarm")
    axes.set_xlabel(f"share of failing parity checks at {found.ebn0_db:g} dB")
    axes.set_ylabel("pairs of frames")
    axes.legend()
