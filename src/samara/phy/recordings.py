# SPDX-License-Identifier: Apache-2.0
"""Recordings of samples: SigMF, wav files, and files of samples alone.

What a recording does not say of itself (`RecordingOptions`) comes from its user. All of
them are read in the same way, in pieces, so that memory does not grow with a recording.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.phy import sigmf_files, wav
from samara.phy.recording_names import stated_by_name
from samara.phy.sigmf_files import (
    ARCHIVE,
    DATA,
    META,
    Annotation,
    Described,
    RecordingError,
    paths,
    unreadable,
    write_meta,
    write_recording,
)

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from samara.phy.channel import Samples
    from samara.phy.sample_formats import SampleFormat

__all__ = [
    "Annotation",
    "Recording",
    "RecordingError",
    "RecordingOptions",
    "open_recording",
    "paths",
    "write_meta",
    "write_recording",
]

_BLOCK = 1 << 18
"""Samples that are read at once: memory does not grow with a recording."""


@dataclass(frozen=True, slots=True)
class RecordingOptions:
    """What a user says of a recording; it comes before what the recording says."""

    sample_rate: float | None = None
    frequency: float | None = None
    sample_format: SampleFormat | None = None
    """Only of a file of samples alone."""
    default_rate: float | None = None
    """If neither user nor recording says it."""
    swaps_iq: bool = False
    """Whether the imaginary part comes first."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that can be read."""

    data: Path
    sample_format: SampleFormat
    sample_rate: float
    """In Hz."""
    frequency: float | None
    """Carrier frequency in Hz; None if the recording does not have it."""
    description: str
    count: int
    """Number of samples."""
    annotations: tuple[Annotation, ...] = ()
    first_byte: int = 0
    """Where the samples begin in the file."""
    time: dt.datetime | None = None
    """Of the first sample."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What samara wrote of its own, such as the modulation."""
    swaps_iq: bool = False
    """Whether the imaginary part comes first in its samples."""
    missing_bytes: int = 0
    """Bytes that it should have at its end: it was cut."""

    @property
    def datatype(self) -> str:
        """Name of the sample format in SigMF."""
        return self.sample_format.name

    def samples(self, start: int = 0, count: int | None = None) -> Samples:
        """Return complex samples; integers are scaled to magnitudes up to 1.

        Raises
        ------
        RecordingError
            If the file cannot be read.
        """
        size = self.sample_format.sample_size
        left = max(0, self.count - start)
        wanted = left if count is None else min(count, left)
        first = self.first_byte + size * start
        try:
            raw = np.fromfile(self.data, np.uint8, size * wanted, offset=first)
        except OSError as error:
            raise unreadable(self.data, error.strerror or str(error)) from None
        samples = self.sample_format.samples(raw)
        return 1j * np.conj(samples) if self.swaps_iq else samples

    def remark(self) -> str | None:
        """Return what a user should know of a recording that was cut; else None."""
        if not self.missing_bytes:
            return None
        return (
            f"{self.data} was cut: {self.missing_bytes:,} bytes are missing at its "
            f"end; its {self.count:,} whole samples are read"
        )

    def blocks(self, size: int = _BLOCK) -> Iterator[Samples]:
        """Yield all samples in pieces of at most `size`."""
        for start in range(0, self.count, size):
            yield self.samples(start, size)


def open_recording(name: Path, given: RecordingOptions | None = None) -> Recording:
    """Open a recording and read what it says of itself.

    Raises
    ------
    RecordingError
        If it does not exist, is not a recording, has no samples, or does not say its
        sample rate or format and neither is given.
    """
    given = given or RecordingOptions()
    described = _described(name, given)
    size = described.sample_format.sample_size
    count = described.size // size
    if not count:
        message = f"{described.data} has no samples: the recording is empty"
        raise RecordingError(message)
    rate = given.sample_rate or described.sample_rate or given.default_rate
    if rate is None:
        message = f"{name} does not say its sample rate: give it with --rate HZ"
        raise RecordingError(message)
    return Recording(
        described.data,
        described.sample_format,
        rate,
        described.frequency if given.frequency is None else given.frequency,
        described.description,
        count,
        described.annotations,
        described.first_byte,
        described.time,
        described.facts,
        given.swaps_iq,
        max(described.missing, -described.size % size),
    )


def _described(name: Path, given: RecordingOptions) -> Described:
    meta, data = paths(name)
    has_meta = meta.exists()
    if (has_meta and name in (meta, data)) or not name.is_file():
        is_alone = not has_meta and data.is_file() and given.sample_format is not None
        return _of_samples(data, given) if is_alone else sigmf_files.read(name)
    if name.name.endswith((META, ARCHIVE)):
        return sigmf_files.read(name)
    try:
        return _of_wav(name) if wav.is_wav(name) else _of_samples(name, given)
    except OSError as error:
        raise unreadable(name, error.strerror or str(error)) from None


def _of_wav(path: Path) -> Described:
    try:
        head = wav.read_wav(path)
    except wav.WavError as error:
        raise unreadable(path, str(error)) from None
    return Described(
        path,
        head.first_byte,
        head.size,
        head.sample_format,
        head.sample_rate,
        head.frequency or stated_by_name(path).frequency,
        "",
        (),
        head.time,
        missing=head.missing,
    )


def _of_samples(path: Path, given: RecordingOptions) -> Described:
    """Describe a file of samples alone, by what is given and by its name."""
    stated = stated_by_name(path)
    sample_format = given.sample_format or stated.sample_format
    if sample_format is None:
        message = (
            f"{path} does not say its sample format: give it with --format, such as "
            f"cu8 (RTL-SDR), cs8 (HackRF), cs16 or cf32 (GNU Radio)"
        )
        if path.name.endswith(DATA):
            message = (
                f"there is no {paths(path)[0]}, which says what the samples are: give "
                "--format and --rate"
            )
        raise RecordingError(message)
    size = path.stat().st_size
    return Described(
        path, 0, size, sample_format, stated.sample_rate, stated.frequency, "", ()
    )
