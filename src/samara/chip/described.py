# SPDX-License-Identifier: Apache-2.0
"""Results of cores as records: what was synthesised, simulated or placed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from samara.chip.design import Variant
from samara.figure import Figure
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from samara.chip import results


_CORE = Field("Name of the core.")
_N = Field("Pre-output bits a clock.")
_VARIANT = Field("How the core is built.")
_AUTHENTICATES = Field("Whether it seals and opens; otherwise it makes a keystream.")
_TOP = Field("What it is in: `core` (alone), `axi` or `spi` (with that wrapper).")
_GOAL = Field("What the netlist is made for: `area` or `speed`.")
_LIBRARY = Field("Name of the library of cells.")
_SHA256 = Field("Hash of the library's file.")
_CORNER = Field("Process, temperature and voltage that the figures hold for.")
_SOURCES = Field("Hash of the design's sources.")
_TOOLS = Field("Versions of the programs.")


@record_class
class Synthesis(Record):
    """Area and speed of a netlist."""

    core: Annotated[str, _CORE]
    n: Annotated[int, _N]
    variant: Annotated[Variant, _VARIANT]
    authenticates: Annotated[bool, _AUTHENTICATES]
    top: Annotated[str, _TOP]
    goal: Annotated[str, _GOAL]
    library: Annotated[str, _LIBRARY]
    library_sha256: Annotated[str, _SHA256]
    corner: Annotated[str, _CORNER]
    nand2: Annotated[str, Field("The cell of one gate equivalent.")]
    sources: Annotated[str, _SOURCES]
    tools: Annotated[Mapping[str, str], _TOOLS]
    flip_flops: Annotated[int, Field("Number of flip-flops.")]
    latches: Annotated[int, Field("Number of latches.")]
    clock_gates: Annotated[int, Field("Number of clock gates.")]
    beyond_limits: Annotated[
        int | None,
        Field("Pins that change more slowly, or drive more, than the library allows."),
    ]
    area: Annotated[Figure, Field("Area of all.", unit="GE")]
    flip_flops_area: Annotated[Figure, Field("Area of the flip-flops.", unit="GE")]
    clock_gates_area: Annotated[Figure, Field("Area of the clock gates.", unit="GE")]
    path: Annotated[Figure, Field("The longest path between two flip-flops.", unit="s")]
    path_with_ports: Annotated[
        Figure, Field("The longest path, those from and to ports among them.", unit="s")
    ]
    clock: Annotated[Figure, Field("The fastest clock.", unit="Hz")]
    throughput: Annotated[
        Figure, Field("Of message or keystream, at that clock.", unit="bit/s")
    ]


@record_class
class Power(Record):
    """Power of a netlist while it works, from simulated messages."""

    core: Annotated[str, _CORE]
    n: Annotated[int, _N]
    variant: Annotated[Variant, _VARIANT]
    authenticates: Annotated[bool, _AUTHENTICATES]
    goal: Annotated[str, _GOAL]
    library: Annotated[str, _LIBRARY]
    library_sha256: Annotated[str, _SHA256]
    corner: Annotated[str, _CORNER]
    sources: Annotated[str, _SOURCES]
    tools: Annotated[Mapping[str, str], _TOOLS]
    clock: Annotated[float, Field("Clock that the figures are for.", unit="Hz")]
    messages: Annotated[int, Field("Simulated messages.")]
    message_bytes: Annotated[int, Field("Size of each of them.", unit="byte")]
    leakage: Annotated[Figure, Field("Power while nothing happens.", unit="W")]
    starting: Annotated[
        Figure, Field("Power before data: key, nonce, mixing.", unit="W")
    ]
    running: Annotated[Figure, Field("Power with data, or with the tag.", unit="W")]
    energy_per_bit: Annotated[Figure, Field("Energy of a bit of data.", unit="J")]
    energy_block: Annotated[Figure, Field("Energy of 64 bits with start.", unit="J")]
    energy_1000_blocks: Annotated[
        Figure, Field("Energy of 64,000 bits with start.", unit="J")
    ]
    running_parts: Annotated[
        Mapping[str, Figure],
        Field("`running` by part and kind, such as `generator/internal`.", unit="W"),
    ]
    leakage_parts: Annotated[
        Mapping[str, Figure], Field("`leakage` by part.", unit="W")
    ]


@record_class
class Placement(Record):
    """Area and speed of a core in a part with programmable logic."""

    core: Annotated[str, _CORE]
    n: Annotated[int, _N]
    variant: Annotated[Variant, _VARIANT]
    top: Annotated[str, _TOP]
    goal: Annotated[str, _GOAL]
    part: Annotated[str, Field("Name of the part.")]
    corner: Annotated[str, _CORNER]
    sources: Annotated[str, _SOURCES]
    tools: Annotated[Mapping[str, str], _TOOLS]
    cells: Annotated[int, Field("Logic cells of iCE40, look-up tables of ECP5.")]
    luts: Annotated[int, Field("Look-up tables of four inputs.")]
    flip_flops: Annotated[int, Field("Number of flip-flops.")]
    seeds: Annotated[int, Field("How often it was placed.")]
    best_seed: Annotated[int, Field("The seed with the fastest clock.")]
    path_from: Annotated[str, Field("Where the longest path begins.")]
    path_to: Annotated[str, Field("Where it ends.")]
    path_cells: Annotated[int, Field("Look-up tables and wide multiplexers on it.")]
    path_logic: Annotated[
        Figure, Field("Its time in cells; the rest is wires.", unit="s")
    ]
    clock: Annotated[Figure, Field("The fastest clock, of all seeds.", unit="Hz")]
    clock_median: Annotated[Figure, Field("Its median over the seeds.", unit="Hz")]
    throughput: Annotated[
        Figure, Field("Of message or keystream, at the fastest clock.", unit="bit/s")
    ]


def synthesis_of(row: results.Synthesis) -> Synthesis:
    """Return a result of synthesis as a record."""
    core = row.design
    return Synthesis(
        core=row.core,
        n=core.n,
        variant=core.variant,
        authenticates=core.authenticates,
        top=row.top,
        goal=row.goal,
        library=row.library,
        library_sha256=row.library_sha256,
        corner=row.corner,
        nand2=row.nand2,
        sources=row.sources,
        tools=row.tools,
        flip_flops=row.flip_flops,
        latches=row.latches,
        clock_gates=row.clock_gates,
        beyond_limits=row.beyond_limits,
        area=row.figure(row.area_ge, "GE"),
        flip_flops_area=row.figure(row.flip_flops_ge, "GE"),
        clock_gates_area=row.figure(row.clock_gates_ge, "GE"),
        path=row.figure(_seconds(row.inside_ns), "s"),
        path_with_ports=row.figure(_seconds(row.with_ports_ns), "s"),
        clock=row.figure(round(row.frequency_hz), "Hz"),
        throughput=row.figure(round(row.throughput_bit_s), "bit/s"),
    )


def power_of(row: results.Power, hertz: float) -> Power:
    """Return the power of a netlist at a clock as a record."""
    core = row.design

    def joules(size: int) -> Figure:
        return row.figure(row.energy_j(hertz, size), "J")

    return Power(
        core=row.core,
        n=core.n,
        variant=core.variant,
        authenticates=core.authenticates,
        goal=row.goal,
        library=row.library,
        library_sha256=row.library_sha256,
        corner=row.corner,
        sources=row.sources,
        tools=row.tools,
        clock=hertz,
        messages=row.messages,
        message_bytes=row.message_bytes,
        leakage=row.figure(row.leakage_w, "W"),
        starting=row.figure(row.power_w(hertz, row.start_j), "W"),
        running=row.figure(row.power_w(hertz, row.run_j), "W"),
        energy_per_bit=row.figure(row.energy_of_bit_j(hertz), "J"),
        energy_block=joules(8),
        energy_1000_blocks=joules(8000),
        running_parts={
            name: row.figure(row.power_w(hertz, value, leakage=False), "W")
            for name, value in row.run_parts_j.items()
        },
        leakage_parts={
            name: row.figure(value, "W") for name, value in row.leakage_parts_w.items()
        },
    )


def placement_of(row: results.Placement) -> Placement:
    """Return a placed core as a record."""
    core = row.design
    return Placement(
        core=row.core,
        n=core.n,
        variant=core.variant,
        top=row.top,
        goal=row.goal,
        part=row.library,
        corner=row.corner,
        sources=row.sources,
        tools=row.tools,
        cells=row.cells,
        luts=row.luts,
        flip_flops=row.flip_flops,
        seeds=len(row.clocks_hz),
        best_seed=int(row.best_seed),
        path_from=row.path_from,
        path_to=row.path_to,
        path_cells=row.path_cells,
        path_logic=row.figure(_seconds(row.path_logic_ns), "s"),
        clock=row.figure(round(row.best_hz), "Hz"),
        clock_median=row.figure(round(row.median_hz), "Hz"),
        throughput=row.figure(round(row.throughput_bit_s), "bit/s"),
    )


def _seconds(nanoseconds: float) -> float:
    return round(nanoseconds * 1e-9, 15)
