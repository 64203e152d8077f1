# SPDX-License-Identifier: Apache-2.0
"""A section of docs/json.md for a type of records, made from its fields."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from samara.figure import Origin
from samara.records.json_types import (
    Anything,
    Boolean,
    FigureObject,
    Group,
    ListOf,
    MapOf,
    Number,
    OneOf,
    OrNull,
    Text,
    json_type_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.records.fields import Record
    from samara.records.json_types import JsonType


def section(kind: type[Record], commands: Sequence[str]) -> str:
    """Return the section of a type: what it is, and a row for each key.

    Keys of objects in an object have a point between them, ``[]`` stands for each item
    of a list, ``*`` for a name that is not known beforehand.

    Parameters
    ----------
    kind
        The class of the records.
    commands
        What prints them.
    """
    printed = _listed([f"`{name}`" for name in commands], "and")
    lines = [
        f"### `{kind.type_name()}`",
        "",
        f"{_first_paragraph(kind)} Printed by {printed}.",
        "",
        "| key | value | meaning |",
        "|---|---|---|",
    ]
    lines += [
        f"| `{path}`{mark} | {_cell(words)} | {_cell(meaning)} |"
        for path, mark, words, meaning in _rows(json_type_of(kind), "")
    ]
    return "\n".join(lines)


def _rows(group: Group, above: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield path, mark, value in words, and meaning of each key."""
    for member in group.members:
        path = f"{above}{member.name}"
        mark = "?" if member.optional else ""
        yield path, mark, in_words(member.json_type), member.doc
        for inner, brackets in _inside(member.json_type):
            yield from _rows(inner, f"{path}{brackets}.")


def _inside(json_type: JsonType) -> Iterator[tuple[Group, str]]:  # noqa: C901 - one for each
    """Yield the objects with known keys in a value, and how a path reaches them."""
    match json_type:
        case Group():
            yield json_type, ""
        case OrNull(inner):
            yield from _inside(inner)
        case ListOf(inner):
            for group, brackets in _inside(inner):
                yield group, f"[]{brackets}"
        case MapOf(inner):
            for group, brackets in _inside(inner):
                yield group, f".*{brackets}"
        case OneOf(inner):
            for each in inner:
                yield from _inside(each)


def _first_paragraph(kind: type[Record]) -> str:
    return " ".join(inspect.getdoc(kind).split("\n\n")[0].split())  # type: ignore[union-attr]


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def in_words(json_type: JsonType) -> str:
    """Return what a value of a JSON type is, for people: ``list of texts``."""
    return _in_words(json_type, many=False)


_WORDS: Mapping[type, tuple[str, str]] = {
    Boolean: ("true or false", "true or false"),
    Group: ("object", "objects"),
    Anything: ("any value", "any values"),
}


def _in_words(json_type: JsonType, *, many: bool) -> str:  # noqa: C901, PLR0911 - one for each
    s = "s" if many else ""
    match json_type:
        case Text(values) if values == tuple(Origin):
            return f"origin{s}"
        case Text(values) if values:
            return _listed([f"`{each}`" for each in values], "or")
        case Text(is_hex=True):
            return f"text{s} of hex digits"
        case Text():
            return f"text{s}"
        case Number(unit, whole):
            return f"{'whole ' if whole else ''}number{s}{_of_unit(unit)}"
        case FigureObject(unit, more):
            others = _listed([f"`{name}`" for name in more], "and")
            return f"figure{s}{_of_unit(unit)}{others and f', with {others}'}"
        case ListOf(inner):
            return f"list{s} of {_in_words(inner, many=True)}"
        case MapOf(Anything()):
            return f"object{s}"
        case MapOf(inner):
            return f"object{s} with {_in_words(inner, many=True)} by name"
        case OrNull(inner):
            comma = "" if many else ","
            return f"{_in_words(inner, many=many)}{comma} or `null`"
        case OneOf(inner):
            return " or ".join(_in_words(each, many=many) for each in inner)
    return _WORDS[type(json_type)][many]


def _of_unit(unit: str) -> str:
    return {"": "", "1": " without unit"}.get(unit, f" in {unit}")


def _listed(words: Sequence[str], last: str) -> str:
    """Return words with commas between them, and another word before the last."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
