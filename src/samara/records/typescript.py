# SPDX-License-Identifier: Apache-2.0
"""Types of records for programs in TypeScript, which read lines of JSON.

There is an interface for each type, and for each group of fields in one. By its `type`
a program tells apart what a line is:

    const record = JSON.parse(line) as SamaraRecord;
    if (record.type === "battery_life") {
      show(record.life.median.value);
    }
"""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING

from samara.figure import Origin
from samara.records.json_types import (
    Boolean,
    FigureObject,
    Group,
    ListOf,
    MapOf,
    Number,
    OneOf,
    OrNull,
    Text,
    groups_in,
    json_type_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from samara.records.fields import Record
    from samara.records.json_types import JsonType, Member

_HEAD = """\
// Written by tools/types-of-records from the fields of samara's records.

/** Where a figure comes from. */
export type Origin = {origins};

/** A value that somebody may quote; null if there is no such number. */
export interface Figure {{
  value: number | null;
  unit: string;
  origin: Origin;
  source: string;
}}
"""


def declarations(kinds: Sequence[type[Record]]) -> str:
    """Return the types of records as the text of a module.

    Parameters
    ----------
    kinds
        Classes of records.

    Raises
    ------
    ValueError
        When two of them, or of the groups in them, have one name and not one type.
    """
    found: dict[str, Group] = {}
    parts = []
    for kind in kinds:
        whole = json_type_of(kind)
        for group in groups_in(whole):
            is_new = group.name not in found
            if found.setdefault(group.name, group) != group:
                message = f"there are two {group.name} with other fields: rename one"
                raise ValueError(message)
            if group is whole:
                parts.append(_interface(group, kind))
            elif is_new:
                parts.append(_interface(group))
    names = _either(kind.__name__ for kind in kinds)
    return "\n".join(
        [
            _HEAD.format(origins=_either(map(json.dumps, Origin))),
            *parts,
            f"/** A line of JSON. */\nexport type SamaraRecord = {names};\n",
        ]
    )


def _interface(group: Group, record: type[Record] | None = None) -> str:
    lines = []
    if record is not None:
        lines.append(_comment(inspect.getdoc(record) or ""))
    lines.append(f"export interface {group.name} {{")
    if record is not None:
        lines.append(f"  type: {json.dumps(record.type_name())};")
    for member in group.members:
        lines += [f"  {_comment(member.doc + _unit(member))}", f"  {_key(member)}"]
    return "\n".join([*lines, "}", ""])


def _key(member: Member) -> str:
    name = member.name if member.name.isidentifier() else json.dumps(member.name)
    return f"{name}{'?' if member.optional else ''}: {_type(member.json_type)};"


def _unit(member: Member) -> str:
    """Return a sentence with the unit of a number or figure, if it has one."""
    json_type = (
        member.json_type.inner
        if isinstance(member.json_type, OrNull)
        else member.json_type
    )
    unit = json_type.unit if isinstance(json_type, (Number, FigureObject)) else ""
    return f" Unit: {unit}." if unit else ""


def _comment(text: str) -> str:
    words = " ".join(text.split("\n\n", maxsplit=1)[0].split()).replace("*/", "* /")
    return f"/** {words} */"


def _type(json_type: JsonType) -> str:  # noqa: C901, PLR0911 - one for each
    match json_type:
        case Text(values) if values == tuple(Origin):
            return "Origin"
        case Text(values):
            return _either(map(json.dumps, values)) or "string"
        case Number(whole=whole):
            return "number" if whole else "number | null"
        case Boolean():
            return "boolean"
        case FigureObject(more=more):
            others = "".join(f" {name}: number | null;" for name in more)
            return f"Figure & {{{others} }}" if more else "Figure"
        case ListOf(inner):
            return f"Array<{_type(inner)}>"
        case MapOf(inner):
            return f"Record<string, {_type(inner)}>"
        case OrNull(Number(whole=False)):
            return "number | null"
        case OrNull(inner):
            return f"{_type(inner)} | null"
        case OneOf(inner):
            return _either(map(_type, inner))
        case Group(name):
            return name
    return "unknown"


def _either(names: Iterable[str]) -> str:
    return " | ".join(names)
