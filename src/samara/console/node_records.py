# SPDX-License-Identifier: Apache-2.0
"""What the page is told of the directories of nodes that a console was given."""

from __future__ import annotations

from typing import Annotated

from samara.link.node.status import NodeStatus  # noqa: TC001 - types are evaluated
from samara.records.fields import Field, Record, record_class


@record_class
class NodeShown(Record):
    """A directory of a node that the command named."""

    number: Annotated[int, Field("Its place among these, from 0.")]
    node: Annotated[str, Field("The directory.")]
    status: Annotated[
        NodeStatus | None, Field("What is known of the node; no key is in it.")
    ]
    reason: Annotated[str, Field("Why nothing is known; empty: it is.")]
    is_ours: Annotated[
        bool, Field("Whether this console has started the process that keeps it up.")
    ]
    last_words: Annotated[
        tuple[str, ...], Field("Last lines of the process, if one of ours has ended.")
    ]
