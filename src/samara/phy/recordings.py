# SPDX-License-Identifier: Apache-2.0
"""Recordings of samples in SigMF's format: a data file, and a file about it.

A recording is named by either file, NAME.sigmf-meta or NAME.sigmf-data, or by
NAME alone. SigMF: https://sigmf.org, version 1.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.errors import MisuseError
from samara.extras import needed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from samara.phy.channel import Samples

_VERSION = "1.2.5"
META, DATA = ".sigmf-meta", ".sigmf-data"

# What can be read: complex samples, little-endian as everybody writes them.
_DATATYPES = {"cf32_le": "<f4", "ci16_le": "<i2", "ci8": "i1"}


class RecordingError(MisuseError):
    """A recording that cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """What is to be said of some samples."""

    start: int
    count: int
    label: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that can be read."""

    data: Path
    datatype: str
    sample_rate: float
    """In samples per second."""
    frequency: float | None
    """Of the carrier, in Hz, if the recording tells."""
    description: str
    count: int
    """Complex samples in it."""
    annotations: tuple[Annotation, ...]

    def samples(self, start: int = 0, count: int | None = None) -> Samples:
        """Return complex samples; integers are scaled to magnitudes up to 1.

        Raises
        ------
        RecordingError
            When the file cannot be read.
        """
        kind = np.dtype(_DATATYPES[self.datatype])
        wanted = self.count - start if count is None else count
        try:
            parts = np.fromfile(
                self.data, kind, 2 * max(wanted, 0), offset=2 * kind.itemsize * start
            )
        except OSError as error:
            raise _unreadable(self.data, error.strerror or str(error)) from None
        parts = parts[: len(parts) & ~1].astype(np.float32)
        if kind.kind == "i":
            parts /= -float(np.iinfo(kind).min)
        complex_samples: Samples = parts.view(np.complex64)
        return complex_samples


def paths(name: Path) -> tuple[Path, Path]:
    """Return where the file about a recording is, and where its samples are."""
    if name.name.endswith((META, DATA)):
        name = name.with_name(name.name[: -len(META)])
    return name.with_name(name.name + META), name.with_name(name.name + DATA)


def open_recording(name: Path) -> Recording:
    """Read what a recording says of itself.

    Raises
    ------
    RecordingError
        When it is not there, is no recording, or has samples of another kind.
    """
    meta, data = paths(name)
    about = _read_meta(meta)
    whole: dict[str, Any] = about.get("global", {})
    datatype, rate = whole.get("core:datatype"), whole.get("core:sample_rate")
    if datatype not in _DATATYPES:
        known = ", ".join(_DATATYPES)
        raise _unreadable(meta, f"samples are {datatype!r}, and readable are {known}")
    if not isinstance(rate, int | float) or not 0 < rate < float("inf"):
        raise _unreadable(meta, "it does not tell its sample rate")
    if whole.get("core:num_channels", 1) != 1:
        raise _unreadable(meta, "it has several channels, and one can be read")
    try:
        size = data.stat().st_size
    except OSError as error:
        raise _unreadable(data, error.strerror or str(error)) from None
    captures: Sequence[dict[str, Any]] = about.get("captures", [])
    return Recording(
        data,
        datatype,
        float(rate),
        captures[0].get("core:frequency") if captures else None,
        str(whole.get("core:description", "")),
        size // (2 * np.dtype(_DATATYPES[datatype]).itemsize),
        tuple(_annotation(each) for each in about.get("annotations", [])),
    )


def _read_meta(meta: Path) -> dict[str, Any]:
    """Parse the file about a recording, and compare it with SigMF's schema."""
    # Loaded here because they are slow.
    with needed("phy"):
        import jsonschema  # noqa: PLC0415
        from sigmf import schema  # noqa: PLC0415

    try:
        about = json.loads(meta.read_text("utf-8"))
        jsonschema.validate(about, schema.get_schema())
    except OSError as error:
        raise _unreadable(meta, error.strerror or str(error)) from None
    except (ValueError, RecursionError):
        raise _unreadable(meta, "it is no JSON") from None
    except jsonschema.ValidationError as error:
        raise _unreadable(meta, f"it is not SigMF's: {error.message}"[:200]) from None
    read: dict[str, Any] = about
    return read


def _annotation(entry: dict[str, Any]) -> Annotation:
    return Annotation(
        entry["core:sample_start"],
        entry.get("core:sample_count", 0),
        str(entry.get("core:label", "")),
        str(entry.get("core:comment", "")),
    )


def _unreadable(path: Path, reason: str) -> RecordingError:
    return RecordingError(f"{path} cannot be read as a recording: {reason}")


def write_meta(
    name: Path,
    sample_rate: float,
    *,
    frequency: float | None = None,
    description: str = "",
    annotations: Sequence[Annotation] = (),
) -> Path:
    """Write the file about a recording, and return where its samples belong.

    Raises
    ------
    RecordingError
        When there is a recording of this name, or it cannot be written.
    """
    meta, data = paths(name)
    if meta.exists() or data.exists():
        message = f"{meta} or {data} exists: give another name, or remove both"
        raise RecordingError(message)
    now = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")
    capture = {"core:sample_start": 0, "core:datetime": now.replace("+00:00", "Z")}
    about = {
        "global": {
            "core:datatype": "cf32_le",
            "core:sample_rate": sample_rate,
            "core:version": _VERSION,
            "core:recorder": "samara",
            "core:description": description,
        },
        "captures": [capture | ({"core:frequency": frequency} if frequency else {})],
        "annotations": [
            {
                "core:sample_start": each.start,
                "core:sample_count": each.count,
                "core:label": each.label,
                "core:comment": each.comment,
            }
            for each in annotations
        ],
    }
    try:
        meta.write_text(json.dumps(about, indent=2) + "\n", "utf-8")
    except OSError as error:
        message = f"{meta} cannot be written: {error.strerror or error}"
        raise RecordingError(message) from None
    return data


def write_recording(
    name: Path,
    samples: Samples,
    sample_rate: float,
    *,
    frequency: float | None = None,
    description: str = "",
    annotations: Sequence[Annotation] = (),
) -> None:
    """Write samples as a recording of complex float32; see `write_meta`."""
    data = write_meta(
        name,
        sample_rate,
        frequency=frequency,
        description=description,
        annotations=annotations,
    )
    try:
        samples.astype("<c8").tofile(data)
    except OSError as error:
        message = f"{data} cannot be written: {error.strerror or error}"
        raise RecordingError(message) from None
