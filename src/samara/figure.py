# SPDX-License-Identifier: Apache-2.0
"""Figures: a value never goes without its unit, its origin and its source."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Mapping


class Origin(StrEnum):
    """Where a figure comes from; from the surest to the least sure."""

    MEASURED = "measured"
    """Counted: by a simulator that is exact, or from the bytes themselves."""
    PUBLISHED = "published"
    """As a paper or a data sheet has it, or plain arithmetic on that."""
    ESTIMATED = "estimated"
    """What a model makes of something that was measured or published."""
    HOST_CLOCK = "host clock"
    """What the machine that runs this took, by its clock: of no device."""
    EMULATED = "emulated"
    """The same while emulated modems or an emulated medium took most of it, as
    long as their settings say: no radio was measured."""
    ASSUMED = "assumed"
    """Rests on a figure that was neither measured nor checked."""


def weakest(*origins: Origin) -> Origin:
    """Return the origin of what is computed from figures of these origins.

    >>> weakest(Origin.MEASURED, Origin.ASSUMED, Origin.ESTIMATED).value
    'assumed'
    """
    return max(origins, key=list(Origin).index)


@dataclass(frozen=True, slots=True)
class Figure:
    """A value that can be shown, and defended."""

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
