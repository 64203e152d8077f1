# SPDX-License-Identifier: Apache-2.0
"""Figures: a value never goes without its unit, its origin and its source."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Mapping


class Origin(StrEnum):
    """Where a figure comes from; from the most to the least certain.

    This is the only table of origins. Receipts, tables on a terminal, the report's
    page and the docs take all that they show of an origin from its row.
    """

    letter: str
    """Follows a figure in a table on a terminal, in brackets. Unique."""
    mark: str
    """Follows a figure on a page. Unique."""
    colour: str
    """Of letter and name on a terminal: one that Rich knows."""
    page_colour: str
    """Of the mark on a page: a variable of its style sheet."""
    meaning: str
    """One sentence, without its full stop."""

    def __new__(
        cls,
        name: str,
        letter: str = "",
        mark: str = "",
        colour: str = "",
        page_colour: str = "",
        meaning: str = "",
    ) -> Self:
        """Make a row. The defaults are for type checkers: `Origin("measured")`."""
        row = str.__new__(cls, name)
        row._value_ = name
        row.letter, row.mark = letter, mark
        row.colour, row.page_colour = colour, page_colour
        row.meaning = meaning
        return row

    MEASURED = (
        *("measured", "m", "●", "green", "measured"),
        "counted by an exact simulator or in the bytes themselves, or told by a radio",
    )
    PUBLISHED = (
        *("published", "p", "◇", "cyan", "published"),
        "printed in a paper or a data sheet, or plain arithmetic on such figures",
    )
    ESTIMATED = (
        *("estimated", "e", "≈", "yellow", "estimated"),
        "computed by a model from measured or published figures",
    )
    HOST_CLOCK = (
        *("host clock", "h", "◷", "magenta", "estimated"),
        "time by the clock of the computer that ran the command, not of a device",
    )
    EMULATED = (
        *("emulated", "em", "◌", "magenta", "estimated"),
        "time by that clock, most of it set by an emulated modem, medium or channel",
    )
    ASSUMED = (
        *("assumed", "a", "?", "red", "assumed"),
        "computed from at least one figure that was neither measured nor checked",
    )


def weakest(*origins: Origin) -> Origin:
    """Return the origin of what is computed from figures of these origins.

    >>> weakest(Origin.MEASURED, Origin.ASSUMED, Origin.ESTIMATED).value
    'assumed'
    """
    return max(origins, key=list(Origin).index)


@dataclass(frozen=True, slots=True)
class Figure:
    """A value that can be shown, and defended.

    >>> Figure(2e-3, "J", Origin.MEASURED, "cycles of simavr").as_json()["origin"]
    'measured'
    """

    value: float
    unit: str
    """`s`, `J`, `cycle`, `byte`, `bit/s`: without a prefix."""
    origin: Origin
    source: str
    """A few words: the clock, the table, the rule it was computed by."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "value": self.value,
            "unit": self.unit,
            "origin": self.origin.value,
            "source": self.source,
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """Return what `as_json` wrote.

        Raises
        ------
        ValueError
            When a field is missing, or is not what it should be.
        """
        try:
            value, unit = fields["value"], fields["unit"]
            origin, source = Origin(fields["origin"]), fields["source"]
        except (KeyError, TypeError) as error:
            message = f"a figure has value, unit, origin and source: {error}"
            raise ValueError(message) from None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            message = f"the value of a figure is a number, not {value!r}"
            raise ValueError(message)  # noqa: TRY004 - of a file, not of a call
        return cls(value, str(unit), origin, str(source))
