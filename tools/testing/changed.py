# SPDX-License-Identifier: Apache-2.0
"""What changed since main: ./test leaves out much of what reads none of it."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

from testing.session import ROOT

if TYPE_CHECKING:
    from pathlib import Path

# The first of these that there is: where a branch left what others have.
_MAINS = ("@{upstream}", "origin/main", "main")
# What the C tests and clang-tidy read, with what decides how they are run.
_C = re.compile(
    r"\.(c|h|cc|cpp|hpp|def|cmake|cmake\.in|sh)$|CMake"
    r"|^(core|vectors|cmake|tests/c|tests/fuzz|tools/testing)/"
    r"|^(test|tools/setup|\.clang-tidy|\.pre-commit-config\.yaml)$"
)


def c_is_unchanged(root: Path = ROOT) -> bool:
    """Return whether nothing that C tests read changed; False if that is not sure."""
    names = changed(root)
    return bool(names) and not any(map(is_of_c, names))


def is_of_c(name: str) -> bool:
    """Tell whether C tests and clang-tidy read a file, or what runs them does."""
    return _C.search(name) is not None


def changed(root: Path = ROOT) -> set[str]:
    """Return the files that differ from main's; none if that cannot be told."""
    return differing(root) or set()


def differing(root: Path = ROOT) -> set[str] | None:
    """Return the files that differ from main's; None if that cannot be told."""
    if base := _base(root):
        tracked = _git(root, "diff", "--name-only", "--no-renames", base)
        return {*tracked, *_git(root, "ls-files", "--others", "--exclude-standard")}
    return None


def of_main(name: str, root: Path = ROOT) -> str:
    """Return the text of a file where this branch left main; empty without one."""
    return "\n".join(_git(root, "show", f"{_base(root)}:{name}"))


def head(root: Path = ROOT) -> str:
    """Return the hash of the commit; empty outside of a repository."""
    return "".join(_git(root, "rev-parse", "HEAD"))


def _base(root: Path) -> str:
    for main in _MAINS:
        if base := _git(root, "merge-base", "HEAD", main):
            return base[0]
    return ""


def _git(root: Path, *words: str) -> list[str]:
    """Return the lines of a git command; none if it fails."""
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines() if done.returncode == 0 else []
