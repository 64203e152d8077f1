# SPDX-License-Identifier: Apache-2.0
"""CSV of any program, whose columns of time and current say their units.

Such as ``time (s),current (A)`` or ``t_ms;I [uA]``. Of other files the user names the
columns: `--columns time=ms,current=uA` has the beginning of each column's name, or its
number from 1, and its unit.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from samara.energy.trace.blocks import Format, TraceError
from samara.energy.trace.columns import (
    AMPERES,
    SECONDS,
    Layout,
    blocks_of,
    first_head,
    head_of,
    layout_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from samara.energy.trace.blocks import Block, Reading
    from samara.energy.trace.columns import Head

_TIMES = ("t", "time", "timestamp", "elapsed time")
_CURRENTS = ("i", "current")
# A name, and its unit in brackets or behind a space, "_", "/" or "in".
_NAMED = re.compile(r"(.*?)(?: in |[\s_/]*[(\[]|[\s_/])\s*(\w+)\s*[)\]]?")
_EXPECTED = (
    "expected the column of times with its unit (s, ms, us or ns), then that of "
    "currents (A, mA, uA or nA), such as --columns time=ms,current=uA"
)


def _blocks(reading: Reading) -> Iterator[Block]:
    head = first_head(reading)
    asked = _asked(reading.columns or _columns_of(head))
    (time, time_s), (current, current_a) = asked
    units = (time_s, current_a)
    if time.isdecimal() and current.isdecimal():
        delimiter = head.delimiter()
        columns = head.sample.count(delimiter) + 1
        places = (int(time) - 1, int(current) - 1)
        if not all(0 <= each < columns for each in places):
            message = f"the file has {columns} columns, not {time} and {current}"
            raise TraceError(message)
        comma = delimiter != "," and "," in head.sample
        yield from blocks_of(
            reading,
            Layout(head.skipped, delimiter.encode(), columns, *places, *units, comma),
        )
        return
    yield from blocks_of(reading, layout_of(head, time, current, units))


def _columns_of(head: Head) -> Mapping[str, str]:
    """Return both columns with the units that the head of a file says.

    Nothing, if it does not, or if more than one column could be meant.
    """
    names = [each.strip(' "\t').lower() for each in head.names.split(head.delimiter())]
    found: dict[str, str] = {}
    for titles, units in ((_TIMES, SECONDS), (_CURRENTS, AMPERES)):
        fitting = [
            (name, match[2])
            for name in names
            if (match := _NAMED.fullmatch(name))
            and match[1].strip() in titles
            and match[2] in units
        ]
        if len(fitting) != 1:
            return {}
        found.update(fitting)
    return found


def _fits(first: bytes) -> bool:
    head = head_of(first)
    return head is not None and bool(_columns_of(head))


def _asked(columns: Mapping[str, str]) -> tuple[tuple[str, float], tuple[str, float]]:
    """Return the names of both columns with their units."""
    try:
        (time, time_unit), (current, current_unit) = columns.items()
        units = SECONDS[time_unit.lower()], AMPERES[current_unit.lower()]
    except (KeyError, ValueError):
        given = ",".join(f"{name}={unit}" for name, unit in columns.items())
        message = f"--columns {given or 'is missing'}: {_EXPECTED}"
        raise TraceError(message) from None
    return (time.lower(), units[0]), (current.lower(), units[1])


FORMAT = Format("csv", "CSV with named columns", _fits, _blocks, is_general=True)
