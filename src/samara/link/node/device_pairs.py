# SPDX-License-Identifier: Apache-2.0
"""Two devices that are the two ends of a pair: no node of a host is one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from samara.atomic_files import MODE_OF_OWNER, replacing
from samara.errors import MisuseError
from samara.link.node.exporting import DeviceExported, check_output, content_of
from samara.link.node.kinds import kind, kinds
from samara.link.node.link_parameters import LinkOptions
from samara.records import (
    Answer,
    Digest,
    Line,
    Notice,
    Parameter,
    Request,
    request_class,
)

if TYPE_CHECKING:
    from samara.link.node.device_record import DeviceRecord
    from samara.link.node.kinds import Kind

_HELP = (
    "New file for the provisioning record of the {} device, which only you can read: a "
    "C header if its name ends with .h, bytes if with .bin."
)


@request_class
class DevicesRequest(Request):
    """Two devices that are to be a pair."""

    first: Annotated[
        Path,
        Parameter(metavar="FILE", help=_HELP.format("first"), is_argument=True),
    ]
    second: Annotated[
        Path,
        Parameter(metavar="FILE", help=_HELP.format("second"), is_argument=True),
    ]
    link: Annotated[
        str | None,
        Parameter(metavar="LINK", help="The kind of their link.", names=kinds),
    ] = None
    allow_unauthenticated: Annotated[
        bool, Parameter(help="Make devices that accept forged messages and replays.")
    ] = False
    link_options: Annotated[Mapping[str, Any], LinkOptions(lambda _: True)] = field(
        default_factory=dict
    )
    """Options of the kind of link that were given, by name."""


def pair(request: DevicesRequest) -> Answer[DeviceExported]:
    """Write the records of both ends of a pair with new keys, and yield them.

    Nothing else is kept: a record that is lost takes a new pair.

    Raises
    ------
    MisuseError
        When there is no such pair of devices, or a file cannot be written.
    """
    if request.link is None:
        message = "give --link: the kind of link of the two devices"
        raise MisuseError(message)
    files = (request.first, request.second)
    for path in files:
        check_output(path)
    if request.first.resolve() == request.second.resolve():
        message = f"{request.first} was given twice: each device has its own record"
        raise MisuseError(message)
    made = _records(kind(request.link), request)
    try:
        _write(dict(zip(files, made, strict=True)))
    except FileExistsError:
        for path in files:
            check_output(path)
        raise
    for path, record in zip(files, made, strict=True):
        answer = DeviceExported(path, request.link, record.suite, len(record.content))
        yield Digest([answer], [Line(f"{path}: the provisioning record of a device")])
    yield Notice(
        f"{request.first} and {request.second} contain a key: give each to one "
        "device, once, and remove it",
        warns=True,
    )


def _records(chosen: Kind, request: DevicesRequest) -> list[DeviceRecord]:
    ends = chosen.new_pair(request.link_options)
    warned = chosen.warning(ends[0].settings)
    if warned and not (warned.authenticates or request.allow_unauthenticated):
        message = f"{warned.text}; --allow-unauthenticated makes such devices"
        raise MisuseError(message)
    return [chosen.device_record(end) for end in ends]


def _write(records: Mapping[Path, DeviceRecord]) -> None:
    """Write all files; they get their names when each of them is complete."""
    with ExitStack() as stack:
        for path, record in records.items():
            file = stack.enter_context(
                replacing(path, exclusive=True, mode=MODE_OF_OWNER)
            )
            file.write(content_of(record, path))
