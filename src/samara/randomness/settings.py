# SPDX-License-Identifier: Apache-2.0
"""What a run was asked for: with it, the run can be repeated."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping


class Battery(StrEnum):
    """The sets of tests."""

    STS = "sts"
    DIEHARDER = "dieharder"
    ENT = "ent"


@dataclass(frozen=True, slots=True)
class Settings:
    """A source and how it is tested."""

    source: str
    battery: Battery
    sequences: int
    bits: int
    """Of a sequence."""
    seed: int
    facts: dict[str, str] = field(default_factory=dict)
    """What the source is made of: its key, nonce and so on."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self) | {"battery": self.battery.value}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Self:
        """Return what `as_json` wrote; MisuseError when it did not."""
        try:
            known = {one.name: given[one.name] for one in fields(cls)}
            return cls(**known | {"battery": Battery(known["battery"])})
        except (KeyError, TypeError, ValueError) as error:
            message = f"the settings of the run cannot be read: {error}"
            raise MisuseError(message) from None
