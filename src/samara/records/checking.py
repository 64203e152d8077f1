# SPDX-License-Identifier: Apache-2.0
"""Whether what was read from JSON is of a JSON type.

>>> from samara.records.json_types import ListOf, Number
>>> list(problems(ListOf(Number(whole=True)), [1, "2"], "sizes"))
['sizes[1] is "2": expected whole number']
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from samara.figure import Origin
from samara.records.json_types import (
    Anything,
    Boolean,
    FigureObject,
    Group,
    ListOf,
    MapOf,
    Member,
    Number,
    OneOf,
    OrNull,
    Text,
)
from samara.records.reference import in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from samara.records.json_types import JsonType


def problems(  # noqa: C901 - one for each type
    json_type: JsonType, value: object, path: str = ""
) -> Iterator[str]:
    """Yield a sentence for each place where a value is not of a JSON type.

    Parameters
    ----------
    path
        Of the value in its object; empty for the whole.
    """
    match json_type, value:
        case (Anything(), _) | (OrNull(), None):
            pass
        case OrNull(inner), _:
            yield from problems(inner, value, path)
        case OneOf(inner), _ if any(not list(problems(one, value)) for one in inner):
            pass
        case ListOf(inner), list():
            for number, each in enumerate(value):
                yield from problems(inner, each, f"{path}[{number}]")
        case MapOf(inner), dict():
            for name, each in value.items():
                yield from problems(inner, each, _joined(path, name))
        case Group(members=members), dict():
            yield from _problems_of_keys(members, value, path)
        case FigureObject(), dict():
            yield from _problems_of_keys(_members_of(json_type), value, path)
        case _ if not _is_plain(json_type, value):
            yield f"{path} is {json.dumps(value):.60}: expected {in_words(json_type)}"


def _problems_of_keys(
    members: tuple[Member, ...], value: Mapping[str, object], path: str
) -> Iterator[str]:
    for member in members:
        inner = _joined(path, member.name)
        if member.name in value:
            yield from problems(member.json_type, value[member.name], inner)
        elif not member.optional:
            yield f"{inner} is missing"
    for name in value.keys() - {member.name for member in members}:
        yield f"{_joined(path, name)} is in no record"


def _members_of(json_type: FigureObject) -> tuple[Member, ...]:
    """Return the keys of a figure."""
    types: dict[str, JsonType] = {
        "value": Number(),
        "unit": Text((json_type.unit,) if json_type.unit else ()),
        "origin": Text(tuple(Origin)),
        "source": Text(),
        **dict.fromkeys(json_type.more, Number()),
    }
    return tuple(Member(name, each, "", optional=False) for name, each in types.items())


def _is_plain(json_type: JsonType, value: object) -> bool:
    """Tell whether a value is of a JSON type that has nothing inside."""
    match json_type:
        case Text(values):
            return isinstance(value, str) and (not values or value in values)
        case Boolean():
            return isinstance(value, bool)
        case Number(whole=True):
            return type(value) is int
        case Number():
            return value is None or type(value) in (int, float)
    return False


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
