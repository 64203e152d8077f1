# SPDX-License-Identifier: Apache-2.0
"""JSON Lines: what every command prints with ``--json``.

One object a line, whose first key, ``type``, says what the object is. docs/json.md
lists the types and their keys.
"""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from samara.records.json_lines import json_line, record_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.records import Record

Json = Annotated[bool, typer.Option("--json", help="Print JSON Lines (docs/json.md).")]
"""The option of a command whose objects need no more words."""


def print_json(
    kind: str, fields: Mapping[str, Any], *, stream: IO[str] | None = None
) -> None:
    """Print one object as one line, and flush it: a reader may wait for it.

    Parameters
    ----------
    kind
        The value of ``type``, a row of docs/json.md.
    fields
        The other keys, as `samara.records.json_lines.json_line` takes them.
    stream
        Where the line goes. Default: stdout.

    Raises
    ------
    TypeError
        When a field is called ``type``, or has a value that JSON cannot hold.
    """
    _print_line(json_line(kind, fields), stream)


def print_record(record: Record, *, stream: IO[str] | None = None) -> None:
    """Print one record as one line, and flush it.

    Parameters
    ----------
    stream
        Where the line goes. Default: stdout.
    """
    _print_line(record_line(record), stream)


def _print_line(line: str, stream: IO[str] | None) -> None:
    print(line, file=stream or sys.stdout, flush=True)
