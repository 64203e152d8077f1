# SPDX-License-Identifier: Apache-2.0
"""What of the machine itself samara needs: the clock, random numbers, directories."""

from __future__ import annotations

import importlib
import os
import platform
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from samara.programs import CELL_LIBRARY, SIMAVR, SystemFile
from samara.records import report_script
from samara.user_folders import user_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

CORE = "samara._core"
REINSTALL = "pip install --force-reinstall samara"
CPU = Path("/proc/cpuinfo")
PAGE_ADVICE = f"run tools/setup in a clone; else {REINSTALL}"
PAGE = Path(__file__).parents[1] / "console" / "dist"
_AES = {"aes", "pclmulqdq", "ssse3", "sse4_1"}
_AVX2 = {"avx2", "bmi2"}
_AVX512 = _AVX2 | {"avx512f", "avx512dq", "avx512bw", "avx512vl"}
_WIDE_AES = _AES | {"vaes", "vpclmulqdq"}
SETS = {
    "AES-NI": _AES,
    "AVX2": _AVX2,
    "VAES-256": _AVX2 | _WIDE_AES,
    "AVX-512": _AVX512,
    "VAES-512": _AVX512 | _WIDE_AES,
    "VBMI2": _AVX512 | {"avx512vbmi", "avx512_vbmi2", "gfni"},
}
"""Sets of instructions for which the C library has code of its own, in the order of
core/arch/x86_64/cpu.h, and the flags of Linux that make up each. Linux names a flag
only where it also saves the registers."""


class Facility(NamedTuple):
    """Something of the machine, and whether it is as samara needs it."""

    name: str
    is_there: bool
    found: str
    """What was found: a version, a date, instructions."""
    serves: str
    advice: str
    """What to do where it is not there; may be empty."""
    needed: bool = True
    path: Path | None = None
    """Where it is, or would be; None of what is no file."""


def facilities() -> Iterator[Facility]:
    """Yield what is found of this machine."""
    yield _extension()
    yield _lock()
    yield _randomness()
    yield _clock()
    yield _folder("XDG_STATE_HOME", ".local/state", "node (its reserved counters)")
    yield _folder("XDG_DATA_HOME", ".local/share", "bench (what it builds)")
    yield _fast_paths(CPU)
    yield _built(
        "page of the console", PAGE / "index.html", "console (its API needs no page)"
    )
    yield _built(
        "charts of pages",
        report_script.FOLDER / "report.js",
        "reports, --html (tables need no chart)",
    )
    yield from map(of_file, (SIMAVR, CELL_LIBRARY))


def _extension() -> Facility:
    """Load the C library: a file for another Python or processor does not count."""
    reason = core_error()
    found = find_spec(CORE)
    return Facility(
        f"C library ({CORE})",
        reason is None,
        platform.machine() if reason is None else reason,
        "all commands",
        REINSTALL,
        path=Path(found.origin) if found and found.origin else None,
    )


def _lock() -> Facility:
    """Look whether one thread at a time runs in Python, as the C library needs it.

    A free-threaded Python takes the lock when it loads the library, unless it was
    told not to.
    """
    is_enabled = getattr(sys, "_is_gil_enabled", lambda: True)
    return Facility(
        "lock of Python (GIL)",
        is_enabled(),
        "one thread at a time in Python",
        "calls of the C library from threads",
        "start Python without PYTHON_GIL=0 and -X gil=0",
    )


def core_error() -> str | None:
    """Return why the C library cannot be loaded; None if it can."""
    try:
        importlib.import_module(CORE)
    except ImportError as error:
        return str(error)
    return None


def _randomness() -> Facility:
    """Ask whether the system has random numbers now, without waiting for them."""
    try:
        is_ready = len(os.getrandom(1, os.GRND_NONBLOCK)) == 1
    except BlockingIOError:
        is_ready = False
    return Facility(
        "random numbers of the system",
        is_ready,
        "getrandom",
        "keygen, node",
        "wait until the system has started, or give it a source of entropy",
    )


def _clock() -> Facility:
    """Look whether the clock shows a time after samara was installed."""
    return Facility(
        "clock",
        time.time() >= Path(__file__).stat().st_mtime,
        time.strftime("%Y-%m-%d", time.gmtime()),
        "dates of results and logs",
        "set the clock: it shows a time before samara was installed",
        needed=False,
    )


def _folder(variable: str, below_home: str, serves: str) -> Facility:
    path = user_folder(variable, below_home)
    return Facility(
        f"directory of ${variable}",
        path is not None and is_writable(path),
        str(path or "no home directory"),
        serves,
        f"make it writable, or set {variable} to a directory that is",
        path=path,
    )


def is_writable(path: Path) -> bool:
    """Return whether a directory can be written, or made if there is none."""
    # Path.exists raises an error below a directory that the user may not search.
    there = next(each for each in (path, *path.parents) if os.access(each, os.F_OK))
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def _fast_paths(cpu: Path) -> Facility:
    sets = sets_of(cpu)
    return Facility(
        "instructions of the processor",
        bool(sets),
        ", ".join(sets),
        "speed, and seal in less time",
        "nothing to do: portable code takes their place",
        needed=False,
    )


def _built(name: str, file: Path, serves: str) -> Facility:
    """Look for what a clone builds with Node, and a wheel has."""
    is_there = file.is_file()
    return Facility(
        name,
        is_there,
        "found" if is_there else "",
        serves,
        PAGE_ADVICE,
        needed=False,
        path=file.parent,
    )


def of_file(file: SystemFile) -> Facility:
    """Look for a file of a Debian package."""
    is_there = file.path.is_file()
    return Facility(
        file.name,
        is_there,
        "found" if is_there else "",
        file.serves,
        f"apt-get install {file.package}",
        needed=False,
        path=file.path,
    )


def sets_of(cpu: Path) -> list[str]:
    """Return the sets of instructions that the C library uses on this processor."""
    try:
        flags = set(cpu.read_text(encoding="utf-8", errors="replace").split())
    except OSError:
        return []
    return [name for name, needed in SETS.items() if needed <= flags]
