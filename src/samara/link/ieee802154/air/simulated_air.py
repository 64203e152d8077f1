# SPDX-License-Identifier: Apache-2.0
"""The air of a lab: the medium, where neighbours alone hear each other."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any

from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.ieee802154.air.steering import Steering
from samara.link.ieee802154.air.topology import Topology
from samara.link.ieee802154.captures.pcap import LinkType, Writer
from samara.link.node.simulated_air import SimulatedAir
from samara.records.json_lines import plain
from samara.steering import ControlLines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from samara.link.node.simulated_air import AirPlan

_LOCALHOST = "127.0.0.1"


class SimulatedMedium(SimulatedAir):
    """A medium at a free port."""

    name = "the medium"

    def __init__(self, plan: AirPlan) -> None:
        super().__init__(plan)
        # Both processes have both ends: lines come from the one that has the lab.
        self._reading, self._writing = os.pipe()

    def run(
        self, report: Callable[[dict[str, Any]], None], is_over: Callable[[], bool]
    ) -> None:
        """Pass frames on until told to stop; report the port."""
        plan = self.plan
        conditions = Conditions(loss=plan.loss, seed=plan.seed)
        with (
            _capture(plan.capture) as capture,
            Medium(_LOCALHOST, 0, conditions, capture, self._topology()) as medium,
        ):
            report({"port": medium.port})
            lines = ControlLines(Steering(medium).actions(), self._reading)
            for _ in medium.turns(is_over):
                for answer in lines.attend():
                    report({"type": answer.type_name(), **plain(answer)})
            report(plain(medium.statistics.record()))

    def address_options(self, ready: Mapping[str, Any], node: int) -> Mapping[str, Any]:
        """Return the address of the medium: the same for all nodes."""
        del node
        return {"medium": f"{_LOCALHOST}:{ready['port']}"}

    def steer(self, line: bytes) -> None:
        """Hand the medium a line of control."""
        os.write(self._writing, line)

    def _topology(self) -> Topology:
        pairs = [(one.hex(), other.hex()) for one, other in self.plan.neighbours]
        links = dict.fromkeys(pairs + [(other, one) for one, other in pairs])
        return Topology(links, is_whole=True)


@contextlib.contextmanager
def _capture(path: Path | None) -> Iterator[Writer | None]:
    if path is None:
        yield None
        return
    with path.open("wb") as file:
        yield Writer(file, LinkType.WITH_FCS)
