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
        self, report: Callable[[dict[str, Any]], None], is_over: Callable[[], bool]
    ) -> None:
        """Pass bytes on until told to stop; report the ports."""
        settings = self.plan.settings
        options = modem.Settings(
            baud=settings["baud"],
            packet_size=settings["packet_size"],
            timeout_ms=settings["modem_timeout_ms"],
        )
        pair = modem.Pair(options, modem.Air(loss=self.plan.loss), self.plan.seed)
        with Ports(pair) as ports:
            report({"ports": ports.paths})
            ports.run(is_over)
            report({**pair.as_json(), "overruns": ports.overruns})

    def where(self, ready: Mapping[str, Any], node: int) -> Mapping[str, Any]:
        """Return the port of a node."""
        return {"port": ready["ports"][node - 1]}
