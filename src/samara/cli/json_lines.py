# SPDX-License-Identifier: Apache-2.0
"""JSON Lines: what every command prints with ``--json``.

One object a line, whose first key, ``type``, says what the object is. docs/json.md
lists the types and their keys.
"""

from __future__ import annotations

import dataclasses
import json
import math
import sys
from collections.abc import Mapping
from enum import Enum
from pathlib import PurePath
from typing import IO, Annotated, Any

import typer

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
        The other keys. A dataclass becomes an object with its fields, as a
        `samara.figure.Figure` does with ``value``, ``unit``, ``origin`` and
        ``source``; an enumeration its value; a path its text; bytes their hex
        digits; a number that is not finite null.
    stream
        Where the line goes. Default: stdout.

    Raises
    ------
    TypeError
        When a field is called ``type``, or has a value that JSON cannot hold.
    """
    print(json_line(kind, fields), file=stream or sys.stdout, flush=True)


def json_line(kind: str, fields: Mapping[str, Any]) -> str:
    """Return what `print_json` prints, without the end of the line.

    >>> json_line("cipher", {"slug": "aes128", "key_size": 16})
    '{"type": "cipher", "slug": "aes128", "key_size": 16}'
    """
    if "type" in fields:
        message = f"the type of an object is given once, as {kind!r}"
        raise TypeError(message)
    return json.dumps({"type": kind, **_plain(fields)}, allow_nan=False)


def _plain(value: Any) -> Any:  # noqa: ANN401, PLR0911 - a return for each kind of value
    """Return a value as JSON can hold it."""
    if isinstance(value, Enum):
        return _plain(value.value)
    if isinstance(value, Mapping):
        return {str(_plain(key)): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _plain(
            {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        )
    return value
