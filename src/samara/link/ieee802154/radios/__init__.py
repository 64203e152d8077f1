# SPDX-License-Identifier: Apache-2.0
"""Radios of IEEE 802.15.4: the emulated medium, and hardware at a serial port.

`--radio` of a node names one: ``medium``, which is `samara medium`, or
``spinel:PORT``, a radio co-processor with OpenThread's firmware.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.zep_radio import ZepRadio
from samara.link.ieee802154.medium_access import DEFAULT, name_of
from samara.link.ieee802154.radios.place import MEDIUM, SPINEL, Place, place_of
from samara.link.node.options import SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.ieee802154.frames.acks import Identity
    from samara.link.ieee802154.mac.mac import Radio


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
    return place_of(settings).kind == MEDIUM


def air_of(settings: Mapping[str, Any]) -> str:
    """Return where the air of a node is heard, if nothing else is said.

    Raises
    ------
    SettingError
        When its radio is a device, which the node itself needs.
    """
    place = place_of(settings)
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

    return SpinelRadio(place, channel, identity)


def opened(settings: Mapping[str, Any], identity: Identity) -> Radio:
    """Return the radio of a node.

    Raises
    ------
    LinkError
        When it is not there.
    """
    place = place_of(settings)
    if place.kind == SPINEL:
        return _co_processor(place, settings["channel"], identity)
    return ZepRadio(
        settings["medium"],
        settings["channel"],
        paced=settings.get("paced", True),
        hello=zep.Hello(
            identity.short or 0,
            identity.extended,
            wants_unanswered=True,
            # One that sleeps stays awake for what is on the air, whoever it is for.
            filters=name_of(settings) == DEFAULT,
        ),
    )
