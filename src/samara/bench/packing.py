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
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Wanted = Callable[[int, int], bool]

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


def unpack(line: Fields, wanted: Wanted | None = None) -> Iterator[Fields]:
    """Yield the rows of a line, one for each size.

    Parameters
    ----------
    wanted
        Returns whether a row is wanted, from the bytes of its message and of its
        associated data. Default: all are.

    Raises
    ------
    ValueError
        If the lists of the line are not of one length.
    """
    return rows_at(line, places_in(line, wanted))


def places_in(line: Fields, wanted: Wanted | None = None) -> Sequence[int]:
    """Return the places of the rows of a line that are wanted: see `unpack`.

    Raises
    ------
    ValueError
        If the lists of the line are not of one length.
    """
    lengths = {len(values) for values in _lists(line)}
    if len(lengths) > 1:
        message = f"lists of {sorted(lengths)} values in one line"
        raise ValueError(message)
    places: Sequence[int] = range(*lengths) if lengths else range(1)
    if wanted is None:
        return places
    rows = zip(places, *sizes_at(line, places), strict=True)
    return [place for place, *size in rows if wanted(*size)]


def sizes_at(
    line: Fields, places: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the bytes of message, and of associated data, of some rows of a line."""
    message, ad = (tuple(_by_place(line.get(name), places)) for name in _BY_SIZE[:2])
    return message, ad


def rows_at(line: Fields, places: Sequence[int]) -> Iterator[Fields]:
    """Yield some rows of a line."""
    columns = [_by_place(value, places) for value in line.values()]
    for row in zip(*columns, strict=True):
        yield dict(zip(line, row, strict=True))


def row_at(line: Fields, place: int) -> Fields:
    """Return one row of a line: that takes a third of the time of `rows_at`."""
    return {name: _at(value, place) for name, value in line.items()}


def _at(value: Any, place: int) -> Any:  # noqa: ANN401 - any field
    """Return the value of a field in a row of its line."""
    if isinstance(value, list):
        return value[place]
    if isinstance(value, dict):
        return {name: _at(each, place) for name, each in value.items()}
    return value


def _lists(values: Fields) -> Iterator[list[Any]]:
    for value in values.values():
        if isinstance(value, list):
            yield value
        elif isinstance(value, dict):
            yield from _lists(value)


def _by_place(value: Any, places: Sequence[int]) -> list[Any]:  # noqa: ANN401 - any field
    """Return the values of a field in some rows of its line."""
    if isinstance(value, list):
        return [value[place] for place in places]
    if isinstance(value, dict) and any(_lists(value)):
        columns = [_by_place(each, places) for each in value.values()]
        rows = zip(*columns, strict=True)
        return [dict(zip(value, row, strict=True)) for row in rows]
    return [value] * len(places)
