# SPDX-License-Identifier: Apache-2.0
"""What a node is in a network with RPL: its address and what it does for others."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from samara.net.rpl.messages import STORING
from samara.net.rpl.objectives import MRHOF, Objective


class Role(enum.StrEnum):
    """What a node does for others."""

    ROOT = "root"
    """It makes the graph."""
    ROUTER = "router"
    """It joins, and carries packets of others."""
    LEAF = "leaf"
    """It joins, and carries its own packets alone."""


@dataclass(frozen=True, slots=True)
class OwnNode:
    """Who a node is."""

    address: bytes
    """In the network: 16 bytes."""
    role: Role
    objective: Objective = MRHOF
    """Of a root; others take that of the graph."""
    instance: int = 0
    mode: int = STORING
    """Of a root: who keeps routes; others take that of the graph."""

    @property
    def is_root(self) -> bool:
        """Whether it makes the graph."""
        return self.role is Role.ROOT

    @property
    def speaks(self) -> bool:
        """Whether it advertises a rank."""
        return self.role is not Role.LEAF
