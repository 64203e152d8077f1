# SPDX-License-Identifier: Apache-2.0
"""CMake builds under build/test, kept between runs."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from testing.session import ROOT, Command, Session

_CXX = {"gcc": "g++", "clang": "clang++"}


@dataclass(frozen=True)
class Build:
    """One way to build samara: compiler, optimisation, machine, CMake options."""

    compiler: str
    optimisation: str
    machine: str = "native"
    purpose: str = ""
    options: tuple[str, ...] = ()
    debug: bool = False

    @property
    def name(self) -> str:
        """Name it by what is not the usual: `gcc-O2`, `clang-O2-flash`."""
        parts = [self.purpose, f"{self.compiler}{self.optimisation}"]
        if self.machine != "native":
            parts.append(self.machine)
        return "-".join(part for part in parts if part)

    def folder(self, session: Session) -> Path:
        """Name the folder it is built in."""
        return session.build / self.name

    def definitions(self) -> list[str]:
        """List what CMake is told."""
        # The valgrind of Debian 12 does not read what clang writes by default.
        debug = " -gdwarf-4" if self.debug else ""
        flags = f"{self.optimisation}{debug}"
        return [
            f"-DCMAKE_C_COMPILER={self.compiler}",
            f"-DCMAKE_CXX_COMPILER={_CXX[self.compiler]}",
            "-DCMAKE_BUILD_TYPE=",
            f"-DCMAKE_C_FLAGS={flags}",
            f"-DCMAKE_CXX_FLAGS={flags}",
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
            f"-DSAMARA_MACHINE={self.machine}",
            "-DSAMARA_TESTS=ON",
            "-DSAMARA_WERROR=ON",
            *self.options,
        ]


def matrix(
    compilers: Sequence[str],
    optimisations: Sequence[str],
    machines: Sequence[str] = ("native",),
    purpose: str = "",
    options: tuple[str, ...] = (),
) -> list[Build]:
    """List the builds of every combination."""
    return [
        Build(compiler, optimisation, machine, purpose, options)
        for machine in machines
        for compiler in compilers
        for optimisation in optimisations
    ]


def configure(session: Session, build: Build) -> bool:
    """Configure a build; a failure is reported."""
    folder = build.folder(session)
    if _belongs_elsewhere(folder):
        shutil.rmtree(folder)
    command: Command = [
        "cmake",
        "-S",
        ROOT,
        "-B",
        folder,
        "-G",
        "Ninja",
        *build.definitions(),
    ]
    outcome = session.command(f"configure {build.name}", command)
    if not outcome.ok and folder.exists():
        # What an interrupted run left may be what is wrong.
        shutil.rmtree(folder)
        outcome = session.command(f"configure {build.name}", command)
    if not outcome.ok:
        session.fail_with(f"configure {build.name}", outcome)
    return outcome.ok


def make(session: Session, build: Build, *targets: str) -> bool:
    """Configure and build; a failure is reported, with the compiler's words."""
    if not configure(session, build):
        return False
    jobs = str(session.options.jobs)
    command: Command = [
        *("cmake", "--build", build.folder(session), "--parallel", jobs),
        *(("--target", *targets) if targets else ()),
    ]
    outcome = session.command(f"build {build.name}", command)
    if not outcome.ok:
        session.fail_with(f"build {build.name}", outcome)
    return outcome.ok


def _belongs_elsewhere(folder: Path) -> bool:
    """Tell whether the folder was configured for a repository in another place."""
    cache = folder / "CMakeCache.txt"
    if not cache.exists():
        return False
    return f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" not in cache.read_text()
