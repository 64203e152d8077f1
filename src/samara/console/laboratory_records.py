# SPDX-License-Identifier: Apache-2.0
"""What the page is told of a laboratory, beside what its programs print."""

from __future__ import annotations

from typing import Annotated

from samara.records.fields import Field, Record, record_class


@record_class
class LaboratoryShown(Record):
    """The laboratory of a console."""

    is_running: Annotated[bool, Field("Whether its programs run.")]
    missing: Annotated[str, Field("Why none can run here, a sentence; empty: it can.")]
    topologies: Annotated[tuple[str, ...], Field("Who can be whose neighbour.")]
    nodes_max: Annotated[int, Field("The most nodes of one.")]


@record_class
class NodeSteered(Record):
    """Something was done with a node of the laboratory."""

    do: Annotated[
        str,
        Field("What: `kill`, `start`, `move_away` or `move_back` (docs/control.md)."),
    ]
    node: Annotated[str, Field("Its name.")]


@record_class
class TrafficEnded(Record):
    """A program that sent something through the laboratory has ended."""

    program: Annotated[str, Field("The program.")]
    source: Annotated[str, Field("Name of the node at which it ran.")]
    destination: Annotated[str, Field("Name of the node that it asked.")]
    succeeded: Annotated[bool, Field("Whether it got what it asked for.")]
    said: Annotated[str, Field("The last of what it said.")]
