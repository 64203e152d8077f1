# SPDX-License-Identifier: Apache-2.0
"""JSON Lines: what every command prints with ``--json``.

One object a line, whose first key, ``type``, says what the object is. docs/json.md
lists the types and their keys.
"""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING, Annotated

import typer

from samara.records.json_lines import record_line

if TYPE_CHECKING:
    from samara.records import Record

Json = Annotated[bool, typer.Option("--json", help="Print JSON Lines (docs/json.md).")]
"""The option of a command whose objects need no more words."""


def print_record(record: Record, *, stream: IO[str] | None = None) -> None:
    """Print one record as one line, and flush it: a reader may wait for it.

    Parameters
    ----------
    stream
        Where the line goes. Default: stdout.
    """
    print(record_line(record), file=stream or sys.stdout, flush=True)
