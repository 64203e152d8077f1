# SPDX-License-Identifier: Apache-2.0
"""Which choice is recommended to whom: the best of those that keep all limits.

1. the longest life. Lives are compared in steps of 1 %: less is below what is known;
2. a standard before a finalist before research;
3. the least flash, then energy a message, then RAM.

The order is a fixed one: with looser limits the answer is never worse.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from samara.energy.choices import LIFE_STEP
from samara.energy.limits import NEVER_SUGGESTED, broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from samara.energy.choices import Choice
    from samara.energy.limits import Broken, Limits


class Saving(StrEnum):
    """Quantity of which an alternative takes less than the recommendation."""

    ENERGY = "energy"
    FLASH = "flash"


@dataclass(frozen=True, slots=True)
class Alternative:
    """A choice that fits too, and what it takes beside the one recommended."""

    choice: Choice
    saving: Saving
    energy_j: float
    """A message, more than with the one recommended; negative: less."""
    flash_bytes: int
    """More than the one recommended; negative: less."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Choices that fit, choices that do not, and the limits that they break."""

    fitting: Sequence[Choice]
    """The best first: that one is recommended."""
    out: Sequence[tuple[Choice, Sequence[Broken]]]
    relax: Sequence[Broken]
    """When nothing fits: what to relax, and to which value, so that something does."""
    relaxed: Choice | None
    """Choice that fits when the limits are relaxed."""

    @property
    def recommended(self) -> Choice | None:
        """The best that fits."""
        return self.fitting[0] if self.fitting else None

    @property
    def ties(self) -> list[Choice]:
        """What fits, lives as long as the best, and is as much of a standard."""
        best = self.recommended
        return [each for each in self.fitting if best and each.tie == best.tie]

    def alternatives(self) -> list[Alternative]:
        """Return what fits with the least energy, and with the least flash.

        One that is recommended itself is left out.
        """
        best = self.recommended
        if best is None:
            return []
        least = {
            Saving.ENERGY: min(self.fitting, key=lambda each: each.energy_j),
            Saving.FLASH: min(self.fitting, key=lambda each: each.flash_bytes),
        }
        found = [
            Alternative(
                choice,
                saving,
                choice.energy_j - best.energy_j,
                choice.flash_bytes - best.flash_bytes,
            )
            for saving, choice in least.items()
        ]
        return [
            each
            for each in found
            if (each.energy_j if each.saving is Saving.ENERGY else each.flash_bytes) < 0
        ]


def recommend(choices: Iterable[Choice], limits: Limits) -> Recommendation:
    """Return what fits, the best first.

    When nothing fits, the limits to relax are those of the choice that breaks the
    fewest, and of such the one that is the least beyond. Limits of `NEVER_SUGGESTED`
    are not among them.
    """
    judged = sorted(
        ((choice, broken(choice, limits)) for choice in choices),
        key=lambda pair: pair[0].rank,
    )
    fitting = [choice for choice, breaks in judged if not breaks]
    out = [(choice, breaks) for choice, breaks in judged if breaks]
    near = [
        (choice, breaks)
        for choice, breaks in out
        if not any(each.limit in NEVER_SUGGESTED for each in breaks)
    ]
    if fitting or not near:
        return Recommendation(fitting, out, (), None)
    choice, breaks = min(near, key=lambda pair: (_beyond(pair[1]), pair[0].rank))
    return Recommendation(fitting, out, breaks, choice)


def _beyond(breaks: Sequence[Broken]) -> tuple[int, float]:
    """Return how many limits are broken, and how far, in steps of 1 %."""
    factor = math.prod(each.factor for each in breaks)
    return len(breaks), math.log(factor) // LIFE_STEP if factor < math.inf else factor


def best_builds(choices: Iterable[Choice]) -> list[Choice]:
    """Return of each candidate the choice that comes first."""
    found: dict[tuple[str, str, int, bool], Choice] = {}
    for choice in choices:
        own = choice.candidate
        key = own.layer, own.suite, own.tag_bytes, own.encrypts
        found.setdefault(key, choice)
    return list(found.values())
