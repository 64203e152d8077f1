# SPDX-License-Identifier: Apache-2.0
"""The air of a lab: two modems, with a serial port for each node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.link.node.simulated_air import SimulatedAir
from samara.link.rfserial import modem, modules
from samara.link.rfserial.modem_ports import Ports
from samara.link.rfserial.modules.emulated.module import module_pair

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Modems(SimulatedAir):
    """A pair of modems that hear each other."""

    name = "the modems"

    def run(
        self, report: Callable[[dict[str, Any]], None], is_over: Callable[[], bool]
    ) -> None:
        """Pass bytes on until told to stop; report the ports."""
        pair = self.pair()
        with Ports(pair) as ports:
            report({"ports": ports.paths})
            ports.run(is_over)
            report({**pair.as_json(), "overruns": ports.overruns})

    def pair(self) -> modem.Pair:
        """Return the modems, or the modules that the nodes have."""
        settings, air = self.plan.settings, modem.Air(loss=self.plan.loss)
        profile = modules.of_settings(settings)
        if profile.name != modules.DEFAULT:
            baud, seed = settings["baud"], self.plan.seed
            return module_pair(profile, baud=baud, air=air, seed=seed)
        options = modem.Settings(
            baud=settings["baud"],
            packet_size=settings["packet_size"],
            timeout_ms=settings["modem_timeout_ms"],
        )
        return modem.Pair(options, air, self.plan.seed)

    def address_options(self, ready: Mapping[str, Any], node: int) -> Mapping[str, Any]:
        """Return the port of a node."""
        return {"port": ready["ports"][node - 1]}
