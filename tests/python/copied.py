# SPDX-License-Identifier: Apache-2.0
"""A copy of samara's Python sources, to which a test adds files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from shell import TIMEOUT_S, Done, environment

from samara import _core

ROOT = Path(__file__).resolve().parents[2]
# What commands read besides.
COPIED = ("published",)
LINKED = ("core", "devices", "firmware", "results")

# Python runs it first, in the processes that a command starts, too: the extension of
# the installed package is found before PYTHONPATH.
SITECUSTOMIZE = """
import sys
sys.meta_path[:] = [
    f for f in sys.meta_path if type(f).__name__ != "ScikitBuildRedirectingFinder"
]
"""

_RUN = "import sys; from samara.cli.running import run; sys.exit(run(sys.argv[1:]))"


@dataclass(frozen=True, slots=True)
class Copy:
    """The root of a copy."""

    root: Path

    def add(self, place: str, text: str) -> None:
        """Write a file that was not there."""
        path = self.root / place
        assert not path.exists(), f"{place} is not new"
        path.write_text(text, encoding="utf-8")

    def append(self, place: str, text: str) -> None:
        """Write at the end of a file."""
        path = self.root / place
        before = path.read_text(encoding="utf-8")
        path.write_text(before + text, encoding="utf-8")

    def insert(self, place: str, before: str, text: str) -> None:
        """Write in front of something that occurs once in a file."""
        path = self.root / place
        (head, tail) = path.read_text(encoding="utf-8").split(before)
        path.write_text(f"{head}{text}{before}{tail}", encoding="utf-8")

    def python(self, program: str, *arguments: str) -> Done:
        """Run a program with the packages of the copy."""
        return subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=self.root,
            env=environment() | {"PYTHONPATH": str(self.root / "src")},
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )

    def samara(self, *arguments: str) -> Done:
        """Run a command of the copy."""
        return self.python(_RUN, *arguments)

    @property
    def program(self) -> tuple[str, ...]:
        """The start of a command line, where `samara` stands otherwise."""
        path = f"PYTHONPATH={self.root / 'src'}"
        return ("env", path, sys.executable, "-c", _RUN)


def copy_of_sources(root: Path) -> Copy:
    """Copy the Python sources into a directory that is made."""
    shutil.copytree(
        ROOT / "src" / "samara",
        root / "src" / "samara",
        ignore=shutil.ignore_patterns("native", "__pycache__"),
    )
    extension = Path(_core.__file__)
    (root / "src" / "samara" / extension.name).symlink_to(extension)
    (root / "src" / "sitecustomize.py").write_text(SITECUSTOMIZE, encoding="utf-8")
    for name in COPIED:
        shutil.copytree(ROOT / name, root / name)
    for name in LINKED:
        (root / name).symlink_to(ROOT / name)
    return Copy(root)
