# SPDX-License-Identifier: Apache-2.0
"""Receipts with what listening and sleep take beside a message, and the battery."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy.link_macs import mac_of
from samara.energy.message_frames import frames_of_receipt
from samara.energy.own_parts import NO_PARTS
from samara.energy.parts import Part
from samara.energy.scenario import Scenario
from samara.errors import MisuseError
from samara.figure import Figure, Origin
from samara.link.node.receipt import Direction

if TYPE_CHECKING:
    from samara.energy.own_parts import OwnParts
    from samara.link.node.receipt import Receipt


@dataclass(frozen=True, slots=True)
class Use:
    """Medium access, battery and interval of a node."""

    mac: str | None = None
    """Default: that of the kind of link."""
    battery: str | None = None
    interval_s: float = 300.0
    """From one message to the next."""


def with_battery(receipt: Receipt, use: Use, own: OwnParts = NO_PARTS) -> Receipt:
    """Return a receipt that has a device, with its shares of listening and sleep.

    Parameters
    ----------
    own
        Parts of the user that names of the receipt and of `use` may mean.

    Raises
    ------
    MisuseError
        When the link has no energy model, nodes of it cannot have this medium access,
        or the message takes several frames.
    NotMeasuredError
        When the bench has not measured what secures the frames.
    samara.crypto.UnknownNameError
        When there is no such medium access, radio or battery.
    """
    own_mac = own.mac(use.mac or "")
    known = mac_of(receipt.link, own_mac.medium_access if own_mac else use.mac)
    mac = own_mac.name if own_mac else known
    if receipt.device is None or receipt.radio is None:
        message = (
            f"a receipt over {receipt.link} without a device and its radio has no "
            "energy model: give --device"
        )
        raise MisuseError(message)
    frames = frames_of_receipt(receipt)
    scenario = Scenario(
        device=receipt.device,
        radio=receipt.radio,
        mac=mac,
        battery=use.battery or Scenario().battery,
        **frames.described(),
        own=own,
    )
    parts = scenario.node().message(
        use.interval_s, received=receipt.direction is Direction.RECEIVED
    )
    origin = Origin.ASSUMED if scenario.unchecked() else Origin.ESTIMATED
    how = f"energy model: {scenario.mac}, a message every {use.interval_s:g} s"
    total_j = float(parts.total)
    figures = {
        "listening_energy": Figure(float(parts[Part.LISTEN]), "J", origin, how),
        "sleep_energy": Figure(float(parts[Part.SLEEP]), "J", origin, how),
        "whole_energy": Figure(total_j, "J", origin, how),
    }
    if use.battery is not None:
        life_s = float(scenario.supply().life_s(total_j / use.interval_s))
        figures["battery_messages"] = Figure(
            round(life_s / use.interval_s), "message", origin, f"{use.battery}; {how}"
        )
    return receipt.with_figures(figures)
