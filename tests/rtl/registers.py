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
_MODULE = re.compile(r"^module\s+(\w+)(.*?)^endmodule", re.MULTILINE | re.DOTALL)
_REG = re.compile(r"\breg\s+(?:\[[^]]*\]\s*)?(\w+)")


def held_by(design: Any) -> dict[str, str]:
    """Return the bits of each register of a core, or of a wrapper, by its path.

    Icarus shows all of them; Verilator only what the tests read, and so none.
    """
    if not are_shown():
        return {}
    registers = dict(_registers(design, design._def_name))
    assert any(path.endswith(".nfsr") for path in registers), "no registers found"
    return registers


def are_shown() -> bool:
    """Return whether the simulator shows what is inside a core."""
    return bool(cocotb.SIM_NAME.startswith("Icarus"))


@cache
def _names() -> dict[str, set[str]]:
    """Return the names of all variables of the design, by module."""
    texts = (path.read_text() for path in sorted(_DESIGN.glob("*.v")))
    modules = (each for text in texts for each in _MODULE.findall(text))
    return {name: set(_REG.findall(body)) for name, body in modules}


def _registers(scope: Any, module: str) -> Iterator[tuple[str, str]]:
    for child in scope:
        if isinstance(child, HierarchyObject | HierarchyArrayObject):
            # A generated block is a part of the module that it stands in.
            within = getattr(child, "_def_name", "")
            yield from _registers(child, within if within in _names() else module)
        elif isinstance(child, ValueObjectBase) and _name(child) in _names()[module]:
            yield child._path, str(child.value)


def _name(signal: Any) -> str:
    return signal._name
