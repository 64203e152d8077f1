# SPDX-License-Identifier: Apache-2.0
"""mypy --strict over the package, its tests and the tools.

As a program: `python -m testing.type_check`, as pre-commit calls it.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from testing import files
from testing.process import Children
from testing.report import Report
from testing.session import ROOT, VENV, Command, Options, Session


@dataclass(frozen=True)
class Group:
    """Python files that import one another from the same search path."""

    what: str
    search: Path
    paths: tuple[Path, ...]
    script: bool = False


def type_check(session: Session) -> None:
    """Check each group; one check a group."""
    for group in _groups():
        command: Command = [
            *(VENV / "mypy", "--strict"),
            *("--cache-dir", session.build / "mypy" / group.what),
            *(("--scripts-are-modules",) if group.script else ()),
            *group.paths,
        ]
        session.check(
            f"mypy {group.what}",
            command,
            detail=f"{len(group.paths)} files",
            extra={"MYPYPATH": str(group.search)},
        )


def _groups() -> list[Group]:
    src, tools = ROOT / "src", ROOT / "tools"
    groups = [
        _folder("src/samara", src),
        _folder("tests/python", ROOT / "tests" / "python"),
        _folder("tools/testing", tools),
        _folder("tests/tools", tools),
    ]
    groups += [
        Group(str(path.relative_to(ROOT)), path.parent, (path,), script=True)
        for path in files.python_scripts()
    ]
    return [group for group in groups if group.paths]


def _folder(name: str, search: Path) -> Group:
    return Group(name, search, tuple(files.with_suffix(".py", ".pyi", under=(name,))))


def main() -> int:
    """Check everything; pre-commit cannot know which files depend on which."""
    session = Session("lint", Options(), Children(), Report())
    type_check(session)
    return int(session.tally.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
