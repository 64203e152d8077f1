# SPDX-License-Identifier: Apache-2.0
"""Whether what was read from JSON is of a shape.

>>> from samara.records.shapes import ListOf, Number
>>> list(problems(ListOf(Number(whole=True)), [1, "2"], "sizes"))
['sizes[1] is "2": expected whole number']
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from samara.figure import Origin
from samara.records.reference import in_words
from samara.records.shapes import (
    Anything,
    FigureShape,
    Group,
    ListOf,
    MapOf,
    Member,
    Number,
    OneOf,
    OrNull,
    Text,
    Truth,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from samara.records.shapes import Shape


def problems(  # noqa: C901 - one for each shape
    shape: Shape, value: object, path: str = ""
) -> Iterator[str]:
    """Yield where a value that was read from JSON is not of a shape, a sentence each.

    Parameters
    ----------
    path
        Of the value in its object; empty for the whole.
    """
    match shape, value:
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
        case FigureShape(), dict():
            yield from _problems_of_keys(_members_of(shape), value, path)
        case _ if not _is_plain(shape, value):
            yield f"{path} is {json.dumps(value):.60}: expected {in_words(shape)}"


def _problems_of_keys(
    members: tuple[Member, ...], value: Mapping[str, object], path: str
) -> Iterator[str]:
    for member in members:
        inner = _joined(path, member.name)
        if member.name in value:
            yield from problems(member.shape, value[member.name], inner)
        elif not member.optional:
            yield f"{inner} is missing"
    for name in value.keys() - {member.name for member in members}:
        yield f"{_joined(path, name)} is in no record"


def _members_of(shape: FigureShape) -> tuple[Member, ...]:
    """Return the keys of a figure."""
    shapes: dict[str, Shape] = {
        "value": Number(),
        "unit": Text((shape.unit,) if shape.unit else ()),
        "origin": Text(tuple(Origin)),
        "source": Text(),
        **dict.fromkeys(shape.more, Number()),
    }
    return tuple(
        Member(name, each, "", optional=False) for name, each in shapes.items()
    )


def _is_plain(shape: Shape, value: object) -> bool:
    """Tell whether a value is of a shape that has nothing inside."""
    match shape:
        case Text(values):
            return isinstance(value, str) and (not values or value in values)
        case Truth():
            return isinstance(value, bool)
        case Number(whole=True):
            return type(value) is int
        case Number():
            return value is None or type(value) in (int, float)
    return False


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
