# SPDX-License-Identifier: Apache-2.0
"""The answer of the doctor: one record for each part, and what is missing."""

from __future__ import annotations

import shutil
import subprocess
from enum import Enum
from typing import TYPE_CHECKING, Annotated

from samara.doctor.machine import Facility, facilities
from samara.doctor.packages import Package, packages
from samara.programs import PROGRAMS, Program
from samara.records import (
    Answer,
    Field,
    Parameter,
    Record,
    Refusal,
    Remark,
    Request,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_TIMEOUT_S = 10


class Kind(Enum):
    """What a part is."""

    MACHINE = "machine"
    PACKAGE = "python-package"
    PROGRAM = "program"


@request_class
class DoctorRequest(Request):
    """What the doctor tells."""

    missing: Annotated[
        bool, Parameter(help="Show only what is missing, with what to install.")
    ] = False


@record_class
class DoctorPart(Record):
    """Something that samara uses, and whether this machine has it."""

    TYPE = "doctor_part"

    name: Annotated[str, Field("Its name.", heading="part")]
    kind: Annotated[Kind, Field("What it is.", heading="kind")]
    is_there: Annotated[bool, Field("Whether it is there.", heading="there")]
    needed: Annotated[bool, Field("Whether every user needs it.", heading="needed")]
    version: Annotated[
        str,
        Field(
            "Its version, or what was found; may be empty.",
            heading="version",
            wraps=True,
        ),
    ]
    path: Annotated[
        str, Field("Its file or directory, there or not; empty if it is none.")
    ]
    serves: Annotated[
        str, Field("Commands and links that use it.", heading="used by", wraps=True)
    ]
    advice: Annotated[
        str,
        Field(
            "What to do where it is missing; else empty.",
            heading="to install",
            wraps=True,
        ),
    ]


def examine(request: DoctorRequest) -> Answer[DoctorPart]:
    """Yield what is there and what is missing; refuse if a needed part is missing."""
    parts = list(_parts())
    missing = [each for each in parts if not each.is_there]
    yield from missing if request.missing else parts
    yield Remark(_summary(parts))
    if needed := [each.name for each in missing if each.needed]:
        yield Refusal(f"samara needs what is missing here: {', '.join(needed)}")


def _parts() -> Iterator[DoctorPart]:
    yield from map(_of_machine, facilities())
    yield from map(_of_package, packages())
    yield from map(_of_program, PROGRAMS)


def _summary(parts: list[DoctorPart]) -> str:
    missing = sum(not each.is_there for each in parts)
    if not missing:
        return f"All {len(parts)} parts are there."
    return f"{len(parts) - missing} of {len(parts)} parts are there."


def _of_machine(found: Facility) -> DoctorPart:
    return DoctorPart(
        name=found.name,
        kind=Kind.MACHINE,
        is_there=found.is_there,
        needed=found.needed,
        version=found.found,
        path=str(found.path or ""),
        serves=found.serves,
        advice="" if found.is_there else found.advice,
    )


def _of_package(found: Package) -> DoctorPart:
    return DoctorPart(
        name=found.name,
        kind=Kind.PACKAGE,
        is_there=bool(found.version),
        needed=found.needed,
        version=found.version,
        path="",
        serves=found.serves,
        advice="" if found.version else found.advice,
    )


def _of_program(program: Program) -> DoctorPart:
    path = shutil.which(program.command)
    runs, version = _tried(path, program.version) if path else (False, "")
    install = f"apt-get install {program.package}"
    failed = f"it does not run: set it up, or {install}"
    return DoctorPart(
        name=program.command,
        kind=Kind.PROGRAM,
        is_there=runs,
        needed=False,
        version=version,
        path=path or "",
        serves=program.serves,
        advice="" if runs else failed if path else install,
    )


def _tried(path: str, option: str) -> tuple[bool, str]:
    """Return whether a program runs, and the first line about its version, or "".

    A file of its name is not enough: that of cargo, by rustup, may have no compiler
    behind it. Without an option that tells the version, it is not tried.
    """
    if not option:
        return True, ""
    try:
        done = subprocess.run(  # noqa: S603 - a program of the table
            [path, option],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        # It is slow, as a browser on a busy machine.
        return True, ""
    except OSError as error:
        return False, str(error.strerror)
    lines = (done.stdout or done.stderr).splitlines()
    first = next((line.strip() for line in lines if line.strip()), "")
    return done.returncode == 0, first
