# SPDX-License-Identifier: Apache-2.0
"""What a design holds: all its registers, found without a list of their names."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cocotb
from cocotb.handle import (
    HierarchyArrayObject,
    HierarchyObject,
    ValueObjectBase,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_DESIGN = Path(__file__).parents[2] / "rtl"
_REG = re.compile(r"\breg\s+(?:\[[^]]*\]\s*)?(\w+)")


def held_by(design: Any) -> dict[str, str]:
    """Return the bits of each register of a core, or of a wrapper, by its path.

    Icarus shows all of them; Verilator only what the tests read, and so none.
    """
    if not cocotb.SIM_NAME.startswith("Icarus"):
        return {}
    registers = dict(_registers(design))
    assert any(path.endswith(".nfsr") for path in registers), "no registers found"
    return registers


@cache
def _names() -> set[str]:
    """Return the names of all variables of the design."""
    return {
        name for path in _DESIGN.glob("*.v") for name in _REG.findall(path.read_text())
    }


def _registers(design: Any) -> Iterator[tuple[str, str]]:
    for child in design:
        if isinstance(child, HierarchyObject | HierarchyArrayObject):
            yield from _registers(child)
        elif isinstance(child, ValueObjectBase) and _name(child) in _names():
            yield child._path, str(child.value)


def _name(signal: Any) -> str:
    return signal._name
