# SPDX-License-Identifier: Apache-2.0
"""The load at which a network saturates, found by events.

A network saturates at the load at which its queues grow without a bound. Which load
that is depends on who senses whom: nodes that begin to send as soon as the medium is
free around them leave gaps that no other node can use. The closed form has two bounds.
Queues grow where `Consumption.load` is above 1, since those transmissions cannot
overlap. They do not where `Consumption.load_most` is below 1: while a node has
something to send, it sends, or one within two hops does, and all of that together takes
less than the whole time.

Between both, short simulations decide: the range of rates is halved until the load is
known to 1 %. Far from the sink nothing saturates: of large networks, the nodes around
the sink and the busiest node are simulated, and the last of them make the messages of
those behind them. Chains, trees, lattices and random networks of up to 150 nodes
saturate at loads of 0.78 to 1; other seeds give the same to within 0.5 %.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from samara.energy import events
from samara.energy.near_sink import depths, near_sink
from samara.energy.network import load_bounds
from samara.energy.steps import result_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.energy.near_sink import NearSink
    from samara.energy.node import Node
    from samara.energy.routing import Rpl
    from samara.energy.steps import Steps
    from samara.energy.topology import Topology

_WITHIN = 0.01
"""How well the load is found."""
_TRANSMISSIONS = 50_000
"""Of messages, in each simulation: enough to tell growth from chance."""
_MESSAGES = 18_000
"""Of all nodes, in each simulation: enough of them wait where queues grow."""
_INTERVALS_LEAST, _INTERVALS, _INTERVALS_MOST = 6.0, 30.0, 4000.0
_GROWTH = 0.005
"""Of all messages, the share that stays in queues where they grow."""
_SURE_GROWTH = 0.05
"""The share that needs no second look."""
_LEAST = 0.1
"""Of the highest rate, what is tried at least where routing may take all time."""
_ASKED_AT = (0.5, 1.0, 3.0)
"""Of the simulation, what has stayed in queues since the first of them: in a short one
it may by chance."""
_DEEPER_LEAST, _DEEPER_MOST = 8, 16
"""Hops beyond the busiest node that are simulated: the most that are not too many."""
_NODES = 2000
"""Nodes that are not too many."""
_PARTS = 50
"""Of a simulation between two of them, after which it tells how far it is."""
_SEED = 0


def capacity(node: Node, topology: Topology, rpl: Rpl | None = None) -> float:
    """Return the `Consumption.load` at which a network saturates, as `searched`."""
    return result_of(searched(node, topology, rpl))


def searched(node: Node, topology: Topology, rpl: Rpl | None = None) -> Steps[float]:
    """Compute the `Consumption.load` at which a network saturates.

    Where routing alone takes all of the time, that is 1, which is below any load.

    Parameters
    ----------
    node
        Of values that are drawn, the medians count.

    Raises
    ------
    MisuseError
        When the medium access cannot relay and nodes would have to.
    """
    routing = rpl if node.mac.relays else None
    bounds = load_bounds(node, topology, routing)
    fine, highest = bounds.rates
    if highest <= 0:
        return 1.0
    # The bounds meet but for rounding where the medium is not shared.
    fine = min(max(fine, _LEAST * highest), highest)
    near = _decisive(topology, np.asarray(bounds.load(highest)))
    grows = highest
    widest = grows - fine
    while grows - fine > _WITHIN * highest:
        rate = (fine + grows) / 2
        done, left = (_done(each, widest) for each in (grows - fine, rate - fine))
        steps = _grows(node, near, 1 / rate, routing)
        if (yield from _between(steps, done, left)):
            grows = rate
        else:
            fine = rate
    return float(np.median(np.max(bounds.load((fine + grows) / 2), axis=-1)))


def _decisive(topology: Topology, load: NDArray[np.float64]) -> NearSink:
    """Return what decides where a network saturates: the nodes around the busiest."""
    busiest = int(np.argmax(np.median(load, axis=tuple(range(load.ndim - 1)))))
    hops = depths(topology.parents)
    to_depth = np.cumsum(np.bincount(hops))
    least = int(hops[busiest]) + _DEEPER_LEAST
    few = int(np.searchsorted(to_depth, _NODES, side="right")) - 1
    most = int(hops[busiest]) + _DEEPER_MOST
    return near_sink(topology, min(max(few, least), most))


def _done(width: float, widest: float) -> float:
    """Return the share of the search that is done: each halving is as much."""
    return math.log(widest / width) / math.log(widest / (_WITHIN * widest / 2))


def _between(steps: Steps[bool], first: float, last: float) -> Steps[bool]:
    """Compute, and yield shares between two others."""
    while True:
        try:
            share = next(steps)
        except StopIteration as end:
            result: bool = end.value
            return result
        yield first + (last - first) * share


def _grows(
    node: Node, near: NearSink, interval_s: float, rpl: Rpl | None
) -> Steps[bool]:
    """Compute whether queues grow, and go on to, after a while."""
    # DAO wait in the same queues, and tell as much of them as messages.
    per_message = 1 + (interval_s * rpl.dao_per_s if rpl else 0.0)
    least = min(max(_MESSAGES / sum(near.messages), _INTERVALS_LEAST), _INTERVALS)
    whole = min(max(_TRANSMISSIONS / near.sent, least), _INTERVALS_MOST)
    intervals = whole / per_message
    run = events.kernel(
        node, near.topology, interval_s, rpl, _SEED, messages=near.messages
    )
    stayed, made = [], []
    before = 0.0
    for share in _ASKED_AT:
        for part in range(1, _PARTS + 1):
            now = before + (share - before) * part / _PARTS
            run.advance(now * intervals * interval_s)
            yield now / _ASKED_AT[-1]
        before = share
        stayed.append(run.waiting + run.lost)
        made.append(run.made * per_message)
        if len(made) == 1:
            continue
        growth = (stayed[-1] - stayed[0]) / (made[-1] - made[0])
        if growth <= _GROWTH or growth > _SURE_GROWTH:
            return bool(growth > _GROWTH)
    return True
