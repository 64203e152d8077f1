# SPDX-License-Identifier: Apache-2.0
"""What a radio takes while it sends or receives; radios are in the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.figure import Figure, Origin, weakest

if TYPE_CHECKING:
    from samara.energy.catalogue import Radio


def radio_energy(radio: Radio, air_time: Figure, *, sending: bool) -> Figure:
    """Return the energy of a radio while it sends or receives, in joules.

    Parameters
    ----------
    air_time
        In seconds, without listening before, turning around and sleeping.
    sending
        Whether it sends or receives.
    """
    current = radio.transmit_a if sending else radio.receive_a
    voltage = radio.supply_v
    checked = current.checked and voltage.checked
    doing = f"sending with {radio.power}" if sending else "receiving"
    doubt = "" if checked else ", not checked"
    return Figure(
        air_time.value * current.value * voltage.value,
        "J",
        weakest(air_time.origin, Origin.ESTIMATED if checked else Origin.ASSUMED),
        f"air time x {current.value * 1e3:g} mA x {voltage.value:g} V, {doing}"
        f" ({current.source}{doubt})",
    )
