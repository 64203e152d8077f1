# SPDX-License-Identifier: Apache-2.0
"""Scripts of yosys: from the sources of a core to a netlist of a library's cells.

There are two recipes, one for each goal. What they share: the hierarchy is
flattened, clocks are gated where the library has a cell for it and at least
`MIN_GATED` flip-flops share an enable, and all is mapped by ABC.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from samara.chip.design import TOP, sources

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.chip.design import Core
    from samara.chip.library import Avoided, Library

MIN_GATED = 8
"""Flip-flops with one enable, from which on a clock gate is smaller than their
multiplexers."""

MAX_LOADS = 24
"""Gates that one gate may drive in a small netlist. Without a limit a few gates drive
hundreds: 0.1 % less area, paths several times as long, and slopes that the library's
tables of power do not have."""

LIBERTY = "library.lib"
"""Name of the library's copy in the directory of a run."""
NETLIST = "netlist.v"
STATISTICS = "statistics.json"
MAPPING = "map.abc"
CONSTRAINTS = "drive.constr"

_LOAD_FF = 10
"""Load of each output in femtofarad, for ABC: that of a few gates."""


class Goal(StrEnum):
    """What a netlist is made for; the values are those of --goal."""

    AREA = "area"
    SPEED = "speed"


class _Recipe(NamedTuple):
    """What a goal changes."""

    synth: str
    """Option of the command synth. States of the control are one-hot unless
    -nofsm keeps the numbers that the sources have."""
    delay_ps: int
    """What ABC may take for a path; 100 ns is no limit."""
    mapping: tuple[str, ...]
    """Commands for ABC; its own script for delay when there are none."""


_RECIPES = {
    Goal.AREA: _Recipe(
        "-nofsm",
        100_000,
        (
            *("strash", "ifraig", "scorr", "dc2", "dch -f"),
            *("map -a -B 0.9", "topo", f"buffer -N {MAX_LOADS}", "topo", "dnsize"),
        ),
    ),
    Goal.SPEED: _Recipe("", 50, ()),
}


def files(core: Core, library: Library, goal: Goal) -> dict[str, str]:
    """Return the files of a run by their names, without the library's.

    ``script.ys`` is what yosys is to run.
    """
    recipe = _RECIPES[goal]
    found = {path.name: path.read_text(encoding="utf-8") for path in sources()}
    driver = f"set_driving_cell {library.driver}\n" if library.driver else ""
    found[CONSTRAINTS] = f"{driver}set_load {_LOAD_FF}\n"
    if recipe.mapping:
        found[MAPPING] = "\n".join(recipe.mapping) + "\n"
    found["script.ys"] = "\n".join(_commands(core, library, goal, recipe)) + "\n"
    return found


def _commands(
    core: Core, library: Library, goal: Goal, recipe: _Recipe
) -> Iterable[str]:
    rules = library.rules
    avoided = rules.avoid + (rules.avoid_fast if goal is Goal.SPEED else ())
    unused = _unused(avoided)
    mapping = f" -script {MAPPING}" if recipe.mapping else ""
    yield "read_verilog " + " ".join(path.name for path in sources())
    yield f"chparam {parameters(core)} {TOP}"
    yield f"synth {recipe.synth} -flatten -top {TOP}"
    yield "opt -full"
    yield "dfflegalize -cell $_DFF_P_ x -cell $_DFFE_PP_ x"
    if library.has_clock_gate:
        cell = rules.clock_gate
        given = f"-pos {cell}" if cell else f"-liberty {LIBERTY}{unused}"
        yield f"clockgate {given} -min_net_size {MIN_GATED}"
        yield "dfflegalize -cell $_DFF_P_ x"
    yield "opt"
    yield f"dfflibmap -liberty {LIBERTY}{unused}"
    yield (
        f"abc -liberty {LIBERTY} -constr {CONSTRAINTS} -D {recipe.delay_ps}"
        f"{unused}{mapping}"
    )
    yield from ("setundef -zero", "splitnets", "opt_clean -purge")
    yield "delete t:$scopeinfo"
    yield f"tee -q -o {STATISTICS} stat -json"
    yield f"write_verilog -noattr -noexpr -nohex -nodec {NETLIST}"


def parameters(core: Core, *, wrapped: bool = False) -> str:
    """Return the parameters of a core as chparam takes them.

    A variant's parameter is named only where it is not zero, which is its default. A
    wrapper does not have AUTHENTICATE.
    """
    always = {"N", "AUTHENTICATE"}
    given = {k: v for k, v in core.parameters.items() if v or k in always}
    if wrapped:
        del given["AUTHENTICATE"]
    return " ".join(f"-set {name} {value}" for name, value in given.items())


def _unused(avoided: Iterable[Avoided]) -> str:
    return "".join(f" -dont_use {each.cells}" for each in avoided)
