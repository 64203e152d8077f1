# SPDX-License-Identifier: Apache-2.0
"""A copy of the project to plant faults in, with a virtual environment of its own."""

from __future__ import annotations

import filecmp
import re
import shutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from testing import files
from testing.session import ROOT, VENV, Command, Session

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from testing.planted_rows import Mutation
    from testing.process import CommandResult

# Files of the project's root that are not found as sources are.
_DOT_FILES = (
    ".clang-format",
    ".clang-tidy",
    ".gitattributes",
    ".gitignore",
    ".pre-commit-config.yaml",
)
# Inputs of tests that are no sources, and are not found as those are.
_INPUTS = ("tests/fuzz/corpus",)
# Sources that tools/setup compiles, so that it must run after a change.
_COMPILED = re.compile(r"^(core|cmake|gr-samara)/|/native/|CMakeLists")
# These stages compile what they test themselves.
_SELF_BUILT = {"c", "sanitizers", "constant-time", "fuzz", "vectors", "amalgamation"}
# Longest that a test may take that meets a fault, in seconds.
_TIMEOUT_S = 600.0
# Where a virtual environment names the place that it was made in.
_PLACED = (
    "pyvenv.cfg",
    "bin/*",
    "lib/python3*/site-packages/*.pth",
    "lib/python3*/site-packages/*samara*.py",
    "lib/python3*/site-packages/samara-*/*",
    "lib/cmake/*/*",
    "lib/pkgconfig/*",
)


class Tree:
    """A copy of the project.

    Parameters
    ----------
    number
        Trees with different numbers can be used at the same time.
    """

    def __init__(self, session: Session, number: int = 0) -> None:
        self._session = session
        self._folder = session.build / "mutations" / f"tree-{number}"
        copy_project(self._folder)
        _copy_venv(self._folder / ".venv", self._folder)
        # Whether what tools/setup compiles differs from what it compiled last.
        self._stale = False

    def run(self, rows: Sequence[Mutation], what: str) -> CommandResult:
        """Run the tests of rows that have the stage and the files of tests in common.

        What their stage does not compile itself is compiled before.
        """
        if self._stale and rows[0].stage not in _SELF_BUILT:
            result = self._set_up(what)
            if not result.ok:
                return result
        return self._session.command(
            what,
            self._command(rows),
            folder=self._folder,
            extra={"PYTHONPATH": str(self._folder / "tools")},
            timeout_s=_TIMEOUT_S,
        )

    def run_with(self, row: Mutation) -> CommandResult:
        """Plant a fault, run its test, and take the fault out again."""
        path = self._folder / row.file
        source = path.read_text()
        self._write(path, row.planted(source))
        try:
            return self.run([row], row.name)
        finally:
            self._write(path, source)

    def _command(self, rows: Sequence[Mutation]) -> Command:
        python = self._folder / ".venv" / "bin" / "python"
        only = " or ".join(sorted({f"({row.only})" for row in rows}))
        modules = rows[0].modules()
        if not modules:
            return [python, "-m", "testing", rows[0].stage, "-k", rows[0].only]
        # To collect all tests takes twenty times as long as most of these.
        return [
            *(python, "-m", "pytest", "-q", "-x", "-k", only),
            *(self._folder / path.relative_to(ROOT) for path in modules),
        ]

    def _set_up(self, what: str) -> CommandResult:
        self._stale = False
        return self._session.command(
            f"setup {what}",
            [self._folder / "tools" / "setup"],
            folder=self._folder,
            extra={"SAMARA_SKIP_PACKAGES": "1"},
        )

    def _write(self, path: Path, text: str) -> None:
        """Write a source so that nothing compiled before is taken for it."""
        path.write_text(text)
        # Python compares whole seconds and the size.
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()
        name = path.relative_to(self._folder).as_posix()
        self._stale = self._stale or _COMPILED.search(name) is not None


def needs_setup(row: Mutation) -> bool:
    """Whether tools/setup has to compile before the test of this row can run."""
    return row.stage not in _SELF_BUILT and _COMPILED.search(row.file) is not None


def copy_project(folder: Path) -> None:
    """Make the folder hold the project's files and no other sources."""
    wanted = [*files.all_files(), *(ROOT / name for name in _DOT_FILES)]
    names = {path.relative_to(ROOT) for path in wanted}
    for name in sorted(names):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or not filecmp.cmp(ROOT / name, target, shallow=False):
            shutil.copy(ROOT / name, target)
    for path in files.walk(folder):
        if path.relative_to(folder) not in names:
            path.unlink()
    for inputs in _INPUTS:
        shutil.rmtree(folder / inputs, ignore_errors=True)
        shutil.copytree(ROOT / inputs, folder / inputs)


def _copy_venv(target: Path, folder: Path) -> None:
    """Copy the virtual environment, which is quicker than making another one.

    Its gigabyte of packages is linked: nothing writes into these. The project's own,
    which tools/setup installs again, is copied.
    """
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(VENV.parent, target, symlinks=True, ignore=_packages)
    for package in foreign_packages():
        (target / package.relative_to(VENV.parent)).symlink_to(package)
    for path in _placed(target):
        text = path.read_bytes()
        if str(ROOT).encode() in text:
            path.write_bytes(text.replace(bytes(ROOT), bytes(folder)))


def _packages(folder: str, names: list[str]) -> set[str]:
    """Return which of the names in a folder are packages that are linked."""
    return {name for name in names if Path(folder) / name in foreign_packages()}


@cache
def foreign_packages() -> tuple[Path, ...]:
    """Return the directories of packages, without the project's own."""
    entries = VENV.parent.glob("lib/python3*/site-packages/*")
    # Trees that share byte code import each other's sources: the module that says
    # where they are has the same size and time in all of them. Debian's `gnuradio`
    # is not in this environment: what has its name there are samara's blocks.
    own = ("samara", "gnuradio", "__pycache__")
    return tuple(
        one
        for one in entries
        if one.is_dir() and not any(name in one.name for name in own)
    )


def _placed(venv: Path) -> Iterator[Path]:
    for pattern in _PLACED:
        for path in venv.glob(pattern):
            if path.is_file() and not path.is_symlink():
                yield path
