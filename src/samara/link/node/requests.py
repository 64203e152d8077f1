# SPDX-License-Identifier: Apache-2.0
"""What requests about a node have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from samara.records import Parameter, Request, request_class


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
