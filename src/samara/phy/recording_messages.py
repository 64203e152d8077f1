# SPDX-License-Identifier: Apache-2.0
"""Messages recorded as bursts that went through a channel, as a request asks."""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.atomic_files import write_secret
from samara.crypto.keys import key_of
from samara.crypto.registry import suite as suite_of
from samara.errors import MisuseError
from samara.phy import composing, recordings
from samara.phy.bursts import form_of
from samara.phy.channel import Impairments
from samara.phy.frames import gnuradio_samara
from samara.phy.modulation import DEFAULT, find
from samara.phy.multipath import rays_of
from samara.phy.parameters import (
    Frequency,
    ModulationName,
    Multipath,
    PayloadSize,
)
from samara.phy.written_recording import CarrierOffset, ClockError, WrittenRecording
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Notice,
    Parameter,
    Record,
    Title,
    record_class,
    request_class,
)
from samara.records.usual import Seed
from samara.units import DECIBEL, HERTZ

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

_USUAL_RATE = 1e6


@request_class
class RecordRequest(WrittenRecording):
    """What is recorded, how it is sent, and what the channel does to it."""

    key: Annotated[
        str | None,
        Parameter(
            metavar="HEX|@FILE",
            help="Key of the link.",
            default_text="a random key, written to NAME.key",
            is_secret=True,
        ),
    ] = None
    counter: Annotated[
        int | None,
        Parameter(
            help="Frame counter of the first frame, with --key.", values=Between(0)
        ),
    ] = None
    encrypt: Annotated[
        bool, Parameter(help="Encrypt with Grain-128PLE.", opposite="no_encrypt")
    ] = True
    modulation: ModulationName = DEFAULT
    payload_size: PayloadSize = 60
    ebn0_db: Annotated[
        float, Parameter(name="ebn0", unit=DECIBEL, help="Eb/N0 in dB.")
    ] = 20.0
    rate: Annotated[
        float | None,
        Parameter(
            unit=HERTZ,
            help="Sample rate in Hz.",
            values=Between(1),
            default_text="1 MHz, or that of the chip whose modulation it is",
        ),
    ] = None
    frequency_hz: Frequency = 868.3e6
    offset_hz: CarrierOffset = 0.0
    clock_ppm: ClockError = 0.0
    multipath: Multipath = "none"
    gap: Annotated[
        int, Parameter(help="Samples between bursts.", values=Between(0, 10**6))
    ] = 4000
    seed: Seed = 1

    def sample_rate(self) -> float:
        """Return the sample rate in Hz.

        Raises
        ------
        MisuseError
            If the modulation has another one.
        """
        only = form_of(self.modulation).sample_rate
        if None not in (only, self.rate) and only != self.rate:
            wrong = (
                f"{self.modulation} has a sample rate of {only:.0f} Hz: leave --rate"
            )
            raise MisuseError(wrong)
        return self.rate or only or _USUAL_RATE

    def composition(self) -> composing.Composition:
        """Return how the message is sent."""
        return composing.Composition(
            modulation=find(self.modulation).name,
            payload_size=self.payload_size,
            encrypts=self.encrypt,
            first_counter=self.counter or 0,
            gap=self.gap,
            ebn0_db=self.ebn0_db,
            impairments=Impairments(
                offset=self.offset_hz / self.sample_rate(),
                clock_ppm=self.clock_ppm,
                rays=rays_of(self.multipath),
            ),
            seed=self.seed,
        )


@record_class
class RecordedMessage(Record):
    """A message that was recorded."""

    meta: Annotated[Path, Field("The file with the facts.")]
    data: Annotated[Path, Field("The file with the samples.")]
    bursts: Annotated[int, Field("Number of bursts.")]


def record_message(request: RecordRequest) -> Answer[RecordedMessage]:
    """Write a message as a recording of bursts, and yield its files.

    Raises
    ------
    MisuseError
        When not one message is given, a key is given without a counter, or a file
        exists.
    samara.phy.tuning.RadioError
        When GNU Radio is not installed.
    """
    yield Title("", empty="")
    content, how = request.sent(), request.composition()
    # Checked before a key is written that no recording would use.
    gnuradio_samara()
    meta, data = request.new_files()
    new_key = None
    if request.key is not None:
        key = yield from _given_key(request, request.key)
    else:
        new_key = meta.with_suffix(".key")
        key = _drawn_key(new_key)
    with _without(new_key):
        composed = composing.compose(content, key, how)
        recordings.write_recording(
            request.name,
            composed.samples,
            request.sample_rate(),
            frequency=request.frequency_hz,
            description=f"{composed.frames} frames, {how.modulation}, "
            f"{len(content)} bytes",
            annotations=composed.annotations,
            facts={
                "modulation": how.modulation,
                "payload_size": how.payload_size,
                "message_size": len(content),
                "encrypted": how.encrypts,
            },
        )
    if new_key is not None:
        yield Notice(f"wrote a new key to {new_key}: who has it can open the recording")
    yield Digest([RecordedMessage(meta, data, composed.frames)], [])
    yield Notice(f"wrote {meta} and {data}: {composed.frames} bursts")


@contextlib.contextmanager
def _without(new_key: Path | None) -> Iterator[None]:
    """Remove a key that no recording uses, since none could be written."""
    try:
        yield
    except BaseException:
        if new_key is not None:
            new_key.unlink(missing_ok=True)
        raise


def _given_key(request: RecordRequest, text: str) -> Generator[Notice, None, bytes]:
    if request.counter is None:
        wrong = "--key needs --counter: the first frame counter not used with this key"
        raise MisuseError(wrong)
    return (yield from key_of(text, suite_of("grain128ple")))


def _drawn_key(path: Path) -> bytes:
    """Draw a key, and write it."""
    drawn = secrets.token_bytes(suite_of("grain128ple").key_size)
    write_secret(path, (drawn.hex() + "\n").encode("ascii"), force=False)
    return drawn
