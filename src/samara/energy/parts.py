# SPDX-License-Identifier: Apache-2.0
"""Energy by what it is spent on.

The same parts are used for joules (of a message) and for watts (of a node); the
names of variables say which.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from samara.energy.quantity import Value


class Part(StrEnum):
    """Parts of the energy of a message, in the order in which they are shown."""

    DATA = "data"
    """Sending frames with the message, as long as they are without security."""
    SECURITY = "security bytes"
    """What the same costs more, at both ends, since frames are longer with security.
    Negative where a longer frame saves a repetition."""
    WAKE = "wake-ups"
    """Starting radio and processor from sleep, and what software does for each start.
    """
    LISTEN = "listen"
    """Receiving when nothing is on the air for this node."""
    RECEIVE = "receive"
    """Receiving frames and acknowledgements."""
    OVERHEAR = "overhear"
    """Receiving frames for others."""
    CONTROL = "control"
    """Sending all else: acknowledgements, strobes, preambles, requests, routing."""
    CIPHER = "cipher"
    """Computing what secures the frames, and what verifies them."""
    COUNTER = "counter writes"
    """Keeping frame counters where a reset does not lose them."""
    SLEEP = "sleep"


_IN_ORDER = tuple(Part)


@dataclass(frozen=True, slots=True)
class Parts:
    """Amounts by part; those not named are zero.

    >>> energy_j = Parts({Part.DATA: 3.0}) + Parts({Part.DATA: 1.0, Part.LISTEN: 2.0})
    >>> energy_j[Part.DATA], energy_j[Part.SLEEP], (energy_j * 0.5).total
    (4.0, 0.0, 3.0)
    """

    amounts: Mapping[Part, Value] = field(default_factory=dict)

    def __getitem__(self, part: Part) -> Value:
        """Return the amount of a part."""
        return self.amounts.get(part, 0.0)

    def __add__(self, other: Self) -> Self:
        """Return both together."""
        mine, others = self.amounts, other.amounts
        named = [part for part in _IN_ORDER if part in mine or part in others]
        # Amounts of draws are long: what only one has is not added to zero.
        return type(self)(
            {
                part: mine[part] + others[part]
                if part in mine and part in others
                else mine.get(part, others.get(part, 0.0))
                for part in named
            }
        )

    def __mul__(self, factor: Value) -> Self:
        """Return so many times the amounts."""
        return type(self)({part: factor * own for part, own in self.amounts.items()})

    __rmul__ = __mul__

    def split(self, wanted: Collection[Part]) -> tuple[Self, Self]:
        """Return these parts, and the others."""
        these = {part: own for part, own in self.amounts.items() if part in wanted}
        rest = {part: own for part, own in self.amounts.items() if part not in wanted}
        return type(self)(these), type(self)(rest)

    @property
    def total(self) -> Value:
        """The whole."""
        whole: Value = 0.0
        for amount in self.amounts.values():
            whole = whole + amount
        return whole
