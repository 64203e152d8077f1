# SPDX-License-Identifier: Apache-2.0
"""Options that are numbers: what stands for the number in the help is its unit.

`--interval SECONDS` takes 300, 300s and 5min. One reader serves all commands:
`samara.cli.shared.values`.
"""

from __future__ import annotations

import typing
from typing import Any

from samara import units

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
    "DBM": units.DECIBEL_MILLIWATTS,
    "METRES": units.METRES,
    "WATTS": units.WATTS,
    "PPM": units.PPM,
    "RAD": units.RADIANS,
    "CELSIUS": units.CELSIUS,
    "NUMBER": units.NUMBER,
}
"""The unit by what stands for a number. Other whole numbers are counts."""


def number_type(annotation: Any) -> type[int | float] | None:  # noqa: ANN401 - a type
    """Return which number an annotation such as ``list[int] | None`` is of."""
    found: type[int | float] | None = type_among((int, float), annotation)
    return found


def type_among(kinds: tuple[type, ...], annotation: Any) -> Any:  # noqa: ANN401 - a type
    """Return which of some types an annotation is of, or has in it; None of them."""
    for each in (annotation, *typing.get_args(annotation)):
        if each in kinds:
            return each
        if each is not annotation and (inner := type_among(kinds, each)) is not None:
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
