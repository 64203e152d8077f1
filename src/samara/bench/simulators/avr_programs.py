# SPDX-License-Identifier: Apache-2.0
"""Programs around libsimavr, each from a directory in devices/families/avr."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from samara.bench.simulators.runner_programs import runner_program

if TYPE_CHECKING:
    from pathlib import Path


@cache
def avr_program(name: str) -> Path:
    """Return a program, such as ``"runner"``; it is built when it is not there yet.

    Raises
    ------
    samara.bench.toolchain.ToolMissingError, samara.bench.toolchain.BuildError
        When it cannot be built.
    """
    return runner_program("avr", name, "-lsimavr", "-lelf")
