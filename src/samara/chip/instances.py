# SPDX-License-Identifier: Apache-2.0
"""The cells of a netlist that yosys wrote, and the nets at their pins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class Instance(NamedTuple):
    """A cell in a netlist."""

    name: str
    cell: str
    pins: dict[str, str]
    """Nets by pin."""


_INSTANCE = re.compile(
    r"^ {2}(\S+) (\\\S+ |\w+) \(\n(.*?)^ {2}\);", re.MULTILINE | re.DOTALL
)
_PIN = re.compile(r"\.(\w+)\((.*?)\)(?:,|\n)")


def instances(netlist: Path) -> list[Instance]:
    """Return the cells of the file of a netlist that yosys wrote."""
    return instances_in(netlist.read_text(encoding="utf-8"))


def instances_in(text: str) -> list[Instance]:
    """Return the cells of a netlist that yosys wrote."""
    return [
        Instance(
            name.strip().lstrip("\\"),
            cell,
            {pin: net.strip().lstrip("\\") for pin, net in _PIN.findall(pins)},
        )
        for cell, name, pins in _INSTANCE.findall(text)
    ]
