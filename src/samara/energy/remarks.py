# SPDX-License-Identifier: Apache-2.0
"""What answers about batteries say of what their figures leave out or assume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.energy.load import State, verdict
from samara.records import Remark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.scenario import Scenario
    from samara.energy.topology import Topology


def doubt_remarks(scenario: Scenario, years: float = 0.0) -> Iterator[Remark]:
    """Yield what figures of a battery leave out and the node cannot do without.

    Parameters
    ----------
    years
        How long it is told to live.
    """
    for doubt in scenario.doubts(years):
        yield Remark(sentence(doubt))


def network_remarks(
    scenario: Scenario, topology: Topology, interval_s: float
) -> Iterator[Remark]:
    """Yield what figures of a network leave out, and which were not checked."""
    yield from doubt_remarks(scenario)
    for doubt in scenario.doubts_of_network(topology, interval_s):
        yield Remark(sentence(doubt))
    yield from unchecked_remark(set(scenario.unchecked()))


def unchecked_remark(names: set[str]) -> Iterator[Remark]:
    """Yield which quantities were not read in their sources, if any."""
    if names:
        listed = ", ".join(sorted(names))
        yield Remark(f"Assumed, since not checked in their sources: {listed}.")


def at_limit(
    scenario: Scenario, topology: Topology, interval_s: float
) -> Iterator[str]:
    """Yield the verdict about a network that carries its load, but hardly."""
    found = verdict(scenario.node(), topology, interval_s, scenario.rpl)
    if found.state is not State.WORKS:
        yield found.in_words()


def sentence(text: str) -> str:
    """Return a text with a capital letter."""
    return text[:1].upper() + text[1:]
