# SPDX-License-Identifier: Apache-2.0
"""A node as a user describes it: names of the catalogues, and sizes of frames."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from samara.bench.devices import device
from samara.energy import catalogue
from samara.energy.mac import mac
from samara.energy.network import consumption
from samara.energy.node import Node, too_often
from samara.energy.quantity import Listed, nominal
from samara.energy.routing import Rpl
from samara.energy.security import NONE, Call, CounterStore, Sealing, measured
from samara.energy.supply import Supply, supply
from samara.energy.transceiver import transceiver
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.energy.catalogue import Controller
    from samara.energy.quantity import Draw, Value
    from samara.energy.security import Security
    from samara.energy.topology import Topology
    from samara.energy.transceiver import Transceiver


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a user chooses by name; all of it is drawn from its tolerances.

    The defaults are the preset `honest`: 20 bytes in a frame of 2006 with short
    addresses, level 6 (encrypted, a tag of 8 bytes), key id mode 1.
    """

    device: str = "atmega128rfa1"
    radio: str = "at86rf231"
    mac: str = "box-mac-2"
    mac_settings: Mapping[str, float] = field(default_factory=dict)
    """Settings of the medium access that do not have their defaults."""
    battery: str = "2xaa-alkaline"
    celsius: float = 20.0
    frame_bytes: int = 31
    """Without security, with the check sequence."""
    added_bytes: int = 14
    """By security: a header of 6, a tag of 8."""
    calls: tuple[Call, ...] = (Call("ieee802154-aes128-ccm-8", 20, 15),)
    """The bench's names of what secures a frame; none for no security."""
    reserved: int = 1000
    """Frame counters that one durable write reserves."""
    sealing: Sealing = Sealing.ONCE
    opens_before_filter: bool = False
    rpl: Rpl | None = field(default_factory=Rpl)
    secures_routing: bool = True
    """Whether frames of routing are secured too, as they are by the link's security;
    what secures payloads leaves them as they are."""

    def node(self, draw: Draw = nominal) -> Node:
        """Return a node.

        Raises
        ------
        samara.crypto.UnknownNameError
            When a name is unknown.
        NotMeasuredError
            When the bench has not measured what secures the frames.
        """
        # A chip's name stands for the device that was measured in its place.
        board = device(self.device)
        controller = catalogue.controller(board.name)
        drawn = controller.draw(draw)
        secured = self._security(0, draw) if self.calls else NONE
        if self.calls and self.rpl:
            # Routing's frames are longer than a short message: they take more cycles.
            of_sizes = {
                size: self._security(size - self.frame_bytes, draw)
                if self.secures_routing
                else NONE
                for size in (self.rpl.dio_bytes, self.rpl.dao_bytes)
            }
            secured = replace(secured, of_sizes=of_sizes)
        return Node(
            self._transceiver(controller, draw),
            mac(self.mac, **self.mac_settings),
            self.frame_bytes,
            secured,
            drawn["sleep_a"] * board.supply_voltage_v.value,
        )

    def _transceiver(self, controller: Controller, draw: Draw) -> Transceiver:
        """Return the radio, with what the controller draws while the radio is on."""
        radio = catalogue.radio(self.radio)
        if controller.on_chip_with == self.radio:
            return replace(transceiver(radio, draw), sleep_w=0.0)
        return transceiver(radio, draw, controller_a=controller.draw(draw)["idle_a"])

    def _security(self, longer: int, draw: Draw) -> Security:
        """Return what secures a frame that is longer than the message's."""
        calls = [
            replace(call, message_bytes=max(call.message_bytes + longer, 0))
            for call in self.calls
        ]
        board = device(self.device).name
        return measured(
            board,
            calls,
            self.added_bytes,
            counters=CounterStore(catalogue.controller(board), self.reserved),
            draw=draw,
            sealing=self.sealing,
            opens_before_filter=self.opens_before_filter,
        )

    def supply(self, draw: Draw = nominal) -> Supply:
        """Return the battery.

        Raises
        ------
        samara.crypto.UnknownNameError
            When there is no such battery.
        """
        return supply(catalogue.battery(self.battery), draw, self.celsius)

    def unchecked(self, *, battery: bool = True) -> list[str]:
        """Return the quantities whose sources have not been checked, by name.

        Parameters
        ----------
        battery
            Whether those of the battery count; a message's energy has none of them.
        """
        listed = Listed()
        self.node(listed)
        if battery:
            self.supply(listed)
        used = listed.quantities.items()
        return sorted(name for name, quantity in used if not quantity.checked)

    def doubts(self, years: float = 0.0) -> list[str]:
        """Return what the figures leave out and this node cannot do without.

        Parameters
        ----------
        years
            How long it is told to live.
        """
        cells = catalogue.battery(self.battery)
        found = self._doubt_of_pulses()
        if years > (vouched := cells.shelf_years.value):
            found.append(
                f"{cells.title}, is vouched for {vouched:.0f} years by its makers: "
                "a longer life is computed from self-discharge alone."
            )
        return found

    def _doubt_of_pulses(self) -> list[str]:
        cells = catalogue.battery(self.battery)
        radio = self._transceiver(catalogue.controller(self.device), nominal)
        supply_v = catalogue.radio(self.radio).supply_v.value
        sends_a = float(radio.transmit_w) / supply_v
        if sends_a <= cells.pulse_a.value:
            return []
        doubt = (
            f"{self.radio} on {self.device} draws {sends_a * 1e3:.0f} mA while it "
            f"sends; {cells.title}, gives {cells.pulse_a.value * 1e3:.0f} mA in "
            "pulses: the life holds only with a capacitor that gives the rest."
        )
        return [doubt]

    def unsecured(self) -> Scenario:
        """Return the same without security."""
        return replace(self, added_bytes=0, calls=())

    def life_s(
        self, topology: Topology, interval_s: float, draw: Draw = nominal
    ) -> Value:
        """Return how long a network of such nodes lives, in seconds.

        It lives until the battery of the node that draws the most is empty.

        Raises
        ------
        MisuseError
            When more is sent than the medium, or a node's schedule, can carry.
        """
        used = consumption(self.node(draw), topology, interval_s, self.rpl)
        load = float(np.median(used.load.max(axis=-1)))
        if load > 1:
            raise MisuseError(too_often(interval_s, interval_s * load))
        power_w = used.total_w.max(axis=-1)
        return self.supply(draw).life_s(float(power_w) if not power_w.ndim else power_w)
