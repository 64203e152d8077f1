# SPDX-License-Identifier: Apache-2.0
"""Options that are numbers: what stands for the number in the help is its unit.

`--interval SECONDS` takes 300, 300s and 5min. One reader serves all commands; Typer
then checks the bounds, in the unit of the option.
"""

from __future__ import annotations

import re
import typing
from typing import TYPE_CHECKING, Any

import typer

from samara import units
from samara.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

UNITS = {
    "SECONDS": units.SECONDS,
    "MS": units.MILLISECONDS,
    "HOURS": units.HOURS,
    "YEARS": units.YEARS,
    "HZ": units.HERTZ,
    "BYTES": units.BYTES,
    "RATE": units.BIT_RATE,
    "P": units.SHARE,
    "DB": units.DECIBEL,
    "PPM": units.PPM,
    "RAD": units.RADIANS,
    "CELSIUS": units.CELSIUS,
    "NUMBER": units.NUMBER,
}
"""The unit by what stands for a number. Other whole numbers are counts."""

_BOUND = re.compile(r"Input should be (greater|less) than( or equal to)? (\S+)")
_SAID = {
    ("greater", True): "at least",
    ("less", True): "at most",
    ("greater", False): "more than",
    ("less", False): "less than",
}


def read_quantities(parameter: Any) -> None:  # noqa: ANN401 - Typer does not name the type
    """Let an option or an argument that is a number take a quantity in any unit."""
    kind = number_type(parameter.type_descriptor.annotation)
    if kind is not None:
        parameter.process_value = _processing(parameter, kind, unit_of(parameter, kind))


def number_type(annotation: Any) -> type[int | float] | None:  # noqa: ANN401
    """Return which number an annotation such as ``list[int] | None`` is of."""
    for each in (annotation, *typing.get_args(annotation)):
        if each in (int, float):
            return typing.cast("type[int | float]", each)
        if each is not annotation and (inner := number_type(each)) is not None:
            return inner
    return None


def unit_of(parameter: Any, kind: type) -> units.Unit:  # noqa: ANN401 - as above
    """Return the unit of an option that is a number.

    Raises
    ------
    KeyError
        When it is no whole number, and nothing in its help says its unit.
    """
    if kind is int:
        return UNITS.get(parameter.metavar, units.COUNT)
    return UNITS[parameter.metavar]


def _processing(
    parameter: Any,  # noqa: ANN401 - as above
    kind: type[int | float],
    unit: units.Unit,
) -> Callable[[Any, Any], Any]:
    process = parameter.process_value
    read = unit.whole if kind is int else unit.parse

    def number(value: object) -> object:
        return read(value) if isinstance(value, str) else value

    def processed(context: Any, value: Any) -> Any:  # noqa: ANN401 - as above
        try:
            many = isinstance(value, (list, tuple))
            read_value = [number(each) for each in value] if many else number(value)
        except ArgumentError as error:
            raise typer.BadParameter(str(error), ctx=context, param=parameter) from None
        try:
            return process(context, read_value)
        except typer.BadParameter as error:
            error.message = _bound(error.message, unit)
            raise

    return processed


def _bound(message: str, unit: units.Unit) -> str:
    """Return which bound a number is beyond, in plain words and with its unit."""
    found = _BOUND.search(message)
    if found is None:
        return message
    said = _SAID[found[1], found[2] is not None]
    return f"expected {said} {found[3]} {unit.name}".rstrip()


def refuse_empty_names(parameter: Any) -> None:  # noqa: ANN401 - as above
    """Let no file or directory be named by an empty text, which is the current one."""
    process = parameter.process_value
    annotation = str(parameter.type_descriptor.annotation)

    def processed(context: Any, value: Any) -> Any:  # noqa: ANN401 - as above
        if value == "" or (isinstance(value, (list, tuple)) and "" in value):
            message = "an empty text names no file and no directory"
            raise typer.BadParameter(message, ctx=context, param=parameter)
        return process(context, value)

    if "Path" in annotation:
        parameter.process_value = processed
