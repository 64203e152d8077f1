# SPDX-License-Identifier: Apache-2.0
"""What a lab is to run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from samara.net.addresses import DEFAULT_PREFIX
from samara.net.rpl.messages import STORING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from ipaddress import IPv6Network
    from pathlib import Path

    from samara.net.topology import Network


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The network that a lab is to run."""

    network: Network
    link: str
    """The name of a kind of link."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of new nodes of that kind of link."""
    allow_unauthenticated: bool = False
    """Whether two nodes need not authenticate what they send; those of networks do."""
    loss: float = 0.0
    """The probability that a receiver misses a frame."""
    seed: int = 0
    prefix: IPv6Network = DEFAULT_PREFIX
    keeps_nodes: bool = False
    """Whether the directory with the nodes is not removed at the end."""
    capture: Path | None = None
    """A pcap file for all that is on the air."""
    uses_rpl: bool = False
    """Whether nodes find their routes by RPL, the first one being the root."""
    rpl_mode: int = STORING
    """Who keeps routes then."""
    logs_payloads: bool = False
    """Whether each node logs the payloads that it sends (`samara.net.payload_log`)."""
