# SPDX-License-Identifier: Apache-2.0
"""Receivers as the nodes of a host have them, for what devices send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.link import rfserial
from samara.link.node import folder as folders

if TYPE_CHECKING:
    from pathlib import Path


def receiver_of(host: Path) -> rfserial.Receiver:
    """Return a receiver as the node in a directory has one."""
    end = folders.read(host).end
    names = ("framing", "suite", "tag_size", "counter_size", "packet_size", "link")
    encoding = {name: end.settings[name] for name in names}
    direction = 1 - end.settings["direction"]
    return rfserial.Receiver(key=end.keys["key"], direction=direction, **encoding)
