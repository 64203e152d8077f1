# SPDX-License-Identifier: Apache-2.0
"""What requests about a node have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from samara.link.node.link_parameters import AT_EACH_RUN
from samara.records import Between, Parameter, Request, request_class
from samara.units import SECONDS

ANSWER_S = 10.0
"""How long neighbours are waited for unless another time is given."""

Timeout: TypeAlias = Annotated[
    float,
    Parameter(
        name="timeout",
        help="How long to wait for the neighbour.",
        unit=SECONDS,
        values=Between(0),
    ),
]


@request_class
class NodeRequest(Request):
    """A node that is in a directory."""

    node: Annotated[
        Path,
        Parameter(
            help="Directory with the node's identity, keys and counters.",
            metavar="DIR",
            is_argument=True,
        ),
    ]


@request_class
class RunningRequest(NodeRequest):
    """A node whose link is opened, where it may be elsewhere than as it was made."""

    link_options: Annotated[Mapping[str, Any], AT_EACH_RUN] = field(
        default_factory=dict
    )
    """Options of the kind of link that say where it is, by name."""
