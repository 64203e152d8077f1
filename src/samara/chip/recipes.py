# SPDX-License-Identifier: Apache-2.0
"""Scripts of yosys: from the sources of a core to a netlist of a library's cells.

There are two recipes, one for each goal. What they share: the hierarchy is
flattened, clocks are gated where the library has a cell for it and enough flip-flops
share an enable, and all is mapped by ABC. A recipe may have several scripts for ABC,
each of which makes a netlist of its own: no one of them is the best for all cores and
libraries. `samara.chip.synthesis` keeps the smallest of these netlists. Each script has
a call of yosys of its own, since ABC ends yosys where it fails.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from samara.chip.design import CORE, module_of, sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from samara.chip.design import Core
    from samara.chip.library import Library

MAX_LOADS = 32
"""Gates that one gate may drive in a small netlist. Without a limit a few gates drive
hundreds: 0.4 % less area, paths several times as long, and slopes that the library's
tables of power do not have."""

LIBERTY = "library.lib"
"""Name of the library's copy in the directory of a run."""
NETLIST = "netlist.v"
SCRIPT = "script.ys"
"""Commands for yosys that come before ABC."""
_UNMAPPED = "unmapped.il"
"""What each script for ABC begins with."""
CONSTRAINTS = "drive.constr"

_LOAD_FF = 10
"""Load of each output in femtofarad, for ABC: that of a few gates."""


class Goal(StrEnum):
    """What a netlist is made for; the values are those of --goal."""

    AREA = "area"
    SPEED = "speed"


class Candidate(NamedTuple):
    """Files of the netlist that one script for ABC makes."""

    netlist: str
    statistics: str
    """Numbers of its cells by their names, as JSON."""
    mapping: str
    """The script."""
    commands: str
    """Commands for yosys that call it."""


class _Recipe(NamedTuple):
    """What a goal changes."""

    synth: str
    """Options of the command synth. States of the control are one-hot unless
    -nofsm keeps the numbers that the sources have."""
    min_gated: int
    """Flip-flops with one enable, from which on they get a clock gate."""
    delay_ps: int
    """What ABC may take for a path; 100 ns is no limit."""
    mappings: tuple[tuple[str, ...], ...]
    """Commands for ABC, one row a netlist; its own script for delay where a row is
    empty."""


_CLEANED = ("strash", "ifraig", "scorr")
"""Equal gates become one."""

_RESUBSTITUTED = (
    *("balance -l", "resub -K 6 -l", "rewrite -l", "resub -K 6 -N 2 -l"),
    *("refactor -l", "resub -K 8 -l", "balance -l", "resub -K 8 -N 2 -l"),
    *("rewrite -l", "resub -K 10 -l", "rewrite -z -l", "resub -K 10 -N 2 -l"),
    *("balance -l", "resub -K 12 -l", "refactor -z -l", "resub -K 12 -N 2 -l"),
    *("rewrite -z -l", "balance -l"),
)
"""A gate is replaced where others that are there already make its function. The cuts
become wider, from 6 inputs to 12, in the order of ABC's own compress2rs."""

_BUFFERED = ("topo", f"buffer -N {MAX_LOADS}", "topo", "dnsize")

_MAPPED = ("dch -f", "map -a -B 0.9", *_BUFFERED)
"""The smallest cells, by several structures of the same logic."""

_GIA_MAPPED = ("&get -n", "&dch -f", "&nf -R 100 -F 500 -a 10", "&put")
"""The same by ABC's newer mapper, with many more rounds than it takes by itself."""

_MAPPED_AGAIN = (*_GIA_MAPPED, *_BUFFERED)

_CHANGED = ("mfs3 -a",)
"""A cell becomes a smaller one, or goes, where no output tells the difference."""

_MAPPED_IN_ROUNDS = (
    *(*_GIA_MAPPED, *_CHANGED, "strash"),
    *(*_GIA_MAPPED, *_CHANGED, "strash"),
    *(*_GIA_MAPPED, *_CHANGED),
    *_BUFFERED,
)
"""Three rounds, each of which begins with the gates that the one before found."""

_MAPPED_BY_AREA = (
    *("dc2", "resub -K 8", "rewrite", "dch -f", "amap -m"),
    *_BUFFERED,
)
"""The cells that ABC's mapper for area alone takes, behind two rewritings."""

RECIPES = {
    Goal.AREA: _Recipe(
        # synth's own call of ABC restructures the pair of gates with which the
        # accumulator adds and is cleared; mapping does not find it again.
        "-nofsm -noabc",
        3,
        100_000,
        (
            # The smallest of plain cores up to N = 4 (sky130).
            (*_CLEANED, "drwsat", *_MAPPED_IN_ROUNDS),
            # The smallest of plain ones from N = 16 on (OSU018).
            (*_CLEANED, "dc2", *_MAPPED_IN_ROUNDS),
            # The smallest of isolated cores up to N = 16.
            (*_CLEANED, "dc2", *_MAPPED),
            # Those that were the smallest of plain ones before.
            (*_CLEANED, *_RESUBSTITUTED, *_MAPPED_AGAIN),
            (*_CLEANED, *_MAPPED_AGAIN),
            # The smallest of most cores in OSU018, and from N = 32 on in all libraries.
            ("strash", *_MAPPED_BY_AREA),
        ),
    ),
    Goal.SPEED: _Recipe("", 8, 50, ((),)),
}
"""What each goal changes."""


def candidates(goal: Goal) -> list[Candidate]:
    """Return the files of each netlist that the recipe for a goal makes."""
    return [
        Candidate(*(f"candidate-{k}.{kind}" for kind in ("v", "json", "abc", "ys")))
        for k in range(len(RECIPES[goal].mappings))
    ]


def files(core: Core, library: Library, goal: Goal, top: str = CORE) -> dict[str, str]:
    """Return the files of a run by their names, without the library's.

    yosys is to run `SCRIPT`, and then the commands of each candidate. `top` is "core",
    or the wrapper around it.
    """
    recipe = RECIPES[goal]
    paths = sources(module_of(top))
    found = {path.name: path.read_text(encoding="utf-8") for path in paths}
    driver = f"set_driving_cell {library.driver}\n" if library.driver else ""
    found[CONSTRAINTS] = f"{driver}set_load {_LOAD_FF}\n"
    for candidate, commands in zip(candidates(goal), recipe.mappings, strict=True):
        if commands:
            found[candidate.mapping] = _lines(commands)
        script = candidate.mapping if commands else ""
        found[candidate.commands] = _lines(_mapping(library, goal, candidate, script))
    found[SCRIPT] = _lines(_commands(core, library, goal, top))
    return found


def _lines(commands: Iterable[str]) -> str:
    return "\n".join(commands) + "\n"


def _commands(core: Core, library: Library, goal: Goal, top: str) -> Iterator[str]:
    recipe, unused, module = RECIPES[goal], _unused(library, goal), module_of(top)
    yield "read_verilog " + " ".join(path.name for path in sources(module))
    yield f"chparam {parameters(core, wrapped=top != CORE)} {module}"
    yield f"synth {recipe.synth} -flatten -top {module}"
    yield "opt -full"
    yield "dfflegalize -cell $_DFF_P_ x -cell $_DFFE_PP_ x"
    if library.has_clock_gate:
        cell = library.rules.clock_gate
        given = f"-pos {cell}" if cell else f"-liberty {LIBERTY}{unused}"
        yield f"clockgate {given} -min_net_size {recipe.min_gated}"
        yield "dfflegalize -cell $_DFF_P_ x"
    yield "opt"
    yield f"dfflibmap -liberty {LIBERTY}{unused}"
    yield f"write_rtlil {_UNMAPPED}"


def _mapping(
    library: Library, goal: Goal, candidate: Candidate, script: str
) -> Iterator[str]:
    """Yield the commands that make a netlist; without a script ABC takes its own."""
    yield f"read_rtlil {_UNMAPPED}"
    yield (
        f"abc -liberty {LIBERTY} -constr {CONSTRAINTS} -D {RECIPES[goal].delay_ps}"
        + _unused(library, goal)
        + (f" -script {script}" if script else "")
    )
    yield from ("setundef -zero", "splitnets", "opt_clean -purge")
    yield "delete t:$scopeinfo"
    yield f"tee -q -o {candidate.statistics} stat -json"
    yield f"write_verilog -noattr -noexpr -nohex -nodec {candidate.netlist}"


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


def _unused(library: Library, goal: Goal) -> str:
    rules = library.rules
    avoided = rules.avoid + (rules.avoid_fast if goal is Goal.SPEED else ())
    return "".join(f" -dont_use {each.cells}" for each in avoided)
