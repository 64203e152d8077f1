# SPDX-License-Identifier: Apache-2.0
"""How a radio of IEEE 802.15.4 is named on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from samara.link.node.options import SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping

MEDIUM = "medium"
SPINEL = "spinel"
_DIGITS_MAX = 9
SPELLING = (
    "medium (samara medium), or spinel:PORT, a radio co-processor with OpenThread's"
    " firmware; after PORT may follow ?baud=BAUD&power=DBM&cca=DBM"
)
_BAUD = 115_200
# USB carries as fast as it can, whatever rate is set.
_USB_BAUD = 2_000_000
_LIMITS = {
    "baud": range(1200, 4_000_001),
    # What a signed byte holds; a chip refuses what it cannot.
    "power": range(-128, 128),
    "cca": range(-128, 1),
}


@dataclass(frozen=True)
class Place:
    """Where a radio is, and how it is set."""

    kind: str
    port: str = ""
    baud: int = 0
    power_dbm: int | None = None
    """Transmit power; None: as the radio has it."""
    cca_dbm: int | None = None
    """Energy from which the channel counts as busy; None: as the radio has it."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the place that a text names.

        Raises
        ------
        SettingError
            When it names none.
        """
        kind, _, rest = text.partition(":")
        port, mark, query = rest.partition("?")
        if text == MEDIUM:
            return cls(MEDIUM)
        if kind != SPINEL or not port:
            message = f"--radio is {SPELLING}, not {text!r}"
            raise SettingError(message)
        given = dict(map(_setting, query.split("&"))) if mark else {}
        baud = given.get("baud", _usual_baud(port))
        return cls(SPINEL, port, baud, given.get("power"), given.get("cca"))


def place_of(settings: Mapping[str, Any]) -> Place:
    """Return the place of a node's radio; nodes of before have the medium."""
    return Place.parse(settings.get("radio") or MEDIUM)


def _setting(text: str) -> tuple[str, int]:
    """Return the name and the number of one setting of a radio."""
    name, _, value = text.partition("=")
    digits = value.removeprefix("-")
    limits = _LIMITS.get(name, range(0))
    if not (digits.isdecimal() and len(digits) < _DIGITS_MAX and int(value) in limits):
        bounds = ", ".join(
            f"{each}={some[0]:,} to {some[-1]:,}" for each, some in _LIMITS.items()
        )
        message = f"--radio takes after ? {bounds}, not {text!r}"
        raise SettingError(message)
    return name, int(value)


def _usual_baud(port: str) -> int:
    return _USB_BAUD if Path(port).name.startswith("ttyACM") else _BAUD
