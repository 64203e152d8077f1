# SPDX-License-Identifier: Apache-2.0
"""What is done before the first run of programs, and what is said of netlists."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from samara.chip import timing, tools
from samara.records import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.chip.fpga import Part
    from samara.chip.library import Library
    from samara.chip.synthesis import Netlist


def prepare(library: Library) -> Iterator[Notice]:
    """Prepare programs for synthesis; yield what takes long, and what a library lacks.

    Raises
    ------
    samara.errors.MisuseError
        If a program is missing.
    """
    if not library.has_clock_gate:
        yield Notice(
            f"{library.name} has no clock-gating cell: each flip-flop with an enable"
            " takes a multiplexer"
        )
    tools.found(tools.OPENSTA)
    yield from _prepare_yosys()


def prepare_placing(part: Part) -> Iterator[Notice]:
    """Prepare programs for a part: they compile themselves when called first.

    That must be over before they are called in parallel.
    """
    yield from _prepare_yosys()
    family = part.family
    if not tools.nextpnr_is_prepared(family):
        text = f"the first call of nextpnr-{family} compiles it: about a minute"
        yield Notice(text, at_once=True)
        with tempfile.TemporaryDirectory() as folder:
            tools.nextpnr(family, ("--version",), Path(folder))


def _prepare_yosys() -> Iterator[Notice]:
    if not tools.yosys_is_prepared():
        text = "the first call of yosys compiles it, which takes about a minute"
        yield Notice(text, at_once=True)
        with tempfile.TemporaryDirectory() as folder:
            tools.prepare_yosys(Path(folder))


def slow_pins(netlist: Netlist) -> Iterator[Notice]:
    """Yield whether pins change more slowly than the library's tables reach."""
    slow = timing.slow_pins(netlist.folder)
    if not slow:
        return
    worst = max(slow, key=lambda pin: pin.takes_ns)
    core, goal = netlist.run.core.name, netlist.run.goal
    text = (
        f"{core}, netlist for {goal}: {len(slow)} pins change more slowly than the"
        f" library allows (worst {worst.takes_ns:g} ns, at most"
        f" {worst.limit_ns:g} ns): its power is read beyond the library's tables"
    )
    yield Notice(text, warns=True)
