# SPDX-License-Identifier: Apache-2.0
"""Values of parts with their units, as engineers write them in files of parts.

A field of a row ends with its unit: `transmit_a` is in ampere. In a file it is written
without it, and the unit is in the value:

    transmit = { typ = "5.0 mA", max = "6.0 mA", source = "data sheet, page 9" }
    bit_rate = "250 kbit/s"

`min` and `max` are the values that 1 % and 99 % of the chips are below; a text alone is
a setting, which is exact. A table with `value` and `tolerance` is in the field's unit,
as a `Quantity` has it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import chain
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from samara import units
from samara.crypto.names import near
from samara.energy.quantity import Quantity
from samara.errors import ArgumentError, MisuseError
from samara.toml_rows import hints_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.units import Unit

USUAL_TOLERANCE = 0.2
"""Of a value that its source states without a range."""
SETTING = "a setting"
"""The source of a value that is written without one."""
TOLERANCE_MAX = 100.0
_RANGE = ("typ", "min", "max", "tolerance", "source", "checked")
_Z_90, _Z_99 = (NormalDist().inv_cdf(share) for share in (0.9, 0.99))


@dataclass(frozen=True, slots=True)
class Written:
    """How a field is written in a file."""

    name: str
    unit: Unit
    example: str
    needs_unit: bool = False
    """Whether a number alone is refused, since its unit could be another."""


_SYMBOLS: Mapping[str, tuple[Unit, str]] = {
    "_dbm": (units.DECIBEL_MILLIWATTS, "14 dBm"),
    "_ppm": (units.PPM, "20 ppm"),
    "_ah": (units.AMPERE_HOURS, "220 mAh"),
    "_mhz": (units.MEGAHERTZ, "868 MHz"),
    "_mw": (units.MILLIWATTS, "25 mW"),
    "_w": (units.WATTS, "5.7 uW"),
    "_ohm": (units.OHMS, "18 ohm"),
    "_f": (units.FARADS, "5 F"),
    "_hz": (units.HERTZ, "32 MHz"),
    "_a": (units.AMPERES, "5.0 mA"),
    "_c": (units.COULOMBS, "5.8 uC"),
    "_m": (units.METRES, "1 km"),
    "_s": (units.SECONDS, "2 ms"),
    "_v": (units.VOLTS, "3.0 V"),
}
"""Units that a field ends with, and that are not written in a file."""
_WORDS: Mapping[str, tuple[Unit, bool, str]] = {
    "bit_rate": (units.BIT_RATE, True, "250 kbit/s"),
    "duty_cycle": (units.SHARE, True, "1 %"),
    "_per_year": (units.SHARE, True, "1 %"),
    "_bytes": (units.BYTES, False, "8"),
    "_years": (units.YEARS, False, "10"),
}
_LOAD = Written("points", units.AMPERES, '["1 mA", "90 %"]')
_DEGREES = Written("points", units.CELSIUS, '["20 C", "90 %"]')
_PULSE = Written("points", units.SECONDS, '["2 ms", "90 %"]')
_USE = Written("points", units.SHARE, '["10 %", "3.0 V"]')
_LEFT = Written("points", units.SHARE, '["1 mA", "90 %"]')
LINES: Mapping[str, tuple[Written, Written]] = {
    "usable_by_load": (_LOAD, _LEFT),
    "usable_by_temperature": (_DEGREES, _LEFT),
    "voltage_by_use": (_USE, Written("points", units.VOLTS, '["10 %", "3.0 V"]')),
    "resistance_by_use": (_USE, Written("points", units.OHMS, '["10 %", "18 ohm"]')),
    "resistance_by_pulse": (_PULSE, _LEFT),
    "harvest_by_hour": (
        Written("points", units.HOURS, '["12 h", "40 mW"]'),
        Written("points", units.MILLIWATTS, '["12 h", "40 mW"]'),
    ),
}
"""What the two numbers of each point of a line are."""


def written(field: str) -> Written:
    """Return how a field is written in a file.

    >>> written("transmit_a").name, written("overhead_bytes").name
    ('transmit', 'overhead_bytes')
    """
    for suffix, (unit, example) in _SYMBOLS.items():
        if field.endswith(suffix):
            return Written(field.removesuffix(suffix), unit, example, needs_unit=True)
    for suffix, (unit, needs_unit, example) in _WORDS.items():
        if field.endswith(suffix):
            return Written(field, unit, example, needs_unit)
    return Written(field, units.COUNT, "1")


def spellings(names: Iterable[str]) -> dict[str, str]:
    """Return how the fields of a row are written, by their names.

    Where two would be the same without their units, they keep them.

    >>> spellings(["write_s", "write_a", "supply_v"])
    {'write_s': 'write_s', 'write_a': 'write_a', 'supply_v': 'supply'}
    """
    short = {name: written(name).name for name in names}
    count = Counter(short.values())
    return {name: each if count[each] == 1 else name for name, each in short.items()}


def in_si(kind: type[Any], what: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table of a file as `row_of` takes it: all names and values with units.

    What `row_of` refuses is left as it is.

    Raises
    ------
    MisuseError
        When a value cannot be read, or a field is given twice.
    """
    hints = hints_of(kind)
    by_name = {v: k for k, v in spellings(each.name for each in fields(kind)).items()}
    table: dict[str, Any] = {}
    for name, value in given.items():
        field = name if name in hints else by_name.get(name, name)
        if field in table:
            message = f"{what} has {name} twice: expected one of {name} and {field}"
            raise MisuseError(message)
        table[field] = _of_hint(hints.get(field), field, f"{name} of {what}", value)
    return table


def _of_hint(hint: Any, field: str, what: str, given: Any) -> Any:  # noqa: ANN401 - TOML
    if hint is Quantity:
        return quantity_table(field, what, given)
    if hint is float and isinstance(given, str):
        return number(written(field), what, given)
    if field in LINES and isinstance(given, Mapping):
        return _line(LINES[field], what, given)
    return given


def quantity_table(field: str, what: str, given: Any) -> Any:  # noqa: ANN401 - TOML
    """Return what a file has for a quantity as a table that `row_of` takes.

    Raises
    ------
    MisuseError
        When a value has no unit or another, is no number, or is out of its range.
    """
    how = written(field)
    if isinstance(given, str) or not isinstance(given, Mapping):
        setting = number(how, what, given)
        return _exact(setting, 0.0, SETTING, checked=True)
    # In the form of a `Quantity`, its reader tells what is wrong.
    if not set(given) & set(_RANGE[:3]) and not isinstance(given.get("tolerance"), str):
        return given
    _refuse_unknown(what, given, _RANGE)
    return _ranged(how, what, given)


def _ranged(how: Written, what: str, given: Mapping[str, Any]) -> dict[str, Any]:
    typ, low, high = (
        number(how, f"{name} of {what}", given[name]) if name in given else None
        for name in _RANGE[:3]
    )
    source = _source(what, given)
    if typ is None:
        if low is None or high is None:
            message = f"{what} lacks typ: expected typ, or both min and max"
            raise MisuseError(message)
        typ = math.sqrt(low) * math.sqrt(high)
    tolerance = _tolerance(what, typ, low, high, given.get("tolerance"))
    checked = given.get("checked", not source.lower().startswith("assumed"))
    return _exact(typ, tolerance, source, checked=checked)


def _source(what: str, given: Mapping[str, Any]) -> str:
    source = given.get("source")
    if not isinstance(source, str) or not source.strip():
        message = (
            f'{what} has no source: say where it was read, such as "data sheet, page '
            '12", or "assumed: why"'
        )
        raise MisuseError(message)
    return source


def _tolerance(
    what: str, typ: float, low: float | None, high: float | None, given: object
) -> float:
    """Return the tolerance of a value, from its range where it has one."""
    if low is None and high is None:
        return USUAL_TOLERANCE if given is None else _share(what, given)
    if given is not None:
        message = f"{what} has both a range and a tolerance: expected one of them"
        raise MisuseError(message)
    if not 0 < (low or typ) <= typ <= (typ if high is None else high) or low == 0:
        message = f"{what} is not possible: expected 0 < min <= typ <= max"
        raise MisuseError(message)
    above, below = (high or typ) / typ, typ / (low or typ)
    ratio = math.sqrt(above) * math.sqrt(below) if low and high else above * below
    found: float = ratio ** (_Z_90 / _Z_99) - 1
    if not found <= TOLERANCE_MAX:
        message = f"{what} has a range that is too wide: max is {ratio:.3g} times min"
        raise MisuseError(message)
    return found


def _share(what: str, given: object) -> float:
    how = Written("tolerance", units.SHARE, "10 %")
    found = number(how, f"tolerance of {what}", given)
    if found > TOLERANCE_MAX:
        message = f"tolerance of {what} is {given!r}: expected at most 10000 %"
        raise MisuseError(message)
    return found


def _exact(
    value: float, tolerance: float, source: str, *, checked: bool
) -> dict[str, Any]:
    return {
        "value": value,
        "tolerance": tolerance,
        "source": source,
        "checked": checked,
    }


def number(how: Written, what: str, given: object) -> float:
    """Return a value of a file in the unit of its field.

    Raises
    ------
    MisuseError
        When it is no number, or has another unit, or none where one is needed.
    """
    if isinstance(given, str):
        try:
            if how.unit.has_unit(given) or not how.needs_unit:
                return how.unit.parse(given)
        except ArgumentError:
            pass
    elif type(given) in (int, float) and not how.needs_unit and _is_finite(given):
        return float(given)  # type: ignore[arg-type] # a number
    message = f"{what} is {_shown(given)}: expected such as {_example(how)}"
    raise MisuseError(message)


def _example(how: Written) -> str:
    if not how.needs_unit:
        return how.example
    symbols = ", ".join(dict.fromkeys(each for each in how.unit.factors))
    return f'"{how.example}", with one of the units {symbols}'


def _is_finite(given: Any) -> bool:  # noqa: ANN401 - a number
    try:
        return math.isfinite(given)
    except OverflowError:
        return False


def _shown(given: object) -> str:
    return f"{given!r:.60}"


def _line(
    pair: tuple[Written, Written], what: str, given: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return a line whose points may be pairs of texts with units."""
    points = given.get("points")
    if not isinstance(points, list):
        return given
    place, value = pair
    pairs = [
        [number(place, what, each[0]), number(value, what, each[1])]
        if isinstance(each, list) and len(each) == 2  # noqa: PLR2004 - a pair
        else each
        for each in points
    ]
    usual = _usual(what, given) if _has_units(given) else {}
    table = {**usual, **given, "points": pairs}
    if isinstance(given.get("tolerance"), str):
        table["tolerance"] = _share(what, given["tolerance"])
    return table


def _has_units(given: Mapping[str, Any]) -> bool:
    """Return whether points or tolerance of a line are written with units."""
    pairs = [each for each in given["points"] if isinstance(each, list)]
    values = [given.get("tolerance"), *chain.from_iterable(pairs)]
    return any(isinstance(each, str) for each in values)


def _usual(what: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a line that is written with units need not say."""
    source = _source(what, given)
    return {
        "tolerance": USUAL_TOLERANCE,
        "checked": not source.lower().startswith("assumed"),
    }


def _refuse_unknown(what: str, given: Mapping[str, Any], known: Iterable[str]) -> None:
    names = list(known)
    for name in given:
        if name not in names:
            raise MisuseError(unknown_field(what, name, names))


def unknown_field(what: str, name: str, known: Iterable[str]) -> str:
    """Return that a table has a field that is not known, as an error's text."""
    names = list(known)
    found = near(name, names)
    hint = f"did you mean {found}?" if found else f"it has {', '.join(names)}"
    return f"{what} has an unknown field {name!r}: {hint}"
