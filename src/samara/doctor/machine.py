# SPDX-License-Identifier: Apache-2.0
"""What of the machine itself samara needs: the clock, random numbers, directories."""

from __future__ import annotations

import os
import platform
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from samara.user_folders import user_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

_CPU = Path("/proc/cpuinfo")
_SIMAVR = Path("/usr/include/simavr/sim_avr.h")
_FAST = ("aes", "pclmulqdq", "avx2", "vaes")
"""Flags of x86-64 processors for which samara has code of its own."""


class Facility(NamedTuple):
    """Something of the machine, and whether it is as samara needs it."""

    name: str
    is_there: bool
    found: str
    """What was found: a version, a path, flags."""
    serves: str
    advice: str
    """What to do where it is not there; may be empty."""
    needed: bool = True


def facilities() -> Iterator[Facility]:
    """Yield what is found of this machine."""
    yield _extension()
    yield _randomness()
    yield _clock()
    yield _folder("XDG_STATE_HOME", ".local/state", "node (its reserved counters)")
    yield _folder("XDG_DATA_HOME", ".local/share", "bench (what it builds)")
    yield _fast_paths(_CPU)
    yield _simavr(_SIMAVR)


def _extension() -> Facility:
    return Facility(
        "C library (samara._core)",
        find_spec("samara._core") is not None,
        platform.machine(),
        "all commands",
        "pip install --force-reinstall samara",
    )


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
    )


def is_writable(path: Path) -> bool:
    """Return whether a directory can be written, or made if there is none."""
    there = next(each for each in (path, *path.parents) if each.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def _fast_paths(cpu: Path) -> Facility:
    flags = flags_of(cpu)
    return Facility(
        "instructions of the processor",
        bool(flags),
        " ".join(flags),
        "speed, and seal in less time",
        "nothing to do: portable code takes their place",
        needed=False,
    )


def _simavr(header: Path) -> Facility:
    """Look for the simulator of AVR, a library that a C compiler takes."""
    return Facility(
        "simavr (library)",
        header.exists(),
        "found" if header.exists() else "",
        "bench run for AVR",
        "apt-get install libsimavr-dev libelf-dev",
        needed=False,
    )


def flags_of(cpu: Path) -> list[str]:
    """Return which of the instructions that samara has code for Linux names."""
    try:
        words = cpu.read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return []
    return [each for each in _FAST if each in words]
