# SPDX-License-Identifier: Apache-2.0
"""Radios by name, with their currents: radios.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from samara.bench.devices import Quantity
from samara.crypto.names import find
from samara.figure import Figure, Origin, weakest


@dataclass(frozen=True, slots=True)
class Radio:
    """A transceiver."""

    name: str
    title: str
    bit_rate: int
    """On the air, in bit/s."""
    power: str
    """Transmit power at `transmit_a`."""
    supply_voltage_v: Quantity
    transmit_a: Quantity
    receive_a: Quantity


_QUANTITIES = ("supply_voltage_v", "transmit_a", "receive_a")


def _radio_of(name: str, fields: dict[str, Any]) -> Radio:
    quantities = {key: Quantity(**fields[key]) for key in _QUANTITIES}
    return Radio(**(fields | quantities | {"name": name}))


@cache
def _by_name() -> dict[str, Radio]:
    text = (resources.files(__package__) / "radios.toml").read_text(encoding="utf-8")
    return {n: _radio_of(n, fields) for n, fields in tomllib.loads(text).items()}


def radio(name: str) -> Radio:
    """Return the radio of this name, such as ``"at86rf231"``.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is none; the text has the nearest names.
    """
    return find("radio", name, _by_name())


def radios() -> list[Radio]:
    """Return all radios, in the order of the file."""
    return list(_by_name().values())


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
    voltage = radio.supply_voltage_v
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
