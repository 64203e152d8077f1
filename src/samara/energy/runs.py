# SPDX-License-Identifier: Apache-2.0
"""Many simulations of one network, on the processors of this machine or a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy import events
from samara.energy.topology import flows
from samara.workers import ThisThread, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from samara.energy.events import Outcome
    from samara.energy.node import Node
    from samara.energy.routing import Rpl
    from samara.energy.topology import Topology
    from samara.workers import Workers


@dataclass(frozen=True)
class Network:
    """What is simulated, with all but the seed."""

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

    def run(
        self,
        seed: int,
        tell: Callable[[float], None] = lambda share: None,  # noqa: ARG005 - silent
    ) -> Outcome:
        """Return what happens, as `samara.energy.events.simulate` does."""
        return events.simulate(
            self.node,
            self.topology,
            self.interval_s,
            self.rpl,
            duration_s=self.duration_s,
            seed=seed,
            tell=tell,
        )


def simulated(
    networks: Sequence[Network],
    seeds: Sequence[int],
    workers: Workers,
    tell: Callable[[float], None],
) -> Iterator[Outcome]:
    """Simulate a network with each seed; yield the outcomes in order.

    Parameters
    ----------
    networks
        One for each seed: with nodes of other draws, or always the same.
    workers
        What computes the runs. An outcome depends on its seed alone.
    tell
        Is told which share of the runs is over.
    """
    if isinstance(workers.executor, ThisThread):
        for done, (network, seed) in enumerate(zip(networks, seeds, strict=True)):
            yield network.run(seed, part(tell, done, len(seeds)))
        return
    tasks = zip(networks, seeds, strict=True)
    for done, outcome in enumerate(in_order(workers, Network.run, tasks), start=1):
        tell(done / len(seeds))
        yield outcome


def part(
    tell: Callable[[float], None], done: int, count: int
) -> Callable[[float], None]:
    """Return what tells the share of a whole, told the share of one of its parts.

    Parameters
    ----------
    done, count
        How many of how many equal parts are done before this one.
    """
    return lambda share: tell((done + share) / count)
