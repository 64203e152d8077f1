# SPDX-License-Identifier: Apache-2.0
"""Results of one program as one line.

A value that is equal for all sizes of message and associated data is in the line
once. Other values are lists with an element for each size, in the order of
`message_bytes` and `ad_bytes`. A line about one size has no lists.

>>> rows = [{"message_bytes": m, "opt": "Os", "cycles": {"set_up": 9, "seal": c}}
...         for m, c in ((16, 100), (32, 180))]
>>> (line,) = pack(rows)
>>> line
{'message_bytes': [16, 32], 'opt': 'Os', 'cycles': {'set_up': 9, 'seal': [100, 180]}}
>>> list(unpack(line)) == rows
True
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Fields = dict[str, Any]

_BY_SIZE = ("message_bytes", "ad_bytes", "stack_bytes", "problem")
_BY_OPERATION = ("cycles", "instructions", "time_us", "energy_uj")


def pack(rows: Iterable[Fields]) -> list[Fields]:
    """Return the rows as lines, as few as possible."""
    groups: dict[str, list[Fields]] = {}
    for row in rows:
        groups.setdefault(_program(row), []).append(row)
    return [_line(group) for group in groups.values()]


def _program(row: Fields) -> str:
    """Return what the rows of one line have in common."""
    common = {
        name: value
        for name, value in row.items()
        if name not in _BY_SIZE and name not in _BY_OPERATION
    }
    operations = [(name, list(row.get(name) or ())) for name in _BY_OPERATION]
    return json.dumps([common, operations, list(row)])


def _line(rows: Sequence[Fields]) -> Fields:
    line: Fields = dict(rows[0])
    for name in line:
        if name in _BY_SIZE:
            line[name] = _joined([row[name] for row in rows])
        elif name in _BY_OPERATION and line[name] is not None:
            line[name] = {
                operation: _joined([row[name][operation] for row in rows])
                for operation in line[name]
            }
    return line


def _joined(values: list[Any]) -> Any:  # noqa: ANN401 - of any field
    return values[0] if all(value == values[0] for value in values) else values


def unpack(line: Fields) -> Iterator[Fields]:
    """Yield the rows of a line, one for each size."""
    lists = [value for value in line.values() if isinstance(value, list)]
    for name in _BY_OPERATION:
        by_operation = line.get(name) or {}
        lists += [v for v in by_operation.values() if isinstance(v, list)]
    for place in range(len(lists[0]) if lists else 1):
        yield {name: _at(value, place) for name, value in line.items()}


def _at(value: Any, place: int) -> Any:  # noqa: ANN401 - of any field
    if isinstance(value, dict):
        return {name: _at(each, place) for name, each in value.items()}
    return value[place] if isinstance(value, list) else value
