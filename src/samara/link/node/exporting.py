# SPDX-License-Identifier: Apache-2.0
"""Giving the second end of a pair to a device, as a provisioning record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.atomic_files import MODE_OF_OWNER, replacing
from samara.errors import MisuseError
from samara.link.node import folder as folders
from samara.link.node import rekeying
from samara.link.node.kinds import kind
from samara.records import (
    Answer,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Record,
    Request,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from samara.link.node.device_record import DeviceRecord

_SUFFIXES = (".h", ".bin")


@request_class
class ExportRequest(Request):
    """The second end of a pair, which a device is to be."""

    pair: Annotated[
        Path,
        Parameter(
            metavar="DIR|FILE",
            help="Directory of the first node of the pair, or its file pair.json, "
            "which is taken away.",
            is_argument=True,
        ),
    ]
    output: Annotated[
        Path,
        Parameter(
            metavar="FILE",
            help="New file for the provisioning record, which only you can read: a C "
            "header if its name ends with .h, bytes if with .bin.",
            is_argument=True,
        ),
    ]


@record_class
class DeviceExported(Record):
    """The provisioning record of a device, in a file."""

    file: Annotated[Path, Field("The file with the record, which contains a key.")]
    link: Annotated[str, Field("The kind of the link.")]
    suite: Annotated[str, Field("The C object that the firmware names as the suite's.")]
    bytes: Annotated[int, Field("Size of the record in bytes.")]


def check_output(path: Path) -> None:
    """Check the name of a file for a record, before anything else is made.

    Raises
    ------
    MisuseError
        When its ending is not known, it exists, or its directory does not.
    """
    if path.suffix not in _SUFFIXES:
        message = f"{path} is neither a C header (.h) nor a file of bytes (.bin)"
        raise MisuseError(message)
    if path.exists():
        message = f"{path} exists: give the name of a new file"
        raise MisuseError(message)
    if not path.parent.is_dir():
        message = f"there is no directory {path.parent}"
        raise MisuseError(message)


def export(request: ExportRequest) -> Answer[DeviceExported]:
    """Write the record of a device, once, and yield what was written.

    The device has counters of its own, which begin with 0. So it gets what no node
    has used: pair.json is taken away before the record has its name. If the program
    is killed in between, neither is left, and the pair needs new keys.

    Raises
    ------
    MisuseError
        When the pair is complete, its kind of link is not known to devices, or the
        file cannot be written; then pair.json stays.
    """
    check_output(request.output)
    if request.pair.is_dir():
        rekeying.finish(request.pair)
    yield exported(request.pair, request.output)
    yield Notice(
        f"{request.output} contains a key: give it to one device, once, and remove it",
        warns=True,
    )


def exported(pair: Path, output: Path) -> Digest[DeviceExported]:
    """Write the record; return what was written, and what to do with it."""
    with folders.second_end(pair) as half:
        made = kind(half.link).device_record(half.end)
        try:
            with replacing(output, exclusive=True, mode=MODE_OF_OWNER) as file:
                file.write(content_of(made, output))
                half.take()
        except FileExistsError:
            check_output(output)
            raise
    record = DeviceExported(output, half.link, made.suite, len(made.content))
    lines = [
        Line(f"{output}: the provisioning record of a device over {half.link}"),
        Line(f"its firmware takes the suite {made.suite}: see samara/node.h"),
    ]
    return Digest([record], lines)


def content_of(made: DeviceRecord, output: Path) -> bytes:
    """Return what a file of this name has of a record."""
    return made.header().encode() if output.suffix == ".h" else made.content
