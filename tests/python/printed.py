# SPDX-License-Identifier: Apache-2.0
"""What commands print for people: tables and sentences, read back as figures.

A figure that is shown is held against the one of ``--json``: in the unit of each, and
to the last digit that is shown.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import math
import os
import re
from typing import Any
from unittest import mock

import pytest

from samara.cli.running import run

_ORIGINS = re.compile(r" ?\((m|e|a|p|em)\)$")
_NUMBER = re.compile(r"(-?[\d,]*\.?\d+(?:e[+-]?\d+)?)(%?)")
# The base of a unit, and how many of it that is. A year of the energy model and a day
# are no multiples of seconds here: no command turns one into the other.
UNITS = {
    "J": ("joule", 1.0), "mJ": ("joule", 1e-3), "µJ": ("joule", 1e-6),
    "uj": ("joule", 1e-6), "nJ": ("joule", 1e-9),
    "µW": ("watt", 1e-6), "uw": ("watt", 1e-6), "W": ("watt", 1.0),
    "s": ("second", 1.0), "ms": ("second", 1e-3), "µs": ("second", 1e-6),
    "us": ("second", 1e-6), "hours": ("hour", 1.0), "hour": ("hour", 1.0),
    "days": ("day", 1.0), "years": ("year", 1.0), "year": ("year", 1.0),
    "bytes": ("byte", 1.0), "byte": ("byte", 1.0), "cycles": ("cycle", 1.0),
    "cycle": ("cycle", 1.0), "hz": ("hertz", 1.0), "Hz": ("hertz", 1.0),
    "MHz": ("hertz", 1e6), "V": ("volt", 1.0), "A": ("ampere", 1.0),
    "mA": ("ampere", 1e-3), "ns": ("second", 1e-9), "pJ": ("joule", 1e-12),
    "GE": ("gate", 1.0), "bit/s": ("bit rate", 1.0), "Mbit/s": ("bit rate", 1e6),
    "instruction": ("instruction", 1.0), "instructions": ("instruction", 1.0),
    "1/hour": ("rate", 1.0), "messages an hour": ("rate", 1.0),
}  # fmt: skip
NO_UNIT = ("", 1.0)


@functools.cache
def output(command: str, *, code: int = 0) -> str:
    """Return what a command prints into a pipe; it runs in this process."""
    shown = io.StringIO()
    bare = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    with (
        mock.patch.dict(os.environ, bare, clear=True),
        contextlib.redirect_stdout(shown),
    ):
        assert run(command.split()) == code
    return shown.getvalue()


def objects(command: str, *, code: int = 0) -> list[dict[str, Any]]:
    """Return what a command prints with ``--json``."""
    lines = output(f"{command} --json", code=code).splitlines()
    return [json.loads(line) for line in lines]


def tables(text: str) -> list[list[dict[str, str]]]:
    """Return the rows of all tables in a text: cells by head, without origins."""
    lines = text.splitlines()
    rules = [i for i, line in enumerate(lines) if set(line.strip()) == {"─"}]
    return [_table(_before(lines, i), _after(lines, i)) for i in rules]


def _before(lines: list[str], at: int) -> list[str]:
    found: list[str] = []
    while at and lines[at - 1].strip():
        at -= 1
        found.insert(0, lines[at])
    return found


def _after(lines: list[str], at: int) -> list[str]:
    rest = lines[at + 1 :]
    return rest[: next(i for i, line in enumerate(rest) if not line.strip())]


def _table(heads: list[str], rows: list[str]) -> list[dict[str, str]]:
    pieces = [_pieces(row) for row in rows]
    count = max(map(len, pieces))
    whole = [row for row in pieces if len(row) == count]
    places = [
        (min(row[i][0] for row in whole), max(row[i][1] for row in whole))
        for i in range(count)
    ]
    names = [""] * count
    for line in heads:
        for piece in _pieces(line):
            i = _column(places, piece)
            names[i] = f"{names[i]} {piece[2]}".strip()
    named = [_ORIGINS.sub("", name) for name in names]
    assert len(set(named)) == count, named
    return [
        {named[_column(places, piece)]: _ORIGINS.sub("", piece[2]) for piece in row}
        for row in pieces
    ]


def _pieces(line: str) -> list[tuple[int, int, str]]:
    """Return what stands apart by two blanks or more, with its place."""
    # A no-break space is in a head, not between heads.
    found = re.finditer(r"[\S\xa0]+(?: [\S\xa0]+)*", line)
    return [(m.start(), m.end(), m[0].replace("\xa0", " ")) for m in found]


def _column(places: list[tuple[int, int]], piece: tuple[int, int, str]) -> int:
    """Return the column that a piece begins or ends with, or is nearest to."""
    start, end, _ = piece

    def apart(i: int) -> int:
        return min(abs(places[i][0] - start), abs(places[i][1] - end))

    return min(range(len(places)), key=apart)


def unit_of(name: str) -> tuple[str, float]:
    """Return the unit of a head or of a key: its words or its last part."""
    words = [word.strip(",") for word in re.split(r"[ _]", name)]
    found = [UNITS[word] for word in words if word in UNITS]
    return found[0] if found else NO_UNIT


def assert_cell(
    text: str,
    head: str,
    value: Any,  # noqa: ANN401 - as JSON has it
    unit: str = "",
    *,
    kept: int | None = None,
) -> None:
    """Check that a cell shows a value, to its last digit, in the unit of its head.

    Parameters
    ----------
    value
        As ``--json`` has it: an object with value and unit, a number, or None.
    unit
        Of a number; "" if it has none.
    kept
        Significant digits that the cell keeps. Default: all that are shown.
    """
    if isinstance(value, dict):
        value, unit = value["value"], value["unit"]
    if value is None:
        assert text == "-", head
        return
    dimension, scale = unit_of(head)
    of_value, scale_of_value = unit_of(unit)
    assert dimension == of_value, (head, unit)
    assert_shown(text, value * scale_of_value / scale, head, kept=kept)


def assert_figures(
    row: dict[str, str],
    figures: dict[str, tuple[float | None, str]],
    *,
    kept: int | None = None,
) -> None:
    """Check that a row shows figures, each to its last digit and in its unit.

    Parameters
    ----------
    row
        Of `tables`.
    figures
        Value and unit by the beginning of the head, the rest of which is the unit that
        it is shown in: of `area GE` it is `area`.
    kept
        As for `assert_cell`.
    """
    for name, (value, unit) in figures.items():
        (head,) = (
            head
            for head in row
            if head == name
            or (
                head.startswith(name) and head[len(name) :].strip(" ,") in (*UNITS, "%")
            )
        )
        shown_in = head[len(name) :].strip(" ,")
        if shown_in == "%":
            assert value is not None
            assert not unit
            assert_shown(f"{row[head]}%", value, head)
        else:
            assert_cell(row[head], shown_in, value, unit, kept=kept)


def value_in(figure: dict[str, Any], unit: str) -> float:
    """Return the value of a figure of JSON, whose unit is checked."""
    assert figure["unit"] == unit
    return float(figure["value"])


def assert_digits(text: str, value: float, about: str = "", *, digits: int = 3) -> None:
    """Check that a text is a number rounded to so many significant digits."""
    place = math.floor(math.log10(abs(value))) if value else 0
    last = 10.0 ** (place - digits + 1)
    assert float(text.replace(",", "")) == pytest.approx(
        value, rel=0, abs=last / 2 * (1 + 1e-9)
    ), (about, text, value)


def assert_shown(
    text: str, value: float, about: str = "", *, kept: int | None = None
) -> None:
    """Check that a text is a number to its last digit; "%" is a hundredth."""
    match = _NUMBER.fullmatch(text)
    assert match, (about, text)
    digits, percent = match[1].replace(",", ""), match[2]
    mantissa, _, exponent = digits.partition("e")
    last = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    expected = value * 100 if percent else value
    if kept is not None and expected:
        last = max(last, 10.0 ** (math.floor(math.log10(expected)) - kept + 1))
    assert float(digits) == pytest.approx(
        expected, rel=1e-9, abs=last / 2 * (1 + 1e-9)
    ), (about, text, value)
