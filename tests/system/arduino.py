# SPDX-License-Identifier: Apache-2.0
"""Sketches: compiled by arduino-builder, and run in simavr."""

from __future__ import annotations

import re
import subprocess
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from firmware_boards import BoardRun, SimulatedBoard
from package_builds import alone

from samara.bench.simulators.avr_programs import avr_program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HARDWARE = "/usr/share/arduino/hardware"
_BUILDER = "/usr/share/arduino-builder"
_PREFERENCES = (
    "runtime.tools.avr-gcc.path=/usr",
    "compiler.path=/usr/bin/",
    # Debian's avr-gcc 5.4 defines it for C alone; the core's Print.cpp needs it.
    "compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__",
)
BOARDS = {
    "uno": ("arduino:avr:uno", "atmega328p"),
    "mega": ("arduino:avr:mega:cpu=atmega2560", "atmega2560"),
}
CLOCK_HZ = 16_000_000
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_LIMIT_S = 120.0
_LONGEST_S = 1e9


def compiled(
    sketch: Path, board: str, libraries: Path, build: Path
) -> tuple[Path, str]:
    """Compile a sketch; return its program and what the builder printed.

    A directory that was built in before, for the same board, is used again.
    """
    build.mkdir(exist_ok=True)
    printed = alone(
        *("arduino-builder", "-compile", "-warnings", "all"),
        *("-hardware", _HARDWARE, "-hardware", _BUILDER, "-tools", _BUILDER),
        *("-libraries", libraries, "-fqbn", BOARDS[board][0], "-build-path", build),
        *(f"-prefs={preference}" for preference in _PREFERENCES),
        sketch,
        cwd=build,
    )
    return build / f"{sketch.name}.elf", printed


def board_of(name: str) -> SimulatedBoard:
    """Return the simulated board of one of `BOARDS`."""
    return SimulatedBoard((avr_program("board"),), BOARDS[name][1], CLOCK_HZ)


@contextmanager
def running(program: Path, board: str, eeprom: Path, port: Path) -> Iterator[None]:
    """Run a board at a port."""
    command = board_of(board).command(program, eeprom, _LONGEST_S, port=port)
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        try:
            yield
        finally:
            process.terminate()
            _, messages = process.communicate(timeout=_LIMIT_S)
    assert not BoardRun(b"", messages.decode()).is_torn


def printed_lines(program: Path, board: str, last: str) -> list[str]:
    """Run a program until its serial port says the last line; return all lines."""
    command = ("simavr", "-m", BOARDS[board][1], "-f", "16000000", program)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as simulator:
        limit = threading.Timer(_LIMIT_S, simulator.kill)
        limit.start()
        try:
            return list(_lines_until(simulator, last))
        finally:
            limit.cancel()
            simulator.kill()


def _lines_until(simulator: subprocess.Popen[str], last: str) -> Iterator[str]:
    assert simulator.stdout is not None
    seen = []
    for line in simulator.stdout:
        text = _COLOUR.sub("", line).strip()
        seen.append(text)
        # simavr shows the end of a line, CR LF, as two dots.
        if text.endswith(".."):
            yield text.removesuffix("..")
            if text.removesuffix("..").startswith(last):
                return
    pytest.fail(f"simavr ended before {last!r}: {seen}")
