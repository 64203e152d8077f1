# SPDX-License-Identifier: Apache-2.0
"""The versions of what runs: the package, the C library in it, and Python."""

from __future__ import annotations

import platform
from typing import Annotated

import samara
from samara import _core
from samara.doctor.machine import CPU, sets_of
from samara.records import Field, Record, record_class


@record_class
class Versions(Record):
    """The versions of what runs, and the code that this processor makes it take."""

    TYPE = "version"

    package: Annotated[str, Field("Version of the Python package.")]
    c_library: Annotated[str, Field("Version of the C library in it.")]
    python: Annotated[str, Field("Version of Python.")]
    implementation: Annotated[str, Field("Implementation of Python, such as CPython.")]
    machine: Annotated[str, Field("Machine that it runs on, such as x86_64.")]
    instructions: Annotated[
        tuple[str, ...],
        Field(
            "Sets of instructions of this processor for which the C library has code"
            " of its own. Without any it takes portable code."
        ),
    ]


def versions() -> Versions:
    """Return what runs here."""
    return Versions(
        package=samara.__version__,
        c_library=_core.VERSION,
        python=platform.python_version(),
        implementation=platform.python_implementation(),
        machine=platform.machine(),
        instructions=tuple(sets_of(CPU)),
    )
