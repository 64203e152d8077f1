# SPDX-License-Identifier: Apache-2.0
"""JSON Lines: one object a line, whose first key, ``type``, says what it is.

docs/json.md lists the types and their keys.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import Any

from samara.records.fields import Record, fields_of, key_of


def record_line(record: Record) -> str:
    """Return a record as one line of JSON, without the end of the line."""
    return json_line(record.type_name(), _fields(record))


def json_line(kind: str, fields: Mapping[str, Any]) -> str:
    """Return an object of this type as one line, without the end of the line.

    Parameters
    ----------
    kind
        The value of ``type``.
    fields
        The other keys; values as `plain` takes them.

    Raises
    ------
    TypeError
        When a field is called ``type``, or has a value that JSON cannot hold.

    >>> json_line("cipher", {"slug": "aes128", "key_size": 16})
    '{"type": "cipher", "slug": "aes128", "key_size": 16}'
    """
    if "type" in fields:
        message = f"the type of an object is given once, as {kind!r}"
        raise TypeError(message)
    return json.dumps({"type": kind, **plain(fields)}, allow_nan=False)


def plain(value: Any) -> Any:  # noqa: ANN401 - of many kinds
    """Return a value as JSON can hold it.

    A dataclass becomes an object with its fields, as a `samara.figure.Figure` does with
    ``value``, ``unit``, ``origin`` and ``source``; an enumeration its value; a path its
    text; bytes their hex digits; a number that is not finite null. Fields of a record
    that are not for JSON are left out, and so are optional ones that are None.
    """
    return value if type(value) in _AS_THEY_ARE else _converted(value)


IN_JSON = "in_json"
"""Key of the metadata of a field of a dataclass that is no record: whether JSON has
it."""
_AS_THEY_ARE = frozenset({str, int, bool, type(None)})


def _converted(value: Any) -> Any:  # noqa: ANN401, PLR0911 - a return for each kind of value
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain(_fields(value))
    return value


def _fields(value: object) -> dict[str, Any]:
    kind: type = type(value)
    return {
        key_of(name): getattr(value, name)
        for name in _names(kind)
        if not _is_left_out(value, name)
    }


@cache
def _names(kind: Any) -> tuple[str, ...]:  # noqa: ANN401 - a class
    return tuple(
        each.name
        for each in dataclasses.fields(kind)
        if each.metadata.get(IN_JSON, True)
    )


def _is_left_out(value: object, name: str) -> bool:
    if not isinstance(value, Record):
        return False
    field = fields_of(type(value))[name][1]
    return not field.in_json or (field.optional and getattr(value, name) is None)
