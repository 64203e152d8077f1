# SPDX-License-Identifier: Apache-2.0
"""The air of a lab: two modems, with a serial port for each node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.link.node.simulated_air import SimulatedAir
from samara.link.rfserial import modem
from samara.link.rfserial.modem_ports import Ports

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Modems(SimulatedAir):
    """A pair of modems that hear each other."""

    name = "the modems"

    def run(
        self, tell: Callable[[dict[str, Any]], None], is_over: Callable[[], bool]
    ) -> None:
        """Pass bytes on until told to stop; tell the ports."""
        settings = self.plan.settings
        options = modem.Settings(
            baud=settings["baud"],
            packet_size=settings["packet_size"],
            timeout_ms=settings["modem_timeout_ms"],
        )
        pair = modem.Pair(options, modem.Air(loss=self.plan.loss), self.plan.seed)
        with Ports(pair) as ports:
            tell({"ports": ports.paths})
            ports.run(is_over)
            tell({**pair.as_json(), "overruns": ports.overruns})

    def where(self, told: Mapping[str, Any], node: int) -> Mapping[str, Any]:
        """Return the port of a node."""
        return {"port": told["ports"][node - 1]}
