# SPDX-License-Identifier: Apache-2.0
"""JSON Lines: one object a line, whose first key, ``type``, says what it is.

docs/json.md lists the types and their keys.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache, partial
from pathlib import PurePath
from typing import Any, NamedTuple

from samara.records.fields import Record, fields_of, key_of


def record_line(record: Record) -> str:
    """Return a record as one line of JSON, without the end of the line."""
    return _line(record.type_name(), plain(record))


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
    return _line(kind, plain(fields))


def _line(kind: str, fields: Mapping[str, Any]) -> str:
    if "type" in fields:
        message = f"the type of an object is given once, as {kind!r}"
        raise TypeError(message)
    return json.dumps({"type": kind, **fields}, allow_nan=False)


def plain(value: Any) -> Any:  # noqa: ANN401 - of many kinds
    """Return a value as JSON can hold it.

    A dataclass becomes an object with its fields, as a `samara.figure.Figure` does with
    ``value``, ``unit``, ``origin`` and ``source``; an enumeration its value; a path its
    text; bytes their hex digits; a number that is not finite null. Fields of a record
    that are not for JSON are left out, and so are optional ones that are None.
    """
    kind: Any = type(value)
    return value if kind in _AS_THEY_ARE else _way_of(kind)(value)


IN_JSON = "in_json"
"""Key of the metadata of a field of a dataclass that is no record: whether JSON has
it."""
_AS_THEY_ARE = frozenset({str, int, bool, type(None)})


# A list of results has millions of values, and some twenty classes of them.
@cache
def _way_of(kind: Any) -> Callable[[Any], Any]:  # noqa: ANN401, PLR0911 - a class; a return for each
    """Return what makes values of a class plain."""
    if issubclass(kind, Enum):
        return _value_of
    if issubclass(kind, Mapping):
        return _object_of
    if issubclass(kind, (list, tuple)):
        return _list_of
    if issubclass(kind, (bytes, bytearray)):
        return bytes.hex if issubclass(kind, bytes) else bytearray.hex
    if issubclass(kind, PurePath):
        return str
    if issubclass(kind, float):
        return _finite
    is_object = dataclasses.is_dataclass(kind)
    return partial(_with_keys, _in_json(kind)) if is_object else _as_it_is


def _value_of(value: Enum) -> Any:  # noqa: ANN401 - of many kinds
    return plain(value.value)


def _object_of(value: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(plain(key)): plain(each) for key, each in value.items()}


def _list_of(value: Iterable[Any]) -> list[Any]:
    return [plain(each) for each in value]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _as_it_is(value: Any) -> Any:  # noqa: ANN401 - JSON refuses what it cannot hold
    return value


class _Key(NamedTuple):
    """A field of a dataclass that JSON has."""

    name: str
    key: str
    optional: bool
    """Whether it is left out where it is None."""


def _in_json(kind: Any) -> tuple[_Key, ...]:  # noqa: ANN401 - a class
    """Return the fields that an object of a dataclass has."""
    names = [
        each.name
        for each in dataclasses.fields(kind)
        if each.metadata.get(IN_JSON, True)
    ]
    if not issubclass(kind, Record):
        return tuple(_Key(name, key_of(name), optional=False) for name in names)
    about = fields_of(kind)
    return tuple(
        _Key(name, key_of(name), about[name][1].optional)
        for name in names
        if about[name][1].in_json
    )


def _with_keys(keys: Iterable[_Key], value: object) -> dict[str, Any]:
    found = ((each, getattr(value, each.name)) for each in keys)
    return {
        each.key: plain(own)
        for each, own in found
        if not (each.optional and own is None)
    }
