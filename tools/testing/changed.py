# SPDX-License-Identifier: Apache-2.0
"""What changed since main, for ./test --quick: what reads none of it is left out."""

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
    return bool(names) and not any(map(_C.search, names))


def changed(root: Path) -> set[str]:
    """Return the files that differ from main's; none if that cannot be told."""
    for main in _MAINS:
        if base := _git(root, "merge-base", "HEAD", main):
            tracked = _git(root, "diff", "--name-only", "--no-renames", base[0])
            return {*tracked, *_git(root, "ls-files", "--others", "--exclude-standard")}
    return set()


def _git(root: Path, *words: str) -> list[str]:
    """Return the lines of a git command; none if it fails."""
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines() if done.returncode == 0 else []
