# SPDX-License-Identifier: Apache-2.0
"""Recordings in wav files, as SDR#, SDR++, HDSDR and SDRuno write them.

The left channel is the real part, the right one the imaginary part. Longer than 4 GiB
they are of the formats RF64 or BW64. A chunk ``auxi`` has the carrier frequency and the
time, if the program writes one.
"""

from __future__ import annotations

import datetime as dt
import struct
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from samara.errors import ArgumentError
from samara.phy.sample_formats import SampleFormat

if TYPE_CHECKING:
    from pathlib import Path

_FORMS = (b"RIFF", b"RF64", b"BW64")
_INTEGER, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_FORMAT = struct.Struct("<HHIIHH")
# Size of format_tag .. bits, then cbSize, valid bits and channel mask before a GUID.
_SUBFORMAT_AT = 24
_DATA_SIZE = struct.Struct("<QQ")
_AUXI = struct.Struct("<8H8HI")
_UNKNOWN_SIZE = 0xFFFFFFFF
_MOST_CHUNKS = 1000
_LONGEST_CHUNK = 1 << 16


class WavError(ArgumentError):
    """The file is no wav file with complex samples."""


@dataclass(frozen=True, slots=True)
class Wav:
    """What the head of a wav file says."""

    sample_format: SampleFormat
    sample_rate: float
    first_byte: int
    """Where the samples begin."""
    size: int
    """Bytes of samples, as far as the file has them."""
    frequency: float | None = None
    time: dt.datetime | None = None
    missing: int = 0
    """Bytes of samples that the head tells, and the file does not have."""


def is_wav(path: Path) -> bool:
    """Tell whether a file begins as a wav file does."""
    with path.open("rb") as file:
        start = file.read(12)
    return start[:4] in _FORMS and start[8:] == b"WAVE"


def read_wav(path: Path) -> Wav:
    """Read the head of a wav file.

    Raises
    ------
    WavError
        If it has no complex samples.
    OSError
        If it cannot be read.
    """
    with path.open("rb") as file:
        try:
            return _read(file)
        except struct.error:
            message = "a chunk of the wav file is too short"
            raise WavError(message) from None


def _read(file: IO[bytes]) -> Wav:
    end = file.seek(0, 2)
    at, known_size, missing = 12, None, 0
    sample_format = rate = data = frequency = time = None
    for _ in range(_MOST_CHUNKS):
        file.seek(at)
        head = file.read(8)
        if len(head) < 8:  # noqa: PLR2004 - the chunks are at their end
            break
        name, size = head[:4], int.from_bytes(head[4:], "little")
        if name == b"data":
            stated, left = _size_of_data(size, known_size), end - at - 8
            size = left if stated is None else min(stated, left)
            missing = 0 if stated is None else stated - size
            data = (at + 8, size)
        elif name in (b"fmt ", b"ds64", b"auxi"):
            body = file.read(min(size, _LONGEST_CHUNK))
            if name == b"fmt ":
                sample_format, rate = _format(body)
            elif name == b"ds64":
                known_size = _DATA_SIZE.unpack_from(body)[1]
            else:
                frequency, time = _auxi(body)
        at += 8 + size + size % 2
    if sample_format is None or rate is None or data is None:
        message = "the wav file has no chunk of format, or none of data"
        raise WavError(message)
    return Wav(sample_format, rate, *data, frequency, time, missing)


def _size_of_data(size: int, known_size: int | None) -> int | None:
    """Return the bytes of samples; None if the file was not finished and has none."""
    if size == _UNKNOWN_SIZE and known_size:
        size = known_size
    return size if 0 < size < _UNKNOWN_SIZE or known_size else None


def _format(body: bytes) -> tuple[SampleFormat, float]:
    tag, channels, rate, _, _, bits = _FORMAT.unpack_from(body)
    if tag == _EXTENSIBLE:
        (tag,) = struct.unpack_from("<H", body, _SUBFORMAT_AT)
    if channels != 2:  # noqa: PLR2004 - real and imaginary part
        message = (
            f"the wav file has {channels} channels: complex samples have two, real "
            "part and imaginary part"
        )
        raise WavError(message)
    kinds = {(_INTEGER, 8): "cu8", (_FLOAT, 32): "cf32", (_FLOAT, 64): "cf64"}
    kinds |= {(_INTEGER, wide): f"ci{wide}" for wide in (16, 24, 32)}
    if (tag, bits) not in kinds:
        message = (
            f"the wav file has numbers of {bits} bits in format {tag}: supported are "
            "integers of 8 to 32 bits and floating point of 32 and 64"
        )
        raise WavError(message)
    return SampleFormat.parse(kinds[tag, bits]), float(rate)


def _auxi(body: bytes) -> tuple[float | None, dt.datetime | None]:
    """Return the carrier frequency and the time, as far as the chunk has them."""
    if len(body) < _AUXI.size:
        return None, None
    year, month, _, day, hour, minute, second, ms, *_, frequency = _AUXI.unpack_from(
        body
    )
    try:
        time = dt.datetime(
            year, month, day, hour, minute, second, ms * 1000, tzinfo=dt.UTC
        )
    except ValueError:
        time = None
    return float(frequency) or None, time
