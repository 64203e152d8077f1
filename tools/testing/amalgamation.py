# SPDX-License-Identifier: Apache-2.0
"""The single-file form of the library, compiled alone by every compiler."""

from dataclasses import dataclass
from pathlib import Path

from testing.builds import Build, make
from testing.session import Command, Session, Stage

_STRICT = ("-Wall", "-Wextra", "-Werror")
_AVR = ("-Os", "-std=gnu11", *_STRICT)


@dataclass(frozen=True)
class Compilation:
    """A compiler that must take the amalgamation without a warning."""

    what: str
    command: tuple[str, ...]


HOSTS = (
    Compilation("gcc", ("gcc", "-std=c11", "-O2", "-pedantic", *_STRICT)),
    Compilation("clang", ("clang", "-std=c11", "-O2", "-pedantic", *_STRICT)),
)
DEVICES = (
    Compilation("avr atmega328p", ("avr-gcc", "-mmcu=atmega328p", *_AVR)),
    Compilation("avr atmega128", ("avr-gcc", "-mmcu=atmega128", *_AVR)),
    Compilation(
        "avr atmega328p, C11",
        ("avr-gcc", "-mmcu=atmega328p", "-Os", "-std=c11", *_STRICT),
    ),
)
_MSP430 = (
    *("clang", "--target=msp430", "-mmcu=msp430f1611", "-std=c11", "-Os"),
    *("-ffreestanding", "-nostdinc", *_STRICT),
)


def amalgamation(session: Session) -> None:
    """Write the two files, then hand them to each compiler."""
    build = Build("gcc", "-O2")
    if not make(session, build, "amalgamation"):
        return
    folder = build.folder(session) / "amalgamation"
    compilations = [*HOSTS, *DEVICES, _msp430(session)]
    session.in_parallel(
        lambda compilation: _compile(session, folder, compilation), compilations
    )


def _msp430(session: Session) -> Compilation:
    """MSP430 has no C library here: only the compiler's own headers."""
    outcome = session.command("clang resources", ["clang", "-print-resource-dir"])
    headers = Path(outcome.output.strip()) / "include"
    return Compilation("msp430f1611", (*_MSP430, "-isystem", str(headers)))


def _compile(session: Session, folder: Path, compilation: Compilation) -> None:
    target = session.build / "amalgamation"
    target.mkdir(parents=True, exist_ok=True)
    output = target / f"{compilation.what.replace(' ', '-')}.o"
    command: Command = [*compilation.command, "-c", folder / "samara.c", "-o", output]
    session.check(compilation.what, command)


STAGE = Stage(
    "amalgamation",
    "samara.c compiles on its own for hosts, AVR and MSP430",
    amalgamation,
)
