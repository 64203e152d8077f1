# SPDX-License-Identifier: Apache-2.0
"""Everything that judges the sources without running them."""

from pathlib import Path

from testing import files
from testing.clang_tidy import clang_tidy
from testing.session import ROOT, VENV, Command, Session, Stage
from testing.type_check import type_check

_LICENCE = "SPDX-License-Identifier:"
# A licence line has its place at the top.
_LICENCE_LINES = 5


def lint(session: Session) -> None:
    """Run every linter; each counts as one check."""
    _clang_format(session)
    _ruff(session)
    type_check(session)
    _shellcheck(session)
    _licence_lines(session)
    _headers(session)
    clang_tidy(session)


def _check_files(
    session: Session, what: str, command: Command, paths: list[Path]
) -> None:
    """Run a linter on files; having none to run on is a failure."""
    if not paths:
        session.failed(what, "no file to look at")
        return
    session.check(what, [*command, *paths], detail=f"{len(paths)} files")


def _clang_format(session: Session) -> None:
    paths = files.with_suffix(*files.C_SUFFIXES, *files.CXX_SUFFIXES)
    command: Command = [VENV / "clang-format", "--dry-run", "-Werror"]
    _check_files(session, "clang-format", command, paths)


def _ruff(session: Session) -> None:
    scripts = files.python_scripts()
    ruff = VENV / "ruff"
    session.check("ruff check", [ruff, "check", ROOT, *scripts])
    session.check("ruff format", [ruff, "format", "--check", ROOT, *scripts])


def _shellcheck(session: Session) -> None:
    _check_files(session, "shellcheck", ["shellcheck"], files.shell_scripts())


def _licence_lines(session: Session) -> None:
    sources = files.with_suffix(
        *files.C_SUFFIXES, *files.CXX_SUFFIXES, ".py", ".cmake", ".sh"
    )
    sources += files.shell_scripts() + files.python_scripts()
    without = [str(path.relative_to(ROOT)) for path in sources if not _licensed(path)]
    if without:
        session.failed("licence lines", f"none in {', '.join(without)}")
    else:
        session.passed("licence lines", f"{len(sources)} files")


def _licensed(path: Path) -> bool:
    top = path.read_text().splitlines()[:_LICENCE_LINES]
    return any(_LICENCE in line for line in top)


def _headers(session: Session) -> None:
    """Compile each public header alone, as C and as C++."""
    include = ROOT / "core" / "include"
    headers = files.with_suffix(".h", under=("core/include",))
    flags = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{include}"]
    for what, compiler in (
        ("headers alone, C11", ["gcc", "-std=c11", "-pedantic", "-x", "c"]),
        ("headers alone, C++17", ["g++", "-std=c++17", "-pedantic", "-x", "c++"]),
    ):
        _check_files(session, what, [*compiler, *flags], headers)


STAGE = Stage(
    "lint",
    "clang-format, clang-tidy, ruff, mypy --strict, shellcheck, headers",
    lint,
)
