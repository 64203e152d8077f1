# SPDX-License-Identifier: Apache-2.0
"""Columns of CSV files, read in blocks by NumPy.

A block is read as a whole if each of its lines has as many numbers as the head of the
file has columns. Otherwise it is read line by line, and lines that are no samples are
counted.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.trace.blocks import Block, TraceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from samara.energy.trace.blocks import Array, Reading

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "\N{MICRO SIGN}s": 1e-6, "ns": 1e-9}
AMPERES = {
    "a": 1.0, "ma": 1e-3, "ua": 1e-6, "\N{MICRO SIGN}a": 1e-6, "na": 1e-9,
}  # fmt: skip
_BYTES = 8 << 20
_HEAD_LINES = 50
"""Lines in front of the samples, at most."""
_HEAD_BYTES = 64 << 10
_LINE_FEED = 10


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a CSV file has its samples."""

    skipped: int
    """Bytes in front of the first sample."""
    delimiter: bytes
    columns: int
    time: int
    """The column of times."""
    current: int
    time_unit_s: float
    current_unit_a: float
    decimal_comma: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """Lines in front of the samples, and the first line of these."""

    lines: list[str]
    skipped: int
    """Bytes in front of the first sample."""
    sample: str

    @property
    def names(self) -> str:
        """The line with the names of the columns."""
        return self.lines[-1] if self.lines else ""

    def delimiter(self) -> str:
        """Return what is between the columns: commas may be those of decimals."""
        return next((each for each in ";\t" if each in self.sample), ",")


def head_of(head: bytes) -> Head | None:
    """Return the lines in front of the first line of numbers; None if there is none."""
    lines: list[str] = []
    skipped = 0
    for raw in head.split(b"\n")[:_HEAD_LINES]:
        line = raw.decode("utf-8-sig", "replace").strip()
        if line and _is_sample(line):
            return Head(lines, skipped, line)
        lines += [line] if line else []
        skipped += len(raw) + 1
    return None


def _is_sample(line: str) -> bool:
    return line[0] in "+-.0123456789" and any(each in line for each in ",;\t")


def first_head(reading: Reading) -> Head:
    """Return the head of a CSV file.

    Raises
    ------
    TraceError
        When it has no line of numbers.
    """
    with reading.path.open("rb") as file:
        found = head_of(file.read(_HEAD_BYTES))
    if found is None:
        raise TraceError(no_samples(reading.path))
    return found


def no_samples(path: Path) -> str:
    """Return what is said of a text without a line of numbers."""
    return (
        f"{path} has no samples: expected lines of numbers with commas, semicolons or "
        f"tabs between them, after at most {_HEAD_LINES} lines"
    )


def layout_of(
    head: Head, time: str, current: str, units: tuple[float, float]
) -> Layout:
    """Return the layout of a file whose columns have these names.

    Parameters
    ----------
    time, current
        What the names of both columns begin with, in small letters.
    units
        Of the time in seconds, and of the current in ampere.

    Raises
    ------
    TraceError
        When there is no such column.
    """
    delimiter = head.delimiter()
    names = [each.strip(' "\t').lower() for each in head.names.split(delimiter)]
    columns = head.sample.count(delimiter) + 1
    places = [
        next((i for i, each in enumerate(names[:columns]) if each.startswith(name)), -1)
        for name in (time, current)
    ]
    for place, name in zip(places, (time, current), strict=True):
        if place < 0:
            message = (
                f"there is no column {name}: the columns are "
                f"{', '.join(names)[:200] or 'without names'}"
            )
            raise TraceError(message)
    decimal_comma = delimiter != "," and "," in head.sample
    return Layout(
        head.skipped, delimiter.encode(), columns, places[0], places[1], units[0],
        units[1], decimal_comma,
    )  # fmt: skip


def unit_in(name: str, units: dict[str, float], default: float) -> float:
    """Return the unit that stands in brackets behind a column's name.

    >>> unit_in("Current(uA)", AMPERES, 1.0)
    1e-06
    """
    inner = name.lower().replace("[", "(").partition("(")[2].partition(")")[0]
    return units.get(inner.strip("] "), default)


def blocks_of(reading: Reading, layout: Layout) -> Iterator[Block]:
    """Yield the samples of a CSV file.

    Raises
    ------
    TraceError
        When a line does not end.
    """
    size = max(reading.path.stat().st_size, 1)
    with reading.path.open("rb") as file:
        file.seek(layout.skipped)
        for text in _whole_lines(file, reading):
            found = _parsed(text, layout)
            if found is None:
                found = _line_by_line(text, layout, reading)
            times, current = found[:, 0], found[:, 1]
            share = min(1.0, file.tell() / size)
            yield Block(
                times * layout.time_unit_s, current * layout.current_unit_a, share
            )


def _whole_lines(file: BinaryIO, reading: Reading) -> Iterator[bytes]:
    rest = b""
    while more := file.read(_BYTES):
        whole, end, rest = (rest + more).rpartition(b"\n")
        if not end and len(rest) > _BYTES:
            message = f"{reading.path} has a line of more than {_BYTES} bytes"
            raise TraceError(message)
        if end:
            yield whole + end
    if rest.strip():
        yield rest + b"\n"


def _parsed(text: bytes, layout: Layout) -> Array | None:
    """Return times and currents of lines; None if a line is not as the others are."""
    if layout.decimal_comma:
        text = text.replace(b",", b".")
    codes = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(codes == _LINE_FEED)
    between = np.flatnonzero(codes == layout.delimiter[0])
    if between.size != ends.size * (layout.columns - 1):
        return None
    between = between.reshape(ends.size, -1)
    if (between[:, -1] > ends).any() or (between[1:, 0] < ends[:-1]).any():
        return None
    joined = text.replace(layout.delimiter, b",").replace(b"\n", b",")
    with warnings.catch_warnings():
        # How NumPy says that a text is no number; the count tells it, too.
        warnings.simplefilter("ignore", DeprecationWarning)
        numbers = np.fromstring(joined[:-1], sep=",")
    if numbers.size != ends.size * layout.columns:
        return None
    return numbers.reshape(ends.size, -1)[:, [layout.time, layout.current]]


def _line_by_line(text: bytes, layout: Layout, reading: Reading) -> Array:
    """Return times and currents; NaN is the current of a line that has none."""
    found: list[tuple[float, float]] = []
    for line in text.splitlines():
        fields = line.split(layout.delimiter)
        time = _number(fields, layout.time, layout)
        current = _number(fields, layout.current, layout)
        if time != time:  # noqa: PLR0124 - not a number
            reading.unreadable += 1 if line.strip() else 0
            continue
        reading.unreadable += current != current  # noqa: PLR0124 - not a number
        found.append((time, current))
    return np.array(found, dtype=float).reshape(-1, 2)


def _number(fields: list[bytes], place: int, layout: Layout) -> float:
    try:
        text = fields[place].strip(b' "\r')
        return float(text.replace(b",", b".") if layout.decimal_comma else text)
    except (IndexError, ValueError):
        return float("nan")
