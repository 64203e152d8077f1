# SPDX-License-Identifier: Apache-2.0
"""Quantities as users write them: a number, and a unit after it or none.

Each place that takes a quantity has a unit of its own, which a number alone is in.
``k``, ``M`` and ``G`` are 1,000 of the one below; ``Ki`` and ``Mi`` are 1,024. Capital
letters do not matter.

>>> HERTZ.parse("868.3MHz"), SECONDS.parse("5min"), SHARE.parse("10%")
(868300000.0, 300.0, 0.1)
>>> BYTES.whole("4k"), BYTES.whole("4Ki")
(4000, 4096)
>>> HOURS.parse("90 min"), HOURS.parse("1.5")
(1.5, 1.5)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from samara.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST = 40
"""Characters of a quantity. A number needs fewer; longer ones take time to read."""
_QUANTITY = re.compile(
    r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?)\s*([^0-9\s]*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A unit that a number alone is in, and others that may be written after one."""

    name: str
    """As in "a number of seconds"."""
    factors: Mapping[str, Fraction]
    """How many of this unit one of each other is, by what is written."""

    def parse(self, text: str) -> float:
        """Return the quantity that a text is, in this unit.

        >>> SECONDS.parse("2 min")
        120.0

        Raises
        ------
        ArgumentError
            When it is none, or not finite as a float.
        """
        exact = self.exact(text)
        try:
            return float(exact)
        except OverflowError:
            raise self._refused(text) from None

    def whole(self, text: str) -> int:
        """Return a quantity that is a whole number of this unit.

        Raises
        ------
        ArgumentError
            When it is none.
        """
        exact = self.exact(text)
        if exact.denominator != 1:
            raise self._refused(text, "whole ")
        return exact.numerator

    def exact(self, text: str) -> Fraction:
        """Return a quantity in this unit, without rounding; errors as `parse`."""
        stripped = text.strip()
        found = _QUANTITY.fullmatch(stripped) if len(stripped) <= _LONGEST else None
        factor = self._factor(found[2]) if found else None
        if found is None or factor is None:
            raise self._refused(text)
        return Fraction(Decimal(found[1])) * factor

    def _factor(self, written: str) -> Fraction | None:
        if not written:
            return Fraction(1)
        known = {name.casefold(): factor for name, factor in self.factors.items()}
        return known.get(written.casefold())

    def has_unit(self, text: str) -> bool:
        """Tell whether a text is a quantity with its unit written after it."""
        found = _QUANTITY.fullmatch(text.strip()[: _LONGEST + 1])
        return found is not None and found[2] != "" and bool(self._factor(found[2]))

    def _refused(self, text: str, kind: str = "") -> ArgumentError:
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
        others = _listed(self.factors) if self.factors else ""
        return ArgumentError(
            f"{shown!r} is not a quantity: expected a {kind}number{self._of()}"
            f"{others and f', alone or followed by {others}'}"
        )

    def _of(self) -> str:
        return f" of {self.name}" if self.name else ""


def _listed(factors: Mapping[str, Fraction]) -> str:
    *first, last = factors
    return f"{', '.join(first)} or {last}" if first else last


def _unit(name: str, factors: Mapping[str, str | int], of: str | None = None) -> Unit:
    """Return a unit.

    Parameters
    ----------
    factors
        How many of one unit the others are.
    of
        The one of them that numbers alone are in. Default: that one unit.
    """
    exact = {written: Fraction(factor) for written, factor in factors.items()}
    base = exact[of] if of else Fraction(1)
    return Unit(name, {each: factor / base for each, factor in exact.items()})


_TIMES: Mapping[str, str | int] = {
    "us": "1e-6", "\N{MICRO SIGN}s": "1e-6", "ms": "1e-3", "s": 1,
    "min": 60, "h": 3600, "d": 86_400,
    # A Julian year, as samara.energy.supply has.
    "a": 31_557_600,
}  # fmt: skip
_MULTIPLES: Mapping[str, str | int] = {"k": 1000, "M": 10**6, "G": 10**9}
_SIZES: Mapping[str, str | int] = {
    "B": 1, "k": 1000, "kB": 1000, "M": 10**6, "MB": 10**6,
    "Ki": 1024, "KiB": 1024, "Mi": 1 << 20, "MiB": 1 << 20,
}  # fmt: skip

SECONDS = _unit("seconds", _TIMES)
MILLISECONDS = _unit("milliseconds", _TIMES, of="ms")
HOURS = _unit("hours", _TIMES, of="h")
YEARS = _unit("years", _TIMES, of="a")
AMPERES = _unit(
    "amperes",
    {"A": 1, "mA": "1e-3", "uA": "1e-6", "\N{MICRO SIGN}A": "1e-6", "nA": "1e-9"},
)
AMPERE_HOURS = _unit("ampere-hours", {"Ah": 1, "mAh": "1e-3"})
COULOMBS = _unit(
    "coulombs",
    {
        "C": 1,
        "mC": "1e-3",
        "uC": "1e-6",
        "\N{MICRO SIGN}C": "1e-6",
        "nC": "1e-9",
        "mAs": "1e-3",
        "uAs": "1e-6",
    },
)
FARADS = _unit("farads", {"F": 1, "mF": "1e-3"})
OHMS = _unit("ohms", {"ohm": 1, "mohm": "1e-3", "kohm": 1000})
VOLTS = _unit("volts", {"V": 1, "mV": "1e-3"})
WATTS = _unit("watts", {"W": 1, "mW": "1e-3", "uW": "1e-6"}, of="W")
MILLIWATTS = _unit("milliwatts", {"W": 1000, "mW": 1}, of="mW")
MEGAHERTZ = _unit("MHz", {"kHz": "1e-3", "MHz": 1, "GHz": 1000})
HERTZ = _unit("Hz", {"Hz": 1, "kHz": 1000, "MHz": 10**6, "GHz": 10**9})
BYTES = _unit("bytes", _SIZES)
BIT_RATE = _unit("bit/s", {"bit/s": 1, "k": 1000, "kbit/s": 1000, "Mbit/s": 10**6})
SHARE = _unit("", {"%": "0.01"})
DECIBEL = _unit("dB", {"dB": 1})
DECIBEL_MILLIWATTS = _unit("dBm", {"dBm": 1})
METRES = _unit("metres", {"m": 1, "km": 1000})
PPM = _unit("ppm", {"ppm": 1, "%": 10_000})
RADIANS = _unit("radians", {"rad": 1})
CELSIUS = _unit("degrees Celsius", {"C": 1, "\N{DEGREE SIGN}C": 1})
COUNT = _unit("", _MULTIPLES)
NUMBER = _unit("", {})
