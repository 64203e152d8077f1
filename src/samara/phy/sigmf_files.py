# SPDX-License-Identifier: Apache-2.0
"""Recordings in the SigMF format: a data file and a metadata file, or an archive.

The name of a recording is that of either file, NAME.sigmf-meta or NAME.sigmf-data, or
NAME alone. An archive NAME.sigmf has both in a tar file. Format: SigMF version 1,
https://sigmf.org.
"""

from __future__ import annotations

import datetime as dt
import json
import tarfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samara.atomic_files import replacing
from samara.errors import ArgumentError, MisuseError
from samara.extras import needed
from samara.phy.sample_formats import SampleFormat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.phy.channel import Samples

_VERSION = "1.2.5"
META, DATA, ARCHIVE = ".sigmf-meta", ".sigmf-data", ".sigmf"
_OWN = "samara:"
_EXTENSION = {"name": "samara", "version": "1.0.0", "optional": True}
_RECORDER = "samara"
_WRITTEN = "cf32_le"
_LARGEST_META = 1 << 26
_MODE = 0o644
_LEAST_RATE, _MOST_RATE = 1.0, 1e12
"""Samples a second of any recording; SigMF has the second, and 0 for the first."""


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
class Described:
    """What metadata says of a recording, and where its samples are."""

    data: Path
    first_byte: int
    size: int
    """Bytes of samples."""
    sample_format: SampleFormat
    sample_rate: float | None
    frequency: float | None
    description: str
    annotations: tuple[Annotation, ...]
    time: dt.datetime | None = None
    """Of the first sample."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What samara wrote of its own, by names without ``samara:``."""
    missing: int = 0
    """Bytes of samples that the file should have, and has not."""


def unreadable(path: Path, reason: str) -> RecordingError:
    """Return the error of a file that is no recording."""
    return RecordingError(f"{path} cannot be read as a recording: {reason}")


def paths(name: Path) -> tuple[Path, Path]:
    """Return the paths of the metadata file and of the data file.

    Raises
    ------
    RecordingError
        When it is the name of no file, such as a dot.
    """
    if not name.name:
        raise unreadable(name, "it is a directory")
    if name.name.endswith((META, DATA)):
        name = name.with_name(name.name[: -len(META)])
    return name.with_name(name.name + META), name.with_name(name.name + DATA)


def read(name: Path) -> Described:
    """Read the metadata of a recording.

    Raises
    ------
    RecordingError
        If it does not exist, or is not a recording.
    """
    if name.name.endswith(ARCHIVE):
        return _read_archive(name)
    meta, data = paths(name)
    try:
        about = _checked(meta, meta.read_text("utf-8"))
        named = about["global"].get("core:dataset")
        # The schema allows only the name of a file in the same directory.
        data = meta.with_name(Path(named).name) if named else data
        size = _stat(data)
    except FileNotFoundError:
        # A name that ends in .cu8 is rather that of a file with samples alone.
        is_file = bool(name.suffix) and name not in paths(name)
        alone = f"file {name}, and no " if is_file else ""
        message = (
            f"there is no {alone}{meta}: a SigMF recording is two files, NAME{DATA} "
            f"with the samples and NAME{META}, which says what they are; give NAME"
        )
        raise RecordingError(message) from None
    except OSError as error:
        raise unreadable(meta, error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise unreadable(meta, "it is not JSON") from None
    return _described(meta, about, data, 0, size)


def _stat(data: Path) -> int:
    try:
        return data.stat().st_size
    except OSError as error:
        raise unreadable(data, error.strerror or str(error)) from None


def _read_archive(path: Path) -> Described:
    """Read the first recording of an archive, whose samples lie in it as they are."""
    try:
        with tarfile.open(path, "r:") as archive:
            members = {each.name: each for each in archive if each.isfile()}
            name = next(each for each in members if each.endswith(META))
            meta, data = members[name], members[name.removesuffix(META) + DATA]
            file = archive.extractfile(meta)
            text = file.read(_LARGEST_META) if file else b""
        about = _checked(path, text.decode("utf-8"))
    except (tarfile.TarError, StopIteration, KeyError, UnicodeDecodeError):
        reason = f"it is not a SigMF archive with one {META} and one {DATA}"
        raise unreadable(path, reason) from None
    except OSError as error:
        raise unreadable(path, error.strerror or str(error)) from None
    return _described(path, about, path, data.offset_data, data.size)


def _checked(meta: Path, text: str) -> dict[str, Any]:
    """Parse metadata and check it against the schema of SigMF."""
    # Loaded here because they are slow.
    with needed("phy"):
        import jsonschema  # noqa: PLC0415
        from sigmf import schema  # noqa: PLC0415

    try:
        about = json.loads(text)
        jsonschema.validate(about, schema.get_schema())
    except (ValueError, RecursionError):
        raise unreadable(meta, "it is not JSON") from None
    except jsonschema.ValidationError as error:
        raise unreadable(
            meta, f"it is not valid SigMF: {error.message}"[:200]
        ) from None
    checked: dict[str, Any] = about
    return checked


def _described(
    meta: Path, about: Mapping[str, Any], data: Path, first: int, size: int
) -> Described:
    whole: Mapping[str, Any] = about["global"]
    captures: Sequence[Mapping[str, Any]] = about.get("captures", [])
    if whole.get("core:num_channels", 1) != 1:
        raise unreadable(meta, "it has several channels; only one is supported")
    headers = [each.get("core:header_bytes", 0) for each in captures]
    if any(headers[1:]):
        raise unreadable(meta, "it has headers between its samples")
    rate = whole.get("core:sample_rate")
    if rate is not None and not _LEAST_RATE <= rate <= _MOST_RATE:
        raise unreadable(meta, f"its sample rate of {rate!r:.40} Hz is none")
    head = headers[0] if headers else 0
    return Described(
        data,
        first + head,
        max(0, size - head - whole.get("core:trailing_bytes", 0)),
        _format(meta, whole["core:datatype"]),
        None if rate is None else float(rate),
        captures[0].get("core:frequency") if captures else None,
        str(whole.get("core:description", "")),
        tuple(_annotation(each) for each in about.get("annotations", [])),
        _time(captures[0].get("core:datetime")) if captures else None,
        {key[len(_OWN) :]: whole[key] for key in whole if key.startswith(_OWN)},
    )


def _format(meta: Path, name: str) -> SampleFormat:
    try:
        return SampleFormat.parse(name)
    except ArgumentError as error:
        raise unreadable(meta, str(error)) from None


def _time(text: str | None) -> dt.datetime | None:
    try:
        return dt.datetime.fromisoformat(text) if text else None
    except ValueError:
        return None


def _annotation(entry: Mapping[str, Any]) -> Annotation:
    return Annotation(
        entry["core:sample_start"],
        entry.get("core:sample_count", 0),
        str(entry.get("core:label", "")),
        str(entry.get("core:comment", "")),
    )


def write_meta(
    name: Path,
    sample_rate: float,
    *,
    frequency: float | None = None,
    description: str = "",
    annotations: Sequence[Annotation] = (),
    facts: Mapping[str, Any] | None = None,
) -> Path:
    """Write the metadata file of a recording, and return the path of the data file.

    Parameters
    ----------
    facts
        What else a reader should know, such as the modulation. Never a key.

    Raises
    ------
    RecordingError
        If a recording of this name exists, or the file cannot be written.
    """
    meta, data = paths(name)
    if meta.exists() or data.exists():
        message = f"{meta} or {data} exists: choose another name, or remove both"
        raise RecordingError(message)
    own = {_OWN + key: value for key, value in (facts or {}).items()}
    about = {
        "global": {
            "core:datatype": _WRITTEN,
            "core:sample_rate": sample_rate,
            "core:version": _VERSION,
            "core:recorder": _RECORDER,
            "core:description": description,
            **({"core:extensions": [_EXTENSION]} if own else {}),
            **own,
        },
        "captures": [_capture(0, frequency)],
        "annotations": [_entry(each) for each in annotations],
    }
    _store(meta, about)
    return data


def _entry(annotation: Annotation) -> dict[str, Any]:
    return {
        "core:sample_start": annotation.start,
        "core:sample_count": annotation.count,
        "core:label": annotation.label,
        "core:comment": annotation.comment,
    }


def _capture(start: int, frequency: float | None) -> dict[str, Any]:
    now = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")
    capture = {"core:sample_start": start, "core:datetime": now.replace("+00:00", "Z")}
    return capture | ({"core:frequency": frequency} if frequency else {})


def _store(meta: Path, about: Mapping[str, Any]) -> None:
    try:
        with replacing(meta, exclusive=False, mode=_MODE) as file:
            file.write((json.dumps(about, indent=2) + "\n").encode())
    except OSError as error:
        message = f"{meta} cannot be written: {error.strerror or error}"
        raise RecordingError(message) from None


def begin_or_append(
    name: Path, sample_rate: float, *, frequency: float | None, description: str
) -> Path:
    """Make a recording, or open one that samara wrote; samples go to its end.

    Returns
    -------
    Path of the data file, to be opened for appending.

    Raises
    ------
    RecordingError
        If the recording that exists has another sample format, rate or frequency, or
        is not samara's.
    """
    meta, data = paths(name)
    if not meta.exists() or not data.exists():
        return write_meta(
            name, sample_rate, frequency=frequency, description=description
        )
    before, about = read(name), json.loads(meta.read_text("utf-8"))
    is_own = about["global"].get("core:recorder") == _RECORDER
    wanted = (_WRITTEN, sample_rate, frequency, data)
    if not is_own or wanted != (
        before.sample_format.name,
        before.sample_rate,
        before.frequency,
        before.data,
    ):
        message = (
            f"{meta} is of a recording by another program, or with another sample "
            "rate or frequency, and cannot be continued: choose another name"
        )
        raise RecordingError(message)
    size = SampleFormat.parse(_WRITTEN).sample_size
    about["captures"].append(_capture(before.size // size, frequency))
    _store(meta, about)
    return data


def write_recording(  # noqa: PLR0913 - all but three by name
    name: Path,
    samples: Samples,
    sample_rate: float,
    *,
    frequency: float | None = None,
    description: str = "",
    annotations: Sequence[Annotation] = (),
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write samples as a recording of complex float32; see `write_meta`.

    If they cannot be written, nothing is left.
    """
    data = write_meta(
        name,
        sample_rate,
        frequency=frequency,
        description=description,
        annotations=annotations,
        facts=facts,
    )
    try:
        with replacing(data, exclusive=True, mode=_MODE) as file:
            file.write(samples.astype("<c8").data)
    except OSError as error:
        message = f"{data} cannot be written: {error.strerror or error}"
        raise RecordingError(message) from None
    finally:
        if not data.exists():
            paths(name)[0].unlink(missing_ok=True)
