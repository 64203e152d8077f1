# SPDX-License-Identifier: Apache-2.0
"""Radios of IEEE 802.15.4: the emulated medium, and hardware at a serial port.

`--radio` of a node names one: ``medium``, which is `samara medium`, or
``spinel:PORT``, a radio co-processor with OpenThread's firmware.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.zep_radio import ZepRadio
from samara.link.node.options import SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.ieee802154.frames.acks import Identity
    from samara.link.ieee802154.mac.mac import Radio

MEDIUM = "medium"
SPINEL = "spinel"
SPELLING = (
    "medium (samara medium), or spinel:PORT or spinel:PORT?baud=BAUD (a radio"
    " co-processor with OpenThread's firmware)"
)
_BAUDS = range(1200, 4_000_001)
_BAUD = 115_200
# USB carries as fast as it can, whatever rate is set.
_USB_BAUD = 2_000_000


@dataclass(frozen=True)
class Place:
    """Where a radio is."""

    kind: str
    port: str = ""
    baud: int = 0

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
        return cls(SPINEL, port, _baud_of(query) if mark else _usual_baud(port))


def _baud_of(query: str) -> int:
    name, _, value = query.partition("=")
    if name != "baud" or not value.isdecimal() or int(value[:9]) not in _BAUDS:
        message = (
            f"--radio takes baud=BAUD after ?, {_BAUDS[0]:,} to {_BAUDS[-1]:,} bits per"
            f" second, not {query!r}"
        )
        raise SettingError(message)
    return int(value)


def _usual_baud(port: str) -> int:
    return _USB_BAUD if Path(port).name.startswith("ttyACM") else _BAUD


def observer(place: str, channel: int) -> tuple[str, Radio]:
    """Return a radio that hears all frames, and its name.

    Parameters
    ----------
    place
        ``HOST:PORT`` of a medium, or what `Place.parse` takes.

    Raises
    ------
    LinkError
        When it is not there.
    """
    if not place.startswith(f"{SPINEL}:"):
        hello = zep.Hello(0, zep.OBSERVER)
        return f"medium {place}", ZepRadio(place, channel, hello=hello)
    found = Place.parse(place)
    return found.port, _co_processor(found, channel, None)


def is_emulated(settings: Mapping[str, Any]) -> bool:
    """Tell whether the air of a node is the emulated medium."""
    return Place.parse(settings.get("radio") or MEDIUM).kind == MEDIUM


def air_of(settings: Mapping[str, Any]) -> str:
    """Return where the air of a node is heard, if nothing else is said.

    Raises
    ------
    SettingError
        When its radio is a device, which the node itself needs.
    """
    place = Place.parse(settings.get("radio") or MEDIUM)
    if place.kind == MEDIUM:
        return str(settings["medium"])
    message = (
        f"the node has its own radio at {place.port}: give --radio with another one"
        " that hears the same channel"
    )
    raise SettingError(message)


def _co_processor(place: Place, channel: int, identity: Identity | None) -> Radio:
    # It needs pyserial, which a node at a medium does without.
    from samara.link.ieee802154.radios.spinel_radio import (  # noqa: PLC0415 - late
        SpinelRadio,
    )

    return SpinelRadio(place.port, channel, identity, baud=place.baud)


def opened(settings: Mapping[str, Any], identity: Identity) -> Radio:
    """Return the radio of a node.

    Raises
    ------
    LinkError
        When it is not there.
    """
    place = Place.parse(settings.get("radio") or MEDIUM)
    if place.kind == SPINEL:
        return _co_processor(place, settings["channel"], identity)
    return ZepRadio(
        settings["medium"],
        settings["channel"],
        paced=settings.get("paced", True),
        hello=zep.Hello(identity.short or 0, identity.extended, wants_unanswered=True),
    )
