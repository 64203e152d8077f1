# SPDX-License-Identifier: Apache-2.0
"""Processors from their descriptions in Verilog, which Verilator makes programs of.

A core is a directory of the family's `cores`: core.toml says which Python package
has the Verilog, and machine.v or .sv puts it between memory and the marks of the bench.
The cycles are the edges of its clock.
"""

from __future__ import annotations

import contextlib
import shutil
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from samara import atomic_files
from samara.bench import images, places, toolchain
from samara.bench.hashing import hash_of_files
from samara.bench.simulators.runner import Runner
from samara.errors import MisuseError
from samara.extras import need
from samara.locks import PathLock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from samara.bench.devices import Device

_EXTRA = "riscv"
_VERILATOR_FLAGS = (
    *("--cc", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--no-assert"),
    # Without what only simulations have: tracers, and counters of coverage.
    "-DSYNTHESIS",
    # Others' designs are as they are.
    *("-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-TIMESCALEMOD"),
    *("--top-module", "machine", "--prefix", "Vmachine", "--output-split", "0"),
)
_COMPILER_FLAGS = (
    *("-std=c++17", "-O2", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0"),
)
_LIBRARY = ("verilated.cpp", "verilated_threads.cpp")


class Verilated(Runner):
    """A processor made of its Verilog, with a program in it."""

    def __init__(self, device: Device, image: Path) -> None:
        sizes = (device.ram_start, device.ram_bytes, device.flash_bytes)
        folder = device.family.folder
        super().__init__([str(_runner(folder, device.core)), *map(str, sizes)])
        for address, data in images.contents(image):
            self.write(address, data)

    def registers(self) -> Sequence[bytes]:
        """Return x1 to x31, of 4 bytes each."""
        return self._words("x")


@cache
def _runner(family: Path, core: str) -> Path:
    """Return the program of a core; it is built when it is not there yet.

    Raises
    ------
    samara.errors.MisuseError
        If there is no such core.
    samara.extras.MissingPackageError
        If Verilator or the package with the core's Verilog is not installed.
    samara.bench.toolchain.BuildError
        If it cannot be built.
    """
    folder = family / "cores" / core
    if not (folder / "core.toml").is_file():
        known = sorted(path.parent.name for path in folder.parent.glob("*/core.toml"))
        message = f"core of a device is {core!r}: expected {' or '.join(known)}"
        raise MisuseError(message)
    verilog, includes = _verilog(folder)
    runner = family / "runner"
    config = _package("verilator") / "include" / "verilated_config.h"
    read = [folder, runner, *verilog, config]
    target = places.made() / f"riscv-{core}-{hash_of_files(read)}"
    if not target.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        # It takes a minute, and processes that measure begin together.
        with contextlib.closing(PathLock(target, waits=True)):
            if not target.is_file():
                machine = [*verilog, *sorted(folder.glob("machine.*v"))]
                _build(target, machine, includes, runner)
    return target


def _build(
    target: Path, verilog: Iterable[Path], includes: Iterable[Path], runner: Path
) -> None:
    """Make the program of a core from its Verilog; nobody else makes it meanwhile."""
    verilator = _package("verilator")
    with (
        atomic_files.made_by(target) as temporary,
        _emptied(target.with_name(f"{target.name}.making")) as folder,
    ):
        _verilate(verilog, includes, folder, verilator)
        _compile(folder, runner, verilator, temporary)


@contextlib.contextmanager
def _emptied(folder: Path) -> Iterator[Path]:
    """Provide a directory, without what a process left that was killed, and remove it.

    One of a name of its own would stay.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _package(name: str) -> Path:
    """Return the directory of an optional package."""
    return Path(str(need(name, _EXTRA).__file__)).parent


def _verilog(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the files of a core and the directories of what they include."""
    stated = tomllib.loads((folder / "core.toml").read_text(encoding="utf-8"))
    package = _package(stated["package"])
    paths = ([package / name for name in stated.get(key, ())] for key in _PATHS)
    files, includes = paths
    return files, includes


_PATHS = ("files", "includes")


def _verilate(
    verilog: Iterable[Path], includes: Iterable[Path], into: Path, verilator: Path
) -> None:
    """Make C++ of Verilog."""
    # It finds its own files by this variable alone.
    command: list[str | Path] = ["env", f"VERILATOR_ROOT={verilator}"]
    command += [verilator / "bin" / "verilator_bin", *_VERILATOR_FLAGS, "-Mdir", into]
    toolchain.run([*command, *(f"-I{path}" for path in includes), *verilog])


def _compile(made: Path, runner: Path, verilator: Path, target: Path) -> None:
    """Compile what was made with the runner."""
    include = verilator / "include"
    sources = [*sorted(made.glob("*.cpp")), *sorted(runner.glob("*.cpp"))]
    sources += [include / name for name in _LIBRARY]
    searched = (f"-I{path}" for path in (made, include, include / "vltstd"))
    command: list[str | Path] = ["c++", *_COMPILER_FLAGS, *searched, *sources]
    toolchain.run([*command, "-o", target, "-lpthread"])
