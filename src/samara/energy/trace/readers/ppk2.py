# SPDX-License-Identifier: Apache-2.0
"""``.ppk2`` files of the Power Profiler of nRF Connect, version 4 and newer.

A ZIP archive. ``metadata.json`` has the rate, ``session.raw`` the samples: the current
in microampere as a 32-bit float, then 16 bits of the digital channels, both
little-endian. ``minimap.raw`` is a picture of it and is not read.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from samara.energy.trace.blocks import SAMPLES, Block, Format, TraceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.energy.trace.blocks import Reading

_SAMPLE = np.dtype([("current_ua", "<f4"), ("digital", "<u2")])
_METADATA_MAX = 1 << 20
_RATES = (0.1, 1e8)
_EXPANSION_MAX = 200
"""Bytes of samples for one in the file, at most: noise cannot be packed further."""
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError),
    # Of places in the archive that cannot be.
    *(OSError, ValueError, OverflowError),
)


def _blocks(reading: Reading) -> Iterator[Block]:
    with _archive(reading.path) as archive:
        rate = _rate(reading.path, archive)
        size = _checked_size(reading.path, archive)
        with archive.open("session.raw") as raw:
            yield from _samples(reading, raw, rate, size)


@contextmanager
def _archive(path: Path) -> Iterator[zipfile.ZipFile]:
    with path.open("rb") as file:
        yield from _within(path, file)


def _within(path: Path, file: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except _DAMAGED as error:
        message = f"{path} is damaged or not complete: {error}"
        raise TraceError(message) from None
    except KeyError:
        message = f"{path} is no trace: expected session.raw and metadata.json in it"
        raise TraceError(message) from None


def _rate(path: Path, archive: zipfile.ZipFile) -> float:
    """Return the samples a second."""
    with archive.open("metadata.json") as file:
        text = file.read(_METADATA_MAX)
    rate: Any = None
    try:
        rate = json.loads(text)["metadata"]["samplesPerSecond"]
    except (ValueError, KeyError, TypeError, RecursionError):
        rate = None
    low, high = _RATES
    if type(rate) not in (int, float) or not low <= rate <= high:
        message = (
            f"metadata.json of {path} has no possible samplesPerSecond: expected "
            f"{low:g} to {high:g}"
        )
        raise TraceError(message)
    return float(rate)


def _checked_size(path: Path, archive: zipfile.ZipFile) -> int:
    about = archive.getinfo("session.raw")
    if about.file_size > _EXPANSION_MAX * max(about.compress_size, 1):
        message = (
            f"{path} says that its samples are {about.file_size} bytes, packed in "
            f"{about.compress_size}: no trace is packed so far"
        )
        raise TraceError(message)
    return about.file_size


def _samples(
    reading: Reading, raw: IO[bytes], rate: float, size: int
) -> Iterator[Block]:
    first = 0
    rest = b""
    while text := raw.read(SAMPLES * _SAMPLE.itemsize):
        whole, rest = _split(rest + text)
        found = np.frombuffer(whole, _SAMPLE)
        times_s = np.arange(first, first + found.size) / rate
        first += found.size
        share = min(1.0, first * _SAMPLE.itemsize / max(size, 1))
        yield Block(times_s, found["current_ua"].astype(float) * 1e-6, share)
    reading.cut_short = bool(rest)


def _split(text: bytes) -> tuple[bytes, bytes]:
    """Return whole samples, and what remains."""
    end = len(text) // _SAMPLE.itemsize * _SAMPLE.itemsize
    return text[:end], text[end:]


FORMAT = Format(
    "ppk2",
    "session of a Power Profiler Kit II",
    lambda head: head.startswith(b"PK\x03\x04"),
    _blocks,
)
