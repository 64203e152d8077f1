# SPDX-License-Identifier: Apache-2.0
"""Many simulations of one network, on the processors of this machine or a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy import events
from samara.energy.steps import part_of, result_of, with_progress
from samara.energy.topology import flows
from samara.records import Progress
from samara.workers import ThisThread, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.energy.events import SimulatedTraffic
    from samara.energy.node import Node
    from samara.energy.routing import Rpl
    from samara.energy.steps import Steps
    from samara.energy.topology import Topology
    from samara.workers import Workers


@dataclass(frozen=True)
class Network:
    """A network to be simulated, without the seed."""

    node: Node
    topology: Topology
    interval_s: float
    rpl: Rpl | None
    duration_s: float

    @property
    def hops(self) -> float:
        """About how many transmissions a run has."""
        per_interval = float(flows(self.topology).sent.sum())
        return per_interval * self.duration_s / self.interval_s

    def steps(self, seed: int) -> Steps[SimulatedTraffic]:
        """Compute what happens, as `samara.energy.events.simulated` does."""
        return events.simulated(
            self.node,
            self.topology,
            self.interval_s,
            self.rpl,
            duration_s=self.duration_s,
            seed=seed,
        )

    def run(self, seed: int) -> SimulatedTraffic:
        """Return what happens."""
        return result_of(self.steps(seed))


def simulated(
    networks: Sequence[Network], seeds: Sequence[int], workers: Workers
) -> Iterator[SimulatedTraffic | Progress]:
    """Simulate a network with each seed; yield its traffic in order, and how far it is.

    Parameters
    ----------
    networks
        One for each seed: with nodes of other draws, or always the same.
    workers
        What computes the runs. What a run yields depends on its seed alone.
    """
    count = len(seeds)
    if isinstance(workers.executor, ThisThread):
        for done, (network, seed) in enumerate(zip(networks, seeds, strict=True)):
            steps = part_of(network.steps(seed), done, count)
            yield (yield from with_progress(steps, "runs"))
        return
    tasks = zip(networks, seeds, strict=True)
    for done, traffic in enumerate(in_order(workers, Network.run, tasks), start=1):
        yield Progress(done / count, "runs")
        yield traffic
