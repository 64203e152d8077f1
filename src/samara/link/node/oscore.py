# SPDX-License-Identifier: Apache-2.0
"""Giving programs the secret for OSCORE that two nodes share since a run of EDHOC."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.atomic_files import MODE_OF_OWNER, replacing
from samara.errors import MisuseError
from samara.link.node.opening import members
from samara.link.node.requests import NodeRequest
from samara.records import (
    Answer,
    Digest,
    Field,
    Line,
    Parameter,
    Record,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.link.node.members import OscoreSecret

SETTINGS = "settings.json"
"""The file of a context, as aiocoap reads it."""
_MODE_OF_FOLDER = 0o700


@request_class
class OscoreRequest(NodeRequest):
    """A neighbour whose secret for OSCORE is to be given out."""

    output: Annotated[
        Path,
        Parameter(
            short="o",
            metavar="DIR",
            help="Directory to make for the security context.",
        ),
    ]
    neighbour: Annotated[
        str | None,
        Parameter(
            metavar="NAME",
            help="Neighbour at the other end.",
            default_text="the only neighbour",
        ),
    ] = None


@record_class
class OscoreContext(Record):
    """A security context that was written: nothing of its secret."""

    node: Annotated[Path, Field("Directory of the node.")]
    neighbour: Annotated[str | None, Field("Its name; `null`: the only neighbour.")]
    output: Annotated[Path, Field("Directory of the context.")]
    sender: Annotated[str, Field("Sender ID of this end, in hex digits.")]
    recipient: Annotated[str, Field("Sender ID of the other end, in hex digits.")]
    generation: Annotated[
        int, Field("Of the key of the run: both ends must show the same number.")
    ]


def oscore(request: OscoreRequest) -> Answer[OscoreContext]:
    """Write the security context for a neighbour, once for each run of EDHOC.

    Raises
    ------
    MisuseError
        When the node cannot be used, the directory exists, or there is no secret.
    """
    node, output = request.node, request.output
    with _new_folder(output), members(node) as of:
        # Removed from the node first: if this process is killed here, no copy is left.
        secret = of.take_oscore(request.neighbour)
        with replacing(output / SETTINGS, exclusive=True, mode=MODE_OF_OWNER) as file:
            file.write(_settings(secret))
    found = OscoreContext(
        node=node,
        neighbour=request.neighbour,
        output=output,
        sender=secret.sender.hex(),
        recipient=secret.recipient.hex(),
        generation=secret.generation,
    )
    text = (
        f"{output}: security context {found.generation} of {node}, "
        f"sender ID {found.sender}, recipient ID {found.recipient}"
    )
    yield Digest([found], [Line(text)])


@contextlib.contextmanager
def _new_folder(path: Path) -> Iterator[None]:
    """Make a directory, which is removed if nothing comes to be in it."""
    try:
        path.mkdir(mode=_MODE_OF_FOLDER)
    except FileExistsError:
        message = f"{path} exists: give another -o DIR, or remove it"
        raise MisuseError(message) from None
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            path.rmdir()
        raise


def _settings(secret: OscoreSecret) -> bytes:
    """Return the file; algorithm and hash function are OSCORE's default ones."""
    fields = {
        "secret_hex": secret.secret.hex(),
        "salt_hex": secret.salt.hex(),
        "sender-id_hex": secret.sender.hex(),
        "recipient-id_hex": secret.recipient.hex(),
    }
    return json.dumps(fields, indent=2).encode() + b"\n"
