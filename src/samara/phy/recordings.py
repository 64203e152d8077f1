# SPDX-License-Identifier: Apache-2.0
"""Recordings of samples in the SigMF format: a data file and a metadata file.

The name of a recording is that of either file, NAME.sigmf-meta or NAME.sigmf-data, or
NAME alone. Format: SigMF version 1, https://sigmf.org.
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

# Sample formats that can be read: complex, little-endian.
_DATATYPES = {"cf32_le": "<f4", "ci16_le": "<i2", "ci8": "i1"}


class RecordingError(MisuseError):
    """A recording that cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A label and a comment for a range of samples."""

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
    """In Hz."""
    frequency: float | None
    """Carrier frequency in Hz; None if the recording does not have it."""
    description: str
    count: int
    """Number of complex samples."""
    annotations: tuple[Annotation, ...]

    def samples(self, start: int = 0, count: int | None = None) -> Samples:
        """Return complex samples; integers are scaled to magnitudes up to 1.

        Raises
        ------
        RecordingError
            If the file cannot be read.
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
    """Return the paths of the metadata file and of the data file."""
    if name.name.endswith((META, DATA)):
        name = name.with_name(name.name[: -len(META)])
    return name.with_name(name.name + META), name.with_name(name.name + DATA)


def open_recording(name: Path) -> Recording:
    """Open a recording and read its metadata.

    Raises
    ------
    RecordingError
        If it does not exist, is not a recording, or has an unsupported sample format.
    """
    meta, data = paths(name)
    about = _read_meta(meta)
    whole: dict[str, Any] = about.get("global", {})
    datatype, rate = whole.get("core:datatype"), whole.get("core:sample_rate")
    if datatype not in _DATATYPES:
        known = ", ".join(_DATATYPES)
        raise _unreadable(
            meta, f"sample format {datatype!r} is not supported, only {known}"
        )
    if not isinstance(rate, int | float) or not 0 < rate < float("inf"):
        raise _unreadable(meta, "it has no valid sample rate")
    if whole.get("core:num_channels", 1) != 1:
        raise _unreadable(meta, "it has several channels; only one is supported")
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
    """Parse the metadata file and check it against the schema of SigMF."""
    # Loaded here because they are slow.
    with needed("phy"):
        import jsonschema  # noqa: PLC0415
        from sigmf import schema  # noqa: PLC0415

    try:
        about = json.loads(meta.read_text("utf-8"))
        jsonschema.validate(about, schema.get_schema())
    except FileNotFoundError:
        message = (
            f"there is no {meta}: a SigMF recording is two files, NAME{DATA} with the "
            f"samples and NAME{META}, which says what they are; give NAME"
        )
        raise RecordingError(message) from None
    except OSError as error:
        raise _unreadable(meta, error.strerror or str(error)) from None
    except (ValueError, RecursionError):
        raise _unreadable(meta, "it is not JSON") from None
    except jsonschema.ValidationError as error:
        raise _unreadable(
            meta, f"it is not valid SigMF: {error.message}"[:200]
        ) from None
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
    """Write the metadata file of a recording, and return the path of the data file.

    Raises
    ------
    RecordingError
        If a recording of this name exists, or the file cannot be written.
    """
    meta, data = paths(name)
    if meta.exists() or data.exists():
        message = f"{meta} or {data} exists: choose another name, or remove both"
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
