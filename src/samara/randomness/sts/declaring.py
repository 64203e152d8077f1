# SPDX-License-Identifier: Apache-2.0
"""What a statistical test is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.randomness.sts.sequence import Sequence


@dataclass(frozen=True, slots=True)
class Test:
    """A test of sequences of bits."""

    name: str
    section: str
    """Where it is defined: of SP 800-22 rev. 1a, a section such as 2.1."""
    p_values: Callable[[Sequence], list[float]]
    """Returns a p-value for each part; not a number where it does not apply."""
    parts: tuple[str, ...] = ("",)
    """What each p-value is of."""
    place: int | None = None
    """Its place among the tests of NIST's program; None: it is not one of them."""

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each p-value."""
        return tuple(f"{self.name} {part}".strip() for part in self.parts)
