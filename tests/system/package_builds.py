# SPDX-License-Identifier: Apache-2.0
"""Packages unpacked elsewhere, and what builds of them print."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

from programs import ROOT

from samara import crypto

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_TIMEOUT_S = 300.0


def unpacked(archive: Path, folder: Path) -> Path:
    """Unpack the archive of a package and return its top directory."""
    shutil.unpack_archive(archive, folder)
    (top,) = folder.iterdir()
    return top


def alone(*command: str | Path, cwd: Path) -> str:
    """Run a program that has to succeed, with nothing of this project in reach.

    Its environment has the system's programs, no others, and no settings.
    """
    done = subprocess.run(
        command,
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "HOME": str(cwd), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    words = " ".join(map(str, command))
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}"
    assert str(ROOT) not in done.stdout
    return done.stdout


def expected() -> list[str]:
    """Return what packages/shared/seal.c prints, by samara's Python package."""
    suite = crypto.suite("ascon-aead128")
    sealed = suite.seal(bytes(range(16)), bytes([1, *[0] * 15]), b"21.5 C")
    return [f"sealed {sealed.hex()}", "opened 21.5 C"]


def compiled(options: Sequence[str | Path], folder: Path) -> list[str]:
    """Compile a program for this machine, run it and return its lines."""
    alone("gcc", *options, "-o", folder / "program", cwd=folder)
    return alone(folder / "program", cwd=folder).splitlines()


def processors() -> str:
    """Return the option of make that uses all processors."""
    return f"-j{os.cpu_count() or 1}"
