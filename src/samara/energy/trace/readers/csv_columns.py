# SPDX-License-Identifier: Apache-2.0
"""CSV of any program, whose columns of time and current the user names.

`--columns time=ms,current=uA` has the beginning of each column's name, or its number
from 1, and its unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.energy.trace.blocks import Format, TraceError
from samara.energy.trace.columns import (
    AMPERES,
    SECONDS,
    Layout,
    blocks_of,
    first_head,
    layout_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from samara.energy.trace.blocks import Block, Reading

_EXPECTED = (
    "expected the column of times with its unit (s, ms, us or ns), then that of "
    "currents (A, mA, uA or nA), such as --columns time=ms,current=uA"
)


def _blocks(reading: Reading) -> Iterator[Block]:
    (time, time_s), (current, current_a) = _asked(reading.columns)
    head = first_head(reading)
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


FORMAT = Format("csv", "CSV with named columns", lambda _: False, _blocks)
