# SPDX-License-Identifier: Apache-2.0
"""Making two neighbours of a node neighbours of each other."""

from __future__ import annotations

from typing import Annotated

from samara.link.node.event_lines import EventRecord  # noqa: TC001 - read at run time
from samara.link.node.neighbour_answers import Settled, answers_from_neighbours
from samara.link.node.requests import ANSWER_S, NodeRequest, Timeout
from samara.records import Answer, Parameter, request_class


@request_class
class IntroduceRequest(NodeRequest):
    """Two neighbours of a node that are to be neighbours of each other."""

    first: Annotated[
        str, Parameter(metavar="NAME", help="One neighbour.", is_argument=True)
    ]
    second: Annotated[
        str, Parameter(metavar="NAME", help="Another neighbour.", is_argument=True)
    ]
    timeout_s: Timeout = ANSWER_S


def introduce(request: IntroduceRequest) -> Answer[Settled | EventRecord]:
    """Introduce two neighbours to each other, and yield what came of it.

    Raises
    ------
    MisuseError
        When the node cannot be used, or there are no such neighbours.
    """
    yield from answers_from_neighbours(
        request.node,
        request.timeout_s,
        lambda node: node.introduce(request.first, request.second),
        [" ".join(sorted((request.first, request.second)))],
    )
