# SPDX-License-Identifier: Apache-2.0
"""What AES in a chip's own unit would take, by figures of others.

samara has code for the engines of the ATmega128RFA1 and of the ATxmega alone, which
the bench measures as one more build. Of other chips this tells what their unit would
take beside it: the processor waits for the unit, and draws what it draws while it
computes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from samara.energy import catalogue
from samara.energy.catalogue import Row
from samara.energy.quantity import Quantity  # noqa: TC001 - read from the file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.energy.security import Call

_SUITE = "aes128-ccm-"
_BLOCK_BYTES = 16
_LENGTH_BYTES = 2
"""In front of associated data."""


@dataclass(frozen=True, slots=True)
class AesUnit(Row):
    """A unit that encrypts blocks of AES-128, and how long CCM with it takes."""

    file: ClassVar[str] = "aes_units.toml"
    kind: ClassVar[str] = "AES unit"

    chips: str
    """Names of the radios on whose chip it is, with a blank between them."""
    call_s: Quantity
    """Besides the blocks."""
    block_s: Quantity

    def seconds(self, calls: Sequence[Call]) -> float:
        """Return how long some calls of AES-128 in CCM take."""
        return sum(
            self.call_s.value + blocks(call) * self.block_s.value for call in calls
        )


def unit_on(chip: str) -> AesUnit | None:
    """Return the AES unit on the chip of a radio; None if none is known.

    >>> unit_on("nrf52840").name
    'nrf52'
    """
    return next(
        (
            each
            for each in catalogue.rows_of(AesUnit).values()
            if chip in each.chips.split()
        ),
        None,
    )


def does(calls: Sequence[Call]) -> bool:
    """Return whether a unit does what some calls do: AES-128 in CCM alone."""
    return all(
        call.suite.removeprefix("ieee802154-").startswith(_SUITE) for call in calls
    )


def blocks(call: Call) -> int:
    """Return how many blocks of AES one call of CCM takes (RFC 3610).

    One for the sizes, one for the tag, one for each block of associated data, behind
    its length, and two for each of the message.

    >>> from samara.energy.security import Call
    >>> blocks(Call("aes128-ccm-4", 16, 0)), blocks(Call("aes128-ccm-4", 17, 14))
    (4, 7)
    """
    of_data = (
        -(-(call.ad_bytes + _LENGTH_BYTES) // _BLOCK_BYTES) if call.ad_bytes else 0
    )
    return 2 + of_data + 2 * -(-call.message_bytes // _BLOCK_BYTES)
