# SPDX-License-Identifier: Apache-2.0
"""JSON types: what JSON has for each field of a record, found from the field's type.

`reference` writes them in words, `typescript` as types; `checking` compares them with
what a program has read.

>>> from typing import Annotated
>>> from samara.records.fields import Field, Record, record_class
>>> @record_class
... class FrameSize(Record):
...     '''A frame.'''
...     size: Annotated[int | None, Field("Its size.", unit="byte")]
>>> json_type_of(FrameSize).members[0].json_type
OrNull(inner=Number(unit='byte', whole=True))
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, Union, get_args, get_origin

from samara.figure import Figure
from samara.records.fields import (
    Field,
    Record,
    fields_of,
    is_record_class,
    key_of,
)
from samara.records.numbers import own_unit

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Text:
    """A text; one of these values, if there are any."""

    values: tuple[str, ...] = ()
    is_hex: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a unit. One that is not whole is null when it does not exist."""

    unit: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Boolean:
    """True or false."""


@dataclass(frozen=True, slots=True)
class FigureObject:
    """A figure: an object with its value, unit, origin and source."""

    unit: str = ""
    """Empty if the type does not say it: the figure does."""
    more: tuple[str, ...] = ()
    """Names of other numbers that it has, such as the ends of an interval."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list, all of whose items have one type."""

    inner: JsonType


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object whose keys are not known beforehand, with values of one type."""

    inner: JsonType


@dataclass(frozen=True, slots=True)
class Member:
    """A key of an object."""

    name: str
    json_type: JsonType
    doc: str
    optional: bool
    """Whether it may be left out."""


@dataclass(frozen=True, slots=True)
class Group:
    """An object whose keys are known."""

    name: str
    """Of the class."""
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class OrNull:
    """Something that may be null."""

    inner: JsonType


@dataclass(frozen=True, slots=True)
class OneOf:
    """Something of one of several types."""

    inner: tuple[JsonType, ...]


@dataclass(frozen=True, slots=True)
class Anything:
    """Whatever JSON can hold."""


JsonType: TypeAlias = (
    Text
    | Number
    | Boolean
    | FigureObject
    | ListOf
    | MapOf
    | Group
    | OrNull
    | OneOf
    | Anything
)


def json_type_of(kind: type) -> Group:
    """Return the JSON type of a record, or of a group of fields, without its ``type``.

    Raises
    ------
    TypeError
        When a field of it does not say what it is.
    """
    return _json_type_of_record(kind)


@cache
def _json_type_of_record(kind: Any) -> Group:  # noqa: ANN401 - a class
    # As json_lines.plain: only records leave out what their fields say.
    is_record = issubclass(kind, Record)
    return Group(
        kind.__name__,
        tuple(
            Member(
                key_of(name),
                _json_type(hint, field),
                field.doc,
                is_record and field.optional,
            )
            for name, (hint, field) in fields_of(kind).items()
            if field.in_json or not is_record
        ),
    )


def _json_type(hint: Any, field: Field) -> JsonType:  # noqa: ANN401 - a type
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _json_type(arguments[0], field)
    if origin in (types.UnionType, Union):
        return _union(arguments, field)
    if origin in (list, tuple):
        return ListOf(_json_type(arguments[0], field))
    if origin is not None and issubclass(origin, Mapping):
        return MapOf(_json_type(arguments[1], field))
    return _json_type_of_class(hint, field) if isinstance(hint, type) else Anything()


def _union(arguments: tuple[Any, ...], field: Field) -> JsonType:
    inner = [
        _json_type(each, field) for each in arguments if each is not types.NoneType
    ]
    found = inner[0] if len(inner) == 1 else OneOf(tuple(inner))
    is_null = types.NoneType in arguments
    # An optional key is left out in place of null.
    return OrNull(found) if is_null and not field.optional else found


def _json_type_of_class(kind: type, field: Field) -> JsonType:  # noqa: PLR0911 - one for each
    if issubclass(kind, Enum):
        return Text(tuple(str(each.value) for each in kind))
    if issubclass(kind, bool):
        return Boolean()
    if issubclass(kind, (int, float)):
        return Number(field.own_unit or field.unit, whole=issubclass(kind, int))
    if issubclass(kind, (str, PurePath, bytes)):
        return Text(is_hex=issubclass(kind, bytes))
    if issubclass(kind, Figure):
        more = dataclasses.fields(kind)[len(dataclasses.fields(Figure)) :]
        return FigureObject(own_unit(field.unit), tuple(each.name for each in more))
    if is_record_class(kind):
        return json_type_of(kind)
    return MapOf(Anything()) if dataclasses.is_dataclass(kind) else Anything()


def groups_in(json_type: JsonType) -> Iterator[Group]:
    """Yield the objects with known keys in a JSON type, the inner ones first."""
    if isinstance(json_type, Group):
        for member in json_type.members:
            yield from groups_in(member.json_type)
        yield json_type
    elif isinstance(json_type, (ListOf, MapOf, OrNull)):
        yield from groups_in(json_type.inner)
    elif isinstance(json_type, OneOf):
        for each in json_type.inner:
            yield from groups_in(each)
