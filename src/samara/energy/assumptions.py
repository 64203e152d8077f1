# SPDX-License-Identifier: Apache-2.0
"""Two sets of assumptions: the paper's, and what we hold for true.

`paper` has what Altolini et al. state, and where they state nothing, what their
contours need to come out as they are drawn (data/paper.toml):

- a chain, so that the node next to the sink relays for all others;
- the frame is repeated for a whole wake-up interval of 250 ms, to the sink too;
- the processor sleeps while the radio is on, and a wake-up listens for 2.5 ms;
- a frame is sealed once for all its copies, and frames for others are not opened;
- security adds no bytes, for all frames are as long as frames can be;
- routing sends nothing, and two AA cells give 27 kJ;
- 10 to 50 nodes, and intervals from 250 s. From 200 s on, software takes 25.2 %.

`honest` counts the bytes that security adds, takes the cycles that the bench has
measured, has an idle processor beside the radio and routing beside the data, and
draws it all from its tolerances.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from samara.crypto.names import find
from samara.energy import catalogue
from samara.energy.mac import mac
from samara.energy.node import Node
from samara.energy.quantity import Quantity, Stratified, nominal
from samara.energy.scenario import Scenario
from samara.energy.security import NONE, Security
from samara.energy.supply import Store
from samara.energy.transceiver import Transceiver
from samara.toml_rows import row_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from samara.energy.quantity import Draw, Value
    from samara.energy.routing import Rpl

_FILE = "paper.toml"
PAPER_SIZES = range(10, 51)
"""Nodes of the paper's contours."""
PAPER_SECURITY = ("none", "hardware", "software")


def paper_intervals_s(count: int = 50) -> NDArray[np.float64]:
    """Return the intervals of the paper's contours, evenly spaced."""
    return np.linspace(250.0, 3600.0, count)


@dataclass(frozen=True, slots=True)
class _Platform:
    """The node of the paper."""

    supply_v: Quantity
    radio_transmit_a: Quantity
    radio_receive_a: Quantity
    radio_sleep_a: Quantity
    processor_sleep_a: Quantity
    processor_active_a: Quantity
    processor_active_at_v: Quantity
    frame_bytes: Quantity
    wake_interval_s: Quantity
    wake_listen_s: Quantity
    battery_j: Quantity


@dataclass(frozen=True, slots=True)
class _Costs:
    """What securing a frame costs the node of the paper."""

    seal_j: Quantity
    open_j: Quantity
    seal_s: Quantity
    open_s: Quantity


def _paper(table: str) -> dict[str, float]:
    """Return a table of the paper's file.

    Raises
    ------
    MisuseError
        When the table, or a field of it, is missing or is not what it has to be.
    """
    kind = _Platform if table == "platform" else _Costs
    what = f"the table {table} of {catalogue.DATA}{_FILE}"
    row = row_of(kind, what, catalogue.read(_FILE).get(table, {}))
    return {each.name: getattr(row, each.name).value for each in fields(kind)}


def _paper_security(name: str) -> Security:
    find("security of the paper", name, dict.fromkeys(PAPER_SECURITY))
    if name == "none":
        return NONE
    costs = _paper(name)
    return Security(
        name=name,
        seal_j=costs["seal_j"],
        open_j=costs["open_j"],
        seal_s=costs["seal_s"],
        open_s=costs["open_s"],
    )


def paper_node(security: str = "none") -> Node:
    """Return a node of the paper.

    Parameters
    ----------
    security
        One of `PAPER_SECURITY`.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such security.
    """
    values = _paper("platform")
    volts = values["supply_v"]
    named = catalogue.radio("at86rf231")
    radio = Transceiver(
        transmit_w=volts * values["radio_transmit_a"],
        receive_w=volts * values["radio_receive_a"],
        idle_w=0.0,
        sleep_w=volts * values["radio_sleep_a"],
        start_s=0.0,
        turnaround_s=named.turnaround_s.value,
        byte_s=8 / named.bit_rate.value,
        overhead_bytes=named.overhead_bytes.value,
    )
    listening = ("wake_interval_s", "wake_listen_s")
    return Node(
        radio,
        mac("lpl", **{name: values[name] for name in listening}),
        values["frame_bytes"],
        _paper_security(security),
        volts * values["processor_sleep_a"],
    )


def paper_store() -> Store:
    """Return the battery of the paper."""
    return Store(_paper("platform")["battery_j"])


def paper_frame_j() -> float:
    """Return what one frame takes while the processor is on: the paper's 480 µJ.

    >>> round(paper_frame_j() * 1e6)
    480
    """
    values = _paper("platform")
    volts = values["supply_v"]
    awake_a = values["processor_active_a"] * volts / values["processor_active_at_v"]
    frame_s = float(paper_node().hop().frame_s)
    return volts * (values["radio_transmit_a"] + awake_a) * frame_s


HONEST = Scenario()
"""The preset `honest`."""


@dataclass(frozen=True, slots=True)
class Case:
    """Networks of a preset: nodes with and without security, sizes and intervals."""

    secured: Node
    plain: Node
    life_s: Callable[[Value], Value]
    """Life of the battery at a mean power, both in SI units."""
    rpl: Rpl | None
    shape: str = "tree"
    sizes: range = range(10, 61)
    intervals_s: tuple[float, float] = (60.0, 3600.0)
    """The first and the last, of networks that are told when nothing else is asked."""


_OF_PAPER = {
    "paper": "software",
    "paper-hardware": "hardware",
    "paper-software": "software",
}
CASES = ("honest", *_OF_PAPER)
"""`paper` is `paper-software`, the one in which security takes much."""


def case(
    name: str, scenario: Scenario = HONEST, *, draws: int = 0, seed: int = 0
) -> Case:
    """Return a preset, as stated or from draws.

    Parameters
    ----------
    name
        One of `CASES`.
    scenario
        What `honest` is told from.
    draws, seed
        How many draws from the tolerances; 0 for the values as stated. They are the
        first axis: nodes have one more for intervals, lives one more for numbers of
        nodes. The paper's presets have no tolerances.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such preset.
    """
    find("preset", name, dict.fromkeys(CASES))
    if name == "honest":
        of_nodes: Draw = Stratified(draws, seed, 1) if draws else nominal
        of_cells: Draw = Stratified(draws, seed, 2) if draws else nominal
        plain = scenario.unsecured().node(of_nodes)
        supply = scenario.supply(of_cells)
        return Case(scenario.node(of_nodes), plain, supply.life_s, scenario.rpl)
    first_s, *_, last_s = paper_intervals_s()
    return Case(
        paper_node(_OF_PAPER[name]),
        paper_node(),
        paper_store().life_s,
        None,
        "chain",
        PAPER_SIZES,
        (first_s, last_s),
    )
